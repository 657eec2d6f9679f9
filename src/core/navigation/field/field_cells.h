// What agents read of a cell, from the times and links around it.
#pragma once
#include "wavefront.h"

// One cell, simply: for tests.
struct field_cell field_cell_made(const struct wavefront *w, int64_t cell);
// Computes the cells of a square that the front has reached, in vectors of 1, 4, 8 or 16 lanes.
typedef void field_square_made(const struct wavefront *w, int64_t square, struct field_cell *cells);
extern field_square_made field_square_made_1, field_square_made_4, field_square_made_8,
    field_square_made_16;
field_square_made *field_square_made_by(int lanes);
// The cells of a square that is ready: cells[CELL_SQUARE_CELLS]
void field_cells_make(const struct wavefront *w, int64_t square, struct field_cell *cells);
// Sets a square of a field. One that a former solution has reached and this one has not is cleared.
void field_cells_set_square(struct field *f, const struct wavefront *w, int64_t square);
// Sets FIELD_NEAR, once all cells are set.
void field_cells_mark_near(const struct field_task *t);
// Around all these cells and their neighbours; unbounded where they touch the border of the grid.
struct box field_cells_box(const struct nav_grid *g, const struct cell_list *cells);
