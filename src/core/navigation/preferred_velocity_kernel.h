// Where one of the people would walk if nobody were in the way, and whether it is there.
#pragma once
#include "agents.h"
#include "field_kernel.h"
#include "roadmap_kernel.h"
#include "world.h"

INLINE void prefer_point(const struct world *w, float dt, struct agents *a, int64_t i,
                         struct point goal)
{
  const float quantum = frame_quantum(&w->frame);
  const float dx = (float)(goal.x - a->x[i]) * quantum;
  const float dy = (float)(goal.y - a->y[i]) * quantum;
  const float distance = sqrtf(dx * dx + dy * dy);
  const float in_one_step = distance / dt;
  const float speed = a->speed[i] < in_one_step ? a->speed[i] : in_one_step;
  const float scale = distance > 0 ? speed / distance : 0;
  a->prefer_x[i] = scale * dx;
  a->prefer_y[i] = scale * dy;
}

INLINE struct point waypoint_position(const struct world *w, int64_t step, struct agents *a,
                                      int64_t i)
{
  const struct roadmap *r = &w->roadmap;
  const struct point at = {a->x[i], a->y[i]};
  const uint64_t phase = (uint64_t)step + (uint64_t)a->id[i];
  const int32_t reach = (int32_t)(a->radius[i] / frame_quantum(&w->frame)); // below 2^23
  a->aim[i] = roadmap_next_waypoint(r, a->destination[i], at, a->aim[i], reach, phase);
  return roadmap_steer_point(r, a->destination[i], at, a->aim[i]);
}

INLINE void prefer_along(const struct field *f, struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  float x, y;
  field_direction(f, at, &x, &y);
  a->prefer_x[i] = a->speed[i] * x;
  a->prefer_y[i] = a->speed[i] * y;
}

// Does one still stand, not knowing where to go? It ends when its step has come.
INLINE bool still_reacting(struct agents *a, int64_t i, int64_t step)
{
  if (a->doing[i] != ACTIVITY_REACT)
    return false;
  if (step < a->until[i])
    return true;
  a->doing[i] = ACTIVITY_WALK;
  return false;
}

// The wish of navigation_preferred_velocities: prefer_x and prefer_y, of those who follow a roadmap
// aim, too. by_roadmap: does the world have one? A constant leaves the other ways out of a kernel.
INLINE void preferred_velocity_set_by(const struct world *w, bool by_roadmap, float dt,
                                      int64_t step, struct agents *a, int64_t i)
{
  if (still_reacting(a, i, step)) {
    a->prefer_x[i] = 0;
    a->prefer_y[i] = 0;
  } else if (a->destination[i] >= 0 && !by_roadmap) {
    prefer_along(&w->fields[a->destination[i]], a, i);
  } else {
    const struct point goal = {a->goal_x[i], a->goal_y[i]};
    prefer_point(w, dt, a, i, a->destination[i] < 0 ? goal : waypoint_position(w, step, a, i));
  }
}

INLINE bool world_has_roadmap(const struct world *w)
{
  return w->roadmap.destination_count > 0;
}

INLINE void preferred_velocity_set(const struct world *w, float dt, int64_t step, struct agents *a,
                                   int64_t i)
{
  preferred_velocity_set_by(w, world_has_roadmap(w), dt, step, a, i);
}

INLINE bool at_goal(const struct agents *a, int64_t i, int64_t radius) // exact; quanta
{
  const int64_t dx = (int64_t)a->goal_x[i] - a->x[i], dy = (int64_t)a->goal_y[i] - a->y[i];
  const int64_t limit = INT32_MAX; // squares of less fit
  return dx > -limit && dx < limit && dy > -limit && dy < limit &&
         dx * dx + dy * dy <= radius * radius;
}

// Does it walk, and is it there? As navigation_arrived; radius: of a goal, quanta.
INLINE bool has_arrived(const struct world *w, int64_t radius, const struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  if (a->doing[i] != ACTIVITY_WALK)
    return false;
  if (a->destination[i] < 0)
    return at_goal(a, i, radius);
  return world_has_roadmap(w) ? roadmap_arrived(&w->roadmap, a->destination[i], at)
                              : field_arrived(&w->fields[a->destination[i]], at);
}
