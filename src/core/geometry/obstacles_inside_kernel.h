// Whether a point is inside solid ground. Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"

// A wall that passes a row of the plane from its lower to its upper edge.
struct row_wall {
  int32_t wall;
  int32_t lo_x;    // quanta: the wall's least x
  int32_t reach;   // quanta: the greatest x of this wall and of those before it in the row
  int32_t winding; // of this wall and of those after it, where all of them are right of a point
};

// Walls by row of the plane, for the winding number. Slabs of Dobkin and Lipton 1976, except that a
// row may contain ends of walls.
struct row_index {
  int32_t low;              // quanta: lower edge of row 0
  int32_t height;           // quanta
  int64_t count;            // rows
  int64_t *passing_start;   // [count + 1]
  struct row_wall *passing; // [passing_start[count]], by lo_x in each row
  int64_t *ending_start;    // [count + 1]
  int32_t *ending;          // [ending_start[count]] walls with an end in the row
};

INLINE int64_t row_containing(const struct row_index *rows, int32_t y) // y >= rows->low
{
  return ((uint32_t)y - (uint32_t)rows->low) / (uint32_t)rows->height;
}

// Adds 1 to the winding number if the ray from p to +x crosses the wall upwards, -1 if downwards.
// The lower end belongs to the wall, the upper one does not, so that a shared end counts once.
// Returns false if p is on the wall.
INLINE bool wall_winding(const struct wall *w, struct point p, int *winding)
{
  const int side = orientation(w->a, w->b, p);
  if (side == 0 && on_segment(w->a, w->b, p))
    return false;
  *winding += (w->a.y <= p.y && w->b.y > p.y && side > 0);
  *winding -= (w->b.y <= p.y && w->a.y > p.y && side < 0);
  return true;
}

// The first of a row's passing walls [first, end) that is wholly right of x.
INLINE int64_t row_wall_right_of(const struct row_index *rows, int64_t first, int64_t end,
                                 int32_t x)
{
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    if (rows->passing[middle].lo_x > x)
      end = middle;
    else
      first = middle + 1;
  }
  return first;
}

// By the winding number of the outlines around p. Of the walls that pass its row, those wholly
// right of p count without a look at them, and those wholly left of it not at all.
HOST_DEVICE bool rows_inside(const struct obstacles *o, struct point p)
{
  int winding = o->outside_solid;
  const struct row_index *rows = o->rows;
  if (!rows || p.y < rows->low)
    return winding > 0;
  const int64_t row = row_containing(rows, p.y);
  if (row >= rows->count)
    return winding > 0;
  for (int64_t i = rows->ending_start[row]; i < rows->ending_start[row + 1]; i++)
    if (!wall_winding(&o->walls[rows->ending[i]], p, &winding))
      return false;
  const int64_t first = rows->passing_start[row], end = rows->passing_start[row + 1];
  const int64_t right = row_wall_right_of(rows, first, end, p.x);
  if (right < end)
    winding += rows->passing[right].winding;
  for (int64_t i = right - 1; i >= first && rows->passing[i].reach >= p.x; i--)
    if (!wall_winding(&o->walls[rows->passing[i].wall], p, &winding))
      return false;
  return winding > 0;
}

// The ground in squares of GROUND_SIDE x GROUND_SIDE cells, a cache line each.
#define GROUND_SIDE 16

enum { CELL_FREE, CELL_SOLID, CELL_MIXED }; // a wall is in a mixed cell, or close

struct ground_square {
  uint32_t row[GROUND_SIDE]; // two bits for each cell
};

// Squares: one of free cells, one of solid ones, one of mixed ones, then those with walls.
enum { GROUND_FREE, GROUND_SOLID, GROUND_MIXED, GROUND_WALLS };

// Square cells over the box around the walls, for the points that no wall is near. No wall lies
// between two adjacent cells that are not mixed.
struct ground_raster {
  struct point lo;       // quanta: the lower left corner of cell 0
  int32_t shift;         // a cell has 2^shift quanta
  int32_t columns, rows; // of cells
  int32_t square_columns, square_rows;
  int32_t *squares; // [square_columns * square_rows] row by row: which of ...
  int64_t kind_count;
  struct ground_square *kinds; // [kind_count] ... these. Those without walls have one in common.
};

struct ground_place { // a cell
  uint32_t column, row;
};

// Beyond the last column or row outside the raster.
INLINE struct ground_place ground_place_of(const struct ground_raster *g, struct point p)
{
  return (struct ground_place){((uint32_t)p.x - (uint32_t)g->lo.x) >> g->shift,
                               ((uint32_t)p.y - (uint32_t)g->lo.y) >> g->shift};
}

INLINE bool ground_has_place(const struct ground_raster *g, struct ground_place at)
{
  return at.column < (uint32_t)g->columns && at.row < (uint32_t)g->rows;
}

INLINE const struct ground_square *ground_square_at(const struct ground_raster *g,
                                                    struct ground_place at)
{
  const int64_t row = at.row / GROUND_SIDE;
  return &g->kinds[g->squares[row * g->square_columns + at.column / GROUND_SIDE]];
}

INLINE unsigned ground_cell_at(const struct ground_raster *g, struct ground_place at)
{
  return ground_square_at(g, at)->row[at.row % GROUND_SIDE] >> 2 * (at.column % GROUND_SIDE) & 3;
}

INLINE bool ground_is_mixed(const struct ground_raster *g, struct ground_place at)
{
  return ground_cell_at(g, at) == CELL_MIXED;
}

// Whether no wall touches any segment inside a small box, hi inside, by the raster alone. False
// where it cannot tell.
INLINE bool ground_has_no_wall(const struct ground_raster *g, struct box b)
{
  const struct ground_place low = ground_place_of(g, b.lo), high = ground_place_of(g, b.hi);
  if (!ground_has_place(g, low) || !ground_has_place(g, high) || high.column - low.column > 1 ||
      high.row - low.row > 1 || ground_is_mixed(g, low))
    return false;
  const struct ground_place right = {high.column, low.row}, above = {low.column, high.row};
  return (low.column == high.column && low.row == high.row) ||
         !(ground_is_mixed(g, right) || ground_is_mixed(g, above) || ground_is_mixed(g, high));
}

// Prefetches what ground_has_no_wall and obstacles_inside will read of the ground at p.
INLINE void ground_prefetch(const struct ground_raster *g, struct point p)
{
#ifndef __CUDA_ARCH__
  const struct ground_place at = ground_place_of(g, p);
  if (ground_has_place(g, at))
    __builtin_prefetch(ground_square_at(g, at));
#endif
}

// The cell that p is in, by the raster alone. CELL_MIXED outside the raster.
INLINE unsigned ground_at(const struct ground_raster *g, struct point p)
{
  const struct ground_place at = ground_place_of(g, p);
  return ground_has_place(g, at) ? ground_cell_at(g, at) : CELL_MIXED;
}

HOST_DEVICE bool obstacles_inside(const struct obstacles *o, struct point p)
{
  const unsigned cell = o->raster ? ground_at(o->raster, p) : CELL_MIXED;
  return cell == CELL_MIXED ? rows_inside(o, p) : cell == CELL_SOLID;
}
