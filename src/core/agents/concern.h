// To whom something may happen where people arrive. The rest walk, react or stay as before: whoever
// advances journeys (journeys.h) may leave them out.
#pragma once
#include "agents.h"

struct concern {
  bool journeys;    // else only who has arrived is concerned
  bool changed;     // ways have changed: so are all who are on one,
  bool called;      // and some who stay are called
  int32_t patience; // steps: whoever has been held up for a multiple of them looks for another
                    // place; 0: nobody
  int64_t step;
};

INLINE bool patience_ends(const struct concern *c, const struct agents *a, int64_t i)
{
  return c->patience > 0 && a->held[i] > 0 && a->held[i] % c->patience == 0;
}

// arrived: has_arrived, which asks only who walks.
INLINE bool is_concerned(const struct concern *c, const struct agents *a, int64_t i, bool arrived)
{
  const int32_t doing = a->doing[i];
  if (arrived)
    return true;
  if (!c->journeys || doing == DOING_REACT)
    return false;
  if (doing == DOING_WALK)
    return a->stage[i] >= 0 && a->target[i] >= 0 && (c->changed || patience_ends(c, a, i));
  return doing != DOING_STAY || c->called || c->step >= a->until[i];
}
