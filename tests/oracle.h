// The judges of the core: slow, in double precision or exact integers, written from the
// definitions and not from the code they judge.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Numbers for tests: SplitMix64, its state in *state.
uint64_t oracle_word(uint64_t *state);
double oracle_between(uint64_t *state, double low, double high);
int32_t oracle_whole(uint64_t *state, int32_t low, int32_t high); // low .. high inclusive

// The nearest permitted velocity, by trying every candidate there is: the clipped wish, its foot
// on every line, every crossing of two lines, every crossing of a line and the circle.
struct oracle_plane {
  double nx, ny, b; // n.v >= b
};
double oracle_violation(const struct oracle_plane *h, const double v[2]);
double oracle_max_violation(const struct oracle_plane *h, int count, const double v[2]); // >= 0
// Each plane asks `slack` less than it says. False when nothing is permitted.
bool oracle_nearest_permitted(const struct oracle_plane *h, int count, double slack, double speed,
                              const double wish[2], double best[2]);

// A velocity obstacle made by a convex body: the points p[count], grown by `radius`, at a distance
// now, are met within 1 / hurry. As a convex set it is known by its supporting lines:
// n.v = b(n) = max n.p hurry + radius hurry over the unit normals n with b(n) <= 0, or over all
// normals for the body alone (no time before the horizon).
double oracle_support(const double (*p)[2], int count, double radius, double inv_horizon,
                      const double n[2]);
// The least b(n) - n.v: how deep v is inside (> 0) or how far outside (< 0).
double oracle_depth(const double (*p)[2], int count, double radius, double inv_horizon,
                    bool body_alone, const double v[2]);

// The least distance of the origin to p + v t for t in [0, horizon].
double oracle_closest(const double p[2], const double v[2], double horizon);
double oracle_segments_distance(const double a[2], const double b[2], const double c[2],
                                const double d[2]);

// All pairs: the k nearest points to (x, y) within root range2 by (float distance^2, id), without
// `self`. Returns how many; indices in found.
int oracle_nearest(int count, const int32_t *x, const int32_t *y, const int64_t *id, int self,
                   int32_t px, int32_t py, int k, double range2, int *found);
// The squared distance as float arithmetic has it: differences, squares and sum rounded once each.
double oracle_float_distance2(int32_t ax, int32_t ay, int32_t bx, int32_t by);

// Exact. -1 outside of, 0 on, 1 inside the closed line (x, y)[count], of either orientation.
int oracle_inside(int count, const int32_t *x, const int32_t *y, int32_t px, int32_t py);
// Exact: do the two closed segments share a point?
bool oracle_segments_meet(const int32_t a[2], const int32_t b[2], const int32_t c[2],
                          const int32_t d[2]);
