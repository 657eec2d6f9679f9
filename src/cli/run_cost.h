// What a run will cost: printed by `throng check`.
#pragma once
#include "backend.h"
#include "scenario.h"

struct run_cost {
  int64_t steps;     // at most
  double people;     // who are to be inside at some time
  double least_work; // agent-steps if everybody walks freely
  double most_work;  // agent-steps if everybody stays until the end
  double ns;         // per agent-step on this machine, all threads of this rank together
};

// Takes about a tenth of a second: a small crowd walks by the scenario's avoidance and walking.
struct run_cost run_cost_estimate(const struct scenario *s, const struct backend *backend);
void run_cost_print(const struct run_cost *cost, int ranks, FILE *out);
