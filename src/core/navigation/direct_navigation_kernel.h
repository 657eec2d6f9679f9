// Navigation without destinations: straight to the agent's own goal.
#pragma once
#include "agents.h"
#include "lanes.h"
#include "world.h"

// The velocities that lead along ways, m, at the preferred speed, or slower in the last step so as
// not to overshoot.
INLINE vec2 velocities_along(vec2 way, real preferred_speed, float dt)
{
  const real distance = square_root(dot(way, way)), zero = splat(0);
  const real in_one_step = distance / splat(dt);
  const real speed = select_real(less(preferred_speed, in_one_step), preferred_speed, in_one_step);
  const mask away = less(zero, distance);
  return times(select_real(away, speed / select_real(away, distance, splat(1)), zero), way);
}

// Of one agent, towards p.
INLINE void prefer_point(const struct world *w, float dt, struct agents *a, int64_t i,
                         struct point p)
{
  const float quantum = frame_quantum(&w->frame);
  const vec2 way = {splat((float)(p.x - a->x[i]) * quantum),
                    splat((float)(p.y - a->y[i]) * quantum)};
  const vec2 v = velocities_along(way, splat(a->speed[i]), dt);
  float x[LANES], y[LANES];
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  a->prefer_x[i] = x[0];
  a->prefer_y[i] = y[0];
}

INLINE struct point goal_of(const struct agents *a, int64_t i)
{
  const struct point goal = {a->goal_x[i], a->goal_y[i]};
  return goal;
}

INLINE bool at_goal(const struct agents *a, int64_t i, int64_t radius) // quanta; exact
{
  const int64_t dx = (int64_t)a->goal_x[i] - a->x[i], dy = (int64_t)a->goal_y[i] - a->y[i];
  const int64_t limit = INT32_MAX; // squares of smaller numbers fit
  return dx > -limit && dx < limit && dy > -limit && dy < limit &&
         dx * dx + dy * dy <= radius * radius;
}

// The goal of an agent with a destination is the nearest point of its areas.
INLINE void prefer_by_direct(const struct world *w, const struct navigation_input *in,
                             struct agents *a, int64_t i)
{
  prefer_point(w, in->dt, a, i, goal_of(a, i));
}
