// The half-planes of one neighbour and of walls against their definitions: supporting lines of a
// convex velocity obstacle, and bodies that do not meet. One lane; test_orca_lanes.c has the rest.
#include "oracle.h"
#include "reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static float f(uint64_t *r, double low, double high)
{
  return (float)oracle_between(r, low, high);
}

static struct scalar_pair random_pair(uint64_t *r)
{
  const double angle = oracle_between(r, 0, 6.283185307179586), away = oracle_between(r, 0.01, 6);
  return (struct scalar_pair){.px = (float)(away * cos(angle)),
                              .py = (float)(away * sin(angle)),
                              .radius = f(r, 0.1, 1),
                              .own_x = f(r, -2, 2),
                              .own_y = f(r, -2, 2),
                              .other_x = f(r, -2, 2),
                              .other_y = f(r, -2, 2),
                              .far = 1 / f(r, 0.5, 10),
                              .near = 1 / 0.1f,
                              .share = oracle_whole(r, 0, 3) ? 0.5f : 1.0f,
                              .tie_x = 1};
}

static struct scalar_pair other_side(struct scalar_pair p)
{
  return (struct scalar_pair){-p.px,   -p.py, p.radius, p.other_x, p.other_y, p.own_x,
                              p.own_y, p.far, p.near,   p.share,   -p.tie_x,  -p.tie_y};
}

static void assert_unit(struct scalar_half_plane h)
{
  cr_assert(isfinite(h.b) && fabs(hypot(h.nx, h.ny) - 1) < 1e-5, "n = (%g %g) b = %g", (double)h.nx,
            (double)h.ny, (double)h.b);
}

static bool overlapping(const struct scalar_pair *p)
{
  return hypot(p->px, p->py) <= p->radius;
}

// The half-plane leans on the velocity obstacle where the relative velocity is nearest to its
// boundary, moved by our share of the way there.
static void assert_tangent(const struct scalar_pair *p, double tolerance)
{
  const double at[1][2] = {{p->px, p->py}};
  const double v[2] = {(double)p->own_x - p->other_x, (double)p->own_y - p->other_y};
  const bool overlap = overlapping(p);
  const double inv_horizon = overlap ? p->near : p->far;
  const struct scalar_half_plane h = scalar_orca_agent(p);
  assert_unit(h);
  const double n[2] = {h.nx, h.ny};
  const double support = oracle_support(at, 1, p->radius, inv_horizon, n);
  cr_assert(overlap || support <= tolerance, "the line cuts the obstacle: %g", support);
  const double u = support - n[0] * v[0] - n[1] * v[1];
  const double least = oracle_depth(at, 1, p->radius, inv_horizon, overlap, v);
  cr_assert(fabs(u - least) <= tolerance, "u = %.9g, least %.9g", u, least);
  const double b = n[0] * p->own_x + n[1] * p->own_y + p->share * least;
  cr_assert(fabs(h.b - b) <= tolerance, "b = %.9g, should be %.9g", (double)h.b, b);
}

Test(orca, a_half_plane_leans_on_the_velocity_obstacle_nearest_to_v)
{
  uint64_t r = 1;
  int together = 0;
  for (int c = 0; c < 4000; c++) {
    const struct scalar_pair p = random_pair(&r);
    assert_tangent(&p, 1e-4);
    together += overlapping(&p);
  }
  cr_assert(together > 100 && together < 3000);
}

// On the axis, on a leg, on the cut-off circle, at the ends of its arc.
Test(orca, a_half_plane_leans_on_the_velocity_obstacle_at_its_corners_too)
{
  for (int ring = 0; ring < 24; ring++)
    for (int kind = 0; kind < 40; kind++) {
      const double angle = 6.283185307179586 * ring / 24, away = 1 + 0.25 * (kind % 4);
      const double tau = 2, radius = 0.5, alpha = asin(radius / away);
      const double tilt = (kind / 4 % 5 - 2) / 2.0 * alpha; // axis, middle, legs
      const double speed = (away - radius * (kind / 20)) / tau * (kind % 3 ? 1 : 2);
      const struct scalar_pair p = {.px = (float)(away * cos(angle)),
                                    .py = (float)(away * sin(angle)),
                                    .radius = (float)radius,
                                    .own_x = (float)(speed * cos(angle + tilt)),
                                    .own_y = (float)(speed * sin(angle + tilt)),
                                    .far = (float)(1 / tau),
                                    .near = 10,
                                    .share = 0.5f,
                                    .tie_x = 1};
      assert_tangent(&p, 1e-4);
    }
}

static void random_permitted(uint64_t *r, struct scalar_half_plane h, double v[2])
{
  const double out = oracle_whole(r, 0, 1) ? 0 : oracle_between(r, 0, 2);
  const double along = oracle_between(r, -3, 3);
  v[0] = (h.b + out) * h.nx + along * h.ny;
  v[1] = (h.b + out) * h.ny - along * h.nx;
}

Test(orca, two_who_keep_to_their_halves_do_not_meet_before_the_horizon)
{
  uint64_t r = 2;
  for (int c = 0; c < 20000; c++) {
    struct scalar_pair p = random_pair(&r);
    p.share = 0.5f;
    const struct scalar_pair q = other_side(p);
    const bool overlap = overlapping(&p);
    double a[2], b[2];
    random_permitted(&r, scalar_orca_agent(&p), a);
    random_permitted(&r, scalar_orca_agent(&q), b);
    const double at[2] = {p.px, p.py}, v[2] = {b[0] - a[0], b[1] - a[1]};
    const double then[2] = {at[0] + v[0] / p.near, at[1] + v[1] / p.near};
    const double gap = overlap ? hypot(then[0], then[1]) : oracle_closest(at, v, 1 / p.far);
    cr_assert(gap >= p.radius - 1e-4, "%g m apart, radii %g", gap, (double)p.radius);
  }
}

Test(orca, who_takes_all_of_it_avoids_one_who_does_nothing)
{
  uint64_t r = 3;
  for (int c = 0; c < 20000; c++) {
    struct scalar_pair p = random_pair(&r);
    p.share = 1;
    double a[2];
    random_permitted(&r, scalar_orca_agent(&p), a);
    const double at[2] = {p.px, p.py}, v[2] = {p.other_x - a[0], p.other_y - a[1]};
    const double then[2] = {at[0] + v[0] / p.near, at[1] + v[1] / p.near};
    const double gap = overlapping(&p) ? hypot(then[0], then[1]) : oracle_closest(at, v, 1 / p.far);
    cr_assert(gap >= p.radius - 1e-4, "%g m apart, radii %g", gap, (double)p.radius);
  }
}

Test(orca, two_in_one_place_with_one_velocity_part_in_opposite_directions)
{
  const float velocities[][2] = {{0, 0}, {1.25f, -0.5f}};
  for (int c = 0; c < 2; c++) {
    struct scalar_pair p = {.radius = 0.5f, .far = 0.5f, .near = 10, .share = 0.5f};
    p.own_x = p.other_x = velocities[c][0];
    p.own_y = p.other_y = velocities[c][1];
    p.tie_x = 0.6f;
    p.tie_y = 0.8f;
    const struct scalar_pair q = other_side(p);
    cr_assert(scalar_orca_agent_open(&p) && scalar_orca_agent_open(&q));
    const struct scalar_half_plane a = scalar_orca_agent(&p), b = scalar_orca_agent(&q);
    assert_unit(a);
    cr_assert(a.nx == p.tie_x && a.ny == p.tie_y && b.nx == -a.nx && b.ny == -a.ny);
    // Half of what parts them in one step.
    const double free = a.nx * (double)p.own_x + a.ny * (double)p.own_y;
    cr_assert(fabs(a.b - free - 0.5 * 0.5 * 10) < 1e-5);
  }
}

Test(orca, open_is_exactly_where_no_side_is_nearer)
{
  uint64_t r = 4;
  for (int c = 0; c < 10000; c++) {
    struct scalar_pair p = random_pair(&r);
    if (c % 2) // v at the centre of the cut-off, as float has it
      p.own_x = p.px * p.far, p.own_y = p.py * p.far, p.other_x = p.other_y = 0;
    if (c % 2 && overlapping(&p))
      p.own_x = p.px * p.near, p.own_y = p.py * p.near;
    const struct scalar_pair q = other_side(p);
    cr_assert_eq(scalar_orca_agent_open(&p), c % 2);
    cr_assert_eq(scalar_orca_agent_open(&q), c % 2);
    assert_unit(scalar_orca_agent(&p));
  }
}

Test(orca, the_ugliest_pairs_have_finite_half_planes)
{
  const float places[] = {0, 0x1p-16f, 0.5f, 1, 300, 32768}, radii[] = {0, 0.5f, 1, 128};
  const float speeds[] = {0, 0x1p-20f, -1, 64};
  for (size_t c = 0; c < 6 * 6 * 4 * 4 * 4; c++) {
    const size_t x = c % 6, y = c / 6 % 6, radius = c / 36 % 4, own = c / 144 % 4, other = c / 576;
    const struct scalar_pair p = {.px = places[x],
                                  .py = places[y],
                                  .radius = radii[radius],
                                  .own_x = speeds[own],
                                  .other_x = speeds[other],
                                  .own_y = speeds[(own + 1) % 4],
                                  .far = 0.1f,
                                  .near = 10,
                                  .share = 0.5f,
                                  .tie_y = 1};
    assert_unit(scalar_orca_agent(&p));
  }
}

Test(orca, head_on_and_touching_exactly_each_keeps_back)
{
  const struct scalar_pair head_on = {.px = 4,
                                      .radius = 0.5f,
                                      .own_x = 1.3f,
                                      .other_x = -1.3f,
                                      .far = 0.5f,
                                      .near = 10,
                                      .share = 0.5f,
                                      .tie_x = 1};
  assert_tangent(&head_on, 1e-5);
  struct scalar_pair touching = head_on;
  touching.px = touching.radius; // as near as can be: parted within a step
  assert_tangent(&touching, 1e-5);
  const struct scalar_half_plane h = scalar_orca_agent(&touching);
  cr_assert(h.nx < -0.99f);
}

// --- walls ---

#define CORNERS 12

struct solid { // a counter-clockwise outline, metres from the agent
  int count;
  double p[CORNERS][2];
};

static double cross(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static struct scalar_wall wall_of(const struct solid *s, int i)
{
  const double *a = s->p[i], *b = s->p[(i + 1) % s->count];
  const double *z = s->p[(i + s->count - 1) % s->count], *c = s->p[(i + 2) % s->count];
  const double ab = hypot(b[0] - a[0], b[1] - a[1]), za = hypot(a[0] - z[0], a[1] - z[1]);
  const double bc = hypot(c[0] - b[0], c[1] - b[1]);
  return (struct scalar_wall){.ax = (float)a[0],
                              .ay = (float)a[1],
                              .bx = (float)b[0],
                              .by = (float)b[1],
                              .along_x = (float)((b[0] - a[0]) / ab),
                              .along_y = (float)((b[1] - a[1]) / ab),
                              .before_x = (float)((a[0] - z[0]) / za),
                              .before_y = (float)((a[1] - z[1]) / za),
                              .after_x = (float)((c[0] - b[0]) / bc),
                              .after_y = (float)((c[1] - b[1]) / bc),
                              .convex_a = cross(z, a, b) >= 0,
                              .convex_b = cross(a, b, c) >= 0};
}

static const double origin[2] = {0, 0};

static double distance_to_wall(const struct solid *s, int i, const double to[2])
{
  return oracle_segments_distance(origin, to, s->p[i], s->p[(i + 1) % s->count]);
}

// What a backend does: the walls that face the agent, nearest first, less those covered.
static int half_planes_of(const struct solid *s, float radius, const float v[2], float inv_horizon,
                          struct scalar_half_plane *h)
{
  int order[CORNERS], count = 0, made = 0;
  for (int i = 0; i < s->count; i++)
    if (cross(s->p[i], s->p[(i + 1) % s->count], origin) < 0)
      order[count++] = i;
  for (int i = 1; i < count; i++)
    for (int j = i;
         j > 0 && distance_to_wall(s, order[j], origin) < distance_to_wall(s, order[j - 1], origin);
         j--) {
      const int other = order[j];
      order[j] = order[j - 1];
      order[j - 1] = other;
    }
  for (int i = 0; i < count; i++) {
    const struct scalar_wall w = wall_of(s, order[i]);
    if (!scalar_wall_covered(&w, radius, inv_horizon, h, made))
      h[made++] = scalar_wall(&w, radius, v[0], v[1], inv_horizon);
  }
  return made;
}

static void star(uint64_t *r, struct solid *s, int count, double away) // round (away, 0), turned
{
  const double turned = oracle_between(r, 0, 6.283185307179586);
  s->count = count;
  for (int i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * i / count, size = oracle_between(r, 0.5, 3);
    const double x = away + size * cos(angle), y = size * sin(angle);
    s->p[i][0] = cos(turned) * x - sin(turned) * y;
    s->p[i][1] = sin(turned) * x + cos(turned) * y;
    for (int e = 0; e < 2; e++)
      s->p[i][e] = (float)s->p[i][e];
  }
}

static double clearance(const struct solid *s, const double to[2])
{
  double least = INFINITY;
  for (int i = 0; i < s->count; i++)
    least = fmin(least, distance_to_wall(s, i, to));
  return least;
}

static bool holds_origin(const struct solid *s)
{
  bool odd = false;
  for (int i = 0, j = s->count - 1; i < s->count; j = i++)
    if ((s->p[i][1] > 0) != (s->p[j][1] > 0))
      odd ^= (s->p[i][1] > s->p[j][1]) == (cross(s->p[j], s->p[i], origin) > 0);
  return odd;
}

static bool all_permit(const struct scalar_half_plane *h, int count, const double v[2])
{
  for (int i = 0; i < count; i++)
    if (h[i].b - h[i].nx * v[0] - h[i].ny * v[1] > 0)
      return false;
  return true;
}

Test(orca, whatever_all_walls_permit_keeps_off_them_until_the_horizon)
{
  uint64_t r = 5;
  int tried = 0;
  for (int c = 0; c < 4000; c++) {
    struct solid s;
    struct scalar_half_plane h[CORNERS];
    const float radius = f(&r, 0.1, 0.5), tau = f(&r, 0.5, 3), v[2] = {f(&r, -2, 2), f(&r, -2, 2)};
    star(&r, &s, oracle_whole(&r, 3, CORNERS), oracle_between(&r, 1, 5));
    if (holds_origin(&s) || clearance(&s, origin) <= radius + 1e-3)
      continue;
    const int count = half_planes_of(&s, radius, v, 1 / tau, h);
    for (int i = 0; i < count; i++)
      cr_assert(h[i].b == -1 || fabs(hypot(h[i].nx, h[i].ny) - 1) < 1e-5);
    for (int t = 0; t < 50; t++) {
      double w[2] = {oracle_between(&r, -2, 2), oracle_between(&r, -2, 2)};
      if (!all_permit(h, count, w))
        continue;
      tried++;
      const double to[2] = {w[0] * tau, w[1] * tau};
      cr_assert(clearance(&s, to) >= radius - 1e-3,
                "case %d: comes within %g m of a wall, radius %g, v (%g %g)", c, clearance(&s, to),
                (double)radius, w[0], w[1]);
    }
  }
  cr_assert(tried > 10000);
}

// A wall that stands alone is a convex body: its half-plane is a supporting line, and the best.
static void assert_wall_tangent(const double a[2], const double b[2], float radius, float tau,
                                const float v[2], bool best)
{
  const struct solid s = {2, {{a[0], a[1]}, {b[0], b[1]}}}; // there and back again
  const struct scalar_wall w = wall_of(&s, 0);
  const struct scalar_half_plane h = scalar_wall(&w, radius, v[0], v[1], 1 / tau);
  assert_unit(h);
  const double n[2] = {h.nx, h.ny}, speed[2] = {v[0], v[1]};
  const double support = oracle_support(s.p, 2, radius, 1 / tau, n);
  cr_assert(support <= 1e-3, "the line cuts the obstacle: %g", support);
  cr_assert(fabs(h.b - support) < 2e-3, "b = %g, the supporting line has %g", (double)h.b, support);
  const double u = support - n[0] * speed[0] - n[1] * speed[1];
  const double least = oracle_depth(s.p, 2, radius, 1 / tau, false, speed);
  cr_assert(!best || u <= least + 5e-3, "a (%g %g) b (%g %g) r %g tau %g v (%g %g): %g, least %g",
            a[0], a[1], b[0], b[1], (double)radius, (double)tau, speed[0], speed[1], u, least);
}

Test(orca, the_half_plane_of_a_lone_wall_leans_on_its_velocity_obstacle)
{
  uint64_t r = 6;
  for (int c = 0; c < 4000; c++) {
    const double angle = oracle_between(&r, 0, 6.283185307179586);
    const double west = oracle_between(&r, -4, 4), east = west + oracle_between(&r, 0.1, 5);
    const float radius = f(&r, 0.1, 0.5), tau = f(&r, 0.5, 3), v[2] = {f(&r, -2, 2), f(&r, -2, 2)};
    const double north = oracle_between(&r, 0.01, 3);
    double a[2] = {west, north}, b[2] = {east, north};
    if (oracle_segments_distance(origin, origin, a, b) <= radius + 1e-2)
      continue;
    for (int e = 0; e < 2; e++) { // solid is on the left of a -> b, the agent on the right
      double *p = e ? b : a;
      const double x = p[0], y = p[1];
      p[0] = (float)(cos(angle) * x - sin(angle) * y);
      p[1] = (float)(sin(angle) * x + cos(angle) * y);
    }
    assert_wall_tangent(a, b, radius, tau, v, true);
  }
}

Test(orca, a_wall_out_of_reach_does_not_bind)
{
  uint64_t r = 7;
  for (int c = 0; c < 2000; c++) {
    struct solid s;
    struct scalar_half_plane h[CORNERS];
    const float radius = 0.25f, tau = f(&r, 0.5, 3), v[2] = {f(&r, -1, 1), f(&r, -1, 1)};
    star(&r, &s, oracle_whole(&r, 3, CORNERS), oracle_between(&r, 8, 12));
    const int count = half_planes_of(&s, radius, v, 1 / tau, h);
    const double slow = (clearance(&s, origin) - radius) / tau - 1e-3;
    for (int t = 0; t < 16; t++) { // nothing slower than this can touch: the line may not cut it
      const double w[2] = {slow * cos(t * 0.392699), slow * sin(t * 0.392699)};
      const double wished[2] = {v[0], v[1]};
      if (hypot(wished[0], wished[1]) < slow)
        cr_assert(all_permit(h, count, wished));
      cr_assert(clearance(&s, (double[2]){w[0] * tau, w[1] * tau}) >= radius);
    }
  }
}

Test(orca, who_touches_a_wall_may_only_go_away_from_it)
{
  uint64_t r = 8;
  int touched = 0;
  for (int c = 0; c < 20000; c++) {
    struct solid s;
    struct scalar_half_plane h[CORNERS];
    const float radius = f(&r, 0.3, 1), v[2] = {f(&r, -1, 1), f(&r, -1, 1)};
    star(&r, &s, oracle_whole(&r, 3, CORNERS), oracle_between(&r, 1, 3));
    const double now = clearance(&s, origin);
    if (holds_origin(&s) || now >= radius - 1e-3 || now < 0.05)
      continue;
    touched++;
    const int count = half_planes_of(&s, radius, v, 1, h);
    for (int t = 0; t < 20; t++) {
      const double w[2] = {oracle_between(&r, -1, 1), oracle_between(&r, -1, 1)};
      const double to[2] = {w[0] * 0.01, w[1] * 0.01};
      if (all_permit(h, count, w))
        cr_assert(clearance(&s, to) >= now - 2e-4, "case %d: %g m away, then %g", c, now,
                  clearance(&s, to));
    }
  }
  cr_assert(touched > 300);
}
