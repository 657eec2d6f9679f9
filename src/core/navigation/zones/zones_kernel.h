// The effect of zones on one agent's speed.
#pragma once
#include "obstacles_inside_kernel.h"
#include "zones.h"

INLINE bool box_holds_closed(struct box b, struct point p) // hi inside
{
  return p.x >= b.lo.x && p.x <= b.hi.x && p.y >= b.lo.y && p.y <= b.hi.y;
}

// The column or row of the raster that holds a coordinate in [lo, hi].
INLINE int32_t zones_raster(int32_t at, int32_t lo, int32_t hi)
{
  return (int32_t)(((int64_t)at - lo) * ZONES_RASTER / ((int64_t)hi - lo + 1));
}

// The product of the factors of all zones that hold p. The inside test is exact.
HOST_DEVICE float zones_speed_at(const struct zones *z, struct point p)
{
  float speed = 1;
  const struct box all = z->box;
  if (!z->count || !box_holds_closed(all, p) ||
      !z->raster[zones_raster(p.y, all.lo.y, all.hi.y) * ZONES_RASTER +
                 zones_raster(p.x, all.lo.x, all.hi.x)])
    return speed;
  for (int32_t k = 0; k < z->count; k++)
    if (box_holds_closed(z->list[k].box, p) && obstacles_inside(&z->list[k].area, p))
      speed *= z->list[k].speed;
  return speed;
}

INLINE void zone_apply_one(const struct zones *z, struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  const float speed = zones_speed_at(z, at);
  a->prefer_x[i] *= speed;
  a->prefer_y[i] *= speed;
}
