// The front that solves a field: it spreads over the cells of a grid in the order of arrival.
#pragma once
#include "eikonal_update.h"
#include "field.h"

// Directions 0 .. 3: east, north, west, south. Bit d: a way towards d; d ^ 2 is the opposite.
enum { EAST, NORTH, WEST, SOUTH };

// While a field is solved, a cell's door byte holds in bits 0 .. 3 the neighbours that it takes
// its time from, and in bits 4 .. 7 those it has an open link to.
#define WAVEFRONT_LINKS 4

#define WAVEFRONT_BUCKET_WIDTH 512 // 1/2 unit of time: fewer cells to wait for, few visited twice
#define WAVEFRONT_BUCKETS      256 // more than the longest crossing, 65535 + 1, needs

struct cell_list {
  uint32_t *cells;
  size_t count, capacity;
};

// A front that spreads from cell to cell in the order of arrival, by buckets of time, in the
// manner of Yatziv, Bartesaghi, Sapiro 2006; but a cell whose time falls is visited again, so
// that the result is the exact fixed point and the order is only a matter of speed.
struct wavefront {
  int64_t step[4];      // from a cell to its neighbours
  const uint16_t *cost; // [cells] or NULL
  uint8_t *upwind;      // [cells]
  uint32_t *time;       // [cells]
  struct cell_list buckets[WAVEFRONT_BUCKETS];
  size_t waiting; // cells in all buckets
};

// The time of the neighbour towards d, if the cell takes it.
static inline uint32_t upwind_time(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> d & 1 ? w->time[cell + w->step[d]] : FIELD_UNREACHED;
}

void cell_list_append(struct cell_list *l, int64_t cell);

// Spreads from the seeds, whose times are set, given in the order of their buckets. Where shore
// is given, appends the cells that have links they do not take.
void wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier);
