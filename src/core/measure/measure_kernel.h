// One agent's part of the measures: the area that it is inside, its cell of the grid, its delay.
#pragma once
#include "agent_kernel.h"
#include "line_crossing_kernel.h"
#include "measure.h"

// Whether the ray from p + (e, e^2) to +x crosses the outlines an odd number of times.
INLINE bool measure_inside(const struct measure_area *area, struct point p)
{
  const struct outlines *o = &area->outlines;
  bool inside = false;
  if (!box_holds(area->box, p))
    return false;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++) {
      const struct point a = o->points[i];
      const struct point b = o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]];
      if ((a.y > p.y) != (b.y > p.y))
        inside ^= left_of(a, b, p) == (b.y > a.y);
    }
  return inside;
}

INLINE int32_t cell_index_along(int32_t at, int32_t origin, int32_t cell) // at >= origin
{
  return (int32_t)(((uint32_t)at - (uint32_t)origin) / (uint32_t)cell);
}

INLINE int64_t measure_cell_of(const struct measure_grid *g, struct point p) // the grid must hold p
{
  return (int64_t)cell_index_along(p.y, g->origin.y, g->cell) * g->columns +
         cell_index_along(p.x, g->origin.x, g->cell);
}

// The share of its preferred speed that an agent misses while it walks, in millionths.
// speed: agent_speed.
INLINE int64_t agent_delay(const struct agents *a, int64_t i, int64_t speed)
{
  const double missing = 1 - 1e-6 * (double)speed / (double)a->speed[i];
  return a->doing[i] == ACTIVITY_WALK && a->speed[i] > 0 && missing > 0 ? lrint(1e6 * missing) : 0;
}
