#include "ground_index.h"

#include "base.h"
#include "obstacles_inside_kernel.h"
#include <stdlib.h>
#include <string.h>

static struct box all_walls(const struct obstacles *o)
{
  struct box all = wall_box(&o->walls[0]);
  for (int64_t i = 1; i < o->count; i++)
    all = box_union(all, wall_box(&o->walls[i]));
  return all;
}

// Whether the wall passes the row: at every y of the row, its lower end is at or below y and its
// upper end above.
static bool passes_row(const struct row_index *rows, struct box b, int64_t row)
{
  const int64_t bottom = rows->low + row * rows->height;
  return b.lo.y <= bottom && b.hi.y > bottom + rows->height - 1;
}

// Counts each row's walls into start[row + 1], or fills them in and moves start[row] to their end.
static void scan_rows(const struct obstacles *o, struct row_index *rows, const int32_t *by_x,
                      bool fill)
{
  for (int64_t k = 0; k < o->count; k++) {
    const int32_t i = by_x[k];
    const struct box b = wall_box(&o->walls[i]);
    for (int64_t r = row_containing(rows, b.lo.y); r <= row_containing(rows, b.hi.y); r++) {
      const bool passes = passes_row(rows, b, r);
      int64_t *start = passes ? rows->passing_start : rows->ending_start;
      if (!fill)
        start[r + 1]++;
      else if (passes)
        rows->passing[start[r]++] = (struct row_wall){i, b.lo.x, b.hi.x, 0};
      else
        rows->ending[start[r]++] = i;
    }
  }
}

static void sum_starts(int64_t *start, int64_t rows)
{
  for (int64_t r = 0; r < rows; r++)
    start[r + 1] += start[r];
}

static void restore_starts(int64_t *start, int64_t rows) // after filling
{
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
}

static int by_left_end(const void *a, const void *b)
{
  const struct box_tree_key *const p = a, *const q = b;
  return p->at.x != q->at.x ? (p->at.x > q->at.x) - (p->at.x < q->at.x)
                            : (p->item > q->item) - (p->item < q->item);
}

static int32_t *walls_by_left_end(const struct obstacles *o)
{
  struct box_tree_key *keys = memory_create((size_t)o->count, sizeof *keys);
  int32_t *order = memory_create((size_t)o->count, sizeof *order);
  for (int64_t i = 0; i < o->count; i++)
    keys[i] = (struct box_tree_key){wall_box(&o->walls[i]).lo, (int32_t)i};
  qsort(keys, (size_t)o->count, sizeof *keys, by_left_end);
  for (int64_t i = 0; i < o->count; i++)
    order[i] = keys[i].item;
  memory_destroy(keys);
  return order;
}

static void sum_row(const struct obstacles *o, struct row_wall *row, int64_t count)
{
  for (int64_t i = 1; i < count; i++)
    if (row[i].reach < row[i - 1].reach)
      row[i].reach = row[i - 1].reach;
  int32_t winding = 0;
  for (int64_t i = count - 1; i >= 0; i--) {
    const struct wall *w = &o->walls[row[i].wall];
    winding += w->a.y < w->b.y ? 1 : -1;
    row[i].winding = winding;
  }
}

#define ENTRIES_PER_WALL 64 // in the rows, on average; rows are higher where walls are long

// About one wall's end per row, but not too many rows for each wall.
static void set_rows(const struct obstacles *o, struct row_index *rows)
{
  const struct box all = all_walls(o);
  const int64_t tall = (int64_t)all.hi.y - all.lo.y;
  int64_t lengths = 0;
  for (int64_t i = 0; i < o->count; i++) {
    const struct box b = wall_box(&o->walls[i]);
    lengths += (int64_t)b.hi.y - b.lo.y;
  }
  const int64_t by_ends = tall / (o->count + 1), by_length = lengths / o->count / ENTRIES_PER_WALL;
  rows->low = all.lo.y;
  rows->height = (int32_t)((by_ends > by_length ? by_ends : by_length) + 1);
  rows->count = tall / rows->height + 1;
}

struct row_index *row_index_create(const struct obstacles *o)
{
  struct row_index *rows = memory_create(1, sizeof *rows);
  set_rows(o, rows);
  const size_t starts = (size_t)rows->count + 1;
  rows->passing_start = memory_create(starts, sizeof *rows->passing_start);
  rows->ending_start = memory_create(starts, sizeof *rows->ending_start);
  int32_t *by_x = walls_by_left_end(o);
  scan_rows(o, rows, by_x, false);
  sum_starts(rows->passing_start, rows->count);
  sum_starts(rows->ending_start, rows->count);
  const int64_t passing = rows->passing_start[rows->count],
                ending = rows->ending_start[rows->count];
  rows->passing = memory_create((size_t)passing, sizeof *rows->passing);
  rows->ending = memory_create((size_t)ending, sizeof *rows->ending);
  scan_rows(o, rows, by_x, true);
  restore_starts(rows->passing_start, rows->count);
  restore_starts(rows->ending_start, rows->count);
  memory_destroy(by_x);
  for (int64_t r = 0; r < rows->count; r++)
    sum_row(o, rows->passing + rows->passing_start[r],
            rows->passing_start[r + 1] - rows->passing_start[r]);
  return rows;
}

void row_index_destroy(struct row_index *rows)
{
  if (!rows)
    return;
  memory_destroy(rows->passing_start);
  memory_destroy(rows->passing);
  memory_destroy(rows->ending_start);
  memory_destroy(rows->ending);
  memory_destroy(rows);
}

// ----------------------------------------------------------------------------------- raster

#define SQUARES_PER_WALL 16 // most are without a wall
#define SQUARES_MIN      64
#define SQUARES_MAX      (1 << 18)

static int64_t cells_along(int64_t length, int32_t shift)
{
  return (length >> shift) + 1;
}

static int64_t squares_along(int64_t cells)
{
  return (cells - 1) / GROUND_SIDE + 1;
}

// Chooses the smallest cells for which the number of squares stays within its limit.
static void set_cells(struct ground_raster *g, struct box all, int64_t walls)
{
  const int64_t wide = (int64_t)all.hi.x - all.lo.x, tall = (int64_t)all.hi.y - all.lo.y;
  int64_t most = SQUARES_PER_WALL * walls;
  most = most < SQUARES_MIN ? SQUARES_MIN : most > SQUARES_MAX ? SQUARES_MAX : most;
  g->lo = all.lo;
  while (squares_along(cells_along(wide, g->shift)) * squares_along(cells_along(tall, g->shift)) >
         most)
    g->shift++;
  g->columns = (int32_t)cells_along(wide, g->shift);
  g->rows = (int32_t)cells_along(tall, g->shift);
  g->square_columns = (int32_t)squares_along(g->columns);
  g->square_rows = (int32_t)squares_along(g->rows);
}

// Cells are marked that a wall touches or passes within two quanta: no wall lies between two
// adjacent cells without a mark.
#define MARK_MARGIN 2

static int32_t cell_clamped(int64_t offset, int32_t shift, int32_t cells)
{
  const int64_t cell = offset >> shift;
  return (int32_t)(cell < 0 ? 0 : cell < cells ? cell : cells - 1);
}

// Where the wall, which rises from low to high, is at a height between; within a quantum.
static int64_t wall_x_at(struct point low, struct point high, int64_t y)
{
  const double share = (double)(y - low.y) / (double)((int64_t)high.y - low.y);
  return low.x + (int64_t)((double)((int64_t)high.x - low.x) * share);
}

// Cells of a row.
struct cell_span {
  int32_t row, begin, end;
};

// Those of a row that the wall touches, or nearly.
static struct cell_span wall_span(const struct ground_raster *g, const struct wall *w, int32_t row)
{
  const bool rises = w->a.y <= w->b.y;
  const struct point low = rises ? w->a : w->b, high = rises ? w->b : w->a;
  const int64_t bottom = g->lo.y + ((int64_t)row << g->shift) - MARK_MARGIN;
  const int64_t top = bottom + ((int64_t)1 << g->shift) + 2 * MARK_MARGIN;
  const int64_t from = bottom > low.y ? wall_x_at(low, high, bottom) : low.x;
  const int64_t to = top < high.y ? wall_x_at(low, high, top) : high.x;
  const int64_t left = (from < to ? from : to) - MARK_MARGIN - g->lo.x;
  const int64_t right = (from < to ? to : from) + MARK_MARGIN - g->lo.x;
  return (struct cell_span){row, cell_clamped(left, g->shift, g->columns),
                            cell_clamped(right, g->shift, g->columns) + 1};
}

// Makes the squares of the cells mixed.
static void mark_squares(struct ground_raster *g, struct cell_span s)
{
  int32_t *row = g->squares + (int64_t)(s.row / GROUND_SIDE) * g->square_columns;
  for (int32_t c = s.begin / GROUND_SIDE; c <= (s.end - 1) / GROUND_SIDE; c++)
    if (row[c] < GROUND_WALLS)
      row[c] = (int32_t)g->kind_count++;
}

static void mark_cells(struct ground_raster *g, struct cell_span s)
{
  const int32_t *row = g->squares + (int64_t)(s.row / GROUND_SIDE) * g->square_columns;
  for (int32_t c = s.begin; c < s.end; c++)
    g->kinds[row[c / GROUND_SIDE]].row[s.row % GROUND_SIDE] |= (uint32_t)CELL_MIXED
                                                               << 2 * (c % GROUND_SIDE);
}

static void mark_walls(struct ground_raster *g, const struct obstacles *o,
                       void (*mark)(struct ground_raster *g, struct cell_span s))
{
  for (int64_t i = 0; i < o->count; i++) {
    const struct box b = wall_box(&o->walls[i]);
    const int64_t low = (int64_t)b.lo.y - MARK_MARGIN - g->lo.y;
    const int64_t high = (int64_t)b.hi.y + MARK_MARGIN - g->lo.y;
    const int32_t last = cell_clamped(high, g->shift, g->rows);
    for (int32_t row = cell_clamped(low, g->shift, g->rows); row <= last; row++)
      mark(g, wall_span(g, &o->walls[i], row));
  }
}

// By the centre of a cell.
static bool cell_is_solid(const struct ground_raster *g, const struct obstacles *o, int64_t column,
                          int64_t row)
{
  const int64_t half = (int64_t)1 << g->shift >> 1;
  const int64_t x = g->lo.x + (column << g->shift) + half;
  const int64_t y = g->lo.y + (row << g->shift) + half;
  const struct point centre = {(int32_t)(x < INT32_MAX ? x : INT32_MAX),
                               (int32_t)(y < INT32_MAX ? y : INT32_MAX)};
  return rows_inside(o, centre);
}

// All that can be reached from the cells of `part` through open cells, without a wall between.
static void spread_part(uint16_t *part, const uint16_t *open)
{
  bool grows = true;
  while (grows) {
    grows = false;
    for (int r = 0; r < GROUND_SIDE; r++) {
      unsigned cells = part[r] | (unsigned)part[r] << 1 | (unsigned)part[r] >> 1;
      cells |= r > 0 ? part[r - 1] : 0u;
      cells |= r + 1 < GROUND_SIDE ? part[r + 1] : 0u;
      cells &= open[r];
      grows |= cells != part[r];
      part[r] = (uint16_t)cells;
    }
  }
}

// Each part of a square without a wall between its cells takes one test.
static void set_solid(const struct ground_raster *g, const struct obstacles *o, int64_t square)
{
  struct ground_square *s = &g->kinds[g->squares[square]];
  const int64_t column = square % g->square_columns * GROUND_SIDE;
  const int64_t row = square / g->square_columns * GROUND_SIDE;
  uint16_t open[GROUND_SIDE] = {0};
  for (int r = 0; r < GROUND_SIDE; r++)
    for (int c = 0; c < GROUND_SIDE; c++)
      open[r] |= (uint16_t)(((s->row[r] >> 2 * c & 3) != CELL_MIXED) << c);
  for (int r = 0; r < GROUND_SIDE; r++)
    while (open[r]) {
      uint16_t part[GROUND_SIDE] = {0};
      const int c = __builtin_ctz(open[r]);
      part[r] = (uint16_t)(1u << c);
      spread_part(part, open);
      const bool solid = cell_is_solid(g, o, column + c, row + r);
      for (int k = 0; k < GROUND_SIDE; k++) {
        open[k] &= (uint16_t)~part[k];
        for (int l = 0; solid && l < GROUND_SIDE; l++)
          s->row[k] |= (uint32_t)(part[k] >> l & CELL_SOLID) << 2 * l;
      }
    }
}

// Of a square without a wall: that of a neighbour without one, or of a cell.
static int32_t square_ground(const struct ground_raster *g, const struct obstacles *o,
                             int64_t square)
{
  const int64_t column = square % g->square_columns, row = square / g->square_columns;
  if (column > 0 && g->squares[square - 1] < GROUND_WALLS)
    return g->squares[square - 1];
  if (row > 0 && g->squares[square - g->square_columns] < GROUND_WALLS)
    return g->squares[square - g->square_columns];
  return cell_is_solid(g, o, column * GROUND_SIDE, row * GROUND_SIDE) ? GROUND_SOLID : GROUND_FREE;
}

struct ground_raster *ground_raster_create(const struct obstacles *o)
{
  struct ground_raster *g = memory_create(1, sizeof *g);
  set_cells(g, all_walls(o), o->count);
  const int64_t squares = (int64_t)g->square_columns * g->square_rows;
  g->squares = memory_create((size_t)squares, sizeof *g->squares);
  for (int64_t k = 0; k < squares; k++)
    g->squares[k] = GROUND_FREE;
  g->kind_count = GROUND_WALLS;
  mark_walls(g, o, mark_squares);
  g->kinds = memory_create((size_t)g->kind_count, sizeof *g->kinds);
  memset(&g->kinds[GROUND_SOLID], CELL_SOLID * 0x55, sizeof *g->kinds);
  memset(&g->kinds[GROUND_MIXED], CELL_MIXED * 0x55, sizeof *g->kinds);
  mark_walls(g, o, mark_cells);
  for (int64_t k = 0; k < squares; k++)
    if (g->squares[k] < GROUND_WALLS)
      g->squares[k] = square_ground(g, o, k);
#pragma omp parallel for schedule(dynamic, 64) if (g->kind_count > 1024)
  for (int64_t k = 0; k < squares; k++)
    if (g->squares[k] >= GROUND_WALLS)
      set_solid(g, o, k);
  return g;
}

void ground_raster_destroy(struct ground_raster *g)
{
  if (!g)
    return;
  memory_destroy(g->squares);
  memory_destroy(g->kinds);
  memory_destroy(g);
}
