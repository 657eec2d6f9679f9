// The grid of the GPU finds whom all pairs find, in any order of threads, whatever its cells.
#include "choose_gpu.h"

#include "../core/crowds.h"
#include <criterion/criterion.h>

static const struct world world = {.frame.exponent = 16};

static void assert_nearest(const struct scene *s, const struct agents *a, double range2)
{
  for (int64_t i = 0; i < s->all; i++) {
    const int32_t k = s->from[i];
    if (k >= s->own)
      continue;
    int found[NEIGHBOURS_MAX];
    const int right =
        oracle_nearest((int)s->all, a->x, a->y, a->id, k, a->x[k], a->y[k], s->room, range2, found);
    for (int n = 0; n < s->room; n++) {
      const int32_t j = s->number[(int64_t)n * s->all + i];
      cr_assert_eq(j < 0 ? -1 : s->from[j], n < right ? found[n] : -1, "agent %d, neighbour %d", k,
                   n);
    }
  }
}

static int64_t overlaps_of_all_pairs(const struct agents *a, int64_t own, int64_t all)
{
  int64_t count = 0;
  const float touch = 0.5f * 65536;
  for (int64_t i = 0; i < own; i++)
    for (int64_t j = 0; j < all; j++)
      count += i != j &&
               oracle_float_distance2(a->x[i], a->y[i], a->x[j], a->y[j]) < (double)(touch * touch);
  return count;
}

static void look(struct gpu *g, struct agents *a, int room, float distance)
{
  const struct avoidance avoidance = {
      .neighbours = room, .neighbour_distance = distance, .horizon_walls = 1};
  struct neighbours crowd = {0};
  neighbours_build(&crowd, &world.frame, a);
  const struct choose_input in = {
      .world = &world, .avoidance = &avoidance, .crowd = &crowd, .dt = 0.1f};
  for (int64_t i = 0; i < a->count; i++)
    a->neighbour_distance[i] = distance;
  const struct scene s = scene_of(g, &in, a);
  launch_all(g, send_scene(g, s), &s);
  assert_nearest(&s, a, (double)s.range2);
  cr_assert_eq(s.tally->overlaps, overlaps_of_all_pairs(a, s.own, s.all));
  neighbours_destroy(&crowd);
}

Test(grid, finds_whom_all_pairs_find)
{
  static const int counts[] = {1, 2, 17, 100, 300}, rooms[] = {1, 7, 10, 32};
  static const float distances[] = {0.001f, 0.5f, 5, 1000};
  static struct gpu g;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 5; c++)
      for (int k = 0; k < 4; k++) {
        struct agents a;
        g.device.order = (enum thread_order)((c + k) % 3);
        crowd_make(&a, (uint64_t)(7 * kind + c), kind, counts[c], counts[c] / 3);
        look(&g, &a, rooms[k], distances[(c + k) % 4]);
        agents_destroy(&a);
      }
}

// Every agent is in the cell that its place says, and the cells' runs are all of them.
Test(grid, every_agent_is_in_one_cell)
{
  static struct gpu g;
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a;
    crowd_make(&a, 3, kind, 500, 100);
    const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
    struct neighbours crowd = {0};
    neighbours_build(&crowd, &world.frame, &a);
    const struct choose_input in = {
        .world = &world, .avoidance = &avoidance, .crowd = &crowd, .dt = 0.1f};
    const struct scene s = scene_of(&g, &in, &a);
    launch_all(&g, send_scene(&g, s), &s);
    cr_assert_leq(grid_cells(&s.grid), 4 * 500 + 1024);
    cr_assert_eq(s.grid.start[0], 0);
    cr_assert_eq(s.grid.start[grid_cells(&s.grid)], 500);
    for (int64_t cell = 0; cell < grid_cells(&s.grid); cell++)
      for (int64_t i = s.grid.start[cell]; i < s.grid.start[cell + 1]; i++)
        cr_assert_eq(grid_cell(&s.grid, point_of(&s.a, i)), (uint32_t)cell);
    neighbours_destroy(&crowd);
    agents_destroy(&a);
  }
}

Test(grid, orders_of_threads_visit_all_once)
{
  static uint8_t seen[20000];
  static const int64_t counts[] = {1, 2, 13, 7919, 15838, 20000};
  for (int order = FORWARD; order <= PERMUTED; order++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      memset(seen, 0, sizeof seen);
      for (int64_t k = 0; k < counts[c]; k++)
        seen[thread_at((enum thread_order)order, k, counts[c])]++;
      for (int64_t i = 0; i < counts[c]; i++)
        cr_assert_eq(seen[i], 1);
    }
}
