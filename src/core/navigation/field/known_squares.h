// Which squares of the grid are known in a field that is solved only for where agents are. The
// front then stops once it has covered those squares, which takes as long as the agents' ways are,
// and not as long as the grid is large.
//
// Two things depend on the grid and the destination, but not on costs: which cells have a route,
// and from which neighbours they take their time. They are learned from a whole solution. With the
// links of all cells known, cells of low clearance included, one front spreads over all of them,
// and no time is less than one it was made from: whatever the front has passed is right.
// A square is reached when as many of its cells are as have a route. What agents read of a cell
// depends on the cells beside it, and they read at most KNOWN_REACH cells from their own. So a
// square is known when it and those around it are reached: agents there read what they would read
// of a whole solution.
#pragma once
#include "wavefront.h"

#define KNOWN_REACH (CELL_SQUARE - 2) // cells

struct square_routes {
  int32_t cells;   // with a route
  uint32_t latest; // time of the last of them when the square was last reached
};

struct known_squares {
  const struct nav_grid *grid;
  struct square_routes *of; // [squares]
  uint8_t *routes;          // [cells / 8] a bit for each cell with a route
  uint8_t *reached;         // [squares] in the present solution
  const uint8_t *needed;    // [squares] not 0 where agents have been; may grow during a solution
  struct cell_list wanted;  // squares that the front must reach
  size_t checked;           // of these: it has
};

struct known_squares *known_squares_create(const struct nav_grid *g);
void known_squares_destroy(struct known_squares *k); // or NULL

// Begins a solution, after one was learned. Returns until which time the front should spread at
// first; UINT32_MAX: to its end. *share: of the cells with a route, until then.
uint32_t known_squares_begin(struct known_squares *k, const uint8_t *needed, double *share);
// Whether the front, which has spread until that time, has reached all squares that it must.
bool known_squares_are_reached(struct known_squares *k, const struct wavefront *w, uint64_t until);
// A square of a whole solution.
void known_squares_learn(struct known_squares *k, const struct wavefront *w, int64_t square);
// After the last cell of a square is set. Several threads may do so for different squares.
void known_squares_note(struct known_squares *k, const struct wavefront *w, int64_t square);
// Sets known[squares] after all squares are noted.
void known_squares_find(const struct known_squares *k, uint8_t *known);
