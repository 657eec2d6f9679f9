// The grid of the GPU finds whom all pairs find, in any order of threads, whatever its cells.
#include "velocity_launch.h"

#include "../core/hard_crowds.h"
#include <criterion/criterion.h>

static const struct world world = {.frame.exponent = 16};

static void assert_nearest(const struct kernel_input *s, const struct agents *a, double range2)
{
  for (int64_t i = 0; i < s->own; i++) {
    const int32_t k = s->memory_index[i];
    int found[NEIGHBOURS_MAX];
    const int right =
        oracle_nearest((int)s->all, a->x, a->y, a->id, k, a->x[k], a->y[k], s->room, range2, found);
    for (int n = 0; n < s->room; n++) {
      const int32_t j = s->neighbour_list[(int64_t)n * s->own + i];
      cr_assert_eq(j < 0 ? -1 : s->memory_index[j], n < right ? found[n] : -1,
                   "agent %d, neighbour %d", k, n);
    }
  }
}

static void assert_overlaps(const struct kernel_input *s, const struct agents *a)
{
  struct step_tally right = {.first_overlap_id = UINT64_MAX};
  float deepest = 0;
  for (int64_t i = 0; i < s->own; i++)
    for (int64_t j = 0; j < s->all; j++) {
      const float R = a->radius[i] + a->radius[j], touch = R * 65536;
      const double d2 = oracle_float_distance2(a->x[i], a->y[i], a->x[j], a->y[j]);
      const float depth = R - sqrtf((float)d2) / 65536;
      if (i == j || d2 >= (double)(touch * touch))
        continue;
      right.overlaps++;
      deepest = depth > deepest ? depth : deepest;
      if ((uint64_t)a->id[i] < right.first_overlap_id) {
        right.first_overlap_id = (uint64_t)a->id[i];
        right.at = (struct point){a->x[i], a->y[i]};
        right.with = a->id[j];
      } else if ((uint64_t)a->id[i] == right.first_overlap_id && a->id[j] < right.with) {
        right.with = a->id[j];
      }
    }
  cr_assert_eq(s->tally->overlaps, right.overlaps);
  cr_assert_eq(real_of_bits(s->tally->deepest), deepest);
  cr_assert_eq(s->tally->first_overlap_id, right.first_overlap_id);
  cr_assert(right.overlaps == 0 || (s->tally->with == right.with && s->tally->at.x == right.at.x &&
                                    s->tally->at.y == right.at.y));
}

static struct box corner_of(struct box b)
{
  return (struct box){b.lo,
                      {b.lo.x + (b.hi.x / 4 - b.lo.x / 4), b.lo.y + (b.hi.y / 4 - b.lo.y / 4)}};
}

static void look_at(struct device_state *g, struct agents *a, int room, float distance, bool corner)
{
  const struct avoidance avoidance = {
      .neighbours = room, .neighbour_distance = distance, .horizon_walls = 1};
  struct neighbours neighbours = {0};
  neighbours_build(&neighbours, &world.frame, a);
  const struct next_velocity_input in = {
      .world = &world, .avoidance = &avoidance, .neighbours = &neighbours, .dt = 0.1f};
  for (int64_t i = 0; i < a->count; i++)
    a->neighbour_distance[i] = distance;
  struct crowd_extent here = {tree_box(&neighbours.own), tree_box(&neighbours.ghosts),
                              neighbours.radius_max, neighbours.uniform_yield, false};
  if (corner) {
    here.own = corner_of(here.own);
    here.ghosts = corner_of(here.ghosts);
  }
  const struct kernel_input *on_device = kernel_input_of_crowd(g, &in, a, &here),
                            *s = &g->kernel_input;
  tally_reset(g);
  launch_next_velocity(g, on_device);
  LAUNCH(&g->device, describe_first_overlap, on_device, s->own);
  assert_nearest(s, a, (double)s->range2);
  assert_overlaps(s, a);
  neighbours_destroy(&neighbours);
}

static void look(struct device_state *g, struct agents *a, int room, float distance)
{
  look_at(g, a, room, distance, false);
}

Test(grid, finds_whom_all_pairs_find)
{
  static const int counts[] = {1, 2, 17, 100, 300}, rooms[] = {1, 7, 10, 32};
  static const float distances[] = {0.001f, 0.5f, 5, 1000};
  static struct device_state g;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 5; c++)
      for (int k = 0; k < 4; k++) {
        struct agents a;
        g.device.order = (enum thread_order)((c + k) % 3);
        crowd_make(&a, (uint64_t)(7 * kind + c), kind, counts[c], counts[c] / 3);
        uint64_t r = 5;
        for (int i = 0; i < counts[c] && k % 2; i++) // some reach over several rows
          a.radius[i] = (float)oracle_between(&r, 0.01, i % 9 ? 0.5 : 4);
        look(&g, &a, rooms[k], distances[(c + k) % 4]);
        agents_destroy(&a);
      }
}

static void assert_in_cells(const struct grid *g, const struct agents *a)
{
  const int64_t end = g->first + g->count;
  cr_assert_leq(grid_table(g), 4 * g->count + 1024);
  cr_assert_eq(g->start[0], g->first);
  cr_assert_eq(g->start[grid_table(g)], end);
  for (int64_t i = g->first; i < end; i++) {
    const struct point p = point_of(a, i);
    const int32_t row = grid_row(g, p.y), column = grid_column(g, p.x);
    cr_assert_eq(g->cell[i], grid_cell(g, row, column));
    cr_assert(i == g->first || g->cell[i - 1] <= g->cell[i]);
    cr_assert(grid_first(g, row, column) <= i && i < grid_first(g, row, column + 1));
  }
}

// Every agent is in the cell that its place says, and the cells' runs are all of them.
Test(grid, every_agent_is_in_one_cell)
{
  static struct device_state device_state;
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a;
    crowd_make(&a, 3, kind, 500, 100);
    const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
    struct neighbours neighbours = {0};
    neighbours_build(&neighbours, &world.frame, &a);
    const struct next_velocity_input in = {
        .world = &world, .avoidance = &avoidance, .neighbours = &neighbours, .dt = 0.1f};
    kernel_input_of(&device_state, &in, &a);
    for (int k = 0; k < 2; k++)
      assert_in_cells(&device_state.kernel_input.grids[k], &device_state.kernel_input.a);
    neighbours_destroy(&neighbours);
    agents_destroy(&a);
  }
}

// Most stand outside the grid, in its outermost cells.
Test(grid, a_grid_of_a_corner_serves_all)
{
  static struct device_state g;
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a;
    crowd_make(&a, 11, kind, 300, 100);
    look_at(&g, &a, 10, 5, true);
    agents_destroy(&a);
  }
}

// One far away, and cells stay small where the others are.
Test(grid, a_far_one_widens_no_cells)
{
  const struct box near = {{0, 0}, {100 << 16, 100 << 16}}, far = {{0, 0}, {1 << 30, 1 << 30}};
  const struct grid one = grid_over(near, 65536, 20000), other = grid_over(far, 65536, 20000);
  cr_assert_eq(one.width, other.width);
  cr_assert(one.shift == 0 && grid_table(&other) <= 4 * 20000 + 1024);
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
