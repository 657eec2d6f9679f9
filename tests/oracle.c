#include "oracle.h"

#include <math.h>

uint64_t oracle_word(uint64_t *state)
{
  uint64_t h = *state += 0x9e3779b97f4a7c15u;
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

double oracle_between(uint64_t *state, double low, double high)
{
  return low + (high - low) * ((double)(oracle_word(state) >> 11) * 0x1p-53);
}

int32_t oracle_whole(uint64_t *state, int32_t low, int32_t high)
{
  const uint64_t range = (uint64_t)((int64_t)high - low) + 1;
  return (int32_t)(low + (int64_t)(oracle_word(state) % range));
}

double oracle_violation(const struct oracle_plane *h, const double v[2])
{
  return h->b - h->nx * v[0] - h->ny * v[1];
}

double oracle_max_violation(const struct oracle_plane *h, int count, const double v[2])
{
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, oracle_violation(&h[i], v));
  return most;
}

struct search {
  const struct oracle_plane *h;
  int count;
  double slack, speed;
  const double *preferred;
  double *best;
  double distance; // of the best so far
};

static void try_velocity(struct search *s, double x, double y)
{
  const double v[2] = {x, y};
  const double distance = hypot(x - s->preferred[0], y - s->preferred[1]);
  if (distance >= s->distance || hypot(x, y) > s->speed + 1e-9)
    return;
  for (int i = 0; i < s->count; i++)
    if (oracle_violation(&s->h[i], v) - s->slack > 1e-9)
      return;
  s->distance = distance;
  s->best[0] = x;
  s->best[1] = y;
}

static void try_line(struct search *s, int i)
{
  const double nx = s->h[i].nx, ny = s->h[i].ny, n2 = nx * nx + ny * ny;
  if (n2 < 0.25)
    return; // a degenerate plane: always or never satisfied
  const double b = s->h[i].b - s->slack, lack = b - nx * s->preferred[0] - ny * s->preferred[1];
  try_velocity(s, s->preferred[0] + lack / n2 * nx, s->preferred[1] + lack / n2 * ny);
  const double half = sqrt(fmax(0, s->speed * s->speed - b * b / n2));
  for (int side = -1; side <= 1; side += 2)
    try_velocity(s, b / n2 * nx + side * half * ny / sqrt(n2),
                 b / n2 * ny - side * half * nx / sqrt(n2));
  for (int j = 0; j < i; j++) {
    const double mx = s->h[j].nx, my = s->h[j].ny, c = s->h[j].b - s->slack;
    const double cross = nx * my - ny * mx;
    if (cross != 0)
      try_velocity(s, (b * my - c * ny) / cross, (nx * c - mx * b) / cross);
  }
}

bool oracle_nearest_permitted(const struct oracle_plane *h, int count, double slack, double speed,
                              const double preferred[2], double best[2])
{
  struct search s = {h, count, slack, speed, preferred, best, INFINITY};
  const double length = hypot(preferred[0], preferred[1]);
  const double scale = length > speed ? speed / length : 1;
  try_velocity(&s, scale * preferred[0], scale * preferred[1]);
  for (int i = 0; i < count; i++)
    try_line(&s, i);
  return isfinite(s.distance);
}

double oracle_support(const double (*p)[2], int count, double radius, double inv_horizon,
                      const double n[2])
{
  double most = -INFINITY;
  for (int i = 0; i < count; i++)
    most = fmax(most, n[0] * p[i][0] + n[1] * p[i][1]);
  return (most + radius) * inv_horizon;
}

struct body {
  const double (*p)[2];
  int count;
  double radius, inv_horizon;
  bool alone;
  const double *v;
};

static double depth_along(const struct body *o, double angle)
{
  const double n[2] = {cos(angle), sin(angle)};
  const double b = oracle_support(o->p, o->count, o->radius, o->inv_horizon, n);
  return !o->alone && b > 0 ? INFINITY : b - n[0] * o->v[0] - n[1] * o->v[1];
}

double oracle_depth(const double (*p)[2], int count, double radius, double inv_horizon,
                    bool body_alone, const double v[2])
{
  const struct body o = {p, count, radius, inv_horizon, body_alone, v};
  enum { STEPS = 360 };
  double least[3] = {INFINITY, INFINITY, INFINITY}, at[3] = {0, 0, 0}; // three best directions
  for (int i = 0; i < STEPS; i++) {
    double angle = 2 * 3.14159265358979323846 * i / STEPS, depth = depth_along(&o, angle);
    for (int k = 0; k < 3; k++)
      if (depth < least[k]) {
        const double d = least[k], a = at[k];
        least[k] = depth;
        at[k] = angle;
        depth = d;
        angle = a;
      }
  }
  double best = INFINITY;
  for (int k = 0; k < 3; k++) // a pattern search passes kinks and forbidden directions
    for (double step = 0.02; isfinite(least[k]) && step > 1e-9; step /= 2)
      for (int again = 0; again < 4; again++)
        for (int side = -1; side <= 1; side += 2)
          if (depth_along(&o, at[k] + side * step) < least[k]) {
            at[k] += side * step;
            least[k] = depth_along(&o, at[k]);
          }
  for (int k = 0; k < 3; k++)
    best = fmin(best, least[k]);
  return best;
}

double oracle_closest(const double p[2], const double v[2], double horizon)
{
  const double v2 = v[0] * v[0] + v[1] * v[1];
  double t = v2 > 0 ? -(p[0] * v[0] + p[1] * v[1]) / v2 : 0;
  t = fmin(fmax(t, 0), horizon);
  return hypot(p[0] + t * v[0], p[1] + t * v[1]);
}

static double point_segment(const double p[2], const double a[2], const double b[2])
{
  const double from[2] = {a[0] - p[0], a[1] - p[1]}, line[2] = {b[0] - a[0], b[1] - a[1]};
  return oracle_closest(from, line, 1);
}

double oracle_segments_distance(const double a[2], const double b[2], const double c[2],
                                const double d[2])
{
  const double abx = b[0] - a[0], aby = b[1] - a[1], cdx = d[0] - c[0], cdy = d[1] - c[1];
  const double cross = abx * cdy - aby * cdx, acx = c[0] - a[0], acy = c[1] - a[1];
  if (cross != 0) {
    const double t = (acx * cdy - acy * cdx) / cross, u = (acx * aby - acy * abx) / cross;
    if (t >= 0 && t <= 1 && u >= 0 && u <= 1)
      return 0;
  }
  return fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
              fmin(point_segment(c, a, b), point_segment(d, a, b)));
}

// The product of two floats is exact in double, so each cast below rounds as float arithmetic does.
double oracle_float_distance2(int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
  const double dx = (float)((double)ax - bx), dy = (float)((double)ay - by);
  const double xx = (float)(dx * dx), yy = (float)(dy * dy);
  return (float)(xx + yy);
}

int oracle_nearest(int count, const int32_t *x, const int32_t *y, const int64_t *id, int self,
                   int32_t px, int32_t py, int k, double range2, int *found)
{
  int have = 0;
  for (; have < k; have++) {
    int best = -1;
    double best_d2 = range2;
    for (int i = 0; i < count; i++) {
      bool taken = i == self;
      for (int f = 0; f < have; f++)
        taken |= found[f] == i;
      const double d2 = taken ? INFINITY : oracle_float_distance2(px, py, x[i], y[i]);
      if (d2 < best_d2 || (best >= 0 && d2 == best_d2 && id[i] < id[best])) {
        best = i;
        best_d2 = d2;
      }
    }
    if (best < 0)
      break;
    found[have] = best;
  }
  return have;
}

__extension__ typedef __int128 wide;

static int turn(const int32_t a[2], const int32_t b[2], const int32_t c[2]) // 1: to the left
{
  const wide area =
      ((wide)b[0] - a[0]) * ((wide)c[1] - a[1]) - ((wide)b[1] - a[1]) * ((wide)c[0] - a[0]);
  return (area > 0) - (area < 0);
}

static bool holds(const int32_t a[2], const int32_t b[2], const int32_t p[2])
{
  if (turn(a, b, p) != 0)
    return false;
  for (int e = 0; e < 2; e++)
    if ((p[e] < a[e] && p[e] < b[e]) || (p[e] > a[e] && p[e] > b[e]))
      return false;
  return true;
}

bool oracle_segments_meet(const int32_t a[2], const int32_t b[2], const int32_t c[2],
                          const int32_t d[2])
{
  if (holds(a, b, c) || holds(a, b, d) || holds(c, d, a) || holds(c, d, b))
    return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

int oracle_inside(int count, const int32_t *x, const int32_t *y, int32_t px, int32_t py)
{
  const int32_t p[2] = {px, py};
  bool odd = false;
  for (int i = 0, j = count - 1; i < count; j = i++) {
    const int32_t a[2] = {x[j], y[j]}, b[2] = {x[i], y[i]};
    if (holds(a, b, p))
      return 0;
    // Counts the edges that a ray from p to the west crosses.
    if ((a[1] <= py) != (b[1] <= py)) {
      const wide edge = ((wide)b[0] - a[0]) * ((wide)py - a[1]);
      const wide point = ((wide)px - a[0]) * ((wide)b[1] - a[1]);
      odd ^= b[1] > a[1] ? edge < point : edge > point;
    }
  }
  return odd ? 1 : -1;
}
