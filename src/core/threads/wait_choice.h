// Whether the threads of loops spin or sleep while they wait for each other. Where other programs
// keep a thread from running, one that spins holds a core that the other needs. Where each thread
// has a core, spinning is faster.
#pragma once
#include <stdbool.h>

struct wait_choice { // all 0: they spin, and nothing is known
  bool sleeps;
  bool tries;             // since the last call, the other way than before
  double step_seconds[2]; // [sleeps]: in the last period; 0: unknown
  double next_trial;      // at this time or later, s
  double between_trials;  // s; 0: the least
};

// Changes it after a period of steps, if that is due. kept: for which share of the period a thread
// waited for a core. step_seconds: mean; 0: unknown. now: s, from any start.
void wait_choice_next(struct wait_choice *c, double kept, double step_seconds, double now);
