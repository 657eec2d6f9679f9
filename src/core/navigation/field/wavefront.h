// The wavefront that solves a field: it spreads over the grid in the order of arrival.
#pragma once
#include "eikonal_update.h"
#include "field.h"

// Directions 0 .. 3: east, north, west, south. d ^ 2 is the opposite of d.
enum { EAST, NORTH, WEST, SOUTH };

// While a field is solved, bits 0 .. 3 of a cell's `upwind` are the neighbours that it takes its
// time from, and bits 4 .. 7 those to which it has an open link.
#define WAVEFRONT_LINKS 4

#define WAVEFRONT_BUCKET_WIDTH 512 // 1/2 unit of time: short queues, few repeated visits
#define WAVEFRONT_BUCKETS      256 // the longest crossing, 65535 + 1, needs fewer

struct cell_list {
  uint32_t *cells;
  size_t count, capacity;
};

// Spreads from cell to cell in the order of arrival, with buckets of time, as in Yatziv,
// Bartesaghi, Sapiro 2006. Unlike there, a cell whose time falls is visited again: the result is
// the exact fixed point, and the order affects speed only.
struct wavefront {
  int64_t step[4];      // from a cell to its neighbours
  const uint16_t *cost; // [cells] or NULL
  uint8_t *upwind;      // [cells]
  uint32_t *time;       // [cells]
  struct cell_list buckets[WAVEFRONT_BUCKETS];
  size_t waiting; // cells in all buckets
};

// The time of the neighbour towards d, if the cell takes its time from there.
static inline uint32_t upwind_time(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> d & 1 ? w->time[cell + w->step[d]] : FIELD_UNREACHED;
}

void cell_list_append(struct cell_list *l, int64_t cell);

// Spreads from the seeds, whose times are set, sorted by bucket. With `frontier`, appends the cells
// that have links which are not upwind.
void wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier);
