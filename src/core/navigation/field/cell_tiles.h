// The order in memory of the cells that agents read. They read small squares of cells anywhere on
// the grid, so squares are kept together: one of `line` cells a side is a cache line, and one of
// `page` cells a side is a page. A read costs one line and one entry of the TLB as a rule; along
// rows it would cost two or three of each.
#pragma once
#include "portable.h"

#include <stdint.h>

struct cell_tiles { // log2 of cells a side
  unsigned line, page;
};

// The index of cell (x, y) is cell_tiles_x + cell_tiles_y.
INLINE int64_t cell_tiles_x(struct cell_tiles t, uint32_t x)
{
  const uint32_t in_line = x & ((1u << t.line) - 1), in_page = x & ((1u << t.page) - 1);
  return (int64_t)((uint64_t)(x >> t.page) << 2 * t.page | in_page >> t.line << 2 * t.line |
                   in_line);
}

// pages: in a row of the grid, cell_tiles_pages(t, columns).
INLINE int64_t cell_tiles_y(struct cell_tiles t, uint32_t pages, uint32_t y)
{
  const uint32_t in_line = y & ((1u << t.line) - 1), in_page = y & ((1u << t.page) - 1);
  return (int64_t)((uint64_t)(y >> t.page) * pages << 2 * t.page |
                   in_page >> t.line << (t.page + t.line) | in_line << t.line);
}

INLINE uint32_t cell_tiles_pages(struct cell_tiles t, uint32_t cells)
{
  return (cells + (1u << t.page) - 1) >> t.page;
}

// Elements of an array in this order: whole pages.
INLINE int64_t cell_tiles_count(struct cell_tiles t, uint32_t columns, uint32_t rows)
{
  return (int64_t)((uint64_t)cell_tiles_pages(t, columns) * cell_tiles_pages(t, rows)
                   << 2 * t.page);
}
