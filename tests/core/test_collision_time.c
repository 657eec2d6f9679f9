// Compiled for every width: times to collision against fine steps in time and against one lane.
#include "collision_time.h"

#include "lane_width.h"
#include "oracle.h"
#include "scalar_perception.h"

TestSuite(collision_time, .init = skip_if_too_wide);

struct encounter {
  float wx, wy, px, py, R;
  struct plain_wall wall;
};

static struct encounter random_encounter(uint64_t *r)
{
  struct encounter e = {plain_awkward(r, 2),          plain_awkward(r, 2),
                        plain_awkward(r, 3),          plain_awkward(r, 3),
                        fabsf(plain_awkward(r, 0.8)), plain_random_wall(r, 0, 2)};
  return e;
}

static struct wall_ahead walls_of(const struct encounter *e, real radius)
{
  const vec2 a = {PLAIN_COLUMN(e, wall.ax), PLAIN_COLUMN(e, wall.ay)};
  const vec2 b = {PLAIN_COLUMN(e, wall.bx), PLAIN_COLUMN(e, wall.by)};
  const vec2 line = minus(b, a);
  return wall_ahead_of(a, b, times(splat(1) / square_root(dot(line, line)), line), radius);
}

static void hurries(const struct encounter *e, float disc[LANES], float wall[LANES])
{
  const vec2 w = {PLAIN_COLUMN(e, wx), PLAIN_COLUMN(e, wy)};
  const struct disc_ahead d =
      disc_ahead_of(vec2_of(PLAIN_COLUMN(e, px), PLAIN_COLUMN(e, py)), PLAIN_COLUMN(e, R));
  const struct wall_ahead ahead = walls_of(e, PLAIN_COLUMN(e, R));
  lanes_store(disc, disc_inv_time(&d, w));
  lanes_store(wall, wall_inv_time(&ahead, w));
}

#define HORIZON 8.0

static double disc_distance(const struct encounter *e, double t)
{
  return hypot((double)e->px - t * (double)e->wx, (double)e->py - t * (double)e->wy);
}
static double wall_distance(const struct encounter *e, double t)
{
  const double a[2] = {e->wall.ax, e->wall.ay}, b[2] = {e->wall.bx, e->wall.by};
  const double at[2] = {t * (double)e->wx, t * (double)e->wy};
  return oracle_segments_distance(a, b, at, at);
}

// At the time given they touch, and at no small step before were they nearer.
static void judge(const struct encounter *e, float inv_time,
                  double (*distance)(const struct encounter *, double))
{
  const double R = e->R, speed = hypot((double)e->wx, (double)e->wy);
  cr_assert(isfinite(inv_time) && inv_time >= 0);
  if (distance(e, 0) <= R + 1e-4)
    return; // touching is another law
  const double time = inv_time > 0 ? 1 / (double)inv_time : INFINITY;
  if (time < INFINITY) // the second: rounding of a time far away
    cr_assert(fabs(distance(e, time) - R) < 1e-4 + 1e-5 * speed * time,
              "%g m away after %g s, not %g", distance(e, time), time, R);
  for (double t = 0; t < fmin(time, HORIZON); t += 1.0 / 256)
    cr_assert(distance(e, t) > R - 1e-4, "%g m away after %g s, not %g", distance(e, t), t, R);
}

Test(collision_time, it_is_that_of_fine_steps_in_time)
{
  uint64_t r = 1;
  for (int c = 0; c < 3200; c += LANES) {
    struct encounter e[LANES];
    float disc[LANES], wall[LANES];
    for (int l = 0; l < LANES; l++)
      e[l] = random_encounter(&r);
    hurries(e, disc, wall);
    for (int l = 0; l < LANES; l++) {
      judge(&e[l], disc[l], disc_distance);
      judge(&e[l], wall[l], wall_distance);
    }
  }
}

Test(collision_time, a_lane_has_the_bits_of_one_lane)
{
  uint64_t r = 2;
  for (int c = 0; c < 40000; c += LANES) {
    struct encounter e[LANES];
    float disc[LANES], wall[LANES];
    for (int l = 0; l < LANES; l++)
      e[l] = random_encounter(&r);
    hurries(e, disc, wall);
    for (int l = 0; l < LANES; l++) {
      const float one = scalar_disc_inv_horizon(e[l].wx, e[l].wy, e[l].px, e[l].py, e[l].R);
      const float other = scalar_wall_inv_horizon(&e[l].wall, e[l].wx, e[l].wy, e[l].R);
      cr_assert_eq(memcmp(&one, &disc[l], sizeof one), 0, "disc %a and %a", (double)one,
                   (double)disc[l]);
      cr_assert_eq(memcmp(&other, &wall[l], sizeof one), 0, "wall %a and %a", (double)other,
                   (double)wall[l]);
    }
  }
}

Test(collision_time, what_touches_is_met_now_by_who_gets_closer_and_never_by_who_parts)
{
  for (int part = 0; part < 2; part++) {
    const float w = part ? -1 : 1;
    const float touching = scalar_disc_inv_horizon(w, 0, 0.5f, 0, 0.5f);
    const float inside = scalar_disc_inv_horizon(w, 0.25f, 0.25f, 0, 0.5f);
    const float wall =
        scalar_wall_inv_horizon(&(struct plain_wall){0.25f, 1, 0.25f, -1}, -w, 0, 0.5f);
    const float other =
        scalar_wall_inv_horizon(&(struct plain_wall){-1, 0.25f, 1, 0.25f}, 0, w, 0.5f);
    cr_assert(part ? touching == 0 && inside == 0 && other == 0
                   : touching > 1e6f && inside > 1e6f && other > 1e6f);
    cr_assert(part ? wall > 1e6f : wall == 0);
  }
  cr_assert_eq(scalar_disc_inv_horizon(1, 1, 0, 0, 0.5f), 0); // in one place nothing gets closer
}

Test(collision_time, never_is_a_long_time)
{
  float time[LANES];
  lanes_store(time, time_of_inverse(splat(0)));
  cr_assert_eq(time[0], COLLISION_NEVER);
  lanes_store(time, time_of_inverse(splat(4)));
  cr_assert_eq(time[0], 0.25f);
}

// Out of an overlap: at the time given the discs touch from within, and a moment later are apart.
Test(collision_time, an_overlap_is_left_when_it_says)
{
  uint64_t r = 3;
  for (int c = 0; c < 20000; c += LANES) {
    struct encounter e[LANES];
    float time[LANES];
    for (int l = 0; l < LANES; l++) {
      e[l] = random_encounter(&r);
      e[l].R = hypotf(e[l].px, e[l].py) * 1.001f + (float)oracle_between(&r, 0, 0.5);
    }
    const vec2 w = {PLAIN_COLUMN(e, wx), PLAIN_COLUMN(e, wy)};
    const vec2 p = {PLAIN_COLUMN(e, px), PLAIN_COLUMN(e, py)};
    const real R = PLAIN_COLUMN(e, R);
    lanes_store(time, disc_exit_time(w, p, R * R));
    for (int l = 0; l < LANES; l++) {
      const double speed = hypot((double)e[l].wx, (double)e[l].wy), t = time[l];
      cr_assert(t >= 0 && t <= (double)COLLISION_NEVER);
      if (speed < 1e-3)
        continue;
      cr_assert(fabs(disc_distance(&e[l], t) - (double)e[l].R) < 1e-5 * (3 + speed * t),
                "%g m apart after %g s, not %g", disc_distance(&e[l], t), t, (double)e[l].R);
    }
  }
}
