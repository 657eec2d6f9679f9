// Who has arrived? One rule for every navigation model and every radius: an agent has arrived when
// its centre is in an area of its destination. Where its body does not fit into the area, because
// that is a strip along a wall or smaller than a person, touching it is enough. Whole quanta: the
// same on every machine.
#pragma once
#include "agents.h"
#include "field_kernel.h"
#include "obstacles_nearest_kernel.h"
#include "world.h"

#define ARRIVAL_ROOM    0.875f // of its radius, that a body keeps free of walls when it is pushed
#define ARRIVAL_NEAR_CELLS 3  // from a cell of the destination to its area, besides arrival_reach

// The point that lies `length` beyond q as seen from p, p != q. False: it is out of bounds.
INLINE bool point_beyond(struct point p, struct point q, double length, struct box bounds,
                         struct point *out)
{
  const double x = (double)q.x - p.x, y = (double)q.y - p.y, scale = length / sqrt(x * x + y * y);
  const double to_x = floor(q.x + scale * x + 0.5), to_y = floor(q.y + scale * y + 0.5);
  if (!(to_x >= bounds.lo.x && to_x < bounds.hi.x && to_y >= bounds.lo.y && to_y < bounds.hi.y))
    return false;
  *out = (struct point){(int32_t)to_x, (int32_t)to_y};
  return true;
}

INLINE bool box_is_near(struct box b, struct point p, int64_t distance)
{
  return p.x + distance >= b.lo.x && p.x - distance < b.hi.x && p.y + distance >= b.lo.y &&
         p.y - distance < b.hi.y;
}

// Does a body that touches the area at q go into it? It needs a place for itself straight ahead, in
// the area and off the walls.
HOST_DEVICE bool arrival_has_room(const struct world *w, const struct arrival_area *area,
                                  struct point p, struct point q, int32_t radius)
{
  const int32_t free = (int32_t)(ARRIVAL_ROOM * (float)radius);
  struct point middle, end, unused;
  return point_beyond(p, q, radius, w->bounds, &middle) &&
         point_beyond(p, q, 2.0 * radius, w->bounds, &end) &&
         obstacles_inside(&area->outlines, middle) && obstacles_inside(&area->outlines, end) &&
         !obstacles_crossing(q, end, &w->obstacles) &&
         !obstacles_nearest(&w->obstacles, q, free, &unused) &&
         !obstacles_nearest(&w->obstacles, middle, free, &unused);
}

// Has an agent at p arrived at a destination? radius: quanta. A world without areas is for tests.
HOST_DEVICE bool arrival_reached(const struct world *w, int32_t destination, struct point p,
                                 int64_t radius)
{
  if (destination >= w->arrival_count)
    return false;
  const struct arrival_area *area = &w->arrival_areas[destination];
  const int32_t r = radius < w->arrival_reach ? (int32_t)radius : w->arrival_reach;
  if (!box_is_near(area->box, p, r))
    return false;
  if (obstacles_inside(&area->outlines, p))
    return true;
  struct point q;
  if (!obstacles_nearest(&area->outlines, p, r, &q) || !box_holds(w->bounds, q))
    return false;
  if (same_point(p, q))
    return true;
  return !obstacles_crossing(p, q, &w->obstacles) && !arrival_has_room(w, area, p, q, r);
}

// Where to walk to in a cell of the destination: to the area or, where walls hide that, to the
// centre of the cell, which sees it. False: no area is near.
HOST_DEVICE bool arrival_approach(const struct world *w, int32_t destination, struct point p,
                                  struct point *to)
{
  if (destination >= w->arrival_count)
    return false;
  const struct nav_grid *g = &w->nav_grid;
  const struct arrival_area *area = &w->arrival_areas[destination];
  const int32_t near = w->arrival_reach + ARRIVAL_NEAR_CELLS * g->cell;
  if (!box_is_near(area->box, p, near) || obstacles_inside(&area->outlines, p) ||
      !obstacles_nearest(&area->outlines, p, near, to))
    return false;
  if (obstacles_crossing(p, *to, &w->obstacles))
    *to = nav_grid_centre(g, field_cell(g, p));
  return true;
}
