// Selects the agents whose activity may change in a step: they arrive, queue, leave, or choose
// another stop. All others can be skipped when journeys are advanced (journeys.h).
#pragma once
#include "agents.h"

struct transition_filter {
  bool journeys;            // false: agents have no journeys, only arrivals matter
  bool routes_changed;      // re-check every agent that walks to a stop
  bool stays_called;        // a stay may end before its time: re-check agents that stay
  int32_t deadlock_timeout; // steps; an agent blocked for a multiple of it looks for another stop;
                            // 0: none does
  int64_t step;             // current step
};

INLINE bool transition_filter_timeout(const struct transition_filter *f, const struct agents *a,
                                      int64_t i)
{
  return f->deadlock_timeout > 0 && a->held[i] > 0 && a->held[i] % f->deadlock_timeout == 0;
}

// arrived: the result of has_arrived, which is false unless the agent walks.
INLINE bool transition_filter_matches(const struct transition_filter *f, const struct agents *a,
                                      int64_t i, bool arrived)
{
  const int32_t doing = a->doing[i];
  if (arrived)
    return true;
  if (!f->journeys || doing == ACTIVITY_REACT)
    return false;
  if (doing == ACTIVITY_WALK)
    return agent_stage(a, i) >= 0 && agent_target(a, i) >= 0 &&
           (f->routes_changed || transition_filter_timeout(f, a, i));
  return doing != ACTIVITY_STAY || f->stays_called || f->step >= a->until[i];
}
