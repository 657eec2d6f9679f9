// What a field is asked by those who walk along it.
#pragma once
#include "field.h"
#include "ground_look.h"

#include <math.h>

// The cell that speaks for p; somebody squeezed in where he sees no centre trusts his own.
INLINE int64_t field_cell(const struct ground *g, struct point p)
{
  const int64_t cell = ground_cell_seen(g, p);
  return cell >= 0 ? cell : ground_cell_of(g, p);
}

// Is the destination in the cell or beside it? Spares nearly everybody the question what he sees.
INLINE bool target_round(const struct field *f, int64_t cell)
{
  const struct ground *g = f->ground;
  const int64_t column = cell % g->columns, row = cell / g->columns;
  for (int64_t r = row - (row > 0); r <= row + (row + 1 < g->rows); r++)
    for (int64_t c = column - (column > 0); c <= column + (column + 1 < g->columns); c++)
      if (f->time[r * g->columns + c] == 0)
        return true;
  return false;
}

// Is p in the destination?
ONE_TEXT bool field_arrived(const struct field *f, struct point p)
{
  if (!box_holds(*f->near, p))
    return false;
  const int64_t cell = ground_cell_of(f->ground, p);
  if (!(f->ground->bits[cell] & GROUND_CUT)) // no wall hides its centre
    return f->time[cell] == 0;
  return target_round(f, cell) && f->time[field_cell(f->ground, p)] == 0;
}

struct field_place {
  int64_t cell;
  int32_t x, y; // from the cell's centre, half quanta: exact for odd cells, too
};

INLINE uint32_t within_grid(int64_t v, int64_t end)
{
  return (uint32_t)(v < 0 ? 0 : v < end ? v : end - 1);
}

INLINE struct field_place field_place_of(const struct ground *g, struct point p)
{
  const uint32_t side = (uint32_t)g->cell;
  const uint32_t x = within_grid((int64_t)p.x - g->origin.x, (int64_t)g->columns * side);
  const uint32_t y = within_grid((int64_t)p.y - g->origin.y, (int64_t)g->rows * side);
  const uint32_t column = x / side, row = y / side;
  return (struct field_place){(int64_t)row * g->columns + column,
                              2 * (int32_t)(x - column * side) - g->cell,
                              2 * (int32_t)(y - row * side) - g->cell};
}

INLINE void unit_along(int64_t wx, int64_t wy, float *x, float *y)
{
  const float fx = (float)wx, fy = (float)wy, length = sqrtf(fx * fx + fy * fy);
  *x = length > 0.0f ? fx / length : 0.0f;
  *y = length > 0.0f ? fy / length : 0.0f;
}

// The cell's way; where several are equally good, straight to the neighbour nearest to an offset
// from the centre. (0, 0) where no way leads and in the destination.
INLINE struct field_way chosen_way(const struct field *f, int64_t cell, int32_t x, int32_t y)
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
ONE_TEXT void field_aim(const struct field *f, struct point point, const struct field_place *p,
                        float *x, float *y)
{
  const struct ground *g = f->ground;
  const int32_t side = g->cell;
  const bool cut = g->bits[p->cell] & GROUND_CUT;
  const int64_t cell = cut ? field_cell(g, point) : p->cell;
  const struct point c = ground_centre(g, cell), own = ground_centre(g, p->cell);
  const int32_t from_x = p->x - 2 * (c.x - own.x), from_y = p->y - 2 * (c.y - own.y);
  const struct field_way way = chosen_way(f, cell, from_x, from_y);
  *x = *y = 0.0f;
  if (way.x == 0 && way.y == 0)
    return;
  const struct point ahead = {(int32_t)(c.x + (int64_t)way.x * side / 127),
                              (int32_t)(c.y + (int64_t)way.y * side / 127)};
  const bool hidden = cut && (from_x || from_y) && segment_meets_walls(point, ahead, g->obstacles);
  const int64_t on = hidden ? 0 : 2 * (int64_t)side;
  unit_along(on * way.x - 127 * (int64_t)from_x, on * way.y - 127 * (int64_t)from_y, x, y);
}

// The unit direction of least travel time at p, interpolated between the four nearest cell
// centres where the square between them is open, else towards the cell's way on past its centre,
// clear of the walls; (0, 0) where no way leads and in the destination. Same bits everywhere.
ONE_TEXT void field_direction(const struct field *f, struct point point, float *x, float *y)
{
  const struct ground *g = f->ground;
  const struct field_place p = field_place_of(g, point);
  const bool west = p.x < 0, south = p.y < 0;
  const struct field_way *w = &f->way[p.cell];
  if (!(f->paths[p.cell] >> field_corner(west, south) & 1) || (w->x == 0 && w->y == 0)) {
    field_aim(f, point, &p, x, y);
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
    field_aim(f, point, &p, x, y);
  else
    unit_along(sx, sy, x, y);
}
