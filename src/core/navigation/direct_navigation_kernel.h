// Navigation without destinations: straight to the agent's own goal.
#pragma once
#include "agents.h"
#include "world.h"

// Towards p, at the preferred speed, or slower in the last step so as not to overshoot.
INLINE void prefer_point(const struct world *w, float dt, struct agents *a, int64_t i,
                         struct point p)
{
  const float quantum = frame_quantum(&w->frame);
  const float dx = (float)(p.x - a->x[i]) * quantum;
  const float dy = (float)(p.y - a->y[i]) * quantum;
  const float distance = sqrtf(dx * dx + dy * dy);
  const float in_one_step = distance / dt;
  const float speed = a->speed[i] < in_one_step ? a->speed[i] : in_one_step;
  const float scale = distance > 0 ? speed / distance : 0;
  a->prefer_x[i] = scale * dx;
  a->prefer_y[i] = scale * dy;
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

// The model has no destinations: agents are never asked for theirs.
INLINE void prefer_by_direct(const struct world *w, const struct navigation_input *in,
                             struct agents *a, int64_t i)
{
  prefer_point(w, in->dt, a, i, goal_of(a, i));
}

INLINE bool arrived_by_direct(const struct world *w, const struct agents *a, int64_t i)
{
  (void)w, (void)a, (void)i;
  return false;
}
