// To whom something may happen where people arrive. The rest walk, react or stay as before: whoever
// advances journeys (journeys.h) may leave them out.
#pragma once
#include "agents.h"

struct transition_filter {
  bool journeys;            // else only who has arrived is concerned
  bool routes_changed;      // ways have changed: so are all who are on one,
  bool stays_called;        // and some who stay are called
  int32_t deadlock_timeout; // steps: whoever has been held up for a multiple of them looks for
                            // another place; 0: nobody
  int64_t step;
};

INLINE bool transition_filter_timeout(const struct transition_filter *c, const struct agents *a,
                                      int64_t i)
{
  return c->deadlock_timeout > 0 && a->held[i] > 0 && a->held[i] % c->deadlock_timeout == 0;
}

// arrived: has_arrived, which asks only who walks.
INLINE bool transition_filter_matches(const struct transition_filter *c, const struct agents *a,
                                      int64_t i, bool arrived)
{
  const int32_t doing = a->doing[i];
  if (arrived)
    return true;
  if (!c->journeys || doing == ACTIVITY_REACT)
    return false;
  if (doing == ACTIVITY_WALK)
    return a->stage[i] >= 0 && a->target[i] >= 0 &&
           (c->routes_changed || transition_filter_timeout(c, a, i));
  return doing != ACTIVITY_STAY || c->stays_called || c->step >= a->until[i];
}
