// Standard crowds for benchmarks and tests: pure functions of (seed, id).
#pragma once
#include "agents.h"
#include "world.h"

// `count` agents in a square around the origin of open ground: a jittered grid, radius 0.25 m, each
// walks at 1.3 m/s straight to a random goal in the square.
struct square_crowd {
  uint64_t seed;
  int64_t count;
  double density;     // agents/m^2
  int64_t first, end; // ids of the agents to append: those of one rank
};
void standard_crowds_square(struct agents *a, const struct frame *frame,
                            const struct square_crowd *crowd);
struct box standard_crowds_square_bounds(const struct frame *frame, int64_t count, double density);

// Makes the agents heterogeneous: radius 0.2 to 0.3 m, speed 1 to 1.6 m/s, horizon 1 to 3 s.
#define STANDARD_CROWDS_RADIUS_MAX 0.31f // m: nobody is wider
void standard_crowds_mix(struct agents *a, uint64_t seed);

// Positions x[count], y[count], quanta, of `count` agents in 30 clusters; cluster k has 1/k of the
// agents of cluster 1. The density is 5 agents/m^2 at a cluster's centre and falls with the
// distance r as (1 + (r / a)^2)^-2 up to r = 10 a; overlapping clusters add up. The centres are
// random in a square with 1/4 agent per m^2.
void standard_crowds_clusters(int32_t *x, int32_t *y, const struct frame *frame, uint64_t seed,
                              int64_t count);
double standard_crowds_clusters_half(int64_t count); // m: bound of |x| and |y|
