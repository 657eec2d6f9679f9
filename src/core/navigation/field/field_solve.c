// Solves fields: upwind links, the wavefront, directions.
#include "field.h"

#include "wavefront.h"
#include <assert.h>
#include <math.h>
#include <string.h>

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
  const struct nav_grid *g = w->grid;
  const int64_t next = nav_grid_neighbour(g, cell, d);
  if (!linked(w, cell, side) || !linked(w, next, side))
    return false;
  const int64_t front = nav_grid_neighbour(g, cell, side);
  return depth[front] == DEPTH_SETTLED && linked(w, front, d) &&
         depth[nav_grid_neighbour(g, next, side)] == DEPTH_SETTLED;
}

static uint8_t low_clearance_upwind(const struct wavefront *w, const uint8_t *depth, int64_t cell)
{
  unsigned taken = 0;
  for (int d = 0; d < 4; d++) {
    const int near =
        linked(w, cell, d) ? depth[nav_grid_neighbour(w->grid, cell, d)] : DEPTH_UNKNOWN;
    if (near == DEPTH_SETTLED ||
        (near == DEPTH_SAME && (side_by_side(w, depth, cell, d, (d + 1) % 4) ||
                                side_by_side(w, depth, cell, d, (d + 3) % 4))))
      taken |= 1u << d;
  }
  return (uint8_t)taken;
}

// Breadth-first search from the frontier: sets the upwind links of the cells of low clearance, one
// depth after the other, and appends these cells to the frontier.
static void set_low_clearance_upwind(struct wavefront *w, struct cell_list *frontier)
{
  const struct nav_grid *g = w->grid;
  uint8_t *depth = memory_create((size_t)nav_grid_cell_count(g), sizeof *depth);
  for (size_t i = 0; i < frontier->count; i++)
    depth[frontier->cells[i]] = DEPTH_SETTLED;
  for (size_t begin = 0, end; begin < frontier->count; begin = end) {
    end = frontier->count;
    for (size_t i = begin; i < end; i++)
      for (int d = 0; d < 4; d++) {
        const int64_t cell = frontier->cells[i];
        if (!linked(w, cell, d))
          continue;
        const int64_t next = nav_grid_neighbour(g, cell, d);
        if (depth[next] == DEPTH_UNKNOWN && !wavefront_cell_is_open(w, next)) {
          depth[next] = DEPTH_SAME;
          cell_list_append(frontier, next);
          wavefront_reach(w, next);
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
    if (taken >> d & taken >> e & 1 && w->upwind[nav_grid_neighbour(w->grid, cell, d)] >> e & 1 &&
        w->upwind[nav_grid_neighbour(w->grid, cell, e)] >> d & 1)
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

static struct field_cell cell_made(const struct wavefront *w, int64_t cell)
{
  const uint32_t time = w->time[cell];
  struct field_cell c = {.flags = w->grid->bits[cell] & NAV_GRID_CROSSED ? FIELD_CROSSED : 0};
  if (time == FIELD_UNREACHED)
    return c;
  c.paths = cell_paths(w, cell);
  if (time == 0)
    c.flags |= FIELD_ARRIVED;
  else
    cell_set_direction(w, cell, &c);
  return c;
}

// Squares that a former solution has reached and this one has not are cleared.
static void set_cells(struct field *f, const struct wavefront *w)
{
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t square = 0; square < nav_grid_square_count(f->nav_grid); square++) {
    struct field_cell *cells = f->cells + square * CELL_SQUARE_CELLS;
    if (w->squares[square])
      for (int64_t k = 0; k < CELL_SQUARE_CELLS; k++)
        cells[k] = cell_made(w, square * CELL_SQUARE_CELLS + k);
    else if (f->reached[square])
      memset(cells, 0, CELL_SQUARE_CELLS * sizeof *cells);
    f->reached[square] = w->squares[square] != SQUARE_UNKNOWN;
  }
}

// Around all cells of the destination and their neighbours; unbounded where they touch the border
// of the grid.
static struct box box_around_destination(const struct nav_grid *g, const struct cell_list *cells)
{
  int64_t lo_c = g->columns, lo_r = g->rows, hi_c = -1, hi_r = -1;
  for (size_t i = 0; i < cells->count; i++) {
    const struct cell_place at = nav_grid_place(g, cells->cells[i]);
    lo_c = at.column < lo_c ? at.column : lo_c;
    hi_c = at.column > hi_c ? at.column : hi_c;
    lo_r = at.row < lo_r ? at.row : lo_r;
    hi_r = at.row > hi_r ? at.row : hi_r;
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

static bool cell_passable(const struct nav_grid *g, const uint16_t *cost, int64_t cell)
{
  return !(g->bits[cell] & NAV_GRID_SOLID) && !(cost && cost[cell] == 0);
}

static void solve_begin(struct solve_state *s, const struct field_task *t)
{
  const struct nav_grid *g = t->field->nav_grid;
  const size_t cells = (size_t)nav_grid_cell_count(g);
  uint8_t *destination = memory_create(cells / 8, sizeof *destination);
  struct wavefront *w = &s->wavefront;
  *w = (struct wavefront){.grid = g,
                          .cost = t->cost,
                          .destination = destination,
                          .time = t->field->time,
                          .upwind = memory_create(cells, sizeof *w->upwind),
                          .squares =
                              memory_create((size_t)nav_grid_square_count(g), sizeof *w->squares)};
  for (size_t i = 0; i < t->destination->count; i++) {
    const uint32_t cell = t->destination->cells[i];
    destination[cell >> 3] |= (uint8_t)(1u << (cell & 7));
    if (cell_passable(g, t->cost, cell))
      cell_list_append(&s->seeds, cell);
  }
  for (size_t i = 0; i < s->seeds.count; i++) { // all links depend on the whole destination
    wavefront_reach(w, s->seeds.cells[i]);
    w->time[s->seeds.cells[i]] = 0;
  }
  *t->field->destination_box = box_around_destination(g, &s->seeds);
}

// The open cells are done; the cells of low clearance follow, starting at the frontier.
static void solve_continue(struct solve_state *s)
{
  s->seeds.count = 0;
  for (size_t i = 0; i < s->frontier.count; i++)
    cell_list_append(&s->seeds, s->frontier.cells[i]);
  set_low_clearance_upwind(&s->wavefront, &s->frontier);
}

static void solve_end(struct solve_state *s, const struct field_task *t)
{
  struct wavefront *w = &s->wavefront;
  set_cells(t->field, w);
  cell_list_destroy(&s->seeds);
  cell_list_destroy(&s->frontier);
  for (int i = 0; i < WAVEFRONT_BUCKETS; i++)
    cell_list_destroy(&w->buckets[i]);
  memory_destroy((void *)(uintptr_t)w->destination);
  memory_destroy(w->upwind);
  memory_destroy(w->squares);
}

// ------------------------------------------------------------------------------- on the CPU

static void solve_on_cpu(struct solve_state *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    struct solve_state *s = &all[k];
    solve_begin(s, &tasks[k]);
    wavefront_run(&s->wavefront, &s->seeds, &s->frontier);
    solve_continue(s);
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

static void spread_fronts(const struct solve_state *all, int32_t count)
{
  struct field_front *fronts = memory_create((size_t)count, sizeof *fronts);
  for (int32_t k = 0; k < count; k++) {
    const struct wavefront *w = &all[k].wavefront;
    fronts[k] = (struct field_front){w->grid, w->upwind, w->cost, w->time};
  }
  external_solver(fronts, count);
  memory_destroy(fronts);
}

// An external solver gives no order of arrival, so the frontier is searched for.
static void find_frontier(struct solve_state *s)
{
  const struct wavefront *w = &s->wavefront;
  for (int64_t cell = 0; cell < nav_grid_cell_count(w->grid); cell++)
    if (w->time[cell] != FIELD_UNREACHED && (w->upwind[cell] >> WAVEFRONT_LINKS & ~w->upwind[cell]))
      cell_list_append(&s->frontier, cell);
}

static void solve_external(struct solve_state *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    solve_begin(&all[k], &tasks[k]);
    wavefront_make_all_ready(&all[k].wavefront);
  }
  spread_fronts(all, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    find_frontier(&all[k]);
    solve_continue(&all[k]);
  }
  spread_fronts(all, count);
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
