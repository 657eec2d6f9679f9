// Half-planes of permitted velocities and the 2-D linear programs over them (de Berg et al. 2008,
// ch. 4; van den Berg, Guy, Lin, Manocha 2011, section 5.3), for LANES agents at a time.
//
// A half-plane is n.v >= b with |n| = 1: n points to the permitted side. b n is the point of its
// line closest to the origin; (n.y, -n.x) is the direction of the line, with the permitted side on
// its left.
#pragma once
#include "admissible.h"

struct half_plane {
  vec2 n; // unit
  real b; // m/s
};

#define LP_EPSILON 0x1p-17f // sine of the angle below which two lines count as parallel
// Relative to the speed: a violation within the rounding error is none. Without this tolerance a
// duplicate half-plane, or a third line through one point, would leave no permitted velocity.
#define LP_NOISE 0x1p-19f

INLINE real half_plane_violation(struct half_plane h, vec2 v) // > 0: v violates h by this much, m/s
{
  return h.b - dot(h.n, v);
}

INLINE struct half_plane half_plane_select(mask m, struct half_plane yes, struct half_plane no)
{
  return (struct half_plane){select_vec2(m, yes.n, no.n), select_real(m, yes.b, no.b)};
}

INLINE struct half_plane half_plane_always(void) // 0.v >= -1: every velocity
{
  const real zero = splat(0);
  return (struct half_plane){{zero, zero}, splat(-1)};
}

INLINE struct half_plane half_plane_never(void) // 0.v > 1: no velocity
{
  const real zero = splat(0);
  return (struct half_plane){{zero, zero}, splat(1)};
}

// The half-planes of LANES agents: h[0..hard) of walls, h[hard..count) of agents.
struct lp_constraints {
  const struct half_plane *h;
  int hard, count;
};

// The objective: the admissible velocity closest to opt_velocity or, in lanes with `extreme`,
// furthest along the unit vector opt_velocity.
struct lp_goal {
  vec2 opt_velocity;
  mask extreme;
};

// The best velocity on the line of h[i], admissible and within h[0..i). Lanes of *fits without one
// are cleared and keep v.
INLINE vec2 linear_program_1(const struct half_plane *h, int i, const struct admissible *set,
                             struct lp_goal goal, vec2 v, mask *fits)
{
  const struct half_plane line = h[i];
  const vec2 direction = vec2_of(line.n.y, -line.n.x), foot = times(line.b, line.n);
  const real noise = splat(LP_NOISE) * set->speed;
  real low, high; // along the direction from the foot
  mask good = *fits & admissible_chord(set, foot, direction, &low, &high);
  for (int j = 0; j < i; j++) {
    const real slope = dot(h[j].n, direction), violation = half_plane_violation(h[j], foot);
    const mask rises = less(splat(LP_EPSILON), slope);
    const mask falls = less(slope, splat(-LP_EPSILON));
    const real at = violation / slope; // used only where the lines cross
    good = good & (rises | falls | less_equal(violation, noise));
    low = max_where(rises, low, at);
    high = min_where(falls, high, at);
  }
  good = good & less_equal(low, high + noise);
  const real along = dot(direction, goal.opt_velocity);
  const real end = select_real(less(splat(0), along), high, low);
  const real between = select_real(goal.extreme, end, min_real(max_real(along, low), high));
  const real t = select_real(less(high, low), splat(0.5f) * (low + high), between);
  *fits = good;
  return select_vec2(good, add(foot, times(t, direction)), v);
}

// The best admissible velocity within h[0..count). failed[lane]: the first half-plane that could
// not be satisfied, or count; v is then the best velocity within those before it.
INLINE vec2 linear_program_2(const struct half_plane *h, int count, const struct admissible *set,
                             struct lp_goal goal, mask active, ivec *failed)
{
  const real noise = splat(LP_NOISE) * set->speed;
  vec2 v = select_vec2(goal.extreme, admissible_furthest(set, goal.opt_velocity),
                       admissible_closest(set, goal.opt_velocity));
  *failed = splat_ivec(count);
  for (int i = 0; i < count; i++) {
    mask fits = active & less(noise, half_plane_violation(h[i], v));
    const mask wanted = fits;
    if (!any(wanted))
      continue;
    v = linear_program_1(h, i, set, goal, v, &fits);
    const mask lost = wanted & not(fits);
    *failed = select_ivec(lost, splat_ivec(i), *failed);
    active = active & not(lost);
  }
  return v;
}

// For lanes without a velocity within all half-planes: satisfies the hard ones (walls) as
// linear_program_2 did and minimises the greatest violation of the rest, starting from half-plane
// failed[lane] with v. scratch[count].
//
// h[j] is violated no more than h[i] where (n_j - n_i).v >= b_j - b_i. One formula covers crossing
// and opposite lines; equal normals (n_j = n_i) bound nothing.
INLINE vec2 linear_program_3(const struct lp_constraints *c, const struct admissible *set,
                             ivec failed, mask active, vec2 v, struct half_plane *scratch)
{
  const struct half_plane *h = c->h;
  const int hard = c->hard, count = c->count;
  real worst = splat(0); // violation accepted so far
  for (int k = 0; k < hard; k++)
    scratch[k] = h[k];
  for (int i = 0; i < count; i++) {
    const mask begun = active & not(ivec_less(splat_ivec(i), failed));
    const mask wanted = begun & less(worst, half_plane_violation(h[i], v));
    if (!any(wanted))
      continue;
    for (int j = hard; j < i; j++) {
      const vec2 n = minus(h[j].n, h[i].n);
      const real length2 = dot(n, n);
      const mask same = less_equal(length2, splat(LP_EPSILON * LP_EPSILON));
      const real scale = splat(1) / square_root(select_real(same, splat(1), length2));
      scratch[j].n = select_vec2(same, vec2_of(splat(0), splat(0)), times(scale, n));
      scratch[j].b = select_real(same, splat(-1), scale * (h[j].b - h[i].b)); // 0.v >= -1: always
    }
    ivec lost;
    const struct lp_goal goal = {h[i].n, not(mask_none())};
    const vec2 better = linear_program_2(scratch, i < hard ? hard : i, set, goal, wanted, &lost);
    const mask solved = wanted & not(ivec_less(lost, splat_ivec(i < hard ? hard : i)));
    v = select_vec2(solved, better, v);
    worst = select_real(wanted, max_real(half_plane_violation(h[i], v), worst), worst);
  }
  return v;
}
