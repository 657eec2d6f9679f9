// The queries of agents that follow a field.
#pragma once
#include "field.h"
#include "nav_grid_kernel.h"

#include <math.h>

// The cell that represents p. Where p sees no centre, between walls, it is p's own cell.
INLINE int64_t field_cell(const struct nav_grid *g, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(g, p);
  return cell >= 0 ? cell : nav_grid_cell_of(g, p);
}

// Is the destination in the cell or a neighbour of it? Saves most agents a test of visibility.
INLINE bool destination_adjacent(const struct field *f, int64_t cell)
{
  const struct nav_grid *g = f->nav_grid;
  const struct cell_place at = nav_grid_place(g, cell);
  const int32_t column = at.column, row = at.row;
  for (int32_t r = row - (row > 0); r <= row + (row + 1 < g->rows); r++)
    for (int32_t c = column - (column > 0); c <= column + (column + 1 < g->columns); c++)
      if (f->cells[nav_grid_cell(g, (uint32_t)c, (uint32_t)r)].flags & FIELD_ARRIVED)
        return true;
  return false;
}

// The cell of a point, and the three with which it forms the square of centres around the point.
struct field_stencil {
  int64_t own;
  int64_t beside, ahead; // steps to the neighbours in x and in y, which may lie outside the grid
  int32_t x, y;          // relative to the cell's centre, half quanta: exact for odd cells, too
};

INLINE struct field_stencil field_stencil_of(const struct nav_grid *g, struct point p)
{
  const uint32_t side = (uint32_t)g->cell;
  const uint32_t x = nav_grid_clamped(g, (int64_t)p.x - g->origin.x, g->columns);
  const uint32_t y = nav_grid_clamped(g, (int64_t)p.y - g->origin.y, g->rows);
  const uint32_t column = nav_grid_cells(g, x), row = nav_grid_cells(g, y);
  const int64_t at_x = cell_order_x(column), at_y = cell_order_y(row, g->square_columns);
  struct field_stencil s;
  s.x = 2 * (int32_t)(x - column * side) - g->cell;
  s.y = 2 * (int32_t)(y - row * side) - g->cell;
  s.own = at_x + at_y;
  s.beside = cell_order_x(column + (s.x < 0 ? -1u : 1u)) - at_x;
  s.ahead = cell_order_y(row + (s.y < 0 ? -1u : 1u), g->square_columns) - at_y;
  return s;
}

// Is p in the destination?
HOST_DEVICE bool field_arrived(const struct field *f, struct point p)
{
  const struct nav_grid *g = f->nav_grid;
  if (!box_holds(*f->destination_box, p))
    return false;
  const int64_t own = nav_grid_cell_of(g, p);
  if (f->reached[own >> 2 * CELL_SQUARE_BITS] < FIELD_SQUARE_ARRIVES)
    return false;
  const uint8_t flags = f->cells[own].flags;
  if (!(flags & FIELD_CROSSED)) // no wall hides its centre
    return flags & FIELD_ARRIVED;
  return destination_adjacent(f, own) && f->cells[field_cell(g, p)].flags & FIELD_ARRIVED;
}

INLINE void normalized(int64_t wx, int64_t wy, float *x, float *y)
{
  const float fx = (float)wx, fy = (float)wy, length = sqrtf(fx * fx + fy * fy);
  *x = length > 0.0f ? fx / length : 0.0f;
  *y = length > 0.0f ? fy / length : 0.0f;
}

struct grid_direction { // times 127
  int8_t x, y;
};

// The direction of a cell; in a tie, straight to the neighbour closest to the offset (x, y) from
// the centre. (0, 0) where there is no route and in the destination.
INLINE struct grid_direction tie_broken_direction(const struct field *f, int64_t cell, int32_t x,
                                                  int32_t y)
{
  const struct grid_direction straight[4] = {{127, 0}, {0, 127}, {-127, 0}, {0, -127}};
  const int32_t offset[4] = {x, y, -x, -y};
  const struct field_cell own = f->cells[cell];
  struct grid_direction direction = {own.x, own.y};
  if (direction.x || direction.y) // the time, seldom needed, is far from the cells in memory
    return direction;
  uint32_t time = field_time_of(f, cell);
  if (time == FIELD_UNREACHED)
    return direction;
  for (int d = 0, best = -1; d < 4; d++)
    if (own.paths >> d & 1) {
      const uint32_t next = field_time_of(f, nav_grid_neighbour(f->nav_grid, cell, d));
      if (next < time || (next == time && best >= 0 && offset[d] > offset[best])) {
        time = next;
        direction = straight[d];
        best = d;
      }
    }
  return direction;
}

// Whether a wall touches the cell: the grid's bit, but where the agent has read the field already.
INLINE bool field_crossed(const struct field *f, int64_t cell)
{
  return f->reached[cell >> 2 * CELL_SQUARE_BITS] ? f->cells[cell].flags & FIELD_CROSSED
                                                  : f->nav_grid->bits[cell] & NAV_GRID_CROSSED;
}

// Where a wall may be beside the route: towards the point one cell ahead of the centre along the
// route. This draws an agent off that line onto it, and so past the end of a wall in front. An
// agent in a cell with a wall that cannot see the point walks to the centre of the visible cell
// instead.
HOST_DEVICE void field_direction_near_wall(const struct field *f, struct point point,
                                           const struct field_stencil *p, float *x, float *y)
{
  const struct nav_grid *g = f->nav_grid;
  const int32_t side = g->cell;
  const bool cut = field_crossed(f, p->own);
  const int64_t cell = cut ? field_cell(g, point) : p->own;
  const struct point c = nav_grid_centre(g, cell), own = nav_grid_centre(g, p->own);
  const int32_t from_x = p->x - 2 * (c.x - own.x), from_y = p->y - 2 * (c.y - own.y);
  const struct grid_direction direction = tie_broken_direction(f, cell, from_x, from_y);
  *x = *y = 0.0f;
  if (direction.x == 0 && direction.y == 0)
    return;
  const struct point ahead = {(int32_t)(c.x + (int64_t)direction.x * side / 127),
                              (int32_t)(c.y + (int64_t)direction.y * side / 127)};
  const bool hidden = cut && (from_x || from_y) && obstacles_crossing(point, ahead, g->obstacles);
  const int64_t on = hidden ? 0 : 2 * (int64_t)side;
  normalized(on * direction.x - 127 * (int64_t)from_x, on * direction.y - 127 * (int64_t)from_y, x,
             y);
}

// The direction of least travel time, of any length, interpolated between the four closest cell
// centres. False where the square between them is not open.
INLINE bool field_interpolate(const struct field *f, const struct field_stencil *p, int64_t *x,
                              int64_t *y)
{
  const bool west = p->x < 0, south = p->y < 0;
  const struct field_cell *at = f->cells + p->own;
  const struct field_cell w = *at;
  if (!(w.paths >> field_corner(west, south) & 1) || (w.x == 0 && w.y == 0))
    return false;
  // The path across the corner leads to cells inside the grid.
  const struct field_cell w1 = at[p->beside], w2 = at[p->ahead], w3 = at[p->beside + p->ahead];
  // Weights times (2 cell)^2: integer sums in any order.
  const int64_t whole = 2 * (int64_t)f->nav_grid->cell;
  const int64_t x1 = west ? -p->x : p->x, x0 = whole - x1;
  const int64_t y1 = south ? -p->y : p->y, y0 = whole - y1;
  const int64_t k0 = x0 * y0, k1 = x1 * y0, k2 = x0 * y1, k3 = x1 * y1;
  *x = k0 * w.x + k1 * w1.x + k2 * w2.x + k3 * w3.x;
  *y = k0 * w.y + k1 * w1.y + k2 * w2.y + k3 * w3.y;
  return *x != 0 || *y != 0;
}

// The unit direction of least travel time at p: interpolated between the four closest cell centres
// where the square between them is open, else along the cell's direction past its centre, clear of
// walls. (0, 0) where there is no route and in the destination. The same bits on every machine.
HOST_DEVICE void field_direction(const struct field *f, struct point point, float *x, float *y)
{
  const struct field_stencil p = field_stencil_of(f->nav_grid, point);
  int64_t sx, sy;
  if (field_interpolate(f, &p, &sx, &sy))
    normalized(sx, sy, x, y);
  else
    field_direction_near_wall(f, point, &p, x, y);
}

// Prefetches what field_interpolate will read: fields are larger than any cache.
INLINE void field_prefetch(const struct field *f, const struct field_stencil *p)
{
#ifndef __CUDA_ARCH__
  const struct field_cell *at = f->cells + p->own;
  __builtin_prefetch(at);
  __builtin_prefetch(at + p->beside);
  __builtin_prefetch(at + p->ahead);
  __builtin_prefetch(at + p->beside + p->ahead);
#endif
}
