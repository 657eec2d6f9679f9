// Travel time to a destination over the whole ground, by the eikonal equation |grad u| = cost
// (Sethian 1996; Treuille, Cooper, Popovic 2006) in integers: the upwind update
//   d = |a - b| < f:  u = min(a, b) + ((d + isqrt(2 f^2 - d^2)) >> 1),   else  min(a, b) + f
// with f the cost of crossing one cell in 1/1024, a and b the lesser neighbours per axis, is
// monotone, so there is ONE greatest fixed point whatever the schedule (docs/determinism.md).
//
// A cell's ways lead to the neighbours that it takes its time from: by open links, and
// - an open cell (neither solid nor tight, or in the destination) only from open ones;
// - a tight cell from those fewer steps inside the tight ground than itself, or as many where
//   the two stand side by side in front of open ways. So somebody pushed into a tight cell is
//   led back out, along the wall, and nobody is led through a slit, however short the cut.
#pragma once
#include "nav_grid.h"

#define FIELD_UNIT      1024       // time of crossing one cell at cost FIELD_UNIT
#define FIELD_UNREACHED UINT32_MAX // also of ways longer than 4 million units

struct grid_direction { // direction of least travel time, times 127; (0, 0): no one direction is
                        // best
  int8_t x, y;
};

enum field_path { // open ways from a cell to those round it; a corner: by both sides of the square
  FIELD_EAST = 1,
  FIELD_NORTH = 2,
  FIELD_WEST = 4,
  FIELD_SOUTH = 8,
  FIELD_NORTH_EAST = 16,
  FIELD_NORTH_WEST = 32,
  FIELD_SOUTH_WEST = 64,
  FIELD_SOUTH_EAST = 128
};

// Which of the four corners: the paths' bits 4 .. 7.
INLINE int field_corner(bool west, bool south)
{
  return 4 + (west != south) + 2 * south;
}

struct field {
  const struct nav_grid *nav_grid;
  uint32_t *time; // [cells]: 0 in the destination, FIELD_UNREACHED where no way leads
  struct grid_direction *direction; // [cells]
  uint8_t *paths;                   // [cells]: enum field_path
  struct box *destination_box;      // quanta: round the destination and a cell more
  void *owned_memory;               // memory; NULL: it is another's
};

size_t field_bytes(const struct nav_grid *g); // of a field on that ground: a multiple of 64

// Of as many cells as the ground has. In memory[field_bytes] that outlives it and which others may
// hold, too, or, NULL, its own. Nobody is led anywhere before it is solved.
void field_create(struct field *f, const struct nav_grid *g, void *memory);
void field_destroy(struct field *f);

// Solves it, as often as wanted, for cost[cells] of crossing each cell (0: closed; NULL: FIELD_UNIT
// everywhere). target[cells] != 0: the destination; solid target cells are ignored. First the cells
// that are neither solid nor tight; then, these frozen, the tight ones.
void field_solve(struct field *f, const uint8_t *destination, const uint16_t *cost);

// Several fields of one ground together, tasks[count], each as if alone. The threads share them,
// or, one field, its cells: not to be called by several threads at once.
struct field_task {
  struct field *field;
  const uint8_t *destination; // [cells]; may be the field's own paths, which are written last
  const uint16_t *cost;       // [cells]; NULL: FIELD_UNIT everywhere
};
void fields_solve(const struct field_task *tasks, int32_t count);

// Another machine may spread the fronts, all of fields that are solved together in one call: each
// front's time[cells], FIELD_UNREACHED or, of seeds, known, gets the one fixed point of the update
// over what its cells take from each other. The fronts are of one ground, and may share a cost.
// NULL: this machine does.
struct field_front {
  int32_t columns, rows;
  const uint8_t *upwind; // [cells] bits 0 .. 3: taken from the east, north, west, south
  const uint16_t *cost;  // [cells]; NULL: FIELD_UNIT everywhere
  uint32_t *time;        // [cells]
};
typedef void field_solver(const struct field_front *fronts, int32_t count);
void field_set_solver(field_solver *spread);

bool field_reachable(const struct field *f, struct point p); // p sees a cell that a way leads from
uint32_t field_time(const struct field *f, struct point p);  // of the cell that speaks for p

// A hint that field_direction will soon be asked there: fields are larger than any cache.
void field_prefetch(const struct field *f, struct point p);
