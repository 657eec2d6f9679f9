// Dissolves deadlocks: an agent that has been blocked for long sidesteps.
//
// Velocity obstacles deadlock in symmetric scenes: four agents that meet in the middle leave each
// other nothing but standing still, whatever velocity ahead they prefer. An agent that has walked
// below a tenth of its preferred speed, or away from where it wants to go, for `timeout` steps in a
// row has its preferred velocity rotated to a random direction, backwards included, by (seed, id,
// step). The sidestep lasts DEADLOCK_SIDESTEP_STEPS; an agent that is still blocked repeats it
// after another `timeout` steps. Agents that are not blocked are not changed.
#pragma once
#include "agents.h"

#define DEADLOCK_NEVER 0 // as timeout: no agent ever sidesteps

struct deadlock_input {
  uint64_t seed;
  int64_t step;
  int32_t timeout; // steps, or DEADLOCK_NEVER
};

// Call it after the preferred velocities are set. Counts `held` and `waited` of the agents [first,
// end) and rotates the preferred velocities of those that sidestep.
void deadlock_apply(struct agents *a, int64_t first, int64_t end, const struct deadlock_input *in);
