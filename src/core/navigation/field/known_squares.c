#include "known_squares.h"

#include <string.h>

#define MARGIN(time)                                                                               \
  ((time) / 16 + 8 * FIELD_UNIT) // by which times may rise until the next solution

struct known_squares *known_squares_create(const struct nav_grid *g)
{
  const size_t squares = (size_t)nav_grid_square_count(g);
  struct known_squares *k = memory_create(1, sizeof *k);
  k->grid = g;
  k->of = memory_create(squares, sizeof *k->of);
  k->routes = memory_create((size_t)nav_grid_cell_count(g) / 8, sizeof *k->routes);
  k->reached = memory_create(squares, sizeof *k->reached);
  return k;
}

void known_squares_destroy(struct known_squares *k)
{
  if (!k)
    return;
  memory_destroy(k->of);
  memory_destroy(k->routes);
  memory_destroy(k->reached);
  cell_list_destroy(&k->wanted);
  memory_destroy(k);
}

// ------------------------------------------------------------------------------- a new solution

// Whether a square up to `rings` away has that mark. marks[squares]
static bool is_near(const struct known_squares *k, int64_t square, int rings, const uint8_t *marks,
                    uint8_t mark)
{
  const int64_t columns = k->grid->square_columns, rows = k->grid->square_rows;
  const int64_t column = square % columns, row = square / columns;
  for (int64_t r = row - rings; r <= row + rings; r++)
    for (int64_t c = column - rings; c <= column + rings; c++)
      if (r >= 0 && r < rows && c >= 0 && c < columns && marks[r * columns + c] == mark)
        return true;
  return false;
}

// The squares around agents, and a ring more, since agents go on. Returns when the last of them was
// last reached.
static uint32_t find_wanted(struct known_squares *k)
{
  uint32_t latest = 0;
  k->wanted.count = k->checked = 0;
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++) {
    if (k->of[square].cells == 0 || !is_near(k, square, 2, k->needed, 1))
      continue;
    cell_list_append(&k->wanted, square);
    latest = k->of[square].latest > latest ? k->of[square].latest : latest;
  }
  return latest;
}

uint32_t known_squares_begin(struct known_squares *k, const uint8_t *needed, double *share)
{
  k->needed = needed;
  *share = 1;
  const uint32_t latest = find_wanted(k);
  const uint64_t until = (uint64_t)latest + MARGIN(latest);
  int64_t before = 0, all = 0;
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++) {
    before += k->of[square].latest <= until ? k->of[square].cells : 0;
    all += k->of[square].cells;
  }
  if (k->wanted.count == 0 || before == all)
    return UINT32_MAX;
  *share = (double)before / (double)all;
  return (uint32_t)until;
}

// -------------------------------------------------------------------------------------- counts

// The cells of a square with a time below `until`.
static struct square_routes count_cells(const struct wavefront *w, int64_t square, uint64_t until)
{
  const uint32_t *time = w->time + square * CELL_SQUARE_CELLS;
  int32_t cells = 0;
  uint32_t latest = 0;
  if (w->squares[square] == SQUARE_UNKNOWN)
    return (struct square_routes){0, 0};
  for (int i = 0; i < CELL_SQUARE_CELLS; i++) {
    const bool passed = time[i] < until;
    const uint32_t known = passed ? time[i] : 0;
    cells += passed;
    latest = known > latest ? known : latest;
  }
  return (struct square_routes){cells, latest};
}

bool known_squares_are_reached(struct known_squares *k, const struct wavefront *w, uint64_t until)
{
  for (;;) {
    const size_t count = k->wanted.count;
    for (; k->checked < count; k->checked++) {
      const int64_t square = k->wanted.cells[k->checked];
      if (count_cells(w, square, until).cells != k->of[square].cells)
        return false;
    }
    find_wanted(k);
    if (k->wanted.count == count) // no agent has come elsewhere meanwhile
      return true;
  }
}

void known_squares_learn(struct known_squares *k, const struct wavefront *w, int64_t square)
{
  const int64_t first = square * CELL_SQUARE_CELLS;
  k->of[square] = count_cells(w, square, FIELD_UNREACHED);
  memset(k->routes + first / 8, 0, CELL_SQUARE_CELLS / 8);
  for (int64_t cell = first; k->of[square].cells > 0 && cell < first + CELL_SQUARE_CELLS; cell++)
    if (w->time[cell] != FIELD_UNREACHED)
      k->routes[cell >> 3] |= (uint8_t)(1u << (cell & 7));
}

void known_squares_note(struct known_squares *k, const struct wavefront *w, int64_t square)
{
  const struct square_routes now = count_cells(w, square, FIELD_UNREACHED);
  k->reached[square] = now.cells == k->of[square].cells;
  if (k->reached[square])
    k->of[square].latest = now.latest;
}

void known_squares_find(const struct known_squares *k, uint8_t *known)
{
  for (int64_t square = 0; square < nav_grid_square_count(k->grid); square++)
    known[square] = !is_near(k, square, 1, k->reached, false);
}
