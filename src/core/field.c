// What a field is asked.
#include "field.h"

#include <math.h>

size_t field_bytes(const struct ground *g)
{
  const struct field *f = NULL;
  const size_t cell = sizeof *f->time + sizeof *f->way + sizeof *f->paths;
  return (sizeof *f->near + (size_t)ground_cell_count(g) * cell + 63) / 64 * 64;
}

// The widest first: everything is aligned.
void field_create(struct field *f, const struct ground *g, void *memory)
{
  const size_t count = (size_t)ground_cell_count(g);
  *f = (struct field){.ground = g, .own = memory ? NULL : memory_create(field_bytes(g), 1)};
  f->near = memory ? memory : f->own;
  f->time = (uint32_t *)(f->near + 1);
  f->way = (struct field_way *)(f->time + count);
  f->paths = (uint8_t *)(f->way + count);
}

void field_destroy(struct field *f)
{
  memory_destroy(f->own);
  *f = (struct field){0};
}

uint32_t field_time(const struct field *f, struct point p)
{
  const int64_t cell = ground_cell_seen(f->ground, p);
  return cell < 0 ? FIELD_UNREACHED : f->time[cell];
}

bool field_reaches(const struct field *f, struct point p)
{
  const int64_t cell = ground_cell_seen(f->ground, p);
  return cell >= 0 && f->time[cell] != FIELD_UNREACHED;
}

// The cell that speaks for p; somebody squeezed in where he sees no centre trusts his own.
static int64_t cell_for(const struct ground *g, struct point p)
{
  const int64_t cell = ground_cell_seen(g, p);
  return cell >= 0 ? cell : ground_cell_of(g, p);
}

// Is the destination in the cell or beside it? Spares nearly everybody the question what he sees.
static bool target_round(const struct field *f, int64_t cell)
{
  const struct ground *g = f->ground;
  const int64_t column = cell % g->columns, row = cell / g->columns;
  for (int64_t r = row - (row > 0); r <= row + (row + 1 < g->rows); r++)
    for (int64_t c = column - (column > 0); c <= column + (column + 1 < g->columns); c++)
      if (f->time[r * g->columns + c] == 0)
        return true;
  return false;
}

bool field_arrived(const struct field *f, struct point p)
{
  if (!box_holds(*f->near, p))
    return false;
  const int64_t cell = ground_cell_of(f->ground, p);
  if (!(f->ground->bits[cell] & GROUND_CUT)) // no wall hides its centre
    return f->time[cell] == 0;
  return target_round(f, cell) && f->time[cell_for(f->ground, p)] == 0;
}

struct place { // in the grid
  int64_t cell;
  int32_t x, y; // from the cell's centre, half quanta: exact for odd cells, too
};

static inline uint32_t clamped(int64_t v, int64_t end)
{
  return (uint32_t)(v < 0 ? 0 : v < end ? v : end - 1);
}

static inline struct place place_of(const struct ground *g, struct point p)
{
  const uint32_t side = (uint32_t)g->cell;
  const uint32_t x = clamped((int64_t)p.x - g->origin.x, (int64_t)g->columns * side);
  const uint32_t y = clamped((int64_t)p.y - g->origin.y, (int64_t)g->rows * side);
  const uint32_t column = x / side, row = y / side;
  return (struct place){(int64_t)row * g->columns + column,
                        2 * (int32_t)(x - column * side) - g->cell,
                        2 * (int32_t)(y - row * side) - g->cell};
}

static inline void unit(int64_t wx, int64_t wy, float *x, float *y)
{
  const float fx = (float)wx, fy = (float)wy, length = sqrtf(fx * fx + fy * fy);
  *x = length > 0.0f ? fx / length : 0.0f;
  *y = length > 0.0f ? fy / length : 0.0f;
}

// The cell's way; where several are equally good, straight to the neighbour nearest to an offset
// from the centre. (0, 0) where no way leads and in the destination.
static struct field_way chosen_way(const struct field *f, int64_t cell, int32_t x, int32_t y)
{
  const struct field_way straight[4] = {{127, 0}, {0, 127}, {-127, 0}, {0, -127}};
  const int64_t columns = f->ground->columns, step[4] = {1, columns, -1, -columns};
  const int32_t offset[4] = {x, y, -x, -y};
  struct field_way way = f->way[cell];
  uint32_t time = f->time[cell];
  if (way.x || way.y || time == FIELD_UNREACHED)
    return way;
  for (int d = 0, best = -1; d < 4; d++)
    if (f->paths[cell] >> d & 1) {
      const uint32_t next = f->time[cell + step[d]];
      if (next < time || (next == time && best >= 0 && offset[d] > offset[best])) {
        time = next;
        way = straight[d];
        best = d;
      }
    }
  return way;
}

// Where a wall may be beside the way: towards the point one cell ahead on the way from the
// centre. Whoever is off that line is drawn to it, and so past the end of a wall before him; he
// who stands in a cell with a wall goes to the centre of the cell he sees when he cannot see
// that point.
static void aim(const struct field *f, struct point point, const struct place *p, float *x,
                float *y)
{
  const struct ground *g = f->ground;
  const int32_t side = g->cell;
  const bool cut = g->bits[p->cell] & GROUND_CUT;
  const int64_t cell = cut ? cell_for(g, point) : p->cell;
  const struct point c = ground_centre(g, cell), own = ground_centre(g, p->cell);
  const int32_t from_x = p->x - 2 * (c.x - own.x), from_y = p->y - 2 * (c.y - own.y);
  const struct field_way way = chosen_way(f, cell, from_x, from_y);
  *x = *y = 0.0f;
  if (way.x == 0 && way.y == 0)
    return;
  const struct point ahead = {(int32_t)(c.x + (int64_t)way.x * side / 127),
                              (int32_t)(c.y + (int64_t)way.y * side / 127)};
  const bool hidden = cut && (from_x || from_y) && obstacles_cut(g->obstacles, point, ahead);
  const int64_t on = hidden ? 0 : 2 * (int64_t)side;
  unit(on * way.x - 127 * (int64_t)from_x, on * way.y - 127 * (int64_t)from_y, x, y);
}

void field_direction(const struct field *f, struct point point, float *x, float *y)
{
  const struct ground *g = f->ground;
  const struct place p = place_of(g, point);
  const bool west = p.x < 0, south = p.y < 0;
  const struct field_way *w = &f->way[p.cell];
  if (!(f->paths[p.cell] >> field_corner(west, south) & 1) || (w->x == 0 && w->y == 0)) {
    aim(f, point, &p, x, y);
    return;
  }
  const int64_t side = west ? -1 : 1, ahead = south ? -g->columns : g->columns;
  const struct field_way w1 = w[side], w2 = w[ahead], w3 = w[side + ahead];
  // Weights times (2 cell)^2: sums of integers, in no order.
  const int64_t x1 = west ? -p.x : p.x, x0 = 2 * (int64_t)g->cell - x1;
  const int64_t y1 = south ? -p.y : p.y, y0 = 2 * (int64_t)g->cell - y1;
  const int64_t k0 = x0 * y0, k1 = x1 * y0, k2 = x0 * y1, k3 = x1 * y1;
  const int64_t sx = k0 * w->x + k1 * w1.x + k2 * w2.x + k3 * w3.x;
  const int64_t sy = k0 * w->y + k1 * w1.y + k2 * w2.y + k3 * w3.y;
  if (sx == 0 && sy == 0)
    aim(f, point, &p, x, y);
  else
    unit(sx, sy, x, y);
}

void field_expect(const struct field *f, struct point point)
{
  const struct place p = place_of(f->ground, point);
  const int64_t ahead = p.y < 0 ? -f->ground->columns : f->ground->columns;
  const int64_t last = ground_cell_count(f->ground) - 1, other = p.cell + ahead;
  __builtin_prefetch(&f->way[p.cell]);
  __builtin_prefetch(&f->way[other < 0 ? 0 : other > last ? last : other]);
  __builtin_prefetch(&f->paths[p.cell]);
}
