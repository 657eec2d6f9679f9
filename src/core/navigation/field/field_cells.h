// What agents read of a cell, from the times and links around it.
#pragma once
#include "wavefront.h"

// One cell, simply: for tests.
struct field_cell field_cell_made(const struct wavefront *w, int64_t cell);
// The cells of a square that is ready: cells[CELL_SQUARE_CELLS]
void field_cells_make(const struct wavefront *w, int64_t square, struct field_cell *cells);
