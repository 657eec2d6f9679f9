// The cell that represents a point: one whose own point, mostly its centre, the point sees.
#pragma once
#include "nav_grid.h"
#include "obstacles_crossing_kernel.h"

INLINE bool same_points(struct point p, struct point q)
{
  return p.x == q.x && p.y == q.y;
}

// Whether p sees one of the points of a narrow cell.
HOST_DEVICE bool narrow_cell_visible(const struct nav_grid *g, struct point p,
                                     const struct narrow_cell *narrow)
{
  bool visible = !obstacles_crossing(p, narrow->at, g->obstacles);
  for (int d = 0; d < 4 && !visible; d++)
    visible = !same_points(narrow->via[d], narrow->at) &&
              !obstacles_crossing(p, narrow->via[d], g->obstacles);
  return visible;
}

INLINE bool centre_visible(const struct nav_grid *g, struct point p, int64_t cell)
{
  const struct narrow_cell *narrow = nav_grid_narrow_cell(g, cell);
  if (narrow)
    return narrow_cell_visible(g, p, narrow);
  return !(g->bits[cell] & NAV_GRID_SOLID) &&
         !obstacles_crossing(p, nav_grid_centre(g, cell), g->obstacles);
}

// Coordinate differences fit 33 bits: the sum of two squares fits uint64_t.
INLINE uint64_t unsigned_distance2(struct point p, struct point q)
{
  const int64_t x = (int64_t)p.x - q.x, y = (int64_t)p.y - q.y;
  return (uint64_t)(x * x) + (uint64_t)(y * y);
}

// Among the eight neighbours of `own`, the visible cell whose centre is closest to p; -1: none.
HOST_DEVICE int64_t nav_grid_visible_neighbour(const struct nav_grid *g, struct point p,
                                               int64_t own)
{
  const struct cell_place at = nav_grid_place(g, own);
  const int32_t column = at.column, row = at.row;
  int64_t cells[8], order[8]; // order: by rows, of equal distances
  uint64_t distances[8];
  int count = 0;
  for (int32_t r = row - (row > 0); r <= row + (row + 1 < g->rows); r++)
    for (int32_t c = column - (column > 0); c <= column + (column + 1 < g->columns); c++)
      if (r != row || c != column) {
        cells[count] = nav_grid_cell(g, (uint32_t)c, (uint32_t)r);
        order[count] = (int64_t)r * g->columns + c;
        distances[count] = unsigned_distance2(p, nav_grid_point(g, cells[count]));
        count++;
      }
  for (; count > 0; count--) { // closest first: visibility tests are expensive
    int nearest = 0;
    for (int i = 1; i < count; i++)
      if (distances[i] < distances[nearest] ||
          (distances[i] == distances[nearest] && order[i] < order[nearest]))
        nearest = i;
    if (centre_visible(g, p, cells[nearest]))
      return cells[nearest];
    cells[nearest] = cells[count - 1];
    order[nearest] = order[count - 1];
    distances[nearest] = distances[count - 1];
  }
  return -1;
}

// The cell that represents p: its own or, where a wall hides that centre, the neighbour with the
// closest visible centre; -1 if none is visible. Exact, and as fast as nav_grid_cell_of where no
// wall touches the cell.
HOST_DEVICE int64_t nav_grid_visible_cell(const struct nav_grid *g, struct point p)
{
  const int64_t own = nav_grid_cell_of(g, p);
  return !(g->bits[own] & NAV_GRID_CROSSED) || centre_visible(g, p, own)
             ? own
             : nav_grid_visible_neighbour(g, p, own);
}
