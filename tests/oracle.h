// Reference implementations for the tests of core: slow, in double precision or exact integers,
// written from the definitions and independent of the tested code.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Random numbers for tests: SplitMix64.
uint64_t oracle_word(uint64_t *state);
double oracle_between(uint64_t *state, double low, double high);
int32_t oracle_whole(uint64_t *state, int32_t low, int32_t high); // low .. high inclusive

// The closest permitted velocity by exhaustive search over all candidates: the clipped preferred
// velocity, its projection on every line, every crossing of two lines or of a line and the circle.
struct oracle_plane {
  double nx, ny, b; // n.v >= b
};
double oracle_violation(const struct oracle_plane *h, const double v[2]);
double oracle_max_violation(const struct oracle_plane *h, int count, const double v[2]); // >= 0
// Every plane is relaxed by `slack`. False: no velocity is permitted.
bool oracle_nearest_permitted(const struct oracle_plane *h, int count, double slack, double speed,
                              const double preferred[2], double best[2]);

// The velocity obstacle of a convex body: the velocities that reach the points p[count], inflated
// by `radius`, within 1 / inv_horizon. A convex set is given by its supporting lines n.v = b(n) =
// max n.p inv_horizon + radius inv_horizon, for the unit normals n with b(n) <= 0. body_alone: for
// all normals, which leaves only the cut-off body at the time horizon.
double oracle_support(const double (*p)[2], int count, double radius, double inv_horizon,
                      const double n[2]);
// The minimum of b(n) - n.v: the depth of v inside (> 0) or its distance outside (< 0).
double oracle_depth(const double (*p)[2], int count, double radius, double inv_horizon,
                    bool body_alone, const double v[2]);

// The minimum distance from the origin to p + v t for t in [0, horizon].
double oracle_closest(const double p[2], const double v[2], double horizon);
double oracle_segments_distance(const double a[2], const double b[2], const double c[2],
                                const double d[2]);

// The k nearest points to (px, py) closer than sqrt(range2), sorted by (float distance^2, id),
// except `self`. Writes their indices to found[k] and returns their number.
int oracle_nearest(int count, const int32_t *x, const int32_t *y, const int64_t *id, int self,
                   int32_t px, int32_t py, int k, double range2, int *found);
// The squared distance in float arithmetic: differences, squares and sum are rounded once each.
double oracle_float_distance2(int32_t ax, int32_t ay, int32_t bx, int32_t by);

// Exact. -1 outside, 0 on, 1 inside the polygon (x, y)[count], of either orientation.
int oracle_inside(int count, const int32_t *x, const int32_t *y, int32_t px, int32_t py);
// Exact: the two closed segments share a point.
bool oracle_segments_meet(const int32_t a[2], const int32_t b[2], const int32_t c[2],
                          const int32_t d[2]);
