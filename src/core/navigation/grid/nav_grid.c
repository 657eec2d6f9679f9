#include "nav_grid.h"

#include <assert.h>
#include <string.h>

__extension__ typedef __int128 int128; // products of coordinate differences, and their squares

struct edge { // quanta; directed
  struct point a, b;
};

// The edges near each row: edges[first[r]] .. edges[first[r + 1]] are those of row r.
struct row_lists {
  int64_t *first; // [rows + 1]
  int32_t *edges;
};

static int64_t floor_divided(int64_t value, int64_t by) // by > 0
{
  return value / by - (value % by < 0);
}

static int32_t min_int32(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

static int32_t max_int32(int32_t a, int32_t b)
{
  return a > b ? a : b;
}

static int32_t clamped(int64_t value, int32_t low, int32_t high)
{
  return value < low ? low : value > high ? high : (int32_t)value;
}

// The first column whose centre is at x or beyond; may be outside the grid.
static int64_t column_from(const struct nav_grid *g, int64_t x)
{
  return floor_divided(x - 1 - g->origin.x - g->cell / 2, g->cell) + 1;
}

static int64_t row_from(const struct nav_grid *g, int64_t y)
{
  return floor_divided(y - 1 - g->origin.y - g->cell / 2, g->cell) + 1;
}

// > 0 when p is left of a -> b.
static int128 cross(const struct edge *e, struct point p)
{
  return (int128)((int64_t)e->b.x - e->a.x) * ((int64_t)p.y - e->a.y) -
         (int128)((int64_t)e->b.y - e->a.y) * ((int64_t)p.x - e->a.x);
}

static int128 exact_distance2(struct point p, struct point q)
{
  const int64_t x = (int64_t)p.x - q.x, y = (int64_t)p.y - q.y;
  return (int128)x * x + (int128)y * y;
}

// Is p closer to the edge than `distance`?
static bool edge_near(const struct edge *e, struct point p, int32_t distance)
{
  const int64_t ex = (int64_t)e->b.x - e->a.x, ey = (int64_t)e->b.y - e->a.y;
  const int128 along = (int128)ex * ((int64_t)p.x - e->a.x) + (int128)ey * ((int64_t)p.y - e->a.y);
  const int128 length2 = (int128)ex * ex + (int128)ey * ey, near2 = (int128)distance * distance;
  if (along <= 0)
    return exact_distance2(p, e->a) < near2;
  if (along >= length2)
    return exact_distance2(p, e->b) < near2;
  const int128 c = cross(e, p);
  return c * c < near2 * length2;
}

// Does the edge touch the square [lo, hi], with or without its border?
static bool edge_touches_square(const struct edge *e, struct point lo, struct point hi, bool border)
{
  const int32_t x0 = min_int32(e->a.x, e->b.x), x1 = max_int32(e->a.x, e->b.x);
  const int32_t y0 = min_int32(e->a.y, e->b.y), y1 = max_int32(e->a.y, e->b.y);
  const int32_t b = border;
  if (x0 >= hi.x + b || x1 <= lo.x - b || y0 >= hi.y + b || y1 <= lo.y - b)
    return false;
  const int128 corners[4] = {cross(e, lo), cross(e, (struct point){hi.x, lo.y}), cross(e, hi),
                             cross(e, (struct point){lo.x, hi.y})};
  bool left = false, right = false; // a corner is on that side of the line, or on it with `border`
  for (int i = 0; i < 4; i++) {
    left = left || corners[i] + b > 0;
    right = right || corners[i] - b < 0;
  }
  return left && right;
}

// The x coordinate of the edge at height y, rounded down; the edge is not horizontal and spans y.
static int64_t edge_x(const struct edge *e, int64_t y)
{
  const int64_t dx = (int64_t)e->b.x - e->a.x, dy = (int64_t)e->b.y - e->a.y;
  return e->a.x +
         (dy > 0 ? floor_divided((y - e->a.y) * dx, dy) : floor_divided((y - e->a.y) * -dx, -dy));
}

// Columns [*first, *end) that hold every centre within reach, per axis, of the part of the edge
// within reach of the height y. A long edge costs what is near it, not its bounding box.
static void edge_columns(const struct nav_grid *g, const struct edge *e, int32_t y, int32_t reach,
                         int32_t *first, int32_t *end)
{
  int64_t low = min_int32(e->a.x, e->b.x), high = max_int32(e->a.x, e->b.x);
  if (e->a.y != e->b.y) {
    const int32_t bottom = min_int32(e->a.y, e->b.y), top = max_int32(e->a.y, e->b.y);
    const int64_t x0 = edge_x(e, clamped((int64_t)y - reach, bottom, top));
    const int64_t x1 = edge_x(e, clamped((int64_t)y + reach, bottom, top));
    low = x0 < x1 ? x0 : x1;
    high = (x0 < x1 ? x1 : x0) + 1;
  }
  *first = clamped(column_from(g, low - reach), 0, g->columns);
  *end = clamped(column_from(g, high + reach + 1), 0, g->columns);
}

static struct row_lists row_lists_create(const struct nav_grid *g, const struct edge *edges,
                                         int64_t count, int32_t reach)
{
  struct row_lists lists = {memory_create((size_t)g->rows + 2, sizeof *lists.first), NULL};
  int64_t *next = lists.first + 1; // first, shifted by one row while it is filled
  for (int fill = 0; fill < 2; fill++) {
    for (int32_t i = 0; i < count; i++) {
      const int64_t low = min_int32(edges[i].a.y, edges[i].b.y);
      const int64_t high = max_int32(edges[i].a.y, edges[i].b.y);
      const int32_t end = clamped(row_from(g, high + reach + 1), 0, g->rows);
      for (int32_t r = clamped(row_from(g, low - reach), 0, g->rows); r < end; r++)
        if (fill)
          lists.edges[next[r]++] = i;
        else
          next[r + 1]++;
    }
    if (!fill) {
      for (int32_t r = 0; r < g->rows; r++)
        next[r + 1] += next[r];
      lists.edges = memory_create((size_t)next[g->rows], sizeof *lists.edges);
    }
  }
  return lists;
}

static void row_lists_destroy(struct row_lists *lists)
{
  memory_destroy(lists->first);
  memory_destroy(lists->edges);
}

// An edge that crosses the row of centres at height y changes the winding number of all centres
// from some column on: turns[column] += +-1. The solid is on the left.
static void add_turn(const struct nav_grid *g, const struct edge *e, int32_t y, int32_t *turns)
{
  if ((e->a.y <= y) == (e->b.y <= y)) // half open: a corner at that height counts once
    return;
  const int32_t column = clamped(column_from(g, edge_x(e, y) + 1), 0, g->columns);
  turns[column] += e->b.y > e->a.y ? -1 : 1;
}

static struct point centre_of(const struct nav_grid *g, int32_t column, int32_t row)
{
  return (struct point){(int32_t)(g->origin.x + (int64_t)column * g->cell + g->cell / 2),
                        (int32_t)(g->origin.y + (int64_t)row * g->cell + g->cell / 2)};
}

// Updates one cell with the centre c for one wall.
static void mark_wall(const struct nav_grid *g, const struct wall *w, struct point c,
                      int32_t clearance, uint8_t *bits)
{
  const struct edge e = {w->a, w->b};
  const int32_t low = g->cell / 2, high = g->cell - low;
  const struct point east = {c.x + g->cell, c.y}, north = {c.x, c.y + g->cell};
  if (edge_near(&e, c, clearance))
    *bits |= NAV_GRID_LOW_CLEARANCE;
  if (edge_touches_square(&e, (struct point){c.x - low, c.y - low},
                          (struct point){c.x + high, c.y + high}, true))
    *bits |= NAV_GRID_CROSSED;
  if (wall_crossed(w, c, east))
    *bits &= (uint8_t)~NAV_GRID_EAST;
  if (wall_crossed(w, c, north))
    *bits &= (uint8_t)~NAV_GRID_NORTH;
  if (edge_touches_square(&e, c, c, true))
    *bits |= NAV_GRID_SOLID;
}

// turns[columns + 1], all 0 before and after; bits[columns]: of the row. A link that no wall
// touches is solid at both ends or at none, so only its own solid end closes it: rows are
// independent, and threads can share them.
static void make_row(const struct nav_grid *g, const struct edge *edges,
                     const struct row_lists *lists, int32_t row, int32_t clearance, int32_t *turns,
                     uint8_t *bits)
{
  const struct obstacles *o = g->obstacles;
  const int32_t y = centre_of(g, 0, row).y, reach = max_int32(clearance, g->cell);
  memset(bits, row + 1 < g->rows ? NAV_GRID_EAST | NAV_GRID_NORTH : NAV_GRID_EAST,
         (size_t)g->columns);
  bits[g->columns - 1] &= (uint8_t)~NAV_GRID_EAST;
  for (int64_t i = lists->first[row]; i < lists->first[row + 1]; i++) {
    const int32_t w = lists->edges[i];
    int32_t column, end;
    edge_columns(g, &edges[w], y, reach, &column, &end);
    for (; column < end; column++)
      mark_wall(g, &o->walls[w], centre_of(g, column, row), clearance, &bits[column]);
    add_turn(g, &edges[w], y, turns);
  }
  int32_t winding = o->outside_solid;
  for (int32_t column = 0; column < g->columns; column++) {
    winding += turns[column];
    turns[column] = 0;
    if (winding > 0)
      bits[column] |= NAV_GRID_SOLID;
    if (bits[column] & NAV_GRID_SOLID)
      bits[column] &= (uint8_t) ~(NAV_GRID_EAST | NAV_GRID_NORTH);
  }
  turns[g->columns] = 0;
}

static void store_row(struct nav_grid *g, int32_t row, const uint8_t *bits)
{
  uint8_t *to = g->bits + cell_order_y((uint32_t)row, g->square_columns);
  for (int32_t column = 0; column < g->columns; column++)
    to[cell_order_x((uint32_t)column)] = bits[column];
}

void nav_grid_create(struct nav_grid *g, struct box bounds, int32_t cell, int32_t clearance,
                     const struct obstacles *o)
{
  assert(cell > 1 && cell <= NAV_GRID_CELL_LIMIT && clearance >= 0);
  assert(bounds.lo.x < bounds.hi.x && bounds.lo.y < bounds.hi.y);
  const int64_t columns = ((int64_t)bounds.hi.x - bounds.lo.x - 1) / cell + 1;
  const int64_t rows = ((int64_t)bounds.hi.y - bounds.lo.y - 1) / cell + 1;
  const int64_t square_columns = (columns + CELL_SQUARE - 1) / CELL_SQUARE;
  const int64_t square_rows = (rows + CELL_SQUARE - 1) / CELL_SQUARE;
  require(square_columns <= INT32_MAX / CELL_SQUARE_CELLS / (square_rows + 1),
          "a grid of %lld x %lld cells is too large: at most %d cells; take larger cells",
          (long long)columns, (long long)rows, INT32_MAX);
  *g = (struct nav_grid){.obstacles = o,
                         .origin = bounds.lo,
                         .cell = cell,
                         .columns = (int32_t)columns,
                         .rows = (int32_t)rows,
                         .square_columns = (uint32_t)square_columns,
                         .square_rows = (uint32_t)square_rows,
                         .per_cell = UINT64_MAX / (uint64_t)cell + 1,
                         .far = NAV_GRID_FAR_CELLS * FIELD_UNIT};
  g->bits = memory_create((size_t)nav_grid_cell_count(g), sizeof *g->bits);
  memset(g->bits, NAV_GRID_SOLID, (size_t)nav_grid_cell_count(g));

  struct edge *edges = memory_create((size_t)o->count, sizeof *edges);
  for (int64_t i = 0; i < o->count; i++)
    edges[i] = (struct edge){o->walls[i].a, o->walls[i].b};
  struct row_lists lists = row_lists_create(g, edges, o->count, max_int32(clearance, cell));
#pragma omp parallel
  {
    int32_t *turns = memory_create((size_t)columns + 1, sizeof *turns);
    uint8_t *bits = memory_create((size_t)columns, sizeof *bits);
#pragma omp for schedule(dynamic, 16)
    for (int32_t row = 0; row < g->rows; row++) {
      make_row(g, edges, &lists, row, clearance, turns, bits);
      store_row(g, row, bits);
    }
    memory_destroy(turns);
    memory_destroy(bits);
  }
  row_lists_destroy(&lists);
  memory_destroy(edges);
}

uint8_t nav_grid_links(const struct nav_grid *g, struct cell_place at, const uint8_t *destination)
{
  const int64_t cell = nav_grid_cell(g, (uint32_t)at.column, (uint32_t)at.row);
  unsigned links = g->bits[cell] / NAV_GRID_EAST & 3; // east and north
  if (at.column > 0 && g->bits[nav_grid_neighbour(g, cell, 2)] & NAV_GRID_EAST)
    links |= 1u << 2;
  if (at.row > 0 && g->bits[nav_grid_neighbour(g, cell, 3)] & NAV_GRID_NORTH)
    links |= 1u << 3;
  unsigned taken = 0;
  for (int d = 0; d < 4 && nav_grid_is_open(g, cell, destination); d++)
    if (links >> d & 1 && nav_grid_is_open(g, nav_grid_neighbour(g, cell, d), destination))
      taken |= 1u << d;
  if (g->blocked_directions) // the link stays: the opposite direction is open
    taken &= ~(unsigned)g->blocked_directions[cell];
  return (uint8_t)(links << NAV_GRID_LINKS | taken);
}

void nav_grid_set_upwind(struct nav_grid *g)
{
  assert(nav_grid_is_valid(g));
  if (!g->upwind)
    g->upwind = memory_create((size_t)nav_grid_cell_count(g), sizeof *g->upwind);
#pragma omp parallel for schedule(static)
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++)
    g->upwind[cell] =
        g->bits[cell] & NAV_GRID_SOLID ? 0 : nav_grid_links(g, nav_grid_place(g, cell), NULL);
}

bool nav_grid_is_valid(const struct nav_grid *g)
{
  return g->cell > 0 && g->cell <= NAV_GRID_CELL_LIMIT && g->columns > 0 && g->rows > 0 &&
         g->columns <= INT32_MAX / g->rows && g->per_cell > 0 && g->bits;
}

void nav_grid_destroy(struct nav_grid *g)
{
  memory_destroy(g->bits);
  memory_destroy(g->upwind);
  memory_destroy(g->cost);
  memory_destroy(g->blocked_directions);
  memory_destroy(g->gap);
  memory_destroy(g->narrow);
  *g = (struct nav_grid){0};
}

// edges[points of the area]; returns their number. Those of closed outlines come first.
static int64_t outline_edges(const struct outlines *area, struct edge *edges, int64_t *closed)
{
  int64_t count = 0;
  for (int pass = 1; pass >= 0; pass--) {
    for (int64_t l = 0; l < area->count; l++) {
      const int64_t first = area->start[l], last = area->start[l + 1] - 1;
      if ((area->closed[l] != 0) != (pass == 1))
        continue;
      for (int64_t i = first; i < last; i++)
        edges[count++] = (struct edge){area->points[i], area->points[i + 1]};
      if (area->closed[l] && last >= first)
        edges[count++] = (struct edge){area->points[last], area->points[first]};
    }
    if (pass == 1)
      *closed = count;
  }
  return count;
}

static void mark_edge(const struct nav_grid *g, const struct edge *e, int32_t row, bool border,
                      uint8_t *marks)
{
  const int32_t low = g->cell / 2, high = g->cell - low;
  int32_t column, end;
  edge_columns(g, e, centre_of(g, 0, row).y, g->cell, &column, &end);
  for (; column < end; column++) {
    const struct point c = centre_of(g, column, row);
    if (edge_touches_square(e, (struct point){c.x - low, c.y - low},
                            (struct point){c.x + high, c.y + high}, border))
      marks[nav_grid_cell(g, (uint32_t)column, (uint32_t)row)] = 1;
  }
}

// Marks the cells of a row whose centres are inside. turns[columns + 1], all 0 before and after.
static void mark_inside(const struct nav_grid *g, int32_t row, int32_t *turns, uint8_t *marks)
{
  marks += cell_order_y((uint32_t)row, g->square_columns);
  for (int32_t column = 0, crossed = 0; column < g->columns; column++) {
    crossed += turns[column];
    if (crossed & 1) // +-1 alike: even-odd
      marks[cell_order_x((uint32_t)column)] = 1;
    turns[column] = 0;
  }
  turns[g->columns] = 0;
}

void nav_grid_mark(const struct nav_grid *g, const struct outlines *area, uint8_t *marks)
{
  assert(nav_grid_is_valid(g));
  if (area->count == 0)
    return;
  struct edge *edges = memory_create((size_t)area->start[area->count], sizeof *edges);
  int64_t closed;
  const int64_t count = outline_edges(area, edges, &closed);
  struct row_lists lists = row_lists_create(g, edges, count, g->cell);
  int32_t *turns = memory_create((size_t)g->columns + 1, sizeof *turns);
  for (int32_t row = 0; row < g->rows; row++) {
    for (int64_t i = lists.first[row]; i < lists.first[row + 1]; i++) {
      const struct edge *e = &edges[lists.edges[i]];
      mark_edge(g, e, row, lists.edges[i] >= closed, marks);
      if (lists.edges[i] < closed)
        add_turn(g, e, centre_of(g, 0, row).y, turns);
    }
    if (lists.first[row] < lists.first[row + 1])
      mark_inside(g, row, turns, marks);
  }
  memory_destroy(turns);
  row_lists_destroy(&lists);
  memory_destroy(edges);
}
