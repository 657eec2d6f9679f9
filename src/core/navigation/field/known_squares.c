#include "known_squares.h"

#include <string.h>

#define MARGIN(time) ((time) / 16 + 8 * FIELD_UNIT) // by which times may rise from one to the next

struct known_squares *known_squares_create(const struct nav_grid *g)
{
  const size_t squares = (size_t)nav_grid_square_count(g);
  struct known_squares *k = memory_create(1, sizeof *k);
  k->grid = g;
  k->of = memory_create(squares, sizeof *k->of);
  k->routes = memory_create((size_t)nav_grid_cell_count(g) / 8, sizeof *k->routes);
  k->open = memory_create(squares, sizeof *k->open);
  k->all = memory_create(squares, sizeof *k->all);
  return k;
}

void known_squares_destroy(struct known_squares *k)
{
  if (!k)
    return;
  memory_destroy(k->of);
  memory_destroy(k->routes);
  memory_destroy(k->open);
  memory_destroy(k->all);
  cell_list_destroy(&k->wanted);
  memory_destroy(k);
}

static struct square_routes learn_square(struct known_squares *k, const struct field *f,
                                         int64_t square)
{
  const int64_t first = square * CELL_SQUARE_CELLS;
  struct square_routes of = {0};
  memset(k->routes + first / 8, 0, CELL_SQUARE_CELLS / 8);
  if (f->reached[square] == FIELD_SQUARE_UNREACHED)
    return of;
  for (int64_t cell = first; cell < first + CELL_SQUARE_CELLS; cell++) {
    if (f->time[cell] == FIELD_UNREACHED)
      continue;
    k->routes[cell >> 3] |= (uint8_t)(1u << (cell & 7));
    of.open = (uint16_t)(of.open + !(k->grid->bits[cell] & NAV_GRID_LOW_CLEARANCE));
    of.all++;
    of.latest = f->time[cell] > of.latest ? f->time[cell] : of.latest;
  }
  return of;
}

void known_squares_learn(struct known_squares *k, const struct field *whole)
{
  k->visits = *whole->visits;
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++)
    k->of[square] = learn_square(k, whole, square);
}

// Whether `mark` is that of a square up to `rings` away. marks[squares]
static bool is_around(const struct known_squares *k, int64_t square, int rings,
                      const uint8_t *marks, uint8_t mark)
{
  const int64_t columns = k->grid->square_columns, rows = k->grid->square_rows;
  const int64_t column = square % columns, row = square / columns;
  for (int64_t r = row - rings; r <= row + rings; r++)
    for (int64_t c = column - rings; c <= column + rings; c++)
      if (r >= 0 && r < rows && c >= 0 && c < columns && marks[r * columns + c] == mark)
        return true;
  return false;
}

// Cells with a route that had been reached by that time, and of all.
static double share_until(const struct known_squares *k, uint32_t until)
{
  int64_t reached = 0, all = 1;
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++) {
    reached += k->of[square].latest <= until ? k->of[square].all : 0;
    all += k->of[square].all;
  }
  return (double)reached / (double)all;
}

uint32_t known_squares_begin(struct known_squares *k, const uint8_t *needed, double *share)
{
  uint32_t latest = 0, end = 0;
  k->wanted.count = 0;
  k->reached = 0;
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++) {
    end = k->of[square].latest > end ? k->of[square].latest : end;
    if (k->of[square].all == 0 || !is_around(k, square, 2, needed, 1))
      continue;
    cell_list_append(&k->wanted, square);
    latest = k->of[square].latest > latest ? k->of[square].latest : latest;
  }
  const uint64_t until = (uint64_t)latest + MARGIN(latest);
  *share = until < end ? share_until(k, (uint32_t)until) : 1;
  return until < end ? (uint32_t)until : UINT32_MAX;
}

// Cells of a square with a time below `until`.
static struct square_routes count_reached(const struct wavefront *w, int64_t square, uint64_t until)
{
  const uint32_t *time = w->time + square * CELL_SQUARE_CELLS;
  const uint8_t *bits = w->grid->bits + square * CELL_SQUARE_CELLS;
  uint32_t open = 0, all = 0, latest = 0;
  if (w->squares[square] == SQUARE_UNKNOWN)
    return (struct square_routes){0};
  for (int i = 0; i < CELL_SQUARE_CELLS; i++) {
    const uint32_t reached = time[i] < until, known = reached ? time[i] : 0;
    all += reached;
    open += reached & !(bits[i] & NAV_GRID_LOW_CLEARANCE);
    latest = known > latest ? known : latest;
  }
  return (struct square_routes){(uint16_t)open, (uint16_t)all, latest};
}

static bool is_reached(const struct known_squares *k, const struct wavefront *w, int64_t square,
                       uint64_t until)
{
  return count_reached(w, square, until).open == k->of[square].open;
}

bool known_squares_are_reached(struct known_squares *k, const struct wavefront *w, uint64_t until)
{
  while (k->reached < k->wanted.count && is_reached(k, w, k->wanted.cells[k->reached], until))
    k->reached++;
  return k->reached == k->wanted.count;
}

void known_squares_note(struct known_squares *k, const struct wavefront *w, int64_t square)
{
  struct square_routes *of = &k->of[square];
  const struct square_routes now = count_reached(w, square, FIELD_UNREACHED);
  k->open[square] = now.open == of->open;
  k->all[square] = now.all == of->all;
  of->latest = k->all[square] ? now.latest : of->latest;
}

void known_squares_find(const struct known_squares *k, uint8_t *known)
{
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++)
    known[square] =
        !is_around(k, square, 2, k->open, false) && !is_around(k, square, 1, k->all, false);
}
