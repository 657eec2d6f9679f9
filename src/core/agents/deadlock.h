// Dissolves deadlocks: an agent that has been blocked for long sidesteps.
//
// Velocity obstacles deadlock in symmetric scenes: four agents that meet in the middle leave each
// other nothing but standing still, whatever velocity ahead they prefer. An agent that has walked
// below a tenth of its preferred speed for `timeout` steps in a row has its preferred velocity
// rotated to a random direction, backwards included, by (seed, id, step). The sidestep lasts
// DEADLOCK_SIDESTEP_STEPS; an agent that is still blocked repeats it after another `timeout` steps.
// Agents that are not blocked are not changed.
#pragma once
#include "agents.h"

#define DEADLOCK_NEVER 0 // as timeout: no agent ever sidesteps

// Call it after the preferred velocities are set. Counts `held` and `waited` of the owned agents
// and rotates the preferred velocities of agents that sidestep. timeout: steps, or DEADLOCK_NEVER.
void deadlock_apply(struct agents *a, uint64_t seed, int64_t step, int32_t timeout);
