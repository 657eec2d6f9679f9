// Counts are exact: no agent is counted twice or missed, wherever it lands.
#include "cell_totals.h"
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
  struct cell_totals totals;
  cell_totals_create(&totals, &grid, 0x1p-16, true);
  for (int twice = 0; twice < 2; twice++) {
    cell_totals_count(&totals, &a, cells);
    cr_expect_eq(cell_totals_judge(&totals, (struct cell_range){0, 29, 0, 29}, cells), 0);
  }
  cell_totals_destroy(&totals);
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

// The edges that a move crosses, by the columns and rows alone.
static void crossings_by_definition(const struct measure_grid *g, struct point from,
                                    struct point to, int64_t *crossed)
{
  int64_t column = ((int64_t)from.x - g->origin.x) / g->cell;
  int64_t row = ((int64_t)from.y - g->origin.y) / g->cell;
  const int64_t columns = g->columns, to_column = ((int64_t)to.x - g->origin.x) / g->cell;
  const int64_t to_row = ((int64_t)to.y - g->origin.y) / g->cell;
  for (; column < to_column; column++)
    crossed[4 * (row * columns + column) + CELL_EAST]++;
  for (; column > to_column; column--)
    crossed[4 * (row * columns + column - 1) + CELL_WEST]++;
  for (; row < to_row; row++)
    crossed[4 * (row * columns + column) + CELL_NORTH]++;
  for (; row > to_row; row--)
    crossed[4 * ((row - 1) * columns + column) + CELL_SOUTH]++;
}

// Among the moves are those from and to edges of cells; cells of one quantum and large ones.
Test(measure, cell_crossings_are_those_of_the_definition)
{
  static const int32_t cells[] = {1, 3, 70001, 65536, 1999999};
  for (int n = 0; n < 5; n++) {
    const int32_t cell = cells[n], half = cell < 100 ? 150 : 1000000;
    const int32_t columns = (2 * half + cell - 1) / cell;
    const struct measure_grid grid = {{-half, -half}, cell, columns, columns};
    struct cell_totals t;
    uint64_t seed = 7;
    struct agents a;
    crowd_create(&a, &seed, 3000, half - 1);
    cell_totals_create(&t, &grid, 0x1p-16, true);
    int64_t *crossed =
        memory_create(CELL_SIDES * (size_t)measure_cell_count(&grid), sizeof *crossed);
    for (int64_t i = 0; i < a.count; i++) {
      const struct point to = random_point(&seed, half - 1);
      a.from_x[i] = i % 3 ? a.x[i] : grid.origin.x + (int32_t)(i % columns) * cell;
      a.from_y[i] = i % 5 ? a.y[i] : grid.origin.y + columns / 2 * cell;
      a.x[i] = i % 7 ? to.x : grid.origin.x + cell - 1;
      a.y[i] = i % 2 ? to.y : a.y[i];
      crossings_by_definition(&grid, (struct point){a.from_x[i], a.from_y[i]},
                              (struct point){a.x[i], a.y[i]}, crossed);
    }
    struct cell_crossings c = {.count = 0};
    for (int64_t first = 0; first < a.count; first += AGENTS_PART)
      cell_totals_find_moves(&t, &c, &a, first, agents_part_end(&a, first));
    cell_totals_add_crossings(&t, &c);
    int64_t all = 0;
    for (int64_t k = 0; k < CELL_SIDES * measure_cell_count(&grid); k++) {
      cr_assert_eq(t.crossed[k], crossed[k], "cells of %d, edge %lld", cell, (long long)k);
      all += crossed[k];
    }
    cr_expect(all > 1000);
    memory_destroy(crossed);
    cell_totals_destroy(&t);
    agents_destroy(&a);
  }
}

// Two ranks, one of which has a part of the cells whole: the others are judged by both counts.
Test(measure, cells_of_two_ranks_are_judged_once)
{
  const struct measure_grid grid = {{-1000000, -1000000}, 70001, 29, 29};
  const size_t cells = (size_t)measure_cell_count(&grid);
  struct box left = {{INT32_MIN, INT32_MIN}, {123456, INT32_MAX}}, right = left;
  struct measure_sum *sums[3];
  struct cell_totals t[3];
  struct agents a[3];
  uint64_t seed = 5;
  right.lo.x = left.hi.x, right.hi.x = INT32_MAX;
  for (int k = 0; k < 3; k++) {
    agents_create(&a[k], 1);
    cell_totals_create(&t[k], &grid, 0x1p-16, k != 1);
    sums[k] = memory_create(cells, sizeof *sums[k]);
  }
  agents_destroy(&a[2]);
  crowd_create(&a[2], &seed, 20000, 1000000 - 1);
  for (int64_t i = 0; i < a[2].count; i++) {
    struct agents *to = &a[a[2].x[i] >= left.hi.x];
    const int64_t k = agents_append(to);
    to->x[k] = a[2].x[i];
    to->y[k] = a[2].y[i];
  }
  struct cell_count *counts = memory_create(2 * cells, sizeof *counts);
  int64_t shared = 0;
  for (int k = 0; k < 3; k++) {
    cell_totals_count(&t[k], &a[k], sums[k]);
    const struct box world = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
    const int64_t more = cell_totals_judge(&t[k],
                                           cells_within(&grid, k == 0   ? left
                                                               : k == 1 ? right
                                                                        : world),
                                           sums[k]);
    cr_expect(k == 2 ? more == 0 : more > 0 && more <= 29);
    if (more > 0)
      cell_totals_take(&t[k], sums[k], counts + shared);
    shared += more;
  }
  cell_totals_judge_counts(&t[0], counts, shared);
  cr_expect_eq(t[0].densest > t[1].densest ? t[0].densest : t[1].densest, t[2].densest);
  for (size_t k = 0; k < cells; k++) {
    const struct cell_samples *one = &t[0].cells[k], *other = &t[1].cells[k], *all = &t[2].cells[k];
    cr_expect_eq(one->most > other->most ? one->most : other->most, all->most);
    cr_expect_eq(sums[0][k].people + sums[1][k].people, sums[2][k].people);
    for (int level = 0; level < TOTALS_LEVELS; level++)
      cr_expect_eq(one->highest[level] + other->highest[level], all->highest[level]);
    cr_expect_eq(one->present | other->present | all->present, 0);
  }
  for (int k = 0; k < 3; k++) {
    cell_totals_destroy(&t[k]);
    memory_destroy(sums[k]);
    agents_destroy(&a[k]);
  }
  memory_destroy(counts);
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
