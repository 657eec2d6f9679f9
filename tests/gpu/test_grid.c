// The device's grid finds the neighbours and overlaps that a search of all pairs finds, in any
// order of threads and for any cells.
#include "velocity_launch.h"

#include "../core/hard_crowds.h"
#include <criterion/criterion.h>

static const struct world world = {.frame.exponent = 16};

static void assert_nearest(const struct kernel_input *s, const struct agents *a, double range2)
{
  for (int64_t i = 0; i < s->own; i++) {
    const int32_t k = s->memory_index[i];
    int found[NEIGHBOURS_MAX];
    const int count = oracle_nearest((int)s->all, a->x, a->y, a->id, k, a->x[k], a->y[k],
                                     s->neighbour_max, range2, found);
    for (int n = 0; n < s->neighbour_max; n++) {
      const int32_t j = s->neighbour_list[(int64_t)n * s->own + i];
      cr_assert_eq(j < 0 ? -1 : s->memory_index[j], n < count ? found[n] : -1,
                   "agent %d, neighbour %d", k, n);
    }
  }
}

static void assert_overlaps(const struct kernel_input *s, const struct agents *a)
{
  struct step_tally expected = {.first_overlap_id = UINT64_MAX};
  float deepest = 0;
  for (int64_t i = 0; i < s->own; i++) {
    const int64_t before = expected.overlaps;
    for (int64_t j = 0; j < s->all; j++) {
      const float R = a->radius[i] + a->radius[j], touch = R * 65536;
      const double d2 = oracle_float_distance2(a->x[i], a->y[i], a->x[j], a->y[j]);
      const float depth = R - sqrtf((float)d2) / 65536;
      if (i == j || d2 >= (double)(touch * touch))
        continue;
      expected.overlaps++;
      if (depth > deepest || (depth == deepest && (uint64_t)a->id[i] < expected.deepest_id)) {
        expected.deepest_id = (uint64_t)a->id[i];
        expected.deepest_at = (struct point){a->x[i], a->y[i]};
        deepest = depth;
      }
      if ((uint64_t)a->id[i] < expected.first_overlap_id) {
        expected.first_overlap_id = (uint64_t)a->id[i];
        expected.first_overlap_at = (struct point){a->x[i], a->y[i]};
        expected.first_overlap_other = a->id[j];
      } else if ((uint64_t)a->id[i] == expected.first_overlap_id &&
                 a->id[j] < expected.first_overlap_other) {
        expected.first_overlap_other = a->id[j];
      }
    }
    expected.in_contact += expected.overlaps > before;
  }
  cr_assert_eq(s->tally->in_contact, expected.in_contact);
  cr_assert(deepest == 0 || (s->tally->deepest_id == expected.deepest_id &&
                             s->tally->deepest_at.x == expected.deepest_at.x &&
                             s->tally->deepest_at.y == expected.deepest_at.y));
  cr_assert_eq(s->tally->overlaps, expected.overlaps);
  cr_assert_eq(real_of_bits(s->tally->deepest_overlap_bits), deepest);
  cr_assert_eq(s->tally->first_overlap_id, expected.first_overlap_id);
  cr_assert(expected.overlaps == 0 ||
            (s->tally->first_overlap_other == expected.first_overlap_other &&
             s->tally->first_overlap_at.x == expected.first_overlap_at.x &&
             s->tally->first_overlap_at.y == expected.first_overlap_at.y));
}

static struct box lower_left_quarter(struct box b)
{
  return (struct box){b.lo,
                      {b.lo.x + (b.hi.x / 4 - b.lo.x / 4), b.lo.y + (b.hi.y / 4 - b.lo.y / 4)}};
}

// shrink: the grids cover only a quarter of the crowd.
static void check_search_in(struct device_state *state, struct agents *a, int neighbour_max,
                            float distance, bool shrink)
{
  const struct avoidance avoidance = {
      .neighbours = neighbour_max, .neighbour_distance = distance, .horizon_walls = 1};
  struct neighbours neighbours = {0};
  neighbours_build(&neighbours, &world.frame, a);
  const struct next_velocity_input in = {
      .world = &world, .avoidance = &avoidance, .neighbours = &neighbours, .dt = 0.1f};
  for (int64_t i = 0; i < a->count; i++)
    a->neighbour_distance[i] = distance;
  struct crowd_extent extent = extent_of(&neighbours);
  if (shrink) {
    extent.own = lower_left_quarter(extent.own);
    extent.ghosts = lower_left_quarter(extent.ghosts);
  }
  const struct kernel_input *on_device = prepare_host_agents(state, &in, a, &extent),
                            *s = &state->kernel_input;
  tally_reset(state);
  launch_next_velocity(state, on_device);
  LAUNCH(&state->device, locate_first_overlap, on_device, s->own);
  LAUNCH(&state->device, find_deepest_overlap, on_device, s->own);
  LAUNCH(&state->device, locate_deepest_overlap, on_device, s->own);
  assert_nearest(s, a, (double)s->range2);
  assert_overlaps(s, a);
  neighbours_destroy(&neighbours);
}

static void check_search(struct device_state *state, struct agents *a, int neighbour_max,
                         float distance)
{
  check_search_in(state, a, neighbour_max, distance, false);
}

Test(grid, finds_what_all_pairs_find)
{
  static const int counts[] = {1, 2, 17, 100, 300}, maxima[] = {1, 7, 10, 32};
  static const float distances[] = {0.001f, 0.5f, 5, 1000};
  static struct device_state state;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 5; c++)
      for (int k = 0; k < 4; k++) {
        struct agents a;
        state.device.order = (enum thread_order)((c + k) % 3);
        crowd_make(&a, (uint64_t)(7 * kind + c), kind, counts[c], counts[c] / 3);
        uint64_t r = 5;
        for (int i = 0; i < counts[c] && k % 2; i++) // some discs span several rows
          a.radius[i] = (float)oracle_between(&r, 0.01, i % 9 ? 0.5 : 4);
        check_search(&state, &a, maxima[k], distances[(c + k) % 4]);
        agents_destroy(&a);
      }
}

static void assert_in_cells(const struct grid *g, const struct agents *a)
{
  const int64_t end = g->first + g->count;
  cr_assert_leq(grid_table_size(g), 4 * g->count + 1024);
  cr_assert_eq(g->start[0], g->first);
  cr_assert_eq(g->start[grid_table_size(g)], end);
  for (int64_t i = g->first; i < end; i++) {
    const struct point p = point_of(a, i);
    const int32_t row = grid_row(g, p.y), column = grid_column(g, p.x);
    cr_assert_eq(g->cell[i], grid_cell(g, row, column));
    cr_assert(i == g->first || g->cell[i - 1] <= g->cell[i]);
    cr_assert(grid_cell_begin(g, row, column) <= i && i < grid_cell_begin(g, row, column + 1));
  }
}

// Every agent is in the cell of its position, and in exactly one run of agents.
Test(grid, every_agent_is_in_one_cell)
{
  static struct device_state state;
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a;
    crowd_make(&a, 3, kind, 500, 100);
    const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
    struct neighbours neighbours = {0};
    neighbours_build(&neighbours, &world.frame, &a);
    const struct next_velocity_input in = {
        .world = &world, .avoidance = &avoidance, .neighbours = &neighbours, .dt = 0.1f};
    const struct crowd_extent extent = extent_of(&neighbours);
    prepare_host_agents(&state, &in, &a, &extent);
    for (int k = 0; k < 2; k++)
      assert_in_cells(&state.kernel_input.grids[k], &state.kernel_input.sorted);
    neighbours_destroy(&neighbours);
    agents_destroy(&a);
  }
}

// Most agents are outside the grid, in its border cells.
Test(grid, a_grid_of_one_corner_serves_all)
{
  static struct device_state state;
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a;
    crowd_make(&a, 11, kind, 300, 100);
    check_search_in(&state, &a, 10, 5, true);
    agents_destroy(&a);
  }
}

// One distant agent does not widen the cells where the others are.
Test(grid, a_distant_agent_widens_no_cells)
{
  const struct box near = {{0, 0}, {100 << 16, 100 << 16}}, far = {{0, 0}, {1 << 30, 1 << 30}};
  const struct grid dense = grid_over(near, 65536, 20000), sparse = grid_over(far, 65536, 20000);
  cr_assert_eq(dense.width, sparse.width);
  cr_assert(dense.shift == 0 && grid_table_size(&sparse) <= 4 * 20000 + 1024);
}

Test(grid, every_order_visits_each_thread_once)
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
