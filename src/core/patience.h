// Who is held up for long steps aside.
//
// Velocity obstacles dead-lock in symmetric scenes (eight people on a circle, each wishing for the
// opposite place) and at mutual bottlenecks. Whoever has walked slower than a tenth of the
// preferred speed for `limit` steps on end turns the wish by up to 45 degrees to either side, drawn
// anew every second or so from (seed, id), until there is progress. Without such people nothing is
// changed.
#pragma once
#include "agents.h"

#define PATIENCE_ENDLESS 0 // as limit: nobody ever steps aside

// After the preferred velocities are set: counts `held` on and turns the wishes of the impatient.
void patience_apply(struct agents *a, uint64_t seed, int64_t step, int32_t limit);
