// The preferred velocity of one agent and whether it has arrived, by any navigation model.
#pragma once
#include "direct_navigation_kernel.h"
#include "field_kernel.h"
#include "navigation_model.h"
#include "obstacles_nearest_kernel.h"
#include "roadmap_navigation_kernel.h"
#include "spreading_turns_kernel.h"

// --------------------------------------------------------------------------------- arrival

// One rule for every navigation model and every radius: an agent has arrived when its centre is in
// an area of its destination. Where its body does not fit into the area, because that is a strip
// along a wall or smaller than a person, touching it is enough. Whole quanta: the same on every
// machine.
#define ARRIVAL_ROOM       0.875f // of its radius, that a pushed body keeps free of walls
#define ARRIVAL_NEAR_CELLS 3 // from a cell of the destination to its area, besides arrival_reach

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

// ----------------------------------------------------------------------- preferred velocity

// Along the field of the destination: the direction of least travel time. In its cells, where the
// field ends, straight to the area.
INLINE void prefer_by_field(const struct world *w, const struct navigation_input *in,
                            struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  const int32_t destination = agent_destination(a, i);
  struct point to = goal_of(a, i);
  bool straight = destination < 0;
  float x = 0.0f, y = 0.0f;
  if (!straight) {
    field_direction(world_field_of(w, destination, agents_party(a, i)), at, &x, &y);
    straight = x == 0.0f && y == 0.0f && arrival_approach(w, destination, at, &to);
  }
  if (straight) {
    prefer_point(w, in->dt, a, i, to);
    return;
  }
  a->prefer_x[i] = a->speed[i] * x;
  a->prefer_y[i] = a->speed[i] * y;
}

#define STALLED 0.2f // share of the preferred speed towards the goal: less is no progress

// Is the agent still in its reaction time? Ends the activity when its step has come.
INLINE bool still_reacting(struct agents *a, int64_t i, int64_t step)
{
  if (a->doing[i] != ACTIVITY_REACT)
    return false;
  if (step < a->until[i])
    return true;
  a->doing[i] = ACTIVITY_WALK;
  return false;
}

// Each model lets agents without a destination walk straight to their goals.
INLINE void prefer_by_model(enum navigation_kind kind, const struct world *w,
                            const struct navigation_input *in, struct agents *a, int64_t i)
{
  switch (kind) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    prefer_by_##name(w, in, a, i);                                                                 \
    break;
    NAVIGATION_MODELS(X)
#undef X
  default:
    break;
  }
}

// The unit directions of preferred velocities. Agents that stand by choice have no facing: 0.
INLINE vec2 facings_of(vec2 v, mask walking)
{
  const real length = square_root(dot(v, v)), zero = splat(0);
  const mask walks = walking & less(zero, length);
  const real by = select_real(walks, length, splat(1));
  return select_vec2(walks, vec2_of(v.x / by, v.y / by), vec2_of(zero, zero));
}

INLINE void facing_set(struct agents *a, int64_t i) // of one agent
{
  const vec2 v = {splat(a->prefer_x[i]), splat(a->prefer_y[i])};
  const mask walking = ivec_equal(splat_ivec(a->doing[i]), splat_ivec(ACTIVITY_WALK));
  const vec2 facing = facings_of(v, walking);
  float x[LANES], y[LANES];
  lanes_store(x, facing.x);
  lanes_store(y, facing.y);
  a->facing_x[i] = x[0];
  a->facing_y[i] = y[0];
}

// As navigation_preferred_velocities, for one agent. kind: of the world; callers pass a constant,
// so that a loop or a kernel holds the code of one model.
INLINE void preferred_velocity_set(enum navigation_kind kind, const struct world *w,
                                   const struct navigation_input *in, struct agents *a, int64_t i)
{
  if (still_reacting(a, i, in->step)) {
    a->prefer_x[i] = 0;
    a->prefer_y[i] = 0;
  } else {
    prefer_by_model(kind, w, in, a, i);
  }
  if (w->facings)
    facing_set(a, i);
}

// Turns the preferred velocity, once set, onto the line of an agent that spreads along a field. The
// roadmap leads it there at once.
INLINE void spread_by_model(enum navigation_kind kind, const struct world *w,
                            const struct navigation_input *in, struct agents *a, int64_t i)
{
  if (in->spread && kind == NAVIGATION_field)
    spread_by_field(w, in, a, i);
}

// Is the agent, which stays where it arrives, close to its goal without getting closer? Others rest
// there already, so it rests beside them.
INLINE bool stalled_near_goal(const struct world *w, const struct agents *a, int64_t i)
{
  if (w->meeting_reach == 0 || !at_goal(a, i, w->meeting_reach))
    return false;
  const float x = (float)(a->goal_x[i] - a->x[i]), y = (float)(a->goal_y[i] - a->y[i]);
  const float towards = a->vx[i] * x + a->vy[i] * y;
  return towards < STALLED * a->speed[i] * sqrtf(x * x + y * y);
}

// Is the agent walking, and has it arrived? As navigation_arrived; radius: of a goal, quanta.
INLINE bool has_arrived(const struct world *w, int64_t radius, const struct agents *a, int64_t i)
{
  if (a->doing[i] != ACTIVITY_WALK)
    return false;
  const int64_t own = (int64_t)(a->radius[i] / frame_quantum(&w->frame));
  if (agent_destination(a, i) >= 0)
    return arrival_reached(w, agent_destination(a, i), (struct point){a->x[i], a->y[i]}, own);
  return at_goal(a, i, radius > own ? radius : own) || stalled_near_goal(w, a, i);
}
