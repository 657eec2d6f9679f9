// The memory of a field, its cells, and rare queries; field_kernel.h has the queries of each step.
#include "field_cells.h"
#include "field_kernel.h"
#include "machine_lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

size_t field_bytes(const struct nav_grid *g)
{
  const struct field *f = NULL;
  const size_t cells = (size_t)nav_grid_cell_count(g), squares = (size_t)nav_grid_square_count(g);
  const size_t bytes = cells * (sizeof *f->cells + sizeof *f->time) + sizeof *f->visits +
                       sizeof *f->destination_box +
                       squares * (sizeof *f->reached + sizeof *f->known);
  return (bytes + FIELD_ALIGNMENT - 1) / FIELD_ALIGNMENT * FIELD_ALIGNMENT;
}

// Widest members first, so that all are aligned: the count of cells is that of whole squares.
void field_create(struct field *f, const struct nav_grid *g, void *memory)
{
  assert(nav_grid_is_valid(g));
  *f = (struct field){.nav_grid = g,
                      .owned_memory = memory ? NULL : memory_create(field_bytes(g), 1)};
  f->cells = memory ? memory : f->owned_memory;
  f->time = (uint32_t *)(f->cells + nav_grid_cell_count(g));
  f->visits = (int64_t *)(f->time + nav_grid_cell_count(g));
  f->destination_box = (struct box *)(f->visits + 1);
  f->reached = (uint8_t *)(f->destination_box + 1);
  f->known = f->reached + nav_grid_square_count(g);
}

void field_prefer_large_pages(struct field *f)
{
  const size_t cells = (size_t)nav_grid_cell_count(f->nav_grid);
  memory_prefer_large_pages(f->cells, cells * sizeof *f->cells);
}

void field_destroy(struct field *f)
{
  memory_destroy(f->owned_memory);
  *f = (struct field){0};
}

uint32_t field_time(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell < 0 ? FIELD_UNREACHED : field_time_of(f, cell);
}

bool field_reachable(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell >= 0 && field_has_route(f, cell);
}

// ---------------------------------------------------------------------------------- one cell

static uint8_t cell_paths(const struct wavefront *w, int64_t cell)
{
  const unsigned taken = w->upwind[cell] & 15;
  unsigned paths = taken;
  for (int d = 0; d < 4 && !(w->grid->bits[cell] & NAV_GRID_NARROW); d++) {
    const int e = (d + 1) % 4;
    if (taken >> d & taken >> e & 1 && w->upwind[wavefront_neighbour(w, cell, d)] >> e & 1 &&
        w->upwind[wavefront_neighbour(w, cell, e)] >> d & 1)
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
// give mirrored and rotated directions. So does a tie of neighbours at right angles where all four
// are sooner: they are on two ways, and the direction between them is that of neither.
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
  const bool all_sooner = east < time && west < time && north < time && south < time;
  if ((dx == 0 && dy == 0) || (dx == dy && all_sooner))
    return;
  const float x = west < east ? -(float)dx : (float)dx, y = south < north ? -(float)dy : (float)dy;
  const float length = sqrtf(x * x + y * y);
  c->x = rounded(127.0f * x / length);
  c->y = rounded(127.0f * y / length);
}

static uint8_t grid_flags(const struct nav_grid *g, int64_t cell)
{
  const uint8_t bits = g->bits[cell];
  return (uint8_t)((bits & NAV_GRID_CROSSED ? FIELD_CROSSED : 0) |
                   (bits & NAV_GRID_NARROW ? FIELD_NARROW : 0));
}

struct field_cell field_cell_made(const struct wavefront *w, int64_t cell)
{
  const uint32_t time = w->time[cell];
  struct field_cell c = {.flags = grid_flags(w->grid, cell)};
  if (time == FIELD_UNREACHED)
    return c;
  c.paths = cell_paths(w, cell);
  cell_set_direction(w, cell, &c);
  if (time >= (uint32_t)w->grid->far)
    c.flags |= FIELD_FAR;
  return c;
}

// ------------------------------------------------------------------------------------ squares

field_square_made *field_square_made_by(int lanes)
{
  return lanes == 1    ? field_square_made_1
         : lanes == 8  ? field_square_made_8
         : lanes == 16 ? field_square_made_16
                       : field_square_made_4;
}

void field_cells_make(const struct wavefront *w, int64_t square, struct field_cell *cells)
{
  const int64_t first = square * CELL_SQUARE_CELLS;
  if (w->squares[square] == SQUARE_REACHED) {
    field_square_made_by(machine_lanes())(w, square, cells);
    return;
  }
  for (int64_t k = 0; k < CELL_SQUARE_CELLS; k++) // no route
    cells[k] = (struct field_cell){.flags = grid_flags(w->grid, first + k)};
}

void field_cells_set_square(struct field *f, const struct wavefront *w, int64_t square)
{
  struct field_cell *cells = f->cells + square * CELL_SQUARE_CELLS;
  if (w->squares[square])
    field_cells_make(w, square, cells);
  else if (f->reached[square])
    memset(cells, 0, CELL_SQUARE_CELLS * sizeof *cells);
  f->reached[square] =
      w->squares[square] == SQUARE_UNKNOWN ? FIELD_SQUARE_UNREACHED : FIELD_SQUARE_REACHED;
}

void field_cells_mark_near(const struct field_task *t)
{
  const struct field *f = t->field;
  for (size_t i = 0; t->near && i < t->near->count; i++) {
    const uint32_t cell = t->near->cells[i];
    const bool crossed = f->nav_grid->bits[cell] & NAV_GRID_CROSSED;
    f->cells[cell].flags |= (uint8_t)(FIELD_NEAR | (crossed ? FIELD_CROSSED : 0));
  }
}

struct box field_cells_box(const struct nav_grid *g, const struct cell_list *cells)
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
