// Travel time to a destination over the whole grid, by the eikonal equation |grad u| = cost
// (Sethian 1996; Treuille, Cooper, Popovic 2006) in integers. The upwind update
//
//     d = |a - b| < f:  u = min(a, b) + ((d + isqrt(2 f^2 - d^2)) >> 1),   else  min(a, b) + f
//
// with f the cost of crossing one cell in 1/1024 and a, b the smaller neighbours on each axis, is
// monotone. Therefore there is one greatest fixed point, whatever the schedule
// (docs/determinism.md).
//
// A cell takes its time from neighbours over open links:
// - an open cell (neither solid nor of low clearance, or in the destination) from open cells only;
// - a cell of low clearance from cells fewer steps away from the open cells than itself, or as many
//   where both are side by side in front of open paths. So an agent pushed close to a wall is led
//   back out along the wall, and no agent is led through a slit, however short the cut.
#pragma once
#include "cell_list.h"
#include "nav_grid.h"

#define FIELD_UNREACHED UINT32_MAX // also of routes longer than 4 million units

enum field_path { // open paths from a cell to its neighbours; diagonal: by both sides of the square
  FIELD_EAST = 1,
  FIELD_NORTH = 2,
  FIELD_WEST = 4,
  FIELD_SOUTH = 8,
  FIELD_NORTH_EAST = 16,
  FIELD_NORTH_WEST = 32,
  FIELD_SOUTH_WEST = 64,
  FIELD_SOUTH_EAST = 128
};

enum field_flag {    // in squares that are not FIELD_SQUARE_UNREACHED
  FIELD_NEAR = 1,    // agents there may touch the destination; set in other squares, too
  FIELD_CROSSED = 2, // a wall touches the cell: NAV_GRID_CROSSED
  FIELD_NARROW = 8,  // NAV_GRID_NARROW
  FIELD_FAR = 4      // it takes the time nav_grid.far or more: saves most agents the time
};

struct field_cell { // what agents read of a cell
  int8_t x, y;      // direction of least travel time, times 127; (0, 0): a tie, no route or the
                    // destination
  uint8_t paths;    // enum field_path; 0 where there is no route
  uint8_t flags;    // enum field_flag
};

// The bit of one of the four diagonals in the paths: 4 .. 7.
INLINE int field_corner(bool west, bool south)
{
  return 4 + (west != south) + 2 * south;
}

enum field_square {
  FIELD_SQUARE_UNREACHED, // the square has no route, or is not known; its times are not set
  FIELD_SQUARE_REACHED
};

struct field {
  const struct nav_grid *nav_grid;
  struct field_cell *cells;    // [cells]
  uint32_t *time;              // [cells] 0 in the destination; read it with field_time_of
  uint8_t *reached;            // [squares of cells] enum field_square
  uint8_t *known;              // [squares] 0: what agents in the square read may not be solved
  const uint8_t *routes;       // [cells / 8] where known may be 0: a bit for each cell with a route
  int64_t *visits;             // of cells, that its last solution took; 0: by a device, or none yet
  struct box *destination_box; // quanta: around the destination and one more cell
  uint64_t version;            // of what agents follow: world.h
  void *owned_memory;          // NULL: the memory belongs to the caller
};

INLINE uint32_t field_time_of(const struct field *f, int64_t cell) // FIELD_UNREACHED: no route
{
  return f->reached[cell >> 2 * CELL_SQUARE_BITS] ? f->time[cell] : FIELD_UNREACHED;
}

INLINE bool field_has_route(const struct field *f, int64_t cell)
{
  return f->routes ? f->routes[cell >> 3] >> (cell & 7) & 1
                   : field_time_of(f, cell) != FIELD_UNREACHED;
}

// Whether agents in the cell read the field as if it were solved everywhere.
INLINE bool field_known_at(const struct field *f, int64_t cell)
{
  return f->known[cell >> 2 * CELL_SQUARE_BITS];
}

#define FIELD_ALIGNMENT 4096 // bytes: a page

size_t field_bytes(const struct nav_grid *g); // of a field on that grid: a multiple of whole pages

// Creates an unsolved field with the cells of the grid, without routes. It uses
// memory[field_bytes], which must outlive it and may be shared, or allocates its own with NULL.
// Memory that begins at FIELD_ALIGNMENT is read fastest.
void field_create(struct field *f, const struct nav_grid *g, void *memory);
void field_destroy(struct field *f);
// Asks for large pages for the cells, which agents read at random. Call it before they are written.
void field_prefer_large_pages(struct field *f);

// Solves fields of one grid, whose upwind links are set, any number of times: tasks[count]. The
// threads share the fields, or solve them together where there are too few to share; call it from
// one thread only. First come the open cells; then, with
// these fixed, those of low clearance. Cells far from every route cost nothing.
struct field_task {
  struct field *field;
  const struct cell_list *destination; // its solid cells are ignored
  const struct cell_list *near;        // that get FIELD_NEAR; NULL: none
  const uint16_t *cost;                // [cells] of crossing each cell, > 0; NULL: FIELD_UNIT
  // Sets the costs of a square before they are first read; any thread may call it again. NULL: all
  // costs are set.
  void (*prepare)(void *context, int64_t square);
  void *context;
  // [squares] not 0: agents are there, and elsewhere the field may stay unknown. NULL: everywhere.
  // Only where it is solved in parts, and was learned (field_solving.h).
  const uint8_t *needed;
};
void fields_solve(const struct field_task *tasks, int32_t count);

// A device may run the fronts of all fields that are solved in one call: time[cells] of each front,
// FIELD_UNREACHED or known in seeds, becomes the fixed point of the update over the upwind links.
// The fronts share one grid and may share a cost. NULL: the CPU runs them.
struct field_front {
  const struct nav_grid *nav_grid;
  const uint8_t *upwind; // [cells] bits 0 .. 3: takes its time from the east, north, west, south
  const uint16_t *cost;  // [cells]; NULL: FIELD_UNIT everywhere
  uint32_t *time;        // [cells]
};
typedef void field_solver(const struct field_front *fronts, int32_t count);
void field_set_solver(field_solver *spread);
bool field_has_solver(void); // whether a device runs the fronts

bool field_reachable(const struct field *f, struct point p); // p sees a cell with a route
// Of the cell that represents p; the field must be known there.
uint32_t field_time(const struct field *f, struct point p);
