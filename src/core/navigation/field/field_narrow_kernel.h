// The way of an agent that follows a field in or beside a narrow cell.
#pragma once
#include "field.h"
#include "nav_grid_kernel.h"

#include <math.h>

INLINE void normalized(int64_t wx, int64_t wy, float *x, float *y)
{
  const float fx = (float)wx, fy = (float)wy, length = sqrtf(fx * fx + fy * fy);
  *x = length > 0.0f ? fx / length : 0.0f;
  *y = length > 0.0f ? fy / length : 0.0f;
}

struct grid_direction { // times 127
  int8_t x, y;
};

INLINE int64_t clamped_between(int64_t v, int64_t lo, int64_t hi)
{
  return v < lo ? lo : hi < v ? hi : v;
}

// Where to cross a side of a narrow cell: straight ahead, but a little towards the cell's point, so
// that nobody grazes a wall.
INLINE int64_t field_portal_place(const struct narrow_cell *narrow, int side, int64_t from,
                                  int64_t middle)
{
  const int64_t lo = narrow->lo[side], hi = narrow->hi[side];
  const int64_t ahead = clamped_between(from, lo, hi);
  return ahead + (clamped_between(middle, lo, hi) - ahead) / 8;
}

// A point just beyond the side of the cell towards d. side: that side of the narrow cell, which is
// the cell or the one beyond.
INLINE struct point field_portal(const struct nav_grid *g, int64_t cell, int d,
                                 const struct narrow_cell *narrow, int side, struct point from)
{
  const int32_t across = (d < 2 ? 1 : -1) * (g->cell / 2 + g->cell / 16);
  const struct point c = nav_grid_centre(g, cell);
  if (d & 1)
    return (struct point){(int32_t)field_portal_place(narrow, side, from.x, narrow->at.x),
                          c.y + across};
  return (struct point){c.x + across,
                        (int32_t)field_portal_place(narrow, side, from.y, narrow->at.y)};
}

INLINE void direction_between(struct point from, struct point to, float *x, float *y)
{
  normalized((int64_t)to.x - from.x, (int64_t)to.y - from.y, x, y);
}

// From a narrow cell, towards the first point in view: the aim, that on the way to it, the cell's
// own, those on the ways to its other sides.
HOST_DEVICE void field_direction_in_narrow_cell(const struct nav_grid *g, struct point from, int d,
                                                const struct narrow_cell *own, struct point aim,
                                                float *x, float *y)
{
  struct point to = aim;
  bool hidden = obstacles_crossing(from, aim, g->obstacles);
  for (int k = -1; k < 5 && hidden; k++) {
    to = k < 0 ? own->via[d] : k == 0 ? own->at : own->via[k - 1];
    hidden = same_points(to, from) || obstacles_crossing(from, to, g->obstacles);
  }
  direction_between(from, hidden ? aim : to, x, y);
}

// In or beside a narrow cell: through the free part of the side between the cell and the next.
// False: neither is narrow.
HOST_DEVICE bool field_direction_if_narrow(const struct field *f, struct point from, int64_t cell,
                                           struct grid_direction direction, float *x, float *y)
{
  const struct nav_grid *g = f->nav_grid;
  const int d = direction.x > 0 ? 0 : direction.y > 0 ? 1 : direction.x < 0 ? 2 : 3;
  const int64_t next = nav_grid_neighbour(g, cell, d);
  const struct narrow_cell *own = nav_grid_narrow_cell(g, cell);
  const struct narrow_cell *other = nav_grid_narrow_cell(g, next);
  if (!own && !other)
    return false;
  struct point aim = nav_grid_point(g, next);
  if (own && own->lo[d] <= own->hi[d])
    aim = field_portal(g, cell, d, own, d, from);
  else if (other && other->lo[d ^ 2] <= other->hi[d ^ 2])
    aim = field_portal(g, cell, d, other, d ^ 2, from);
  if (own) {
    field_direction_in_narrow_cell(g, from, d, own, aim, x, y);
    return true;
  }
  const struct point centre = nav_grid_centre(g, cell);
  const bool hidden = !same_points(from, centre) && obstacles_crossing(from, aim, g->obstacles);
  direction_between(from, hidden ? centre : aim, x, y);
  return true;
}
