// The preferred velocity of one agent and whether it has arrived, by any navigation model.
#pragma once
#include "direct_navigation_kernel.h"
#include "field_navigation_kernel.h"
#include "navigation_model.h"
#include "roadmap_navigation_kernel.h"

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
INLINE void prefer_by_model(enum navigation_kind kind, const struct world *w, float dt,
                            int64_t step, struct agents *a, int64_t i)
{
  switch (kind) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    prefer_by_##name(w, dt, step, a, i);                                                           \
    break;
    NAVIGATION_MODELS(X)
#undef X
  default:
    break;
  }
}

// As navigation_preferred_velocities, for one agent. kind: of the world; callers pass a constant,
// so that a loop or a kernel holds the code of one model.
INLINE void preferred_velocity_set(enum navigation_kind kind, const struct world *w, float dt,
                                   int64_t step, struct agents *a, int64_t i)
{
  if (still_reacting(a, i, step)) {
    a->prefer_x[i] = 0;
    a->prefer_y[i] = 0;
  } else {
    prefer_by_model(kind, w, dt, step, a, i);
  }
}

INLINE bool arrived_by_model(const struct world *w, const struct agents *a, int64_t i)
{
  switch (w->navigation) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    return arrived_by_##name(w, a, i);
    NAVIGATION_MODELS(X)
#undef X
  default:
    return false;
  }
}

// Is the agent walking, and has it arrived? As navigation_arrived; radius: of a goal, quanta.
INLINE bool has_arrived(const struct world *w, int64_t radius, const struct agents *a, int64_t i)
{
  if (a->doing[i] != ACTIVITY_WALK)
    return false;
  return a->destination[i] < 0 ? at_goal(a, i, radius) : arrived_by_model(w, a, i);
}
