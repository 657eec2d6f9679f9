// Neighbour grid of the device: agents sorted by cell, row by row. What searches find in it is
// exact for any cell size: an agent outside the grid belongs to the nearest border cell, which is
// unbounded on that side.
//
// The table `start` has one entry for every run of 2^shift cells of a row. shift is 0 for dense
// crowds. It grows where most of the plane is empty, so the table stays within a few times the
// number of agents; inside a run the cell is found by bisection.
#pragma once
#include "box_tree_query.h"
#include "nearest_list.h"

#include <assert.h>
#include <stddef.h>

struct grid {
  struct point lo;       // quanta: lower left corner of cell 0
  int32_t width;         // of a cell, quanta
  int32_t columns, rows; // cells; columns * rows < 2^32
  int32_t shift;         // log2 of the cells in a run
  int32_t runs;          // in a row
  int64_t first, count;  // its agents are [first, first + count) in grid order
  int32_t *start;        // [rows * runs + 1] first agent of the run
  uint32_t *cell;        // [agents] ascending: row * columns + column
};

#define CELL_WIDTH 1.25 // m, unless the crowd is too sparse for that many rows

// A grid over a box, hi inside. per_metre: quanta.
static inline struct grid grid_over(struct box box, float per_metre, int64_t agents)
{
  assert(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && per_metre > 0 && agents >= 0);
  const int64_t box_width = (int64_t)box.hi.x - box.lo.x + 1;
  const int64_t box_height = (int64_t)box.hi.y - box.lo.y + 1;
  const int64_t entries_max = 4 * agents + 1024;
  int64_t width = (int64_t)(CELL_WIDTH * (double)per_metre) + 1, shift = 0;
  while (box_height / width + 1 > entries_max ||
         (box_width / width + 1) * (box_height / width + 1) >= UINT32_MAX)
    width *= 2;
  const int64_t columns = box_width / width + 1, rows = box_height / width + 1;
  while (rows * (((columns - 1) >> shift) + 1) > entries_max)
    shift++;
  const struct grid g = {.lo = box.lo,
                         .width = (int32_t)width,
                         .columns = (int32_t)columns,
                         .rows = (int32_t)rows,
                         .shift = (int32_t)shift,
                         .runs = (int32_t)(((columns - 1) >> shift) + 1),
                         .first = 0,
                         .count = agents,
                         .start = NULL,
                         .cell = NULL};
  return g;
}

// Everything but the arrays.
static inline bool grid_is_valid(const struct grid *g)
{
  return g->width > 0 && g->columns > 0 && g->rows > 0 && g->shift >= 0 && g->count >= 0 &&
         g->first >= 0 && (int64_t)g->columns * g->rows <= UINT32_MAX &&
         (int64_t)g->runs << g->shift >= g->columns;
}

INLINE int64_t grid_table_size(const struct grid *g) // without the last entry, which is the end
{
  return (int64_t)g->rows * g->runs;
}

INLINE int32_t grid_column(const struct grid *g, int64_t x) // clamped to the grid
{
  const uint32_t c = x < g->lo.x ? 0 : (uint32_t)(x - g->lo.x) / (uint32_t)g->width;
  return c < (uint32_t)g->columns ? (int32_t)c : g->columns - 1;
}

INLINE int32_t grid_row(const struct grid *g, int64_t y) // clamped to the grid
{
  const uint32_t r = y < g->lo.y ? 0 : (uint32_t)(y - g->lo.y) / (uint32_t)g->width;
  return r < (uint32_t)g->rows ? (int32_t)r : g->rows - 1;
}

INLINE uint32_t grid_cell(const struct grid *g, int32_t row, int32_t column)
{
  return (uint32_t)row * (uint32_t)g->columns + (uint32_t)column;
}

// Lower bound: the first agent of [begin, end) whose cell is `cell` or later.
INLINE int64_t grid_lower_bound(const struct grid *g, uint32_t cell, int64_t begin, int64_t end)
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
  return g->start[(int64_t)row * g->runs];
}

// The first agent in that cell or a later one. column may be `columns`.
INLINE int64_t grid_cell_begin(const struct grid *g, int32_t row, int32_t column)
{
  if (column == g->columns)
    return grid_row_begin(g, row + 1);
  const int64_t t = (int64_t)row * g->runs + (column >> g->shift);
  return g->shift == 0
             ? g->start[t]
             : grid_lower_bound(g, grid_cell(g, row, column), g->start[t], g->start[t + 1]);
}

// Distance of p, which is in row `own`, from another row, quanta; exact.
INLINE int64_t grid_row_gap(const struct grid *g, struct point p, int32_t own, int32_t row)
{
  const int64_t low = g->lo.y + (int64_t)row * g->width;
  return row > own ? low - p.y : row < own ? p.y - (low + g->width - 1) : 0;
}

// Distance of p from the column of agent i of a row, quanta; exact. Border columns are unbounded
// outward, so only their inner edge counts.
INLINE int64_t grid_column_gap(const struct grid *g, struct point p, int32_t row, int64_t i)
{
  const int64_t column = g->cell[i] - (uint32_t)row * (uint32_t)g->columns;
  const int64_t low = g->lo.x + column * g->width, high = low + g->width - 1;
  return p.x < low && column > 0                 ? low - p.x
         : p.x > high && column + 1 < g->columns ? p.x - high
                                                 : 0;
}

// The k-th row outward from row `own`: own, own + 1, own - 1, own + 2, ...
INLINE int32_t grid_row_outward(int32_t own, int32_t k)
{
  return k % 2 ? own + (k + 1) / 2 : own - k / 2;
}
