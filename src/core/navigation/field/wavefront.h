// The wavefront that solves a field: it spreads over the grid in the order of arrival.
#pragma once
#include "cell_list.h"
#include "eikonal_update.h"
#include "field.h"

#include <assert.h>

// Directions 0 .. 3: east, north, west, south. d ^ 2 is the opposite of d.
enum { EAST, NORTH, WEST, SOUTH };

#define WAVEFRONT_BUCKET_WIDTH 512 // 1/2 unit of time: short queues, few repeated visits
#define WAVEFRONT_BUCKETS      256 // a lap: longer than all but a few cells wait

enum square_state {
  SQUARE_UNKNOWN, // nothing of its cells is set
  SQUARE_CLAIMED, // a thread sets them
  SQUARE_READY,   // links and times of its cells are set
  SQUARE_REACHED  // and those of the squares around it: the front has come to it
};

// Spreads from cell to cell in the order of arrival, with buckets of time, as in Yatziv,
// Bartesaghi, Sapiro 2006. Unlike there, a cell whose time falls is visited again: the result is
// the exact fixed point, and the order affects speed only. A square of cells costs nothing before
// the front is near.
//
// The buckets form a ring, and a cell may wait for more than a lap: the time of a neighbour from
// which it takes its own may be far ahead, as long as that neighbour waits itself. Such a cell
// stays in its bucket until its lap comes, as in a calendar queue (Brown 1988).
struct wavefront {
  const struct nav_grid *grid;
  int32_t steps[CELL_SQUARE_CELLS][4]; // to the neighbours of the cells of a square
  const uint16_t *cost;                // [cells] or NULL
  const struct field_task *task;
  const uint8_t *destination; // [cells / 8] a bit for each cell
  uint8_t *upwind;            // [cells] nav_grid_links, and those that low_clearance.c adds
  bool has_links;             // upwind is that of a whole solution on this grid to this destination
  uint8_t *depth;             // [cells] 0 at first: low_clearance.c
  uint32_t *time;             // [cells]
  uint8_t *squares;           // [squares] enum square_state
  struct cell_list buckets[WAVEFRONT_BUCKETS];
  size_t waiting; // cells in all buckets
  // Where a run goes on:
  uint32_t now;   // the bucket; no cell comes to earlier ones
  uint32_t end;   // buckets from here on wait
  size_t at;      // in it
  size_t kept;    // of its cells before that: they wait for a later lap
  size_t seeded;  // seeds that have been pushed
  int64_t visits; // of cells that may still be made now
};

// The neighbour towards d: nav_grid_neighbour, but from a table.
static inline int64_t wavefront_neighbour(const struct wavefront *w, int64_t cell, int d)
{
  return cell + w->steps[cell & (CELL_SQUARE_CELLS - 1)][d];
}

// Another thread of a team may set the time at the same moment: any of its values will do.
static inline uint32_t wavefront_time(const struct wavefront *w, int64_t cell)
{
  return __atomic_load_n(&w->time[cell], __ATOMIC_RELAXED);
}

// The time of the neighbour towards d, if the cell takes its time from there.
static inline uint32_t upwind_time(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> d & 1 ? wavefront_time(w, wavefront_neighbour(w, cell, d))
                                  : FIELD_UNREACHED;
}

static inline uint32_t wavefront_updated_time(const struct wavefront *w, int64_t cell)
{
  return eikonal_update(min_uint32(upwind_time(w, cell, EAST), upwind_time(w, cell, WEST)),
                        min_uint32(upwind_time(w, cell, NORTH), upwind_time(w, cell, SOUTH)),
                        w->cost ? w->cost[cell] : FIELD_UNIT);
}

// Before the first use of a cell: its square becomes SQUARE_REACHED. No cell of a new square has a
// route. Several threads may do so for different squares.
void wavefront_reach_square(struct wavefront *w, int64_t square);

static inline void wavefront_reach(struct wavefront *w, int64_t cell)
{
  const int64_t square = cell >> 2 * CELL_SQUARE_BITS;
  if (__atomic_load_n(&w->squares[square], __ATOMIC_RELAXED) != SQUARE_REACHED)
    wavefront_reach_square(w, square);
}

// The number of the bucket in which a cell waits, not counted in laps.
static inline uint32_t wavefront_bucket(const struct wavefront *w, int64_t cell)
{
  return w->time[cell] / WAVEFRONT_BUCKET_WIDTH;
}

static inline struct cell_list *wavefront_present_bucket(struct wavefront *w)
{
  return &w->buckets[w->now % WAVEFRONT_BUCKETS];
}

// Puts a cell whose time is set into its bucket.
static inline void wavefront_push(struct wavefront *w, int64_t cell)
{
  assert(wavefront_bucket(w, cell) >= w->now);
  wavefront_reach(w, cell);
  cell_list_append(&w->buckets[wavefront_bucket(w, cell) % WAVEFRONT_BUCKETS], cell);
  w->waiting++;
}

// Whether a cell of the present bucket is visited now. If not, it waits for a later lap, or it was
// visited with an earlier time.
static inline bool wavefront_is_due(struct wavefront *w, int64_t cell)
{
  const uint32_t bucket = wavefront_bucket(w, cell);
  if (bucket > w->now)
    wavefront_present_bucket(w)->cells[w->kept++] = (uint32_t)cell;
  return bucket == w->now;
}

// After the last cell of the present bucket.
static inline void wavefront_end_bucket(struct wavefront *w)
{
  struct cell_list *bucket = wavefront_present_bucket(w);
  w->waiting -= bucket->count - w->kept;
  bucket->count = w->kept;
  w->at = w->kept = 0;
  w->now++;
}

static inline void wavefront_set_time(struct wavefront *w, int64_t cell, uint32_t time)
{
  __atomic_store_n(&w->time[cell], time, __ATOMIC_RELAXED);
  wavefront_push(w, cell);
}

// Has the cell links that are not upwind? Then cells of low clearance are beside it.
static inline bool wavefront_is_frontier(const struct wavefront *w, int64_t cell)
{
  return w->upwind[cell] >> NAV_GRID_LINKS & ~w->upwind[cell];
}

void wavefront_reach_all(struct wavefront *w);
// Sets the links between open cells of a square. True: the destination is near, which takes longer.
bool wavefront_set_links(struct wavefront *w, int64_t square);

void wavefront_set_steps(struct wavefront *w); // of its grid
// A new solution: no square is known. destination[cells / 8]
void wavefront_begin(struct wavefront *w, const struct field_task *task,
                     const uint8_t *destination);
// Spreads from the seeds, whose times are set, sorted by bucket, for about w->visits, which it
// counts down. True: the front has come to its end or to the bucket w->end, and can go on if that
// is raised. With `frontier`, appends the cells that have links which are not upwind.
bool wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier);
bool wavefront_is_at_its_end(const struct wavefront *w, const struct cell_list *seeds);
// Ends a run, so that another one can begin: cells that wait have no route.
void wavefront_end(struct wavefront *w);

#define WAVEFRONT_TEAM_MAX 255

// As wavefront_run to its end, from seeds whose time is 0, by that many threads together: for a
// field that is solved alone. The frontier has another order, but is sorted by bucket, too.
void wavefront_team_run(struct wavefront *w, const struct cell_list *seeds,
                        struct cell_list *frontier, int32_t threads);
