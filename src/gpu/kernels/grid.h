// Who is near whom on a GPU: agents sorted by the cells of a grid, row by row. Rows are visited
// outward, and in a row the cells to either side, until all that follow are farther than the
// farthest of the nearest. The sets are exact whatever the cells: whoever stands outside the grid
// is in the nearest cell of its border, which has no end on that side.
//
// A table holds where a stretch of 2^k cells of a row begins; k is 0 where people are everywhere,
// and grows where most of the plane is empty, so that the table is no longer than a few times the
// agents.
#pragma once
#include "box_tree_query.h"
#include "nearest_list.h"
#include <stddef.h>

struct grid {
  struct point lo;       // quanta: of cell 0
  int32_t width;         // of a cell, quanta
  int32_t columns, rows; // cells; columns * rows < 2^32
  int32_t shift;         // k
  int32_t stretches;     // of a row
  int64_t first, count;  // of its agents, who stand side by side in memory
  int32_t *start;        // [rows * stretches + 1] the first agent there or behind
  uint32_t *cell;        // by agent, ascending: row * columns + column
};

#define CELL_WIDTH 1.25 // m, where there are not too few people for so many rows

// Over a box, hi inside.
static inline struct grid grid_over(struct box box, float per_metre, int64_t agents)
{
  const int64_t wide = (int64_t)box.hi.x - box.lo.x + 1, high = (int64_t)box.hi.y - box.lo.y + 1;
  const int64_t room = 4 * agents + 1024;
  int64_t width = (int64_t)(CELL_WIDTH * (double)per_metre) + 1, shift = 0;
  while (high / width + 1 > room || (wide / width + 1) * (high / width + 1) >= UINT32_MAX)
    width *= 2;
  const int64_t columns = wide / width + 1, rows = high / width + 1;
  while (rows * (((columns - 1) >> shift) + 1) > room)
    shift++;
  const struct grid g = {box.lo,
                         (int32_t)width,
                         (int32_t)columns,
                         (int32_t)rows,
                         (int32_t)shift,
                         (int32_t)(((columns - 1) >> shift) + 1),
                         0,
                         agents,
                         NULL,
                         NULL};
  return g;
}

INLINE int64_t grid_table(const struct grid *g) // entries but the last
{
  return (int64_t)g->rows * g->stretches;
}

INLINE int32_t grid_column(const struct grid *g, int64_t x) // the nearest there is
{
  const uint32_t c = x < g->lo.x ? 0 : (uint32_t)(x - g->lo.x) / (uint32_t)g->width;
  return c < (uint32_t)g->columns ? (int32_t)c : g->columns - 1;
}

INLINE int32_t grid_row(const struct grid *g, int64_t y)
{
  const uint32_t r = y < g->lo.y ? 0 : (uint32_t)(y - g->lo.y) / (uint32_t)g->width;
  return r < (uint32_t)g->rows ? (int32_t)r : g->rows - 1;
}

INLINE uint32_t grid_cell(const struct grid *g, int32_t row, int32_t column)
{
  return (uint32_t)row * (uint32_t)g->columns + (uint32_t)column;
}

// The first of the agents [begin, end) whose cell is not before that.
INLINE int64_t grid_search(const struct grid *g, uint32_t cell, int64_t begin, int64_t end)
{
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (g->cell[middle] < cell)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

INLINE int64_t grid_row_begin(const struct grid *g, int32_t row) // row may be `rows`
{
  return g->start[(int64_t)row * g->stretches];
}

// The first agent of that cell or behind it. column may be `columns`.
INLINE int64_t grid_first(const struct grid *g, int32_t row, int32_t column)
{
  if (column == g->columns)
    return grid_row_begin(g, row + 1);
  const int64_t t = (int64_t)row * g->stretches + (column >> g->shift);
  return g->shift == 0 ? g->start[t]
                       : grid_search(g, grid_cell(g, row, column), g->start[t], g->start[t + 1]);
}

// How far p, of row `own`, is from another row, quanta; exact.
INLINE int64_t grid_row_gap(const struct grid *g, struct point p, int32_t own, int32_t row)
{
  const int64_t low = g->lo.y + (int64_t)row * g->width;
  return row > own ? low - p.y : row < own ? p.y - (low + g->width - 1) : 0;
}

// The same for the column of agent i in a row. Of the outermost rows and columns only the inner
// edge is asked for: p is never beyond the other one.
INLINE int64_t grid_column_gap(const struct grid *g, struct point p, int32_t row, int64_t i)
{
  const int64_t column = g->cell[i] - (uint32_t)row * (uint32_t)g->columns;
  const int64_t low = g->lo.x + column * g->width, high = low + g->width - 1;
  return p.x < low && column > 0                 ? low - p.x
         : p.x > high && column + 1 < g->columns ? p.x - high
                                                 : 0;
}

// The rows about row `own`, nearest first: own, own + 1, own - 1, own + 2, ...
INLINE int32_t grid_row_at(int32_t own, int32_t k)
{
  return k % 2 ? own + (k + 1) / 2 : own - k / 2;
}
