// Who is held up for long steps aside.
//
// Velocity obstacles dead-lock in symmetric scenes: four people who meet in the middle leave each
// other nothing but standing still, whatever they wish ahead. Whoever has walked slower than a
// tenth of the preferred speed for `limit` steps on end turns the wish to anywhere, backwards too,
// for a second or so, by (seed, id, step); and, still held up, again after as many steps. Without
// such people nothing is changed.
#pragma once
#include "agents.h"

#define DEADLOCK_NEVER 0 // as limit: nobody ever steps aside

// After the preferred velocities are set: counts `held` on and turns the wishes of the impatient.
void deadlock_apply(struct agents *a, uint64_t seed, int64_t step, int32_t timeout);
