// Counts are exact: no agent is counted twice or missed, wherever it lands.
#include "measure.h"

#include "line_crossing_kernel.h"
#include "neighbours.h"
#include "oracle.h"
#include "travel_times.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct point random_point(uint64_t *seed, int32_t most)
{
  return (struct point){oracle_whole(seed, -most, most), oracle_whole(seed, -most, most)};
}

Test(measure, crossings_have_a_direction)
{
  const struct point a = {0, 0}, b = {0, 10}; // northwards: west is left
  cr_expect_eq(line_crossing(a, b, (struct point){-3, 5}, (struct point){4, 5}), 1);
  cr_expect_eq(line_crossing(a, b, (struct point){4, 5}, (struct point){-3, 5}), -1);
  cr_expect_eq(line_crossing(b, a, (struct point){-3, 5}, (struct point){4, 5}), -1);
  cr_expect_eq(line_crossing(a, b, (struct point){-3, 11}, (struct point){4, 11}), 0);
  cr_expect_eq(line_crossing(a, b, (struct point){-3, 5}, (struct point){-1, 5}), 0);
}

Test(measure, landing_on_a_line_counts_once)
{
  const struct point a = {0, 0}, b = {0, 10}, on = {0, 5}, west = {-3, 5}, east = {4, 5};
  cr_expect_eq(line_crossing(a, b, west, on) + line_crossing(a, b, on, east), 1);
  cr_expect_eq(line_crossing(a, b, west, on) + line_crossing(a, b, on, west), 0);
  cr_expect_eq(line_crossing(a, b, on, (struct point){0, 7}), 0);
}

Test(measure, crossings_at_the_limit_of_positions)
{
  const int32_t m = POSITION_LIMIT;
  cr_expect_eq(line_crossing((struct point){-m, -m}, (struct point){m, m}, (struct point){-m, m},
                             (struct point){m, -m}),
               1);
  cr_expect_eq(line_crossing((struct point){-m, -m}, (struct point){m, m}, (struct point){m, -m},
                             (struct point){m, 0}),
               0);
}

static void area_create(struct measure_area *area, const struct point *corners, int64_t count)
{
  *area = (struct measure_area){.box = {{-100, -100}, {100, 100}}};
  area->outlines.count = 1;
  area->outlines.start = memory_create(2, sizeof(int64_t));
  area->outlines.start[1] = count;
  area->outlines.points = memory_create((size_t)count, sizeof *corners);
  area->outlines.closed = memory_create(1, 1);
  memcpy(area->outlines.points, corners, (size_t)count * sizeof *corners);
}

static void area_destroy(struct measure_area *area)
{
  memory_destroy(area->outlines.start);
  memory_destroy(area->outlines.points);
  memory_destroy(area->outlines.closed);
}

// Within a few quanta most moves are degenerate: they end on a corner, run along an edge, or have
// length 0.
Test(measure, closed_lines_balance_their_inside)
{
  uint64_t seed = 1;
  for (int k = 0; k < 20000; k++) {
    const int32_t most = k % 2 ? 3 : 40;
    const struct point corners[] = {{-2, -2}, {2, -2}, {3, 0}, {0, 1}, {1, 3}, {-2, 2}};
    const int64_t count = (int64_t)(sizeof corners / sizeof *corners);
    const struct point from = random_point(&seed, most), to = random_point(&seed, most);
    struct measure_area area;
    int crossed = 0;
    area_create(&area, corners, count);
    for (int64_t i = 0; i < count; i++) // counter-clockwise: the inside is on the left
      crossed += line_crossing(corners[i], corners[(i + 1) % count], from, to);
    cr_assert_eq(crossed, measure_inside(&area, from) - measure_inside(&area, to),
                 "(%d, %d) to (%d, %d): %d", from.x, from.y, to.x, to.y, crossed);
    area_destroy(&area);
  }
}

Test(measure, adjacent_areas_are_disjoint)
{
  const struct point west[] = {{-5, -5}, {0, -5}, {1, 5}, {-5, 5}};
  const struct point east[] = {{0, -5}, {5, -5}, {5, 5}, {1, 5}};
  const struct point both[] = {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
  struct measure_area a, b, all;
  area_create(&a, west, 4);
  area_create(&b, east, 4);
  area_create(&all, both, 4);
  for (int32_t x = -7; x <= 7; x++)
    for (int32_t y = -7; y <= 7; y++) {
      const struct point p = {x, y};
      cr_expect_eq(measure_inside(&a, p) + measure_inside(&b, p), measure_inside(&all, p));
    }
  area_destroy(&a);
  area_destroy(&b);
  area_destroy(&all);
}

static void crowd_create(struct agents *a, uint64_t *seed, int count, int32_t most)
{
  agents_create(a, count);
  for (int i = 0; i < count; i++) {
    agents_append(a);
    const struct point from = random_point(seed, most);
    a->id[i] = i;
    a->x[i] = from.x;
    a->y[i] = from.y;
    a->radius[i] = 0.2f;
    a->vx[i] = (float)oracle_between(seed, -3, 3);
    a->vy[i] = (float)oracle_between(seed, -3, 3);
  }
}

Test(measure, lines_equal_all_pairs)
{
  const struct frame frame = {0, 0, 16};
  const struct box bounds = {{-2000000, -2000000}, {2000000, 2000000}};
  struct point corners[] = {{-900000, 300000}, {100000, -50000}, {700000, 600000}};
  struct measure_line line = {"line", 3, corners};
  const struct measure m = {.line_count = 1, .lines = &line};
  uint64_t seed = 3;
  struct agents a;
  struct neighbours n = {0};
  crowd_create(&a, &seed, 5000, 1000000);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  for (int64_t i = 0; i < a.count; i++) {
    a.next_vx[i] = a.vx[i];
    a.next_vy[i] = a.vy[i];
  }
  agents_move(&a, &frame, bounds, 0.5f);
  int64_t counts[2] = {0}, all[2] = {0};
  measure_lines(&m, &n.own, &a, frame_length(&frame, 1.5 * sqrt(2.0)) + 2, counts);
  for (int64_t i = 0; i < a.count; i++)
    for (int k = 0; k < 2; k++) {
      const int direction =
          line_crossing(corners[k], corners[k + 1], (struct point){a.from_x[i], a.from_y[i]},
                        (struct point){a.x[i], a.y[i]});
      all[0] += direction > 0;
      all[1] += direction < 0;
    }
  cr_expect(counts[0] > 10 && counts[1] > 10);
  cr_expect(counts[0] == all[0] && counts[1] == all[1], "%lld, %lld", (long long)counts[0],
            (long long)all[0]);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

Test(measure, cells_count_every_agent)
{
  const struct measure_grid grid = {{-1000000, -1000000}, 70001, 29, 29};
  struct measure_sum *cells = memory_create((size_t)measure_cell_count(&grid), sizeof *cells);
  int32_t *now = memory_create((size_t)measure_cell_count(&grid), sizeof *now);
  uint64_t seed = 5;
  struct agents a;
  int64_t people = 0, speed = 0, expected = 0, present = 0;
  crowd_create(&a, &seed, 20000, 1000000 - 1);
  for (int64_t i = 0; i < a.count; i++) {
    a.vy[i] = 0;
    expected += lrintf(1e6f * sqrtf(a.vx[i] * a.vx[i]));
  }
  for (int twice = 0; twice < 2; twice++)
    measure_grid_add(&grid, &a, cells);
  struct cell_list occupied = {0};
  measure_grid_count(&grid, &a, now, &occupied);
  size_t with_agents = 0;
  for (int64_t i = 0; i < measure_cell_count(&grid); i++) {
    people += cells[i].people;
    speed += cells[i].speed;
    present += now[i];
    with_agents += now[i] > 0;
  }
  cr_expect_eq(occupied.count, with_agents);
  for (size_t k = 0; k < occupied.count; k++) {
    cr_expect(now[occupied.cells[k]] > 0, "cell %u is empty or there twice", occupied.cells[k]);
    now[occupied.cells[k]] = 0;
  }
  cr_expect_eq(present, a.count);
  cr_expect_eq(people, 2 * a.count);
  cr_expect_eq(speed, 2 * expected);
  cr_expect_eq(measure_cell_of(&grid, (struct point){-1000000 + 70001, -1000000 + 2 * 70001 - 1}),
               29 + 1);
  memory_destroy(cells);
  memory_destroy(now);
  cell_list_destroy(&occupied);
  agents_destroy(&a);
}

Test(measure, levels_of_service)
{
  static const double densities[] = {0, 0.3099, 0.31, 0.43, 0.72, 1.08, 2.1699, 2.17, 9};
  static const int32_t levels[] = {0, 0, 1, 2, 3, 4, 4, 5, 5};
  for (int k = 0; k < 9; k++)
    cr_expect_eq(fruin_level(densities[k]), levels[k], "%g", densities[k]);
}

Test(travel_times, sums_and_quantiles)
{
  struct travel_times t;
  travel_times_create(&t, 2, 1, 1, 0.1, 3000);
  for (int64_t k = 1; k <= 100; k++) // 1 s, 2 s, ..., 100 s
    travel_times_add(&t, (int32_t)(k % 2), 0, -1, 10 * k, k);
  struct travel_times_group all = {0};
  for (int64_t g = 0; g < travel_times_group_count(&t); g++)
    travel_times_merge(&t, &all, &t.groups[g]);
  cr_expect(all.count == 100 && all.steps == 50500 && all.delay_steps == 5050);
  cr_expect(all.least == 10 && all.most == 1000);
  cr_expect_eq(travel_times_quantile(&t, &all, 0.5), 50);
  cr_expect_eq(travel_times_quantile(&t, &all, 0.9), 90);
  cr_expect_eq(travel_times_quantile(&t, &all, 0.95), 95);
  cr_expect_eq(travel_times_quantile(&t, &all, 1), 100);
  memory_destroy(all.seconds);
  travel_times_destroy(&t);
}
