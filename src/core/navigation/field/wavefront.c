#include "wavefront.h"

#include "marks.h"
#include <sched.h>
#include <string.h>

// ------------------------------------------------------------------------------------ squares

static bool has_destination(const struct wavefront *w, int64_t square)
{
  const int64_t bytes = CELL_SQUARE_CELLS / 8;
  return marks_next(w->destination + square * bytes, 0, bytes) < bytes;
}

// Has the square or one around it cells of the destination? These are open whatever their
// clearance.
static bool near_destination(const struct wavefront *w, int64_t square)
{
  const int32_t columns = (int32_t)w->grid->square_columns, rows = (int32_t)w->grid->square_rows;
  const int32_t column = (int32_t)(square % columns), row = (int32_t)(square / columns);
  return has_destination(w, square) || (column > 0 && has_destination(w, square - 1)) ||
         (column + 1 < columns && has_destination(w, square + 1)) ||
         (row > 0 && has_destination(w, square - columns)) ||
         (row + 1 < rows && has_destination(w, square + columns));
}

// As many visits of cells take as long; measured.
#define SQUARE_VISITS 150  // making a square ready
#define LINKS_VISITS  1000 // setting the links of its cells

bool wavefront_set_links(struct wavefront *w, int64_t square)
{
  const struct nav_grid *g = w->grid;
  const int64_t first = square * CELL_SQUARE_CELLS;
  memset(w->depth + first, 0, CELL_SQUARE_CELLS);
  memcpy(w->upwind + first, g->upwind + first, CELL_SQUARE_CELLS);
  if (!near_destination(w, square))
    return false;
  for (int64_t cell = first; cell < first + CELL_SQUARE_CELLS; cell++)
    if (!(g->bits[cell] & NAV_GRID_SOLID))
      w->upwind[cell] = nav_grid_links(g, nav_grid_place(g, cell), w->destination);
  return true;
}

static void set_cells(struct wavefront *w, int64_t square)
{
  const int64_t first = square * CELL_SQUARE_CELLS;
  if (w->task->prepare)
    w->task->prepare(w->task->context, square);
  memset(w->time + first, 0xff, CELL_SQUARE_CELLS * sizeof *w->time); // FIELD_UNREACHED
  w->visits -= SQUARE_VISITS;
  if (!w->has_links && wavefront_set_links(w, square))
    w->visits -= LINKS_VISITS;
}

// The first thread that comes sets the cells; the others wait for it.
static void make_ready(struct wavefront *w, int64_t square)
{
  uint8_t state = SQUARE_UNKNOWN;
  if (__atomic_compare_exchange_n(&w->squares[square], &state, SQUARE_CLAIMED, false,
                                  __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    set_cells(w, square);
    __atomic_store_n(&w->squares[square], SQUARE_READY, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&w->squares[square], __ATOMIC_ACQUIRE) == SQUARE_CLAIMED)
    sched_yield();
}

// The front reads cells two steps ahead.
void wavefront_reach_square(struct wavefront *w, int64_t square)
{
  const int32_t columns = (int32_t)w->grid->square_columns, rows = (int32_t)w->grid->square_rows;
  const int32_t column = (int32_t)(square % columns), row = (int32_t)(square / columns);
  for (int32_t r = row - (row > 0); r <= row + (row + 1 < rows); r++)
    for (int32_t c = column - (column > 0); c <= column + (column + 1 < columns); c++)
      make_ready(w, (int64_t)r * columns + c);
  __atomic_store_n(&w->squares[square], SQUARE_REACHED, __ATOMIC_RELEASE);
}

void wavefront_reach_all(struct wavefront *w)
{
  for (int64_t square = 0; square < nav_grid_square_count(w->grid); square++)
    make_ready(w, square);
  memset(w->squares, SQUARE_REACHED, (size_t)nav_grid_square_count(w->grid));
}

// -------------------------------------------------------------------------------------- front

// Updates a cell of which a neighbour's time has fallen.
static void update(struct wavefront *w, int64_t cell)
{
  const uint32_t sooner = wavefront_updated_time(w, cell);
  if (sooner < w->time[cell])
    wavefront_set_time(w, cell, sooner);
}

// Offers the cell's time to the linked neighbours that have a later one.
static void wavefront_relax(struct wavefront *w, int64_t cell)
{
  const uint32_t time = w->time[cell];
  for (int d = 0; d < 4; d++) {
    if (!(w->upwind[cell] >> (NAV_GRID_LINKS + d) & 1))
      continue;
    const int64_t next = wavefront_neighbour(w, cell, d);
    if (w->time[next] > time)
      update(w, next);
  }
}

void wavefront_set_steps(struct wavefront *w)
{
  for (int64_t cell = 0; cell < CELL_SQUARE_CELLS; cell++)
    for (int d = 0; d < 4; d++)
      w->steps[cell][d] = (int32_t)(nav_grid_neighbour(w->grid, cell, d) - cell);
}

void wavefront_begin(struct wavefront *w, const struct field_task *task, const uint8_t *destination)
{
  memset(w->squares, SQUARE_UNKNOWN, (size_t)nav_grid_square_count(w->grid));
  for (int i = 0; i < WAVEFRONT_BUCKETS; i++)
    w->buckets[i].count = 0;
  w->task = task;
  w->cost = task->cost;
  w->destination = destination;
  w->time = task->field->time;
  w->waiting = w->at = w->kept = w->seeded = 0;
  w->now = 0;
  w->end = UINT32_MAX;
}

// Pushes the seeds of the bucket that comes next.
static void begin_bucket(struct wavefront *w, const struct cell_list *seeds)
{
  if (w->waiting == 0)
    w->now = wavefront_bucket(w, seeds->cells[w->seeded]);
  for (; w->seeded < seeds->count && wavefront_bucket(w, seeds->cells[w->seeded]) <= w->now;
       w->seeded++)
    wavefront_push(w, seeds->cells[w->seeded]);
}

bool wavefront_is_at_its_end(const struct wavefront *w, const struct cell_list *seeds)
{
  return w->seeded == seeds->count && w->waiting == 0;
}

bool wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier)
{
  while (!wavefront_is_at_its_end(w, seeds) && w->now < w->end) {
    if (w->at == 0)
      begin_bucket(w, seeds);
    const struct cell_list *bucket = wavefront_present_bucket(w);
    for (; w->at < bucket->count; w->at++) { // grows meanwhile
      if (w->visits <= 0)
        return false;
      w->visits--;
      const int64_t cell = bucket->cells[w->at];
      if (!wavefront_is_due(w, cell))
        continue;
      if (frontier && wavefront_is_frontier(w, cell))
        cell_list_append(frontier, cell);
      wavefront_relax(w, cell);
    }
    wavefront_end_bucket(w);
  }
  return true;
}

void wavefront_end(struct wavefront *w)
{
  for (int i = 0; i < WAVEFRONT_BUCKETS && w->waiting > 0; i++) {
    const struct cell_list *bucket = &w->buckets[i];
    for (size_t k = 0; k < bucket->count; k++)
      if (wavefront_bucket(w, bucket->cells[k]) >= w->now) // else visited earlier
        w->time[bucket->cells[k]] = FIELD_UNREACHED;
    w->waiting -= bucket->count;
    w->buckets[i].count = 0;
  }
  w->seeded = w->now = 0;
}
