// A front that several threads spread together.
//
// Each member of the team owns some blocks of squares and alone sets their times. All spread
// through a band of the next few buckets; a member that comes to a cell of another one sends it the
// cell. Then each updates the cells that were sent to it, which may begin in an earlier bucket, and
// the next band begins at the earliest cell that waits.
//
// Why the result is the same to the bit. Times only fall, and none falls below the greatest fixed
// point of the monotone update (field.h), since each is an update of times that are not below it. A
// time that is read while its owner sets it is one of the two, and neither is below it. The team
// ends at a fixed point, so at the greatest: after the last fall of a cell's time, its neighbours
// are updated. Those of the same member when the cell is visited. Those of another after the next
// barrier, when it sees that time and all others; hence a cell is sent whatever the sender would
// compute, as two senders may not see each other's times yet. Nothing is sent to a cell with an
// earlier time, which an update by a later neighbour does not change.
#include "wavefront.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

#define BAND_BUCKETS      120 // longer: fewer barriers, more visits that are repeated
#define BLOCK_SQUARES_MAX 8   // a side; larger: fewer cells are sent, the work is less even
#define BLOCKS_ACROSS     16  // of a grid too small for the largest blocks
#define NONE              UINT32_MAX

static_assert(BAND_BUCKETS <= WAVEFRONT_BUCKETS, "a band is visited once in a lap");

struct member {
  struct wavefront front; // shares all arrays of cells and squares
  struct cell_list frontier;
  struct cell_list *sent; // [size] to each member, itself included
  uint32_t next;          // bucket with the earliest cells that wait, or NONE
};

struct team {
  int32_t size;
  struct member *members; // [size]
  uint8_t *owners;        // [squares]
};

// ----------------------------------------------------------------------------------- members

// Blocks in lines that are askew to the axes: a straight front passes blocks of all members.
static void set_owners(struct team *t, const struct nav_grid *g)
{
  const uint32_t size = (uint32_t)t->size, shift = size * 5 / 8 | 1;
  const uint32_t across = (g->square_columns + g->square_rows) / 2 / BLOCKS_ACROSS;
  const uint32_t block = across < 1 ? 1 : across < BLOCK_SQUARES_MAX ? across : BLOCK_SQUARES_MAX;
  for (uint32_t row = 0; row < g->square_rows; row++)
    for (uint32_t column = 0; column < g->square_columns; column++)
      t->owners[(int64_t)row * g->square_columns + column] =
          (uint8_t)((column / block + row / block * shift) % size);
}

static struct team team_create(const struct wavefront *w, int32_t size)
{
  struct team t = {size, memory_create((size_t)size, sizeof *t.members),
                   memory_create((size_t)nav_grid_square_count(w->grid), sizeof *t.owners)};
  set_owners(&t, w->grid);
  for (int32_t k = 0; k < size; k++) {
    struct member *m = &t.members[k];
    m->front = *w;
    memset(m->front.buckets, 0, sizeof m->front.buckets);
    m->front.visits = 0;
    m->sent = memory_create((size_t)size, sizeof *m->sent);
  }
  return t;
}

static void member_destroy(struct member *m, int32_t size)
{
  for (int32_t k = 0; k < size; k++)
    cell_list_destroy(&m->sent[k]);
  for (int i = 0; i < WAVEFRONT_BUCKETS; i++)
    cell_list_destroy(&m->front.buckets[i]);
  cell_list_destroy(&m->frontier);
  memory_destroy(m->sent);
}

static void team_destroy(struct team *t)
{
  for (int32_t k = 0; k < t->size; k++)
    member_destroy(&t->members[k], t->size);
  memory_destroy(t->members);
  memory_destroy(t->owners);
}

static int32_t owner_of(const struct team *t, int64_t cell)
{
  return t->owners[cell >> 2 * CELL_SQUARE_BITS];
}

// --------------------------------------------------------------------------------------- band

// Updates an own cell. Because of a time of another member it may belong into a bucket that has
// been visited: it is then updated after the band.
static void update(struct member *m, int32_t self, int64_t cell)
{
  struct wavefront *w = &m->front;
  const uint32_t sooner = wavefront_updated_time(w, cell);
  if (sooner >= w->time[cell])
    return;
  if (sooner / WAVEFRONT_BUCKET_WIDTH < w->now)
    cell_list_append(&m->sent[self], cell);
  else
    wavefront_set_time(w, cell, sooner);
}

static void offer_neighbours(const struct team *t, int32_t self, int64_t cell)
{
  struct member *m = &t->members[self];
  struct wavefront *w = &m->front;
  const uint32_t time = w->time[cell];
  for (int d = 0; d < 4; d++) {
    if (!(w->upwind[cell] >> (NAV_GRID_LINKS + d) & 1))
      continue;
    const int64_t next = wavefront_neighbour(w, cell, d);
    if (wavefront_time(w, next) <= time)
      continue;
    const bool same_square = (next ^ cell) >> 2 * CELL_SQUARE_BITS == 0;
    const int32_t owner = same_square ? self : owner_of(t, next);
    if (owner == self)
      update(m, self, next);
    else
      cell_list_append(&m->sent[owner], next);
  }
}

static void visit_bucket(const struct team *t, int32_t self)
{
  struct member *m = &t->members[self];
  struct wavefront *w = &m->front;
  const struct cell_list *bucket = wavefront_present_bucket(w);
  for (w->at = 0; w->at < bucket->count; w->at++) { // grows meanwhile
    const int64_t cell = bucket->cells[w->at];
    if (!wavefront_is_due(w, cell))
      continue;
    if (wavefront_is_frontier(w, cell))
      cell_list_append(&m->frontier, cell);
    offer_neighbours(t, self, cell);
  }
  w->visits -= (int64_t)bucket->count;
  wavefront_end_bucket(w);
}

static void spread_through_band(const struct team *t, int32_t self, uint32_t end)
{
  struct wavefront *w = &t->members[self].front;
  while (w->waiting > 0 && w->now < end)
    visit_bucket(t, self);
}

// Updates the cells that were sent, and finds where the earliest waits. begin: of the band.
static void receive(const struct team *t, int32_t self, uint32_t begin)
{
  struct wavefront *w = &t->members[self].front;
  uint32_t next = w->now;
  w->now = begin;
  for (int32_t k = 0; k < t->size; k++) {
    struct cell_list *sent = &t->members[k].sent[self];
    for (size_t i = 0; i < sent->count; i++) {
      const uint32_t cell = sent->cells[i], sooner = wavefront_updated_time(w, cell);
      if (sooner >= w->time[cell])
        continue;
      wavefront_set_time(w, cell, sooner);
      next = min_uint32(next, wavefront_bucket(w, cell));
    }
    sent->count = 0;
  }
  w->now = next;
  while (w->waiting > 0 && wavefront_present_bucket(w)->count == 0)
    w->now++;
  t->members[self].next = w->waiting > 0 ? w->now : NONE;
}

static uint32_t earliest(const struct team *t)
{
  uint32_t least = NONE;
  for (int32_t k = 0; k < t->size; k++)
    least = min_uint32(least, t->members[k].next);
  return least;
}

// --------------------------------------------------------------------------------------- team

static void spread_and_receive(const struct team *t, pthread_barrier_t *barrier)
{
  const int32_t first = omp_get_thread_num(), threads = omp_get_num_threads();
  for (uint32_t begin = 0; begin != NONE; begin = earliest(t)) {
    for (int32_t k = first; k < t->size; k += threads)
      spread_through_band(t, k, begin + BAND_BUCKETS);
    pthread_barrier_wait(barrier);
    for (int32_t k = first; k < t->size; k += threads)
      receive(t, k, begin);
    pthread_barrier_wait(barrier);
  }
}

// The barrier of OpenMP keeps a core busy for milliseconds, which on a machine with other work is
// just the time that the thread it waits for would need. A team of fewer threads than members does
// the same work.
static void team_spread(const struct team *t)
{
  pthread_barrier_t barrier;
#pragma omp parallel num_threads(t->size)
  {
#pragma omp single
    if (pthread_barrier_init(&barrier, NULL, (unsigned)omp_get_num_threads()) != 0)
      memory_fail(0);
    spread_and_receive(t, &barrier);
  }
  pthread_barrier_destroy(&barrier);
}

// A counting sort.
static void sort_by_bucket(const struct wavefront *w, struct cell_list *l)
{
  uint32_t last = 0;
  for (size_t i = 0; i < l->count; i++)
    last = wavefront_bucket(w, l->cells[i]) > last ? wavefront_bucket(w, l->cells[i]) : last;
  size_t *place = memory_create((size_t)last + 2, sizeof *place);
  uint32_t *sorted = memory_create(l->count, sizeof *sorted);
  for (size_t i = 0; i < l->count; i++)
    place[wavefront_bucket(w, l->cells[i]) + 1]++;
  for (uint32_t b = 0; b < last; b++)
    place[b + 1] += place[b];
  for (size_t i = 0; i < l->count; i++)
    sorted[place[wavefront_bucket(w, l->cells[i])]++] = l->cells[i];
  memory_destroy(place);
  memory_destroy(l->cells);
  l->cells = sorted;
  l->capacity = l->count;
}

void wavefront_team_run(struct wavefront *w, const struct cell_list *seeds,
                        struct cell_list *frontier, int32_t threads)
{
  assert(threads > 0 && threads <= WAVEFRONT_TEAM_MAX && frontier->count == 0);
  struct team t = team_create(w, threads);
  for (size_t i = 0; i < seeds->count; i++) {
    assert(w->time[seeds->cells[i]] == 0);
    wavefront_push(&t.members[owner_of(&t, seeds->cells[i])].front, seeds->cells[i]);
  }
  team_spread(&t);
  for (int32_t k = 0; k < t.size; k++) {
    w->visits += t.members[k].front.visits;
    for (size_t i = 0; i < t.members[k].frontier.count; i++)
      cell_list_append(frontier, t.members[k].frontier.cells[i]);
  }
  sort_by_bucket(w, frontier);
  team_destroy(&t);
}
