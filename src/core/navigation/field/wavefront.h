// The wavefront that solves a field: it spreads over the grid in the order of arrival.
#pragma once
#include "cell_list.h"
#include "eikonal_update.h"
#include "field.h"

// Directions 0 .. 3: east, north, west, south. d ^ 2 is the opposite of d.
enum { EAST, NORTH, WEST, SOUTH };

#define WAVEFRONT_BUCKET_WIDTH 512 // 1/2 unit of time: short queues, few repeated visits
#define WAVEFRONT_BUCKETS      256 // the longest crossing, 65535 + 1, needs fewer

enum square_state {
  SQUARE_UNKNOWN, // nothing of its cells is set
  SQUARE_READY,   // links and times of its cells are set
  SQUARE_REACHED  // and those of the squares around it: the front has come to it
};

// Spreads from cell to cell in the order of arrival, with buckets of time, as in Yatziv,
// Bartesaghi, Sapiro 2006. Unlike there, a cell whose time falls is visited again: the result is
// the exact fixed point, and the order affects speed only. A square of cells costs nothing before
// the front is near.
struct wavefront {
  const struct nav_grid *grid;
  int32_t steps[CELL_SQUARE_CELLS][4]; // to the neighbours of the cells of a square
  const uint16_t *cost;                // [cells] or NULL
  const struct field_task *task;
  const uint8_t *destination; // [cells / 8] a bit for each cell
  uint8_t *upwind;            // [cells] nav_grid_links
  uint8_t *depth;             // [cells] 0 at first: low_clearance.c
  uint32_t *time;             // [cells]
  uint8_t *squares;           // [squares] enum square_state
  struct cell_list buckets[WAVEFRONT_BUCKETS];
  size_t waiting; // cells in all buckets
  // Where a run goes on:
  uint32_t now;   // the bucket
  size_t at;      // in it
  size_t seeded;  // seeds that have been pushed
  int64_t visits; // of cells that may still be made now
};

// The neighbour towards d: nav_grid_neighbour, but from a table.
static inline int64_t wavefront_neighbour(const struct wavefront *w, int64_t cell, int d)
{
  return cell + w->steps[cell & (CELL_SQUARE_CELLS - 1)][d];
}

// The time of the neighbour towards d, if the cell takes its time from there.
static inline uint32_t upwind_time(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> d & 1 ? w->time[wavefront_neighbour(w, cell, d)] : FIELD_UNREACHED;
}

// Before the first use of a cell: its square becomes SQUARE_REACHED. No cell of a new square has a
// route.
void wavefront_reach(struct wavefront *w, int64_t cell);
void wavefront_make_all_ready(struct wavefront *w);

void wavefront_set_steps(struct wavefront *w); // of its grid
// A new solution: no square is known. destination[cells / 8]
void wavefront_begin(struct wavefront *w, const struct field_task *task,
                     const uint8_t *destination);
// Spreads from the seeds, whose times are set, sorted by bucket, for about w->visits, which it
// counts down. True: the front has come to its end. With `frontier`, appends the cells that have
// links which are not upwind.
bool wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier);
