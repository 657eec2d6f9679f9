// How long the steps of a run took, with the files written after them but without checkpoints: a
// histogram, since a run may have any number of steps.
#pragma once
#include <stdint.h>
#include <stdio.h>

#define STEP_TIMES_LEAST 1e-6 // s: upper limit of the first bin
#define STEP_TIMES_RATIO 1.05 // of the limits of two bins
#define STEP_TIMES_BINS  480  // up to 4 hours

struct step_times {
  int64_t bins[STEP_TIMES_BINS];
  int64_t steps;
  double longest;       // s
  int64_t longest_step; // its number
};

void step_times_add(struct step_times *t, int64_t step, double seconds);
// The time that `share` of the steps do not exceed, s: the limit of a bin, at most 5 % too long. 0
// without steps.
double step_times_quantile(const struct step_times *t, double share);
// A JSON object: median, 99 %, longest and the bins that have steps.
void step_times_write(const struct step_times *t, FILE *file);
