// The free parts of a cell: the connected pieces of its ground that keep the clearance from all
// walls, as far as they reach the border of the cell. Two cells are connected where the same piece
// of their common side is free.
//
// The walls, thickened by the clearance, are convex. So the border of the cell is cut into free
// arcs and blocked ones, and thickened walls hang together inside the cell where they overlap on
// its border or midway between the two walls. Two free arcs belong to one part unless such a chain
// reaches the border on both sides of them. In doubles, of which + - * / and the square root are
// the same on every machine.
#pragma once
#include "wall_search.h"

// Sides: 0 .. 3 are east, north, west and south, as everywhere.
#define FREE_PARTS 8  // of a cell, at most
#define FREE_ARCS  16 // of its border, at most

struct free_arc {
  double lo, hi;      // quanta: y on the sides east and west, x on north and south
  uint8_t side, part; // part: 0 .. parts - 1
};

struct free_parts {
  uint8_t parts, arcs;
  struct free_arc arc[FREE_ARCS];
};

struct cell_square { // of a cell, quanta
  struct double_point lo, hi;
};

// How far a wall keeps routes away: a hair less than the clearance, so that a passage of exactly
// twice the clearance is open.
double free_clearance(int32_t clearance);

// walls: at least all within the clearance of the square. False: there are more arcs or parts than
// fit, and nothing is known.
bool free_parts_find(struct free_parts *f, const struct cell_square *square, double clearance,
                     const struct wall_list *walls, const struct obstacles *o);

// The middle of an arc.
struct double_point free_arc_middle(const struct free_arc *a, const struct cell_square *square);
