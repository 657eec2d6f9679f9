// The standard crowds of benches and tests: made of (seed, id) alone.
#pragma once
#include "agents.h"
#include "world.h"

// `count` people in a square at `density` per m^2 round the origin of open ground: a jittered
// grid, radius .25 m, preferred speed 1.3 m/s straight to a random goal in the square.
// Appends the agents with ids [first, end).
void standard_crowds_square(struct agents *a, const struct frame *frame, uint64_t seed,
                            int64_t count, double density, int64_t first, int64_t end);
struct box standard_crowds_square_bounds(const struct frame *frame, int64_t count, double density);

// Makes everybody different: radius .2 to .3 m, speed 1 to 1.6 m/s, horizon 1 to 3 s.
void standard_crowds_mix(struct agents *a, uint64_t seed);

// Where `count` people of 30 clusters stand: x[count], y[count], quanta, the k-th cluster with 1/k
// of the first one's people. In the middle of each 5 stand on a m^2, and (1 + (r / a)^2)^-2 as many
// at r from it, up to 10 a (in an overlap there are more). The middles lie at random in a square
// with 1/4 person to a m^2.
void standard_crowds_clusters(int32_t *x, int32_t *y, const struct frame *frame, uint64_t seed,
                              int64_t count);
double
standard_crowds_clusters_half(int64_t count); // m: nobody is further from the origin in x or y
