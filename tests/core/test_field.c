#include "extent.h"
#include "field_cells.h"
#include "field_check.h"
#include "field_kernel.h"
#include "field_solving.h"
#include "grid_cells.h"
#include "machine_lanes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define METRE     65536
#define CELL      (METRE / 2)
#define CLEARANCE (METRE / 4)
#define LINES_MAX 300
#define MAZES     (SHORT ? 6 : 40)

static unsigned state = 1;

static int32_t drawn(int32_t low, int32_t high) // uniform enough, low .. high - 1
{
  state = state * 1664525u + 1013904223u;
  return low + (int32_t)((uint64_t)state * (uint64_t)(high - low) >> 32);
}

static bool field_ends(const struct field *f, struct point p) // in a cell of the destination
{
  return field_time(f, p) == 0;
}

struct scene {
  int64_t start[LINES_MAX + 1];
  struct point points[4 * LINES_MAX];
  uint8_t closed[LINES_MAX];
  struct outlines lines;
  struct obstacles obstacles;
  struct nav_grid nav_grid;
  uint8_t *destination;
  struct field field;
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

static void add_wall(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
  add_line(s, 2, (struct point[]){{x0, y0}, {x1, y1}}, false);
}

static void make_ground(struct scene *s, struct box bounds, int32_t clearance)
{
  obstacles_create(&s->obstacles, &s->lines, false);
  nav_grid_create(&s->nav_grid, bounds, CELL, clearance, &s->obstacles);
  s->destination = memory_create((size_t)nav_grid_cell_count(&s->nav_grid), 1);
}

static void aim(struct scene *s, int32_t x, int32_t y)
{
  s->destination[nav_grid_cell_of(&s->nav_grid, (struct point){x, y})] = 1;
}

static void solve(struct scene *s)
{
  field_create(&s->field, &s->nav_grid, NULL);
  field_solve(&s->field, s->destination, NULL);
}

static void scene_destroy(struct scene *s)
{
  field_destroy(&s->field);
  memory_destroy(s->destination);
  nav_grid_destroy(&s->nav_grid);
  obstacles_destroy(&s->obstacles);
}

static uint32_t time_at(const struct scene *s, int32_t x, int32_t y)
{
  return field_time_of(&s->field, nav_grid_cell_of(&s->nav_grid, (struct point){x, y}));
}

static const struct box BOUNDS = {{-10 * METRE, -10 * METRE}, {10 * METRE, 10 * METRE}};

// How a scene is turned: first mirrored in x, then rotated by this number of right angles.
struct turn {
  bool mirror;
  int quarters;
};

static struct point turned(struct turn t, struct point p)
{
  if (t.mirror)
    p.x = -p.x;
  for (int i = 0; i < t.quarters; i++)
    p = (struct point){-p.y, p.x};
  return p;
}

static void add_turned(struct scene *s, int count, const struct point *points, struct turn t)
{
  struct point p[4];
  for (int i = 0; i < count; i++) // a mirror turns an outline's sense round
    p[t.mirror ? count - 1 - i : i] = turned(t, points[i]);
  add_line(s, count, p, count > 2);
}

// Thin walls, some on cell borders and through centres, slits narrower than the clearance,
// slanted blocks thick and thin; the same for the same seed, turned.
static void random_maze(struct scene *s, unsigned seed, struct turn t, int32_t clearance)
{
  state = seed;
  for (int i = 0; i < 60; i++) {
    struct point a = {drawn(-10 * METRE, 10 * METRE), drawn(-10 * METRE, 10 * METRE)};
    const int32_t length = drawn(METRE, 5 * METRE), gap = drawn(1, CELL);
    if (i % 4)
      a = (struct point){a.x / CLEARANCE * CLEARANCE, a.y / CLEARANCE * CLEARANCE};
    struct point b = i % 2 ? (struct point){a.x + length, a.y} : (struct point){a.x, a.y + length};
    if (i % 5 == 0)
      b = (struct point){a.x + drawn(-length, length), a.y + drawn(-length, length)};
    add_turned(s, 2, (struct point[]){a, b}, t);
    const struct point along = {(b.x - a.x) / 2, (b.y - a.y) / 2};
    if (i % 3 == 0 && i % 2) // goes on behind a slit
      add_turned(s, 2, (struct point[]){{b.x + gap, b.y}, {b.x + gap + along.x, b.y + along.y}}, t);
    if (i % 7 == 0)
      add_turned(
          s, 4,
          (struct point[]){a, b, {b.x - along.y, b.y + along.x}, {a.x - along.y, a.y + along.x}},
          t);
  }
  make_ground(s, BOUNDS, clearance);
  for (int i = 0; i < 3; i++) {
    const struct point p = turned(
        t, (struct point){drawn(-19, 19) * CELL + CELL / 2, drawn(-19, 19) * CELL + CELL / 2});
    aim(s, p.x, p.y);
  }
}

// ---- The slow twin: the same laws in the plainest form, all cells again and again. ----

struct twin {
  const struct nav_grid *g;
  const uint8_t *destination;
  const uint16_t *cost;
  uint64_t *time; // [cells]
  int *depth;     // [cells]: 0 open, then steps inside the tight ground; -1: not reached
};

static const int64_t NEVER = INT64_C(1) << 40;

static int64_t neighbour(const struct nav_grid *g, int64_t cell, int d) // -1: none by an open link
{
  const struct cell_place at = nav_grid_place(g, cell);
  const uint32_t column = (uint32_t)at.column, row = (uint32_t)at.row;
  const int64_t west = column > 0 ? nav_grid_cell(g, column - 1, row) : -1;
  const int64_t south = row > 0 ? nav_grid_cell(g, column, row - 1) : -1;
  switch (d) {
  case 0:
    return g->bits[cell] & NAV_GRID_EAST ? nav_grid_cell(g, column + 1, row) : -1;
  case 1:
    return g->bits[cell] & NAV_GRID_NORTH ? nav_grid_cell(g, column, row + 1) : -1;
  case 2:
    return west >= 0 && g->bits[west] & NAV_GRID_EAST ? west : -1;
  default:
    return south >= 0 && g->bits[south] & NAV_GRID_NORTH ? south : -1;
  }
}

static bool twin_open(const struct twin *t, int64_t cell)
{
  return t->destination[cell] || !(t->g->bits[cell] & NAV_GRID_LOW_CLEARANCE);
}

static bool twin_side_by_side(const struct twin *t, int64_t a, int64_t b, int d)
{
  for (int side = 0; side < 4; side++) {
    const int64_t c = neighbour(t->g, a, side), e = neighbour(t->g, b, side);
    if (side % 2 != d % 2 && c >= 0 && e >= 0 && t->depth[c] >= 0 && t->depth[e] >= 0 &&
        t->depth[c] < t->depth[a] && t->depth[e] < t->depth[a] && neighbour(t->g, c, d) == e)
      return true;
  }
  return false;
}

static bool twin_takes(const struct twin *t, int64_t cell, int64_t next, int d)
{
  if (t->g->blocked_directions && t->g->blocked_directions[cell] >> d & 1 && twin_open(t, cell))
    return false;
  if (next < 0 || twin_open(t, cell))
    return next >= 0 && twin_open(t, next);
  if (t->depth[cell] < 0 || t->depth[next] < 0)
    return false;
  return t->depth[next] < t->depth[cell] ||
         (t->depth[next] == t->depth[cell] && twin_side_by_side(t, cell, next, d));
}

static int64_t root(int64_t n)
{
  int64_t r = 0;
  for (int64_t bit = INT64_C(1) << 20; bit; bit >>= 1)
    if ((r + bit) * (r + bit) <= n)
      r += bit;
  return r;
}

static uint64_t twin_arrival(const struct twin *t, int64_t cell)
{
  int64_t least[2] = {NEVER, NEVER};
  for (int d = 0; d < 4; d++) {
    const int64_t next = neighbour(t->g, cell, d);
    if (twin_takes(t, cell, next, d) && (int64_t)t->time[next] < least[d % 2])
      least[d % 2] = (int64_t)t->time[next];
  }
  const int64_t f = t->cost ? t->cost[cell] : FIELD_UNIT;
  const int64_t low = least[0] < least[1] ? least[0] : least[1];
  const int64_t d = least[0] < least[1] ? least[1] - least[0] : least[0] - least[1];
  return (uint64_t)(low == NEVER ? NEVER
                    : d < f      ? low + (d + root(2 * f * f - d * d)) / 2
                                 : low + f);
}

static void twin_sweep(struct twin *t, bool open)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (int64_t cell = nav_grid_cell_count(t->g) - 1; cell >= 0; cell--) {
      const uint64_t u = twin_open(t, cell) == open ? twin_arrival(t, cell) : UINT64_MAX;
      if (u < t->time[cell]) {
        t->time[cell] = u;
        changed = true;
      }
    }
  }
}

static void twin_depths(struct twin *t)
{
  const int64_t count = nav_grid_cell_count(t->g);
  for (int64_t cell = 0; cell < count; cell++)
    t->depth[cell] = twin_open(t, cell) && t->time[cell] < (uint64_t)NEVER ? 0 : -1;
  bool more = true;
  for (int depth = 1; more; depth++) {
    more = false;
    for (int64_t cell = 0; cell < count; cell++)
      for (int d = 0; d < 4 && t->depth[cell] < 0 && !twin_open(t, cell); d++) {
        const int64_t next = neighbour(t->g, cell, d);
        if (next >= 0 && t->depth[next] == depth - 1) {
          t->depth[cell] = depth;
          more = true;
        }
      }
  }
}

static struct twin twin_create(const struct scene *s, const uint16_t *cost)
{
  const size_t count = (size_t)nav_grid_cell_count(&s->nav_grid);
  struct twin t = {&s->nav_grid, s->destination, cost, memory_create(count, sizeof *t.time),
                   memory_create(count, sizeof *t.depth)};
  for (size_t i = 0; i < count; i++) {
    const bool solid = s->nav_grid.bits[i] & NAV_GRID_SOLID;
    t.time[i] = s->destination[i] && !solid ? 0 : (uint64_t)NEVER;
  }
  twin_sweep(&t, true);
  twin_depths(&t);
  twin_sweep(&t, false);
  return t;
}

static void twin_destroy(struct twin *t)
{
  memory_destroy(t->time);
  memory_destroy(t->depth);
}

static void expect_twin(const struct scene *s, const uint16_t *cost)
{
  struct twin t = twin_create(s, cost);
  FOR_EACH_CELL(cell, &s->nav_grid)
  {
    const uint64_t u = t.time[cell] == (uint64_t)NEVER ? FIELD_UNREACHED : t.time[cell];
    const uint32_t time = field_time_of(&s->field, cell);
    cr_assert_eq(time, u, "cell %ld: %u, not %lu", (long)cell, time, (unsigned long)u);
    if (t.time[cell] > 0) // the fixed point itself, cell by cell
      cr_assert_eq(t.time[cell], twin_arrival(&t, cell));
    cr_assert_eq(field_crossed(&s->field, cell), (s->nav_grid.bits[cell] & NAV_GRID_CROSSED) != 0);
    cr_assert_eq((s->field.cells[cell].flags & FIELD_FAR) != 0,
                 u != FIELD_UNREACHED && u >= (uint64_t)s->nav_grid.far);
  }
  twin_destroy(&t);
}

Test(field, equals_the_slow_twin_in_random_mazes)
{
  for (unsigned seed = 1; seed <= MAZES; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    solve(&s);
    expect_twin(&s, NULL);
    scene_destroy(&s);
  }
}

Test(field, equals_the_slow_twin_for_any_cost)
{
  for (unsigned seed = 1; seed <= 10; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    solve(&s);
    uint16_t *cost = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), sizeof *cost);
    for (int64_t i = 0; i < nav_grid_cell_count(&s.nav_grid); i++)
      cost[i] = (uint16_t)(drawn(0, 20) == 0 ? 1 : drawn(0, 9) == 0 ? 65535 : drawn(1, 4000));
    field_solve(&s.field, s.destination, cost);
    expect_twin(&s, cost);
    memory_destroy(cost);
    scene_destroy(&s);
  }
}

// Ground that is slow, and most of which may be crossed in some directions only.
static uint16_t *slow_one_way_ground(struct nav_grid *g)
{
  const size_t count = (size_t)nav_grid_cell_count(g);
  uint16_t *cost = memory_create(count, sizeof *cost);
  g->blocked_directions = memory_create(count, sizeof *g->blocked_directions);
  for (size_t i = 0; i < count; i++) {
    cost[i] = (uint16_t)(drawn(0, 3) ? drawn(60000, 65536) : drawn(1, 4000));
    g->blocked_directions[i] = (uint8_t)(drawn(0, 16) & drawn(0, 16));
  }
  return cost;
}

// A cell there may take its time from a neighbour that itself waits to be visited, and so wait for
// more than a lap of the front's buckets.
Test(field, equals_the_slow_twin_on_slow_one_way_ground)
{
  for (unsigned seed = 1; seed <= 10; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    uint16_t *cost = slow_one_way_ground(&s.nav_grid);
    field_create(&s.field, &s.nav_grid, NULL);
    field_solve(&s.field, s.destination, cost);
    expect_twin(&s, cost);
    struct cell_list destination = {0};
    cell_list_append_marked(&destination, s.destination, nav_grid_cell_count(&s.nav_grid));
    const struct field_task task = {.field = &s.field, .destination = &destination, .cost = cost};
    for (int32_t threads = 1; threads <= 4; threads++) {
      field_solve_by(&task, threads);
      expect_twin(&s, cost);
    }
    struct field_solving *parts = field_solving_create(&s.nav_grid);
    field_solving_begin(parts, &task);
    while (!field_solving_continue(parts, 13))
      ;
    expect_twin(&s, cost);
    field_solving_destroy(parts);
    cell_list_destroy(&destination);
    memory_destroy(cost);
    scene_destroy(&s);
  }
}

Test(field, uniform_cost_is_no_cost)
{
  struct scene s = {0};
  random_maze(&s, 3, (struct turn){0}, CLEARANCE);
  solve(&s);
  const size_t count = (size_t)nav_grid_cell_count(&s.nav_grid);
  uint32_t *time = memory_create(count, sizeof *time);
  for (size_t i = 0; i < count; i++)
    time[i] = field_time_of(&s.field, (int64_t)i);
  uint16_t *cost = memory_create(count, sizeof *cost);
  for (size_t i = 0; i < count; i++)
    cost[i] = FIELD_UNIT;
  field_solve(&s.field, s.destination, cost);
  for (size_t i = 0; i < count; i++)
    cr_assert_eq(field_time_of(&s.field, (int64_t)i), time[i]);
  memory_destroy(cost);
  memory_destroy(time);
  scene_destroy(&s);
}

static void expect_same_cells(const struct field *a, const struct field *b)
{
  FOR_EACH_CELL(cell, a->nav_grid)
  {
    const struct field_cell p = a->cells[cell], q = b->cells[cell];
    cr_assert_eq(field_time_of(a, cell), field_time_of(b, cell));
    cr_assert(p.x == q.x && p.y == q.y && p.paths == q.paths && p.flags == q.flags, "cell %d",
              (int)cell);
  }
}

Test(field, does_not_know_the_threads)
{
  struct scene a = {0}, b = {0};
  random_maze(&a, 5, (struct turn){0}, CLEARANCE);
  solve(&a);
  omp_set_num_threads(5);
  random_maze(&b, 5, (struct turn){0}, CLEARANCE);
  solve(&b);
  expect_same_cells(&a.field, &b.field);
  scene_destroy(&a);
  scene_destroy(&b);
}

#define TOGETHER 40 // more than the emulated GPU has room for at once

static void expect_same_field(const struct field *a, const struct field *b)
{
  expect_same_cells(a, b);
  cr_assert_arr_eq(a->destination_box, b->destination_box, sizeof *a->destination_box);
}

// Of every third no target, of every second one of two costs.
static struct field_task drawn_task(const struct scene *s, struct field *f, int k,
                                    uint16_t *const costs[2])
{
  const size_t count = (size_t)nav_grid_cell_count(&s->nav_grid);
  field_create(f, &s->nav_grid, NULL);
  struct cell_list *destination = memory_create(1, sizeof *destination);
  for (int i = 0; i < 3 && k % 3 != 1; i++)
    cell_list_append(destination, drawn(0, (int32_t)count));
  return (struct field_task){
      .field = f, .destination = destination, .cost = k % 2 ? costs[k / 2 % 2] : NULL};
}

Test(field, several_solved_together_are_each_one_alone)
{
  for (int32_t together = 1; together <= TOGETHER; together += TOGETHER - 1) {
    struct scene s = {0};
    random_maze(&s, 7, (struct turn){0}, CLEARANCE);
    nav_grid_set_upwind(&s.nav_grid);
    const size_t count = (size_t)nav_grid_cell_count(&s.nav_grid);
    struct field fields[TOGETHER], alone;
    struct field_task tasks[TOGETHER];
    uint16_t *costs[2] = {memory_create(count, sizeof **costs),
                          memory_create(count, sizeof **costs)};
    for (size_t i = 0; i < 2 * count; i++)
      costs[i / count][i % count] = (uint16_t)(drawn(0, 20) == 0 ? 1 : drawn(1, 4000));
    for (int k = 0; k < together; k++)
      tasks[k] = drawn_task(&s, &fields[k], k, costs);
    fields_solve(tasks, together);
    field_create(&alone, &s.nav_grid, NULL);
    for (int k = 0; k < together; k++) {
      struct field_task task = tasks[k];
      task.field = &alone;
      fields_solve(&task, 1);
      expect_same_field(&fields[k], &alone);
      struct cell_list *destination = (struct cell_list *)(uintptr_t)task.destination;
      cell_list_destroy(destination);
      memory_destroy(destination);
      field_destroy(&fields[k]);
    }
    field_destroy(&alone);
    memory_destroy(costs[0]);
    memory_destroy(costs[1]);
    scene_destroy(&s);
  }
  fields_solve(NULL, 0);
}

// A solution in parts of any size is the whole one, also where another field was solved before and
// where a solution was given up.
Test(field, parts_of_any_size_give_the_whole)
{
  const int64_t sizes[] = {1, 7, 1000, 100000};
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    solve(&s);
    struct cell_list destination = {0}, other = {0};
    cell_list_append_marked(&destination, s.destination, nav_grid_cell_count(&s.nav_grid));
    cell_list_append(&other, nav_grid_cell(&s.nav_grid, 3, 5));
    struct field f;
    field_create(&f, &s.nav_grid, NULL);
    const struct field_task first = {.field = &f, .destination = &other};
    const struct field_task task = {.field = &f, .destination = &destination};
    struct field_solving *solving = field_solving_create(&s.nav_grid);
    field_solving_begin(solving, &first);
    cr_assert_eq(field_solving_continue(solving, 500), false);
    int64_t visits = 0;
    for (int k = 0; k < 4; k++) {
      field_solving_begin(solving, &task);
      int parts = 1;
      for (; !field_solving_continue(solving, sizes[k]); parts++)
        ;
      expect_same_field(&f, &s.field);
      cr_assert(k == 0 || *f.visits == visits);
      visits = *f.visits;
      cr_assert(parts >= visits / (sizes[k] + CELL_SQUARE_CELLS), "%d parts of %ld", parts,
                (long)sizes[k]);
    }
    field_solving_destroy(solving);
    field_destroy(&f);
    cell_list_destroy(&destination);
    cell_list_destroy(&other);
    scene_destroy(&s);
  }
}

static void expect_wrong(const struct field_task *t, int64_t cell, const char *what)
{
  int64_t found;
  cr_expect(field_problem(t, &found), "cell %ld: %s is not found", (long)cell, what);
}

// One wrong time, direction or path anywhere.
static void expect_wrong_cells(const struct field_task *t, int64_t cell)
{
  uint32_t *time = &t->field->time[cell];
  struct field_cell *made = &t->field->cells[cell];
  const uint32_t right = *time, wrong[] = {right + 1, right - 1, 1, FIELD_UNREACHED};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    *time = wrong[k];
    if (wrong[k] != right)
      expect_wrong(t, cell, "its time");
  }
  *time = right;
  made->x++;
  expect_wrong(t, cell, "its direction");
  made->x--;
  made->paths ^= FIELD_EAST;
  expect_wrong(t, cell, "its paths");
  made->paths ^= FIELD_EAST;
}

Test(field, what_is_wrong_is_found)
{
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    uint16_t *cost = slow_one_way_ground(&s.nav_grid);
    field_create(&s.field, &s.nav_grid, NULL);
    field_solve(&s.field, s.destination, cost);
    struct cell_list destination = {0};
    cell_list_append_marked(&destination, s.destination, nav_grid_cell_count(&s.nav_grid));
    const struct field_task task = {.field = &s.field, .destination = &destination, .cost = cost};
    int64_t found;
    for (int i = 0; i < 30;) {
      const int64_t cell = drawn(0, (int32_t)nav_grid_cell_count(&s.nav_grid));
      if (field_time_of(&s.field, cell) == FIELD_UNREACHED)
        continue;
      expect_wrong_cells(&task, cell);
      i++;
    }
    cr_expect_null(field_problem(&task, &found));
    s.field.reached[0] = !s.field.reached[0];
    expect_wrong(&task, 0, "its square");
    cell_list_destroy(&destination);
    memory_destroy(cost);
    scene_destroy(&s);
  }
}

// A last column of cells one unit too early: each is the update of the others, but none can be
// derived from the front.
Test(field, times_that_only_follow_from_each_other_are_found)
{
  struct scene s = {0};
  make_ground(&s, BOUNDS, 0);
  const uint32_t columns = (uint32_t)s.nav_grid.columns, rows = (uint32_t)s.nav_grid.rows;
  for (uint32_t row = 0; row < rows; row++)
    s.destination[nav_grid_cell(&s.nav_grid, 0, row)] = 1;
  solve(&s);
  struct cell_list destination = {0};
  cell_list_append_marked(&destination, s.destination, nav_grid_cell_count(&s.nav_grid));
  const struct field_task task = {.field = &s.field, .destination = &destination};
  int64_t found = -1;
  cr_expect_null(field_problem(&task, &found));
  for (uint32_t row = 0; row < rows; row++)
    s.field.time[nav_grid_cell(&s.nav_grid, columns - 1, row)]--;
  const char *problem = field_problem(&task, &found);
  cr_assert(problem);
  cr_expect_str_eq(problem, "does not follow from the destination");
  cell_list_destroy(&destination);
  scene_destroy(&s);
}

// Many squares of cells, so that every thread of a team has some.
static void fine_maze(struct scene *s, unsigned seed)
{
  random_maze(s, seed, (struct turn){0}, CLEARANCE);
  nav_grid_destroy(&s->nav_grid);
  nav_grid_create(&s->nav_grid, BOUNDS, CELL / 6, CLEARANCE, &s->obstacles);
  nav_grid_set_upwind(&s->nav_grid);
}

// Solved by a team of threads together, a field is the one that a single thread makes, whatever the
// number of threads, also where parts of the team have no ground of their own.
Test(field, a_team_of_threads_makes_the_same_field)
{
  const int32_t teams[] = {1, 2, 3, 5, 17};
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct scene s = {0};
    fine_maze(&s, seed);
    const size_t count = (size_t)nav_grid_cell_count(&s.nav_grid);
    uint16_t *cost = memory_create(count, sizeof *cost);
    for (size_t i = 0; i < count; i++)
      cost[i] = (uint16_t)(drawn(0, 20) == 0 ? drawn(1, UINT16_MAX + 1) : drawn(1, 4000));
    struct cell_list destination = {0};
    for (unsigned i = 0; i < seed; i++)
      cell_list_append(&destination, drawn(0, (int32_t)count));
    struct field alone, together;
    field_create(&alone, &s.nav_grid, NULL);
    field_create(&together, &s.nav_grid, NULL);
    struct field_task task = {
        .field = &alone, .destination = &destination, .cost = seed % 2 ? cost : NULL};
    struct field_solving *solving = field_solving_create(&s.nav_grid);
    field_solving_begin(solving, &task);
    cr_assert(field_solving_continue(solving, INT64_MAX));
    task.field = &together;
    for (int k = 0; k < 5; k++) {
      field_solve_by(&task, teams[k]);
      expect_same_field(&together, &alone);
    }
    field_solving_destroy(solving);
    field_destroy(&alone);
    field_destroy(&together);
    cell_list_destroy(&destination);
    memory_destroy(cost);
    scene_destroy(&s);
  }
}

// Ties, one-way links and cells without a route, as no front leaves them. The times of neighbours
// differ by a crossing at most: from `least`.
static void draw_wavefront(struct wavefront *w, int64_t count, uint32_t least)
{
  for (int64_t cell = 0; cell < count; cell++) {
    const struct cell_place at = nav_grid_place(w->grid, cell);
    unsigned links = (unsigned)drawn(0, 256) | (drawn(0, 3) ? 15u : 0u);
    links &= at.column == 0 ? ~4u : ~0u;
    links &= at.row == 0 ? ~8u : ~0u;
    links &= at.column + 1 == (int32_t)w->grid->square_columns * CELL_SQUARE ? ~1u : ~0u;
    links &= at.row + 1 == (int32_t)w->grid->square_rows * CELL_SQUARE ? ~2u : ~0u;
    w->upwind[cell] = (uint8_t)links;
    w->time[cell] = least + (uint32_t)(drawn(0, 2) ? 700 * drawn(0, 4) : drawn(0, 65536));
    if (drawn(0, 9) == 0)
      w->time[cell] = FIELD_UNREACHED;
  }
}

Test(field, cells_made_by_squares_are_those_made_one_by_one)
{
  struct scene s = {0};
  fine_maze(&s, 3);
  const int64_t count = nav_grid_cell_count(&s.nav_grid);
  const int64_t squares = nav_grid_square_count(&s.nav_grid);
  struct wavefront *w = memory_create(1, sizeof *w);
  w->grid = &s.nav_grid;
  w->upwind = memory_create((size_t)count, sizeof *w->upwind);
  w->time = memory_create((size_t)count, sizeof *w->time);
  w->squares = memory_create((size_t)squares, sizeof *w->squares);
  wavefront_set_steps(w);
  for (int64_t cell = 0; cell < count; cell++)
    s.nav_grid.bits[cell] |= drawn(0, 8) == 0 ? NAV_GRID_NARROW : 0;
  int64_t turned = 0;
  for (int64_t k = 0; k < 2 * squares; k++) {
    const int64_t square = k % squares;
    if (square == 0)
      draw_wavefront(w, count, k == 0 ? 0 : 3000000000);
    struct field_cell cells[5][CELL_SQUARE_CELLS] = {0};
    const int lanes[4] = {1, 4, 8, 16};
    w->squares[square] = SQUARE_REACHED;
    field_cells_make(w, square, cells[4]);
    for (int n = 0; n < 4; n++)
      field_square_made_by(machine_has_lanes(lanes[n]) ? lanes[n] : 4)(w, square, cells[n]);
    for (int64_t i = 0; i < CELL_SQUARE_CELLS; i++) {
      const struct field_cell one = field_cell_made(w, square * CELL_SQUARE_CELLS + i);
      for (int n = 0; n < 5; n++)
        cr_assert_arr_eq(&cells[n][i], &one, sizeof one);
      turned += one.x != 0 && one.y != 0;
    }
  }
  cr_assert(turned > count / 10);
  memory_destroy(w->upwind);
  memory_destroy(w->time);
  memory_destroy(w->squares);
  memory_destroy(w);
  scene_destroy(&s);
}

// Turned ground gives turned times, ways and directions, all exactly.
Test(field, turns_with_the_ground)
{
  for (int i = 1; i < 8; i++) {
    const struct turn t = {i % 2, i / 2};
    struct scene a = {0}, b = {0};
    random_maze(&a, (unsigned)i, (struct turn){0}, CLEARANCE);
    random_maze(&b, (unsigned)i, t, CLEARANCE);
    solve(&a);
    solve(&b);
    FOR_EACH_CELL(cell, &a.nav_grid)
    {
      const struct point c = nav_grid_centre(&a.nav_grid, cell);
      const int64_t other = nav_grid_cell_of(&b.nav_grid, turned(t, c));
      const struct field_cell w = a.field.cells[cell], v = b.field.cells[other];
      const struct point direction = turned(t, (struct point){w.x, w.y});
      cr_assert_eq(field_time_of(&a.field, cell), field_time_of(&b.field, other));
      cr_assert(direction.x == v.x && direction.y == v.y);
      const struct point p = {c.x + drawn(1 - CELL / 2, CELL / 2),
                              c.y + drawn(1 - CELL / 2, CELL / 2)};
      const struct point q = turned(t, p);
      float x, y, u, z;
      field_direction(&a.field, p, &x, &y);
      field_direction(&b.field, q, &u, &z);
      if (t.mirror)
        x = -x;
      for (int k = 0; k < t.quarters; k++) {
        const float old = x;
        x = -y;
        y = old;
      }
      cr_assert(x == u && y == z, "%g %g, not %g %g", u, z, x, y);
    }
    scene_destroy(&a);
    scene_destroy(&b);
  }
}

// The sum of a component of the four cells around p, in integers, weighted by the opposite areas.
static int64_t weighted_sum(const struct field *f, struct point p, bool y_component)
{
  const struct nav_grid *g = f->nav_grid;
  const int64_t whole = 2 * (int64_t)g->cell;
  const struct point own = nav_grid_centre(g, nav_grid_cell_of(g, p));
  const int32_t west = p.x < own.x ? own.x - g->cell : own.x;
  const int32_t south = p.y < own.y ? own.y - g->cell : own.y;
  int64_t sum = 0;
  for (int k = 0; k < 4; k++) {
    const struct point c = {k % 2 ? west + g->cell : west, k / 2 ? south + g->cell : south};
    const struct field_cell cell = f->cells[nav_grid_cell_of(g, c)];
    const int64_t dx = 2 * llabs((int64_t)p.x - c.x), dy = 2 * llabs((int64_t)p.y - c.y);
    sum += (whole - dx) * (whole - dy) * (y_component ? cell.y : cell.x);
  }
  return sum;
}

// Bit for bit, whatever the size of the cells, and though lanes count in int32_t and double.
Test(field, directions_are_interpolated_exactly)
{
  const int32_t sides[] = {2, 6, 10, 254, 52428, 65534, 65536, 65538, NAV_GRID_CELL_LIMIT};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    struct scene s = {0};
    const int32_t side = sides[k], far = 20 * side;
    const struct box bounds = {{-far, -far}, {far - side / 2, far}};
    obstacles_create(&s.obstacles, &s.lines, false);
    nav_grid_create(&s.nav_grid, bounds, side, 0, &s.obstacles);
    s.destination = memory_create((size_t)nav_grid_cell_count(&s.nav_grid), 1);
    aim(&s, 7 * side, 3 * side);
    solve(&s);
    for (int i = 0; i < 3000; i++) {
      const struct point p = {drawn(-far + side, far - 2 * side), drawn(-far + side, far - side)};
      const float sx = (float)weighted_sum(&s.field, p, false);
      const float sy = (float)weighted_sum(&s.field, p, true), length = sqrtf(sx * sx + sy * sy);
      float x, y;
      const struct field_cell own = s.field.cells[nav_grid_cell_of(&s.nav_grid, p)];
      field_direction(&s.field, p, &x, &y);
      if (own.x || own.y) // else the destination, or a tie
        cr_assert(x == sx / length && y == sy / length, "side %d: %a %a, not %a %a", side,
                  (double)x, (double)y, (double)(sx / length), (double)(sy / length));
    }
    for (int i = 0; i < 3000; i++) { // outside, too
      const struct point p = {drawn(-2 * far, 2 * far), drawn(-2 * far, 2 * far)};
      cr_assert_eq(field_stencil_of(&s.nav_grid, (struct lane_point){p.x, p.y}).own,
                   nav_grid_cell_of(&s.nav_grid, p));
    }
    scene_destroy(&s);
  }
}

// On open ground the time is the distance; from a point target the upwind scheme is too long by
// at most (log2 n + 2) / 6 cells at n cells: first order, worst on the diagonals' sides.
Test(field, is_the_distance_on_open_ground)
{
  const struct box bounds = {{-50 * METRE, -40 * METRE}, {50 * METRE, 40 * METRE}};
  double worst = 0;
  for (int i = 0; i < 6; i++) {
    struct scene s = {0};
    make_ground(&s, bounds, CLEARANCE);
    const struct point p = {drawn(bounds.lo.x, bounds.hi.x), drawn(bounds.lo.y, bounds.hi.y)};
    aim(&s, p.x, p.y);
    solve(&s);
    const struct point c = nav_grid_centre(&s.nav_grid, nav_grid_cell_of(&s.nav_grid, p));
    FOR_EACH_CELL(cell, &s.nav_grid)
    {
      const struct point q = nav_grid_centre(&s.nav_grid, cell);
      const double n = hypot(q.x - c.x, q.y - c.y) / CELL;
      const double error = field_time_of(&s.field, cell) / (double)FIELD_UNIT - n;
      worst = fmax(worst, n >= 1 ? error / ((log2(n) + 2) / 6) : 0);
      cr_assert(error >= -1e-3 * n, "%g cells off at %g cells", error, n);
      cr_assert(n < 1 || error <= (log2(n) + 2) / 6, "%g cells off at %g cells", error, n);
    }
    scene_destroy(&s);
  }
  cr_log_info("worst error: %g of the bound", worst);
}

// To a straight border the ways are straight and the times exact.
Test(field, is_exact_towards_a_straight_border)
{
  struct scene s = {0};
  make_ground(&s, BOUNDS, 0);
  for (int32_t y = BOUNDS.lo.y; y < BOUNDS.hi.y; y += CELL)
    aim(&s, BOUNDS.lo.x, y);
  solve(&s);
  FOR_EACH_CELL(cell, &s.nav_grid)
  {
    const int64_t column = nav_grid_place(&s.nav_grid, cell).column;
    cr_assert_eq(field_time_of(&s.field, cell), column * FIELD_UNIT);
    cr_assert_eq(s.field.cells[cell].x, column ? -127 : 0);
    cr_assert_eq(s.field.cells[cell].y, 0);
  }
  scene_destroy(&s);
}

// The joint field is the least of the single ones, to the bit, but near where two fronts meet
// across a corner: there it is a little earlier, being upwind of both.
Test(field, several_exits_are_the_least_of_each)
{
  struct scene s = {0};
  random_maze(&s, 11, (struct turn){0}, 0); // tight cells would know of all exits
  const size_t count = (size_t)nav_grid_cell_count(&s.nav_grid);
  uint8_t *all = memory_create(count, 1);
  uint32_t *least = memory_create(count, sizeof *least);
  memset(least, 0xff, count * sizeof *least);
  for (int i = 0; i < 5; i++) {
    memset(s.destination, 0, count);
    aim(&s, drawn(-10, 10) * METRE, drawn(-10, 10) * METRE);
    solve(&s);
    for (size_t c = 0; c < count; c++) {
      all[c] |= s.destination[c];
      const uint32_t time = field_time_of(&s.field, (int64_t)c);
      least[c] = time < least[c] ? time : least[c];
    }
    field_destroy(&s.field);
  }
  memcpy(s.destination, all, count);
  solve(&s);
  int equal = 0, inside = 0;
  FOR_EACH_CELL(c, &s.nav_grid)
  {
    const uint32_t time = field_time_of(&s.field, c);
    inside++;
    equal += time == least[c];
    cr_assert_leq(time, least[c]);
    cr_assert_leq(least[c] - time, FIELD_UNIT / 2);
  }
  cr_assert_eq(inside, s.nav_grid.columns * s.nav_grid.rows);
  cr_assert_gt(equal, inside - inside / 10, "%d of %d", equal, inside);
  memory_destroy(all);
  memory_destroy(least);
  scene_destroy(&s);
}

Test(field, two_ends_of_a_corridor_are_the_least_of_each)
{
  const int32_t end = 40 * CELL;
  for (int width = 1; width <= 4; width++) { // no corner between the fronts
    struct scene s = {0};
    make_ground(&s, (struct box){{0, 0}, {end, width * CELL}}, CLEARANCE);
    for (int32_t y = 0; y < width * CELL; y += CELL) {
      aim(&s, 0, y);
      aim(&s, end - 1, y);
    }
    solve(&s);
    FOR_EACH_CELL(cell, &s.nav_grid)
    {
      const int64_t column = nav_grid_place(&s.nav_grid, cell).column,
                    steps = column < 20 ? column : 39 - column;
      cr_assert_eq(field_time_of(&s.field, cell), steps * FIELD_UNIT);
      cr_assert_eq(s.field.cells[cell].x, steps == 0 ? 0 : column < 20 ? -127 : 127);
    }
    scene_destroy(&s);
  }
}

// A wall without thickness, on the cells' borders and then through their centres.
Test(field, a_thin_wall_separates)
{
  for (int32_t at = 0; at <= CELL; at += CELL / 4) {
    struct scene s = {0};
    add_wall(&s, at, BOUNDS.lo.y, at, 8 * METRE);
    make_ground(&s, BOUNDS, CLEARANCE);
    aim(&s, 3 * METRE, -8 * METRE);
    solve(&s);
    const double over = hypot(3, 16) + hypot(3, 16); // m, over the wall's end
    const double time = time_at(&s, -3 * METRE, -8 * METRE) / (double)FIELD_UNIT / 2;
    cr_assert(time > over - 0.5 && time < over + 2.5, "%g, not %g m", time, over);
    scene_destroy(&s);

    s = (struct scene){0};
    add_wall(&s, at, BOUNDS.lo.y - 1, at, BOUNDS.hi.y + 1);
    make_ground(&s, BOUNDS, CLEARANCE);
    aim(&s, 3 * METRE, 0);
    solve(&s);
    cr_assert(field_reachable(&s.field, (struct point){METRE, 0}));
    cr_assert_not(field_reachable(&s.field, (struct point){-METRE, 0}));
    cr_assert_not(field_reachable(&s.field, (struct point){at - 1000, 5 * METRE + 77}));
    cr_assert(field_reachable(&s.field, (struct point){at + 1000, 5 * METRE + 77}));
    scene_destroy(&s);
  }
}

// A wall across the world at x = 0, a cell thick, with a gap from y = low to y = low + width.
static void wall_with_gap(struct scene *s, int32_t low, int32_t width)
{
  add_box(s, -CELL / 2, BOUNDS.lo.y - METRE, CELL / 2, low);
  add_box(s, -CELL / 2, low + width, CELL / 2, BOUNDS.hi.y + METRE);
}

Test(field, a_gap_of_a_metre_passes)
{
  for (int32_t low = 0; low < CELL; low += 1024) { // however it lies to the cells
    struct scene s = {0};
    wall_with_gap(&s, low, METRE);
    make_ground(&s, BOUNDS, CLEARANCE);
    aim(&s, 5 * METRE, 0);
    solve(&s);
    cr_assert(field_reachable(&s.field, (struct point){-5 * METRE, 0}));
    scene_destroy(&s);
  }
}

// No path on the far side uses the slit, an agent inside the slit is led out, and the near side is
// not affected by it.
Test(field, a_slit_leads_nobody_through_but_out)
{
  const int32_t wide = 2 * CLEARANCE - 2; // for whatever lies between two walls it is tight
  for (int32_t low = -CELL; low < CELL; low += 1234) {
    struct scene s = {0};
    wall_with_gap(&s, low, wide);
    make_ground(&s, BOUNDS, CLEARANCE);
    aim(&s, 5 * METRE, 0);
    solve(&s);
    cr_assert_not(field_reachable(&s.field, (struct point){-5 * METRE, 0}));
    cr_assert(field_reachable(&s.field, (struct point){CELL / 2, low + wide / 2}));
    for (int32_t x = -CELL / 2; x <= CELL / 2; x += 999) {
      const struct point p = {x, low + wide / 2};
      float dx, dy;
      field_direction(&s.field, p, &dx, &dy);
      if (field_reachable(&s.field, p))
        cr_assert_gt(dx, 0.0f, "at %d: %g %g", x, dx, dy);
    }
    scene_destroy(&s);

    s = (struct scene){0}; // with a way round at the top, far longer
    add_box(&s, -CELL / 2, BOUNDS.lo.y - METRE, CELL / 2, low);
    add_box(&s, -CELL / 2, low + wide, CELL / 2, 8 * METRE);
    make_ground(&s, BOUNDS, CLEARANCE);
    aim(&s, 5 * METRE, 0);
    solve(&s);
    for (int i = 0; i < 500; i++) {
      const struct point p = {drawn(-3 * METRE, -CELL / 2), drawn(-METRE, METRE)};
      float dx, dy;
      field_direction(&s.field, p, &dx, &dy);
      cr_assert(dx * dx + dy * dy > 0.999f);
      cr_assert(dy > 0.5f || dx < 0.0f, "at %d %d: %g %g", p.x, p.y, dx, dy);
    }
    scene_destroy(&s);
  }
}

Test(field, a_pocket_has_no_way)
{
  struct scene s = {0};
  add_wall(&s, 0, 0, 4 * METRE, 0);
  add_wall(&s, 4 * METRE, 0, 4 * METRE, 4 * METRE);
  add_wall(&s, 4 * METRE, 4 * METRE, 0, 4 * METRE);
  add_wall(&s, 0, 4 * METRE, 0, 0);
  make_ground(&s, BOUNDS, CLEARANCE);
  aim(&s, -5 * METRE, 0);
  solve(&s);
  float x, y;
  field_direction(&s.field, (struct point){2 * METRE, 2 * METRE}, &x, &y);
  cr_assert(x == 0.0f && y == 0.0f);
  cr_assert_not(field_reachable(&s.field, (struct point){2 * METRE, 2 * METRE}));
  cr_assert_eq(time_at(&s, 2 * METRE, 2 * METRE), FIELD_UNREACHED);
  cr_assert(field_reachable(&s.field, (struct point){5 * METRE, 5 * METRE}));
  scene_destroy(&s);
}

Test(field, a_destination_inside_an_obstacle_is_none)
{
  struct scene s = {0};
  add_box(&s, 0, 0, 4 * METRE, 4 * METRE);
  make_ground(&s, BOUNDS, CLEARANCE);
  aim(&s, 2 * METRE, 2 * METRE);
  solve(&s);
  FOR_EACH_CELL(cell, &s.nav_grid)
  cr_assert_eq(field_time_of(&s.field, cell), FIELD_UNREACHED);
  scene_destroy(&s);
}

Test(field, everything_may_be_the_destination)
{
  struct scene s = {0};
  make_ground(&s, BOUNDS, CLEARANCE);
  memset(s.destination, 1, (size_t)nav_grid_cell_count(&s.nav_grid));
  solve(&s);
  FOR_EACH_CELL(cell, &s.nav_grid)
  {
    cr_assert_eq(field_time_of(&s.field, cell), 0);
    cr_assert(field_ends(&s.field, nav_grid_centre(&s.nav_grid, cell)));
  }
  scene_destroy(&s);
}

// A door narrower than the clearance allows is a destination all the same.
Test(field, a_tight_destination_counts)
{
  struct scene s = {0};
  wall_with_gap(&s, CELL / 4, CELL / 2);
  make_ground(&s, BOUNDS, CLEARANCE);
  aim(&s, 1, CELL / 2);
  solve(&s);
  cr_assert(s.nav_grid.bits[nav_grid_cell_of(&s.nav_grid, (struct point){1, CELL / 2})] &
            NAV_GRID_LOW_CLEARANCE);
  cr_assert(field_ends(&s.field, (struct point){1, CELL / 2}));
  cr_assert(field_reachable(&s.field, (struct point){5 * METRE, 5 * METRE}));
  scene_destroy(&s);
}

Test(field, one_cell_and_one_row)
{
  struct scene s = {0};
  make_ground(&s, (struct box){{0, 0}, {1, 1}}, CLEARANCE);
  solve(&s);
  cr_assert_not(field_reachable(&s.field, (struct point){0, 0}));
  field_destroy(&s.field);
  aim(&s, 0, 0);
  solve(&s);
  cr_assert(field_ends(&s.field, (struct point){0, 0}));
  scene_destroy(&s);
  for (int upright = 0; upright < 2; upright++) {
    s = (struct scene){0};
    make_ground(&s, (struct box){{0, 0}, {upright ? 1 : 9 * CELL, upright ? 9 * CELL : 1}},
                CLEARANCE);
    s.destination[nav_grid_cell(&s.nav_grid, upright ? 0 : 2, upright ? 2 : 0)] = 1;
    solve(&s);
    for (uint32_t i = 0; i < 9; i++)
      cr_assert_eq(
          field_time_of(&s.field, nav_grid_cell(&s.nav_grid, upright ? 0 : i, upright ? i : 0)),
          FIELD_UNIT * (i < 2 ? 2 - i : i - 2));
    scene_destroy(&s);
  }
}

// On open ground the way points at the target, up to the last cell before it.
Test(field, directions_point_at_the_target)
{
  struct scene s = {0};
  make_ground(&s, BOUNDS, CLEARANCE);
  const struct point to = {CELL / 2, CELL / 2};
  aim(&s, to.x, to.y);
  solve(&s);
  for (int i = 0; i < 5000; i++) {
    const struct point p = {drawn(-9 * METRE, 9 * METRE), drawn(-9 * METRE, 9 * METRE)};
    float x, y;
    field_direction(&s.field, p, &x, &y);
    if (field_ends(&s.field, p)) {
      cr_assert(x == 0.0f && y == 0.0f);
      continue;
    }
    const double dx = to.x - p.x, dy = to.y - p.y, n = hypot(dx, dy);
    cr_assert_float_eq(x * x + y * y, 1.0f, 1e-6);
    cr_assert((x * dx + y * dy) / n > (n < 2 * CELL ? 0.7 : 0.97), "%g %g at %g %g", x, y, dx, dy);
  }
  scene_destroy(&s);
}

// An agent stands in the free part of a cell whose centre is inside a house.
Test(field, from_a_cell_mostly_wall_a_way_leads)
{
  struct scene s = {0};
  add_box(&s, -4 * METRE, -4 * METRE, CELL * 3 / 4, 4 * METRE);
  make_ground(&s, BOUNDS, CLEARANCE);
  aim(&s, 2 * METRE, 8 * METRE);
  solve(&s);
  const struct point p = {CELL * 7 / 8, CELL / 2};
  float x, y;
  field_direction(&s.field, p, &x, &y);
  cr_assert(field_reachable(&s.field, p));
  cr_assert_gt(y, 0.5f);
  cr_assert_geq(x, 0.0f);
  scene_destroy(&s);
}

// Walks by the directions alone, a point without width, and slides along what it runs into.
// Returns the steps, -1 when it does not arrive.
static int walked(const struct scene *s, struct point p, int steps_max, int *slides)
{
  const float step = METRE / 10.0f;
  for (int i = 0; i < steps_max; i++) {
    float x, y;
    if (field_ends(&s->field, p))
      return i;
    field_direction(&s->field, p, &x, &y);
    const struct point to = {p.x + (int32_t)(step * x), p.y + (int32_t)(step * y)};
    const struct point tries[3] = {to, {to.x, p.y}, {p.x, to.y}};
    int k = 0;
    while (k < 3 && (obstacles_crossed(&s->obstacles, p, tries[k]) || !box_holds(BOUNDS, tries[k])))
      k++;
    if (k == 3)
      return -1;
    *slides += k > 0;
    p = tries[k];
  }
  return -1;
}

Test(field, directions_lead_out_of_a_maze)
{
  int starts = 0, lost = 0, slides = 0, steps = 0;
  for (unsigned seed = 1; seed <= MAZES; seed++) {
    struct scene s = {0};
    random_maze(&s, seed, (struct turn){0}, CLEARANCE);
    solve(&s);
    for (int i = 0; i < 200; i++) {
      const struct point p = {drawn(BOUNDS.lo.x, BOUNDS.hi.x), drawn(BOUNDS.lo.y, BOUNDS.hi.y)};
      if (obstacles_solid(&s.obstacles, p) || !field_reachable(&s.field, p))
        continue;
      const int n = walked(&s, p, 4000, &slides);
      starts++;
      lost += n < 0;
      steps += n < 0 ? 0 : n;
    }
    scene_destroy(&s);
  }
  cr_log_info("%d starts, %d lost, %d of %d steps slid", starts, lost, slides, steps);
  cr_assert_eq(lost, 0, "%d of %d", lost, starts);
  cr_assert_gt(starts, 125 * MAZES);
  cr_assert_lt(slides, steps / 10000, "%d of %d", slides, steps);
}
