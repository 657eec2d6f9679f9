// Smooth noise of the cost of a metre: with it, fields of one destination lead along different
// routes of similar length (route choice by perturbed costs; Sheffi, Powell 1982 perturb links).
//
// A metre costs 1 + share n(x, y) times as much. n, in [0, 1), is value noise: random at the
// corners of squares of COST_NOISE_LENGTH, and in between interpolated by 3 t^2 - 2 t^3 along both
// axes. It depends on the seed, the route and the place alone. Only + - * / of doubles: the same
// costs on every machine.
#pragma once
#include "nav_grid.h"

#define COST_NOISE_LENGTH 50 // m, as long as a block of houses

struct cost_noise {
  uint64_t seed;
  int32_t route; // of several to one destination, each with noise of its own
  double share;  // of the cost of a metre, at most
  double metre;  // quanta
};

// Adds noise to cost[cells] (field.h) in a square of cells.
void cost_noise_add(const struct cost_noise *noise, const struct nav_grid *g, int64_t square,
                    uint16_t *cost);
