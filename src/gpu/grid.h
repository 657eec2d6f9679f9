// Who is near whom on a GPU: agents sorted by the cells of a grid, row by row, so that a stretch of
// a row is one run of agents. Rows are swept outward while the farthest of the nearest comes
// closer. The sets are exact whatever the cells.
#pragma once
#include "ranking.h"
#include "tree_walk.h"

struct grid {
  struct point lo; // quanta: of cell 0
  int32_t width;   // of a cell, quanta
  int32_t columns, rows;
  int32_t *start; // [columns * rows + 1] first agent of a cell, in their order
};

#define CELL_WIDTH 1.25 // m, where people are not too few for so many cells

// Cells over that box, not many more than agents.
static inline struct grid grid_over(struct box box, float per_metre, int64_t agents)
{
  const int64_t wide = (int64_t)box.hi.x - box.lo.x + 1, high = (int64_t)box.hi.y - box.lo.y + 1;
  int64_t width = (int64_t)(CELL_WIDTH * (double)per_metre) + 1;
  while ((wide / width + 1) * (high / width + 1) > 4 * agents + 1024)
    width *= 2;
  const struct grid g = {box.lo, (int32_t)width, (int32_t)(wide / width + 1),
                         (int32_t)(high / width + 1), NULL};
  return g;
}

INLINE int64_t grid_cells(const struct grid *g)
{
  return (int64_t)g->columns * g->rows;
}

INLINE int32_t grid_column(const struct grid *g, int64_t x) // the nearest there is
{
  const int64_t c = x < g->lo.x ? 0 : (x - g->lo.x) / g->width;
  return (int32_t)(c < g->columns ? c : g->columns - 1);
}

INLINE int32_t grid_row(const struct grid *g, int64_t y)
{
  const int64_t r = y < g->lo.y ? 0 : (y - g->lo.y) / g->width;
  return (int32_t)(r < g->rows ? r : g->rows - 1);
}

INLINE uint32_t grid_cell(const struct grid *g, struct point p)
{
  return (uint32_t)grid_row(g, p.y) * (uint32_t)g->columns + (uint32_t)grid_column(g, p.x);
}

// How far p, of row `own`, is from another row, quanta; exact.
INLINE int64_t grid_row_gap(const struct grid *g, struct point p, int32_t own, int32_t row)
{
  const int64_t low = g->lo.y + (int64_t)row * g->width;
  return row > own ? low - p.y : row < own ? p.y - (low + g->width - 1) : 0;
}

struct grid_run { // agents [begin, end)
  int64_t begin, end;
};

// The agents of a row whose cells are as near as that to p along it, and perhaps more.
INLINE struct grid_run grid_stretch(const struct grid *g, struct point p, int32_t row, float range2)
{
  const int64_t far = (int64_t)(1.0001f * sqrtf(range2)) + 2, first = (int64_t)row * g->columns;
  const struct grid_run run = {g->start[first + grid_column(g, p.x - far)],
                               g->start[first + grid_column(g, p.x + far) + 1]};
  return run;
}

// The rows about row `own`, nearest first: own, own + 1, own - 1, own + 2, ...
INLINE int32_t grid_row_at(int32_t own, int32_t k)
{
  return k % 2 ? own + (k + 1) / 2 : own - k / 2;
}
