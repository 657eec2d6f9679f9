// Which squares of the grid are known in a field that is solved only for where agents are. The
// front then stops once it has covered those squares, which takes as long as the agents' ways are,
// and not as long as the grid is large.
//
// Which cells have a route depends on the grid and the destination, not on costs. So a whole
// solution tells how many cells of a square a front has to reach.
// - An open cell is right once the front has passed its time.
// - A cell of low clearance takes its time from the nearest open cell, through at most KNOWN_DEPTH
//   other cells. It is right where the front has reached all open cells of its square and of those
//   around it: none that it has not reached is as near.
// - What agents read of a cell depends on the cells beside it, and they read at most KNOWN_REACH
//   cells from their own: in the squares next to theirs.
// Hence a square is known where the front has reached all open cells of the squares up to two away
// and all other cells of those next to it: agents there read what a whole solution would give them.
#pragma once
#include "wavefront.h"

#define KNOWN_REACH (CELL_SQUARE - 4) // cells
#define KNOWN_DEPTH (CELL_SQUARE - 1) // steps

struct square_routes {
  uint16_t open, all; // cells with a route: without those of low clearance, and with them
  uint32_t latest;    // time of the last of them when the square was last solved
};

struct known_squares {
  const struct nav_grid *grid;
  struct square_routes *of; // [squares]
  uint8_t *routes;          // [cells / 8] a bit for each cell with a route
  int64_t visits;           // of cells, that a whole solution takes
  struct cell_list wanted;  // the squares that the present solution must solve
  size_t reached;           // of these: the open cells are
  uint8_t *open, *all;      // [squares] whether these cells are reached
};

struct known_squares *known_squares_create(const struct nav_grid *g);
void known_squares_destroy(struct known_squares *k); // or NULL

void known_squares_learn(struct known_squares *k, const struct field *whole); // a whole solution

// A new solution. needed[squares]: not 0 where agents are. Returns until which time the front
// should spread at first; UINT32_MAX: to its end. *share: of the cells with a route, until then.
uint32_t known_squares_begin(struct known_squares *k, const uint8_t *needed, double *share);
// Whether the front, which has spread until that time, has reached all open cells that it must.
bool known_squares_are_reached(struct known_squares *k, const struct wavefront *w, uint64_t until);
// After the last cell of a square is set. Several threads may do so for different squares.
void known_squares_note(struct known_squares *k, const struct wavefront *w, int64_t square);
// known[squares]: from all of these.
void known_squares_find(const struct known_squares *k, uint8_t *known);
