#include "nav_grid_kernel.h"

#include "extent.h"
#include "grid_cells.h"
#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define METRE 65536
#define CELL  (METRE / 2)

static unsigned state = 1;

static int32_t drawn(int32_t low, int32_t high) // uniform enough, low .. high - 1
{
  state = state * 1664525u + 1013904223u;
  return low + (int32_t)((uint64_t)state * (uint64_t)(high - low) >> 32);
}

struct scene {
  int64_t start[65];
  struct point points[256];
  uint8_t closed[64];
  struct outlines lines;
  struct obstacles obstacles;
  struct nav_grid nav_grid;
};

static void add_line(struct scene *s, int count, const struct point *points, bool closed)
{
  struct outlines *l = &s->lines;
  *l = (struct outlines){l->count, s->start, s->points, s->closed};
  for (int i = 0; i < count; i++)
    s->points[s->start[l->count] + i] = points[i];
  s->closed[l->count] = closed;
  s->start[l->count + 1] = s->start[l->count] + count;
  l->count++;
}

static void add_box(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
  add_line(s, 4, (struct point[]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, true);
}

static void finish(struct scene *s, struct box bounds, int32_t clearance, bool outside_solid)
{
  obstacles_create(&s->obstacles, &s->lines, outside_solid);
  nav_grid_create(&s->nav_grid, bounds, CELL, clearance, &s->obstacles);
}

static void scene_destroy(struct scene *s)
{
  nav_grid_destroy(&s->nav_grid);
  obstacles_destroy(&s->obstacles);
}

static const struct box BOUNDS = {{-12 * METRE, -9 * METRE}, {12 * METRE, 9 * METRE}};

// Slanted boxes that overlap, some thinner than a cell, and thin walls; every other corner on a
// coarse lattice, so that walls pass through centres of cells, too.
static void random_scene(struct scene *s, int32_t clearance, bool outside_solid)
{
  const int32_t lattice = CELL / 2;
  if (outside_solid)
    add_line(s, 4,
             (struct point[]){{-11 * METRE, -8 * METRE},
                              {-10 * METRE, 8 * METRE},
                              {11 * METRE, 7 * METRE},
                              {10 * METRE, -7 * METRE}},
             true);
  for (int i = 0; i < 14; i++) {
    struct point a = {drawn(BOUNDS.lo.x, BOUNDS.hi.x), drawn(BOUNDS.lo.y, BOUNDS.hi.y)};
    int32_t dx = drawn(-3 * METRE, 3 * METRE), dy = drawn(-3 * METRE, 3 * METRE);
    if (i % 2) {
      a = (struct point){a.x / lattice * lattice, a.y / lattice * lattice};
      dx = dx / lattice * lattice;
      dy = i % 4 == 1 ? 0 : dy / lattice * lattice;
    }
    const int32_t thick = drawn(1, 4);
    const struct point b = {a.x + dx, a.y + dy}, c = {b.x - dy / thick, b.y + dx / thick};
    const struct point d = {a.x - dy / thick, a.y + dx / thick};
    if (dx || dy)
      add_line(s, i % 3 ? 4 : 2, (struct point[]){a, b, c, d}, i % 3);
  }
  finish(s, BOUNDS, clearance, outside_solid);
}

static bool solid_or_wall(const struct obstacles *o, struct point p)
{
  return obstacles_solid(o, p) || obstacles_crossed(o, p, p);
}

static void check_cell(const struct scene *s, int64_t cell, int32_t clearance)
{
  const struct nav_grid *g = &s->nav_grid;
  const struct obstacles *o = &s->obstacles;
  const uint8_t bits = g->bits[cell];
  const struct point c = nav_grid_centre(g, cell);
  const struct point east = {c.x + g->cell, c.y}, north = {c.x, c.y + g->cell};
  const bool solid = solid_or_wall(o, c);
  const struct cell_place at = nav_grid_place(g, cell);
  const bool last_column = at.column + 1 == g->columns, last_row = at.row + 1 == g->rows;
  cr_assert_eq(nav_grid_cell(g, (uint32_t)at.column, (uint32_t)at.row), cell);
  cr_assert_eq(nav_grid_cell_of(g, c), cell);
  cr_assert_eq(bits & NAV_GRID_SOLID, solid);
  cr_assert_eq(!!(bits & NAV_GRID_LOW_CLEARANCE), obstacles_near(o, c, clearance));
  cr_assert_eq(!!(bits & NAV_GRID_EAST),
               !last_column && !solid && !solid_or_wall(o, east) && !obstacles_crossed(o, c, east));
  cr_assert_eq(!!(bits & NAV_GRID_NORTH),
               !last_row && !solid && !solid_or_wall(o, north) && !obstacles_crossed(o, c, north));
  for (int i = 0; i < 10; i++) { // what no wall touches is of one kind and sees its centre
    const struct point p = {c.x - CELL / 2 + drawn(0, CELL), c.y - CELL / 2 + drawn(0, CELL)};
    if (!(bits & NAV_GRID_CROSSED)) {
      cr_assert_eq(obstacles_solid(o, p), solid);
      cr_assert_not(obstacles_crossed(o, p, c));
    }
  }
}

Test(nav_grid, bits_are_what_the_walls_say)
{
  for (int i = 0; i < TRIAL_ROUNDS(40); i++) {
    const int32_t clearance = drawn(0, METRE);
    struct scene s = {0};
    random_scene(&s, clearance, i % 2);
    FOR_EACH_CELL(cell, &s.nav_grid)
    check_cell(&s, cell, clearance);
    scene_destroy(&s);
  }
}

Test(nav_grid, does_not_know_the_threads)
{
  struct scene a = {0}, b = {0};
  random_scene(&a, CELL, false);
  omp_set_num_threads(5);
  b.lines = a.lines;
  finish(&b, BOUNDS, CELL, false);
  cr_assert_arr_eq(a.nav_grid.bits, b.nav_grid.bits, (size_t)nav_grid_cell_count(&a.nav_grid));
  scene_destroy(&a);
  scene_destroy(&b);
}

// Every cell has an index of its own, and neighbours lead to each other.
Test(nav_grid, every_cell_has_one_place_in_memory)
{
  struct scene s = {0};
  finish(&s, (struct box){{0, 0}, {75 * CELL, 40 * CELL}}, 0, false);
  const struct nav_grid *g = &s.nav_grid;
  cr_assert_eq(nav_grid_cell_count(g), 96 * 64);
  uint8_t *seen = memory_create((size_t)nav_grid_cell_count(g), 1);
  for (uint32_t row = 0; row < 64; row++)
    for (uint32_t column = 0; column < 96; column++) {
      const int64_t cell = nav_grid_cell(g, column, row);
      const struct cell_place at = nav_grid_place(g, cell);
      cr_assert(cell >= 0 && cell < nav_grid_cell_count(g) && !seen[cell]);
      cr_assert(at.column == (int32_t)column && at.row == (int32_t)row);
      seen[cell] = 1;
      if (column + 1 < 96) {
        cr_assert_eq(nav_grid_neighbour(g, cell, 0), nav_grid_cell(g, column + 1, row));
        cr_assert_eq(nav_grid_neighbour(g, nav_grid_cell(g, column + 1, row), 2), cell);
      }
      if (row + 1 < 64) {
        cr_assert_eq(nav_grid_neighbour(g, cell, 1), nav_grid_cell(g, column, row + 1));
        cr_assert_eq(nav_grid_neighbour(g, nav_grid_cell(g, column, row + 1), 3), cell);
      }
      if (column % 4 == 0 && row % 4 == 0) // a cache line of four-byte values
        cr_assert_eq(nav_grid_cell(g, column + 3, row + 3) / 16, cell / 16);
    }
  memory_destroy(seen);
  scene_destroy(&s);
}

// A quotient without a division is exact for every length.
Test(nav_grid, whole_cells_are_those_of_the_quotient)
{
  const int32_t sides[] = {2, 6, 10, 65536, 65534, 65538, 52428, NAV_GRID_CELL_LIMIT};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    const uint32_t side = (uint32_t)sides[k];
    const struct nav_grid g = {.cell = sides[k], .per_cell = UINT64_MAX / side + 1};
    for (int i = 0; i < 10000; i++) {
      const uint32_t n = (uint32_t)drawn(0, INT32_MAX) % (UINT32_MAX / side);
      for (uint32_t length = n * side - (n > 0); length <= n * side + 1; length++)
        cr_assert_eq(nav_grid_cells(&g, length), length / side);
    }
    cr_assert_eq(nav_grid_cells(&g, UINT32_MAX), UINT32_MAX / side);
  }
}

Test(nav_grid, grid_covers_the_bounds)
{
  struct scene s = {0};
  finish(&s, (struct box){{-5, 7}, {-5 + 3 * CELL + 1, 8}}, 0, false);
  cr_assert_eq(s.nav_grid.columns, 4);
  cr_assert_eq(s.nav_grid.rows, 1);
  cr_assert_eq(nav_grid_cell_of(&s.nav_grid, (struct point){-5 + 3 * CELL, 7}),
               nav_grid_cell(&s.nav_grid, 3, 0));
  cr_assert_eq(nav_grid_cell_of(&s.nav_grid, (struct point){POSITION_LIMIT, -POSITION_LIMIT}),
               nav_grid_cell(&s.nav_grid, 3, 0));
  cr_assert_eq(nav_grid_cell_of(&s.nav_grid, (struct point){-POSITION_LIMIT, POSITION_LIMIT}), 0);
  cr_assert_eq(s.nav_grid.bits[nav_grid_cell(&s.nav_grid, 2, 0)], NAV_GRID_EAST);
  cr_assert_eq(s.nav_grid.bits[nav_grid_cell(&s.nav_grid, 3, 0)], 0);
  scene_destroy(&s);
}

Test(nav_grid, an_obstacle_over_everything_leaves_nothing)
{
  struct scene s = {0};
  add_box(&s, -20 * METRE, -20 * METRE, 20 * METRE, 20 * METRE);
  finish(&s, BOUNDS, CELL, false);
  FOR_EACH_CELL(cell, &s.nav_grid)
  cr_assert_eq(s.nav_grid.bits[cell], NAV_GRID_SOLID);
  scene_destroy(&s);
}

Test(nav_grid, the_largest_world_does_not_overflow)
{
  const int32_t far = POSITION_LIMIT / 16 * 15;
  struct scene s = {0};
  add_line(&s, 3, (struct point[]){{-far, -far}, {far, -far + 1}, {far, far}}, true);
  obstacles_create(&s.obstacles, &s.lines, false);
  nav_grid_create(&s.nav_grid, (struct box){{-far, -far}, {far, far}}, NAV_GRID_CELL_LIMIT / 2,
                  1000, &s.obstacles);
  FOR_EACH_CELL(cell, &s.nav_grid)
  cr_assert_eq(s.nav_grid.bits[cell] & NAV_GRID_SOLID,
               solid_or_wall(&s.obstacles, nav_grid_centre(&s.nav_grid, cell)));
  scene_destroy(&s);
}

Test(nav_grid, refuses_more_cells_than_it_can_count, .exit_code = EXIT_BAD_INPUT)
{
  struct scene s = {0};
  const int32_t far = POSITION_LIMIT / 2;
  obstacles_create(&s.obstacles, &s.lines, false);
  nav_grid_create(&s.nav_grid, (struct box){{-far, -far}, {far, far}}, 16384, 0, &s.obstacles);
}

// A cell whose centre is in a house, but whose other half is free: the neighbour speaks for it.
Test(nav_grid, somebody_at_a_wall_stands_in_a_cell_he_sees)
{
  struct scene s = {0};
  add_box(&s, -5 * METRE, -5 * METRE, CELL * 3 / 4, 5 * METRE);
  finish(&s, BOUNDS, CELL / 2, false);
  const struct point p = {CELL * 7 / 8, CELL / 2};
  const int64_t own = nav_grid_cell_of(&s.nav_grid, p);
  cr_assert(s.nav_grid.bits[own] & NAV_GRID_SOLID);
  cr_assert_eq(nav_grid_visible_cell(&s.nav_grid, p), nav_grid_neighbour(&s.nav_grid, own, 0));
  scene_destroy(&s);
}

Test(nav_grid, a_seen_cell_is_seen_and_the_nearest)
{
  struct scene s = {0};
  random_scene(&s, CELL / 2, false);
  const struct nav_grid *g = &s.nav_grid;
  for (int i = 0; i < 20000; i++) {
    const struct point p = {drawn(BOUNDS.lo.x, BOUNDS.hi.x), drawn(BOUNDS.lo.y, BOUNDS.hi.y)};
    if (solid_or_wall(&s.obstacles, p))
      continue;
    const int64_t own = nav_grid_cell_of(g, p), cell = nav_grid_visible_cell(g, p);
    const bool lost = g->bits[own] & NAV_GRID_SOLID ||
                      obstacles_crossed(&s.obstacles, p, nav_grid_centre(g, own));
    if (!lost) {
      cr_assert_eq(cell, own);
    } else if (cell < 0) {
      for (int64_t r = -1; r <= 1; r++) // no neighbouring cell is visible either
        for (int64_t column = -1; column <= 1; column++) {
          const struct point o = {nav_grid_centre(g, own).x + (int32_t)column * CELL,
                                  nav_grid_centre(g, own).y + (int32_t)r * CELL};
          if (box_holds(BOUNDS, o))
            cr_assert(solid_or_wall(&s.obstacles, o) || obstacles_crossed(&s.obstacles, p, o));
        }
    } else {
      cr_assert_neq(cell, own);
      cr_assert_not(g->bits[cell] & NAV_GRID_SOLID);
      cr_assert_not(obstacles_crossed(&s.obstacles, p, nav_grid_centre(g, cell)));
    }
  }
  scene_destroy(&s);
}

static int64_t marked(const struct nav_grid *g, const uint8_t *marks)
{
  int64_t count = 0;
  for (int64_t i = 0; i < nav_grid_cell_count(g); i++)
    count += marks[i];
  return count;
}

Test(nav_grid, marks_what_an_area_covers)
{
  struct scene s = {0}, area = {0};
  finish(&s, BOUNDS, 0, false);
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), 1);
  add_box(&area, 0, 0, 4 * CELL, 3 * CELL); // along the cells' borders: those cells, no more
  nav_grid_mark(&s.nav_grid, &area.lines, marks);
  cr_assert_eq(marked(&s.nav_grid, marks), 12);
  add_box(&area, CELL, CELL, 3 * CELL, 2 * CELL); // a hole in it
  memset(marks, 0, (size_t)nav_grid_cell_count(&s.nav_grid));
  nav_grid_mark(&s.nav_grid, &area.lines, marks);
  cr_assert_eq(marked(&s.nav_grid, marks), 10);
  memory_destroy(marks);
  scene_destroy(&s);
}

Test(nav_grid, marks_a_door_thinner_than_a_cell)
{
  const struct point doors[3][4] = {
      {{100, 100}, {300, 100}, {300, 6 * CELL - 100}, {100, 6 * CELL - 100}},
      {{-100, 2000}, {6 * CELL, 2000}, {6 * CELL, 2001}, {-100, 2001}},
      {{CELL, CELL}, {CELL + 1, CELL}, {CELL + 1, CELL + 1}, {CELL, CELL + 1}}};
  const int64_t cells[3] = {6, 7, 1};
  struct scene s = {0};
  finish(&s, BOUNDS, 0, false);
  for (int i = 0; i < 3; i++) {
    uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), 1);
    struct scene area = {0};
    add_line(&area, 4, doors[i], true);
    nav_grid_mark(&s.nav_grid, &area.lines, marks);
    cr_assert_eq(marked(&s.nav_grid, marks), cells[i]);
    cr_assert(marks[nav_grid_cell_of(&s.nav_grid, doors[i][0])]);
    memory_destroy(marks);
  }
  scene_destroy(&s);
}

Test(nav_grid, marks_the_cells_that_an_open_line_touches)
{
  struct scene s = {0}, area = {0};
  finish(&s, BOUNDS, 0, false);
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), 1);
  add_line(&area, 2, (struct point[]){{0, 100}, {0, 3 * CELL - 100}}, false);
  nav_grid_mark(&s.nav_grid, &area.lines, marks);
  cr_assert_eq(marked(&s.nav_grid, marks), 6); // on a border: both sides
  memory_destroy(marks);
  scene_destroy(&s);
}

// Slanted and outside the grid: centres by the solid-ness of the same outline as an obstacle.
Test(nav_grid, marks_by_centre_inside)
{
  for (int i = 0; i < 20; i++) {
    struct scene s = {0}, area = {0};
    struct point p[3];
    for (int k = 0; k < 3; k++)
      p[k] = (struct point){drawn(-15 * METRE, 15 * METRE), drawn(-15 * METRE, 15 * METRE)};
    const int64_t turn = (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) -
                         (int64_t)(p[1].y - p[0].y) * (p[2].x - p[0].x);
    add_line(&area, 3, turn > 0 ? p : (struct point[]){p[2], p[1], p[0]}, true);
    s.lines = area.lines;
    finish(&s, BOUNDS, 0, false);
    uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), 1);
    nav_grid_mark(&s.nav_grid, &area.lines, marks);
    FOR_EACH_CELL(c, &s.nav_grid)
    cr_assert_eq(marks[c], (s.nav_grid.bits[c] & (NAV_GRID_SOLID | NAV_GRID_CROSSED)) != 0);
    memory_destroy(marks);
    scene_destroy(&s);
  }
}

// ------------------------------------------------------------------------------------ gaps

static long double distance_to_edge(struct point a, struct point b, struct point p)
{
  const long double ex = (long double)b.x - a.x, ey = (long double)b.y - a.y;
  const long double x = (long double)p.x - a.x, y = (long double)p.y - a.y;
  long double t = (x * ex + y * ey) / (ex * ex + ey * ey);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypotl(x - t * ex, y - t * ey);
}

static int gap_at(const struct nav_grid *g, int64_t cell)
{
  return g->gap[cell];
}

// In units of the map; all pairs, and the border of the grid.
static long double gap_by_all_walls(const struct scene *s, int64_t cell)
{
  const struct nav_grid *g = &s->nav_grid;
  const struct point c = nav_grid_centre(g, cell);
  const long double west = c.x - g->origin.x, south = c.y - g->origin.y;
  long double least = fminl(fminl(west, (long double)g->columns * g->cell - west),
                            fminl(south, (long double)g->rows * g->cell - south));
  for (int64_t w = 0; w < s->obstacles.count; w++)
    least = fminl(least, distance_to_edge(s->obstacles.walls[w].a, s->obstacles.walls[w].b, c));
  return least * NAV_GRID_GAPS_PER_METRE / METRE;
}

static void check_gaps(const struct scene *s)
{
  const struct nav_grid *g = &s->nav_grid;
  FOR_EACH_CELL(cell, g)
  {
    const long double gap = g->bits[cell] & NAV_GRID_SOLID ? 0 : gap_by_all_walls(s, cell);
    const int found = gap_at(g, cell);
    cr_assert(gap >= 255 ? found == 255 : found <= gap + 1e-6L && found > gap - 1 - 1e-6L,
              "cell %lld: %d, by all walls %Lg", (long long)cell, found, gap);
  }
}

Test(gaps, are_those_to_the_nearest_of_all_walls)
{
  for (unsigned seed = 1; seed <= 6; seed++) {
    struct scene s = {0};
    state = seed;
    omp_set_num_threads(seed % 2 ? 1 : 3);
    random_scene(&s, CELL / 2, seed % 3 == 0);
    nav_grid_measure_gaps(&s.nav_grid, METRE);
    check_gaps(&s);
    scene_destroy(&s);
  }
}

Test(gaps, end_at_what_a_byte_holds)
{
  struct scene s = {0};
  add_box(&s, -METRE, -METRE, METRE, METRE);
  finish(&s, (struct box){{-40 * METRE, -25 * METRE}, {31 * METRE, 33 * METRE}}, 0, false);
  nav_grid_measure_gaps(&s.nav_grid, METRE);
  check_gaps(&s);
  scene_destroy(&s);
}

Test(gaps, without_walls_only_the_border_is_near)
{
  struct scene s = {.lines = {0, s.start, s.points, s.closed}};
  finish(&s, BOUNDS, 0, false);
  nav_grid_measure_gaps(&s.nav_grid, METRE);
  check_gaps(&s);
  scene_destroy(&s);
}

Test(gaps, raise_the_cost_near_walls)
{
  struct scene s = {0};
  state = 9;
  random_scene(&s, 0, false);
  nav_grid_measure_gaps(&s.nav_grid, METRE);
  nav_grid_raise_costs_near_walls(&s.nav_grid);
  FOR_EACH_CELL(cell, &s.nav_grid)
  {
    const double metres = gap_at(&s.nav_grid, cell) / (double)NAV_GRID_GAPS_PER_METRE;
    const double cost = FIELD_UNIT * (1 + 0.15 * fmax(0, 1 - metres / 4));
    cr_assert_leq(fabs(s.nav_grid.cost[cell] - cost), 1);
  }
  scene_destroy(&s);
}
