// Durations in seconds as numbers of time steps. The rounding rule is part of the results and of
// the checkpoints: each use keeps its rule. Every result is at most STEP_LIMIT; dt > 0, s.
#pragma once
#include <stdint.h>

#define STEP_LIMIT 2000000000 // agents store step numbers in int32_t

// Nearest number of steps, ties to even; 0 if seconds < dt / 2. For the length of a run.
int64_t steps_nearest(double seconds, double dt);
// Nearest number of steps, but at least 1. For the period of a periodic action.
int64_t steps_period(double seconds, double dt);
// Fewest steps that last `seconds`: the ratio rounded up. Not positive if seconds is not. For
// timeouts and sampled durations.
int64_t steps_at_least(double seconds, double dt);
// As steps_at_least, but at least 1, and without the extra step that the rounding of the ratio
// (below 1e-9) would add: 2.1 s in steps of 0.3 s are 7.
int64_t steps_covering(double seconds, double dt);
