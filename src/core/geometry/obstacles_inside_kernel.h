// Whether a point is inside solid ground. Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"

// Walls by row of the plane, for the winding number: a row lists the walls whose boxes overlap it.
struct row_index {
  int32_t low;    // quanta: lower edge of row 0
  int32_t height; // quanta
  int64_t count;  // rows
  int64_t *start; // [count + 1]
  int32_t *walls; // [start[count]]
};

INLINE int64_t row_containing(const struct row_index *rows, int32_t y) // y >= rows->low
{
  return ((uint32_t)y - (uint32_t)rows->low) / (uint32_t)rows->height;
}

// By the winding number of the outlines around p: the walls that cross the ray from p to +x. A wall
// counts if its lower end is at or below p and its upper end above, so a shared end counts once.
HOST_DEVICE bool obstacles_inside(const struct obstacles *o, struct point p)
{
  int winding = o->outside_solid;
  const struct row_index *rows = o->rows;
  if (!rows || p.y < rows->low)
    return winding > 0;
  const int64_t row = row_containing(rows, p.y);
  if (row >= rows->count)
    return winding > 0;
  for (int64_t i = rows->start[row]; i < rows->start[row + 1]; i++) {
    const struct wall *w = &o->walls[rows->walls[i]];
    const int side = orientation(w->a, w->b, p);
    if (side == 0 && on_segment(w->a, w->b, p))
      return false; // on the wall itself
    if (w->a.y <= p.y && w->b.y > p.y && side > 0)
      winding++;
    if (w->b.y <= p.y && w->a.y > p.y && side < 0)
      winding--;
  }
  return winding > 0;
}
