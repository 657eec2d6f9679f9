// The edges between cells of a grid that a move crosses: first along x, then along y. A move over
// several cells, or over a corner, so crosses edges of cells that touch each other, and the people
// of a cell change by its crossings alone.
#pragma once
#include "measure_kernel.h"

// crossed[CELL_SIDES * cell + side]: over the right edge of the cell to the right and to the left,
// over its upper edge upwards and downwards.
enum cell_side { CELL_EAST, CELL_WEST, CELL_NORTH, CELL_SOUTH, CELL_SIDES };

struct cell_move {
  int32_t column, row;       // where it is
  int32_t to_column, to_row; // where it goes
};

INLINE struct cell_move cell_move_of(const struct measure_grid *g, struct point from,
                                     struct point to)
{
  return (struct cell_move){cell_index_along(from.x, g->origin.x, g->cell),
                            cell_index_along(from.y, g->origin.y, g->cell),
                            cell_index_along(to.x, g->origin.x, g->cell),
                            cell_index_along(to.y, g->origin.y, g->cell)};
}

// Goes one cell further. Returns the index in `crossed` of the edge; -1: the move has ended.
INLINE int64_t cell_move_next(const struct measure_grid *g, struct cell_move *m)
{
  int32_t column = m->column, row = m->row, side;
  if (m->column < m->to_column) {
    m->column++;
    side = CELL_EAST;
  } else if (m->column > m->to_column) {
    column = --m->column;
    side = CELL_WEST;
  } else if (m->row < m->to_row) {
    m->row++;
    side = CELL_NORTH;
  } else if (m->row > m->to_row) {
    row = --m->row;
    side = CELL_SOUTH;
  } else {
    return -1;
  }
  return CELL_SIDES * ((int64_t)row * g->columns + column) + side;
}
