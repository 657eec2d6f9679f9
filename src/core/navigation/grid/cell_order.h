// The order in memory of the cells of a grid: squares of 32 x 32 cells, row by row, and within a
// square Morton order (Morton 1966). Agents read small squares of cells anywhere on the grid, and
// the wavefront of a field touches one neighbourhood after the other. In this order 16, 32 or 64
// cells next to each other, a cache line of four, two or one byte each, are a square of 4 x 4, 8 x
// 4 or 8 x 8 cells, and a square of 32 x 32 is a page of four-byte values: a read costs one line
// and one entry of the TLB as a rule. Along rows it would cost two or three of each.
#pragma once
#include "portable.h"

#include <stdint.h>

#define CELL_SQUARE       32 // cells a side
#define CELL_SQUARE_BITS  5
#define CELL_SQUARE_CELLS (CELL_SQUARE * CELL_SQUARE)

#define CELL_ORDER_X 0x155u // the bits of the column and of the row in a cell's place in its square
#define CELL_ORDER_Y 0x2aau

INLINE uint32_t cell_order_spread(uint32_t v) // abcde -> a0b0c0d0e
{
#ifdef __CUDACC__
  v = (v | v << 4) & 0x10f;
  v = (v | v << 2) & 0x133;
  return (v | v << 1) & CELL_ORDER_X;
#else // one cache line, which stays there
  static const uint16_t spread[CELL_SQUARE] = {
      0x000, 0x001, 0x004, 0x005, 0x010, 0x011, 0x014, 0x015, 0x040, 0x041, 0x044,
      0x045, 0x050, 0x051, 0x054, 0x055, 0x100, 0x101, 0x104, 0x105, 0x110, 0x111,
      0x114, 0x115, 0x140, 0x141, 0x144, 0x145, 0x150, 0x151, 0x154, 0x155};
  return spread[v];
#endif
}

INLINE uint32_t cell_order_gathered(uint32_t v) // the reverse; of the even bits
{
  v &= CELL_ORDER_X;
  v = (v | v >> 1) & 0x133;
  v = (v | v >> 2) & 0x10f;
  return (v | v >> 4) & (CELL_SQUARE - 1);
}

// The index of cell (column, row) is cell_order_x + cell_order_y. squares: in a row of the grid.
INLINE int64_t cell_order_x(uint32_t column)
{
  return (int64_t)((uint64_t)(column >> CELL_SQUARE_BITS) << 2 * CELL_SQUARE_BITS |
                   cell_order_spread(column & (CELL_SQUARE - 1)));
}

INLINE int64_t cell_order_y(uint32_t row, uint32_t squares)
{
  return (int64_t)((uint64_t)(row >> CELL_SQUARE_BITS) * squares << 2 * CELL_SQUARE_BITS |
                   cell_order_spread(row & (CELL_SQUARE - 1)) << 1);
}

// The index of the neighbour towards d: 0 .. 3 are east, north, west and south. It must exist.
INLINE int64_t cell_order_step(int64_t cell, int d, uint32_t squares)
{
  const uint32_t place = (uint32_t)cell & (CELL_SQUARE_CELLS - 1);
  const uint32_t moving = d & 1 ? CELL_ORDER_Y : CELL_ORDER_X,
                 other = moving ^ (CELL_SQUARE_CELLS - 1);
  const bool back = d & 2;
  const bool leaves = (place & moving) == (back ? 0 : moving);
  const uint32_t moved = back ? (place & moving) - 1 : (place | other) + 1;
  const int64_t square = (int64_t)(d & 1 ? squares : 1) << 2 * CELL_SQUARE_BITS;
  return cell - place + ((moved & moving) | (place & other)) +
         (leaves ? back ? -square : square : 0);
}
