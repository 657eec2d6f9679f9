// The cells of a grid in a test: its arrays also hold cells outside, up to whole squares.
#pragma once
#include "field.h"

static inline bool grid_holds(const struct nav_grid *g, int64_t cell)
{
  const struct cell_place at = nav_grid_place(g, cell);
  return at.column < g->columns && at.row < g->rows;
}

#define FOR_EACH_CELL(cell, grid)                                                                  \
  for (int64_t cell = 0; cell < nav_grid_cell_count(grid); cell++)                                 \
    if (grid_holds(grid, cell))

// Solves a field towards the cells with marks[cells] != 0. The grid is complete, with its zones.
static inline void field_solve(struct field *f, const uint8_t *marks, const uint16_t *cost)
{
  nav_grid_set_upwind((struct nav_grid *)(uintptr_t)f->nav_grid);
  struct cell_list destination = {0};
  cell_list_append_marked(&destination, marks, nav_grid_cell_count(f->nav_grid));
  fields_solve(&(struct field_task){.field = f, .destination = &destination, .cost = cost}, 1);
  cell_list_destroy(&destination);
}
