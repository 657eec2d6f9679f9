// Solves fields: upwind links, the wavefront, directions.
#include "field.h"

#include "wavefront.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static bool cell_passable(const struct nav_grid *g, const uint16_t *cost, int64_t cell)
{
  return !(g->bits[cell] & NAV_GRID_SOLID) && !(cost && cost[cell] == 0);
}

static bool cell_open(const struct nav_grid *g, const uint8_t *destination, int64_t cell)
{
  return !(g->bits[cell] & NAV_GRID_LOW_CLEARANCE) || destination[cell];
}

static unsigned cell_links(const struct nav_grid *g, const struct wavefront *w, int32_t row,
                           int32_t column)
{
  const int64_t cell = (int64_t)row * g->columns + column;
  const uint8_t *bits = &g->bits[cell];
  const bool open[4] = {*bits & NAV_GRID_EAST, *bits & NAV_GRID_NORTH,
                        column > 0 && bits[-1] & NAV_GRID_EAST,
                        row > 0 && bits[-g->columns] & NAV_GRID_NORTH};
  unsigned links = 0;
  for (int d = 0; d < 4; d++)
    if (open[d] && !(w->cost && (w->cost[cell] == 0 || w->cost[cell + w->step[d]] == 0)))
      links |= 1u << d;
  return links;
}

// Open cells take from open cells; cells of low clearance have no upwind links yet.
static void set_upwind(const struct nav_grid *g, const uint8_t *destination, struct wavefront *w)
{
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < g->rows; row++)
    for (int32_t column = 0; column < g->columns; column++) {
      const int64_t cell = (int64_t)row * g->columns + column;
      const unsigned links = cell_links(g, w, row, column);
      unsigned taken = 0;
      for (int d = 0; d < 4 && cell_open(g, destination, cell); d++)
        if (links >> d & 1 && cell_open(g, destination, cell + w->step[d]))
          taken |= 1u << d;
      if (g->blocked_directions) // the link stays: the opposite direction is open
        taken &= ~(unsigned)g->blocked_directions[cell];
      w->upwind[cell] = (uint8_t)(links << WAVEFRONT_LINKS | taken);
    }
}

static bool linked(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> (WAVEFRONT_LINKS + d) & 1;
}

enum depth {
  DEPTH_UNKNOWN,
  DEPTH_SETTLED,
  DEPTH_SAME
}; // of a cell of low clearance: steps to the nearest reached open cell

// Are the cell and its neighbour towards d side by side in front of two settled cells, with links
// around all four? Then no wall is between their paths.
static bool side_by_side(const struct wavefront *w, const uint8_t *depth, int64_t cell, int d,
                         int side)
{
  const int64_t next = cell + w->step[d], front = cell + w->step[side];
  return linked(w, cell, side) && linked(w, next, side) && depth[front] == DEPTH_SETTLED &&
         depth[front + w->step[d]] == DEPTH_SETTLED && linked(w, front, d);
}

static uint8_t low_clearance_upwind(const struct wavefront *w, const uint8_t *depth, int64_t cell)
{
  unsigned taken = 0;
  for (int d = 0; d < 4; d++) {
    const int near = linked(w, cell, d) ? depth[cell + w->step[d]] : DEPTH_UNKNOWN;
    if (near == DEPTH_SETTLED ||
        (near == DEPTH_SAME && (side_by_side(w, depth, cell, d, (d + 1) % 4) ||
                                side_by_side(w, depth, cell, d, (d + 3) % 4))))
      taken |= 1u << d;
  }
  return (uint8_t)taken;
}

// Breadth-first search from the frontier: sets the upwind links of the cells of low clearance, one
// depth after the other, and appends these cells to the frontier.
static void set_low_clearance_upwind(const struct nav_grid *g, const uint8_t *destination,
                                     struct wavefront *w, struct cell_list *frontier)
{
  uint8_t *depth = memory_create((size_t)nav_grid_cell_count(g), sizeof *depth);
  for (size_t i = 0; i < frontier->count; i++)
    depth[frontier->cells[i]] = DEPTH_SETTLED;
  for (size_t begin = 0, end; begin < frontier->count; begin = end) {
    end = frontier->count;
    for (size_t i = begin; i < end; i++)
      for (int d = 0; d < 4; d++) {
        const int64_t cell = frontier->cells[i], next = cell + w->step[d];
        if (linked(w, cell, d) && depth[next] == DEPTH_UNKNOWN &&
            !cell_open(g, destination, next)) {
          depth[next] = DEPTH_SAME;
          cell_list_append(frontier, next);
        }
      }
    for (size_t i = end; i < frontier->count; i++)
      w->upwind[frontier->cells[i]] |= low_clearance_upwind(w, depth, frontier->cells[i]);
    for (size_t i = end; i < frontier->count; i++)
      depth[frontier->cells[i]] = DEPTH_SETTLED;
  }
  memory_destroy(depth);
}

static uint8_t cell_paths(const struct wavefront *w, int64_t cell)
{
  const unsigned taken = w->upwind[cell] & 15;
  unsigned paths = taken;
  for (int d = 0; d < 4; d++) {
    const int e = (d + 1) % 4;
    if (taken >> d & taken >> e & 1 && w->upwind[cell + w->step[d]] >> e & 1 &&
        w->upwind[cell + w->step[e]] >> d & 1)
      paths |= 1u << (4 + d);
  }
  return (uint8_t)paths;
}

static int8_t rounded(float v)
{
  return (int8_t)(v < 0.0f ? v - 0.5f : v + 0.5f);
}

// Upwind differences. Opposite neighbours in a tie cancel. Where a wall cuts the corner between two
// neighbours, only the smaller one counts, and their tie cancels, too: mirrored and rotated grids
// give mirrored and rotated directions.
static void cell_set_direction(const struct wavefront *w, int64_t cell, struct field_cell *c)
{
  const uint32_t time = w->time[cell];
  const uint32_t east = upwind_time(w, cell, EAST), west = upwind_time(w, cell, WEST);
  const uint32_t north = upwind_time(w, cell, NORTH), south = upwind_time(w, cell, SOUTH);
  const uint32_t low_x = min_uint32(east, west), low_y = min_uint32(north, south);
  uint32_t dx = east != west && low_x < time ? time - low_x : 0;
  uint32_t dy = north != south && low_y < time ? time - low_y : 0;
  if (dx && dy && !(c->paths >> field_corner(west < east, south < north) & 1)) {
    const bool x_first = dx > dy, y_first = dy > dx;
    dx = x_first ? dx : 0;
    dy = y_first ? dy : 0;
  }
  if (dx == 0 && dy == 0)
    return;
  const float x = west < east ? -(float)dx : (float)dx, y = south < north ? -(float)dy : (float)dy;
  const float length = sqrtf(x * x + y * y);
  c->x = rounded(127.0f * x / length);
  c->y = rounded(127.0f * y / length);
}

static struct field_cell cell_made(const struct nav_grid *g, const struct wavefront *w,
                                   int64_t cell)
{
  const uint32_t time = w->time[cell];
  struct field_cell c = {.flags = g->bits[cell] & NAV_GRID_CROSSED ? FIELD_CROSSED : 0};
  if (time == FIELD_UNREACHED)
    return c;
  c.paths = cell_paths(w, cell);
  if (time == 0)
    c.flags |= FIELD_ARRIVED;
  else
    cell_set_direction(w, cell, &c);
  return c;
}

static void set_cells(struct field *f, const struct wavefront *w)
{
  const struct nav_grid *g = f->nav_grid;
  const struct cell_tiles tiles = FIELD_TILES;
  const uint32_t pages = cell_tiles_pages(tiles, (uint32_t)g->columns);
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < g->rows; row++) {
    struct field_cell *cells = f->cells + cell_tiles_y(tiles, pages, (uint32_t)row);
    for (int32_t column = 0; column < g->columns; column++)
      cells[cell_tiles_x(tiles, (uint32_t)column)] =
          cell_made(g, w, (int64_t)row * g->columns + column);
  }
}

// Around all cells of the destination and their neighbours; unbounded where they touch the border
// of the grid.
static struct box box_around_destination(const struct field *f)
{
  const struct nav_grid *g = f->nav_grid;
  int64_t lo_c = g->columns, lo_r = g->rows, hi_c = -1, hi_r = -1;
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++) {
    if (f->time[cell] != 0)
      continue;
    const int64_t c = cell % g->columns, r = cell / g->columns;
    lo_c = c < lo_c ? c : lo_c;
    hi_c = c > hi_c ? c : hi_c;
    lo_r = r < lo_r ? r : lo_r;
    hi_r = r;
  }
  const int64_t x = g->origin.x, y = g->origin.y, cell = g->cell;
  return (struct box){{lo_c <= 1 ? INT32_MIN : (int32_t)(x + (lo_c - 1) * cell),
                       lo_r <= 1 ? INT32_MIN : (int32_t)(y + (lo_r - 1) * cell)},
                      {hi_c + 2 >= g->columns ? INT32_MAX : (int32_t)(x + (hi_c + 2) * cell),
                       hi_r + 2 >= g->rows ? INT32_MAX : (int32_t)(y + (hi_r + 2) * cell)}};
}

// ------------------------------------------------------------------------------- the stages

struct solve_state { // one field of several
  struct wavefront wavefront;
  struct cell_list seeds, frontier;
};

static void solve_begin(struct solve_state *s, const struct field_task *t)
{
  const struct nav_grid *g = t->field->nav_grid;
  const size_t count = (size_t)nav_grid_cell_count(g);
  struct wavefront *w = &s->wavefront;
  *w = (struct wavefront){.step = {1, g->columns, -1, -g->columns},
                          .cost = t->cost,
                          .time = t->field->time,
                          .upwind = memory_create(count, sizeof *w->upwind)};
  set_upwind(g, t->destination, w);
  memset(w->time, 0xff, count * sizeof *w->time); // FIELD_UNREACHED
  for (size_t cell = 0; cell < count; cell++)
    if (t->destination[cell] && cell_passable(g, t->cost, (int64_t)cell)) {
      w->time[cell] = 0;
      cell_list_append(&s->seeds, (int64_t)cell);
    }
}

// The open cells are done; the cells of low clearance follow, starting at the frontier.
static void solve_continue(struct solve_state *s, const struct field_task *t)
{
  s->seeds.count = 0;
  for (size_t i = 0; i < s->frontier.count; i++)
    cell_list_append(&s->seeds, s->frontier.cells[i]);
  set_low_clearance_upwind(t->field->nav_grid, t->destination, &s->wavefront, &s->frontier);
}

static void solve_end(struct solve_state *s, const struct field_task *t)
{
  set_cells(t->field, &s->wavefront);
  *t->field->destination_box = box_around_destination(t->field);
  memory_destroy(s->seeds.cells);
  memory_destroy(s->frontier.cells);
  for (int i = 0; i < WAVEFRONT_BUCKETS; i++)
    memory_destroy(s->wavefront.buckets[i].cells);
  memory_destroy(s->wavefront.upwind);
}

// ------------------------------------------------------------------------------- on the CPU

static void solve_on_cpu(struct solve_state *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    struct solve_state *s = &all[k];
    solve_begin(s, &tasks[k]);
    wavefront_run(&s->wavefront, &s->seeds, &s->frontier);
    solve_continue(s, &tasks[k]);
    wavefront_run(&s->wavefront, &s->seeds, NULL);
    solve_end(s, &tasks[k]);
  }
}

// ------------------------------------------------------------------------------ on a device

static field_solver *external_solver;

void field_set_solver(field_solver *spread)
{
  external_solver = spread;
}

static void spread_fronts(const struct solve_state *all, const struct field_task *tasks,
                          int32_t count)
{
  struct field_front *fronts = memory_create((size_t)count, sizeof *fronts);
  for (int32_t k = 0; k < count; k++) {
    const struct nav_grid *g = tasks[k].field->nav_grid;
    const struct wavefront *w = &all[k].wavefront;
    fronts[k] = (struct field_front){g->columns, g->rows, w->upwind, w->cost, w->time};
  }
  external_solver(fronts, count);
  memory_destroy(fronts);
}

// An external solver gives no order of arrival, so the frontier is searched for.
static void find_frontier(struct solve_state *s, const struct nav_grid *g)
{
  const struct wavefront *w = &s->wavefront;
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++)
    if (w->time[cell] != FIELD_UNREACHED && (w->upwind[cell] >> WAVEFRONT_LINKS & ~w->upwind[cell]))
      cell_list_append(&s->frontier, cell);
}

static void solve_external(struct solve_state *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++)
    solve_begin(&all[k], &tasks[k]);
  spread_fronts(all, tasks, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    find_frontier(&all[k], tasks[k].field->nav_grid);
    solve_continue(&all[k], &tasks[k]);
  }
  spread_fronts(all, tasks, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++)
    solve_end(&all[k], &tasks[k]);
}

void fields_solve(const struct field_task *tasks, int32_t count)
{
  assert(count >= 0);
  if (count == 0)
    return;
  struct solve_state *all = memory_create((size_t)count, sizeof *all);
  if (external_solver)
    solve_external(all, tasks, count);
  else
    solve_on_cpu(all, tasks, count);
  memory_destroy(all);
}

void field_solve(struct field *f, const uint8_t *destination, const uint16_t *cost)
{
  fields_solve(&(struct field_task){f, destination, cost}, 1);
}
