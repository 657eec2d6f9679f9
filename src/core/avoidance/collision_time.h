// The time until a point that moves at w (m/s) from the origin meets a disc or a wall.
//
// Most callers want the inverse time (1/s; 0: never): the shortest time over many obstacles is the
// greatest inverse, infinity needs no special value, and once the terms without w are prepared, an
// inverse time costs one square root and no division.
//
// van den Berg, Lin, Manocha 2008: t = (w.p - sqrt(R^2 |w|^2 - det(w,p)^2)) / |w|^2. With c = |p|^2
// - R^2 and D = |p| this equals t = c / (w.p + sqrt(R^2 |w|^2 - det(w,p)^2)), and R^2 |w|^2 -
// det(w,p)^2 = (R/D)^2 (w.p)^2 - (c/D^2) det(w,p)^2.
#pragma once
#include "lanes.h"

#define COLLISION_NEVER 1e30f    // s
#define COLLISION_NOW   0x1p40f  // 1/s: scale of the inverse time at contact
#define COLLISION_GAP   0x1p-40f // m^2: lower bound of D^2 - R^2

// A disc, prepared for inverse times.
struct disc_ahead {
  vec2 toward; // p / c, 1/m
  vec2 across; // p / (D sqrt c), 1/m
  real ratio;  // R / D
};

INLINE struct disc_ahead disc_ahead_none(void) // never met
{
  const vec2 zero = {splat(0), splat(0)};
  return (struct disc_ahead){zero, zero, splat(0)};
}

INLINE struct disc_ahead disc_ahead_if(mask m, struct disc_ahead yes, struct disc_ahead no)
{
  return (struct disc_ahead){select_vec2(m, yes.toward, no.toward),
                             select_vec2(m, yes.across, no.across),
                             select_real(m, yes.ratio, no.ratio)};
}

// Contact in the unit direction e: approaching is a collision now, anything else is none.
INLINE struct disc_ahead disc_ahead_touching(vec2 e)
{
  const vec2 zero = {splat(0), splat(0)};
  return (struct disc_ahead){times(splat(COLLISION_NOW), e), zero, splat(0)};
}

// The disc of radius R (m) at p (m). Discs that touch or overlap count as contact, so that agents
// may separate. At the same place nothing approaches: never.
INLINE struct disc_ahead disc_ahead_of(vec2 p, real R)
{
  const real one = splat(1), D2 = dot(p, p), c = D2 - R * R;
  const mask apart = less(splat(0), c);
  const real gap = max_real(c, splat(COLLISION_GAP));
  const real over_D = one / square_root(select_real(less(splat(0), D2), D2, one));
  const vec2 e = times(over_D, p);
  const struct disc_ahead free = {times(one / gap, p), times(one / square_root(gap), e),
                                  R * over_D};
  return disc_ahead_if(apart, free, disc_ahead_touching(e));
}

INLINE real disc_inv_time(const struct disc_ahead *d, vec2 w) // 1/s
{
  const real near = dot(w, d->toward);
  const real half = d->ratio * near, off = det(w, d->across);
  const real root2 = half * half - off * off; // (R^2 |w|^2 - det(w,p)^2) / c^2
  const mask hit = less(splat(0), near) & less_equal(splat(0), root2);
  return select_real(hit, near + square_root(root2), splat(0));
}

INLINE real time_of_inverse(real inv_time) // s; 0 becomes COLLISION_NEVER
{
  const mask never = less_equal(inv_time, splat(0));
  return select_real(never, splat(COLLISION_NEVER),
                     splat(1) / select_real(never, splat(1), inv_time));
}

// A wall from a to b with its solid on the left, inflated by a radius on its free side: a disc at
// each end and the segment beside it (Bleiweiss 2009).
struct wall_ahead {
  struct disc_ahead a, b;
  vec2 toward;           // towards the segment, over the remaining gap, 1/m
  vec2 along;            // unit direction of the wall
  real foot;             // foot of the agent on the wall's line, from a, m
  real length;           // m
  mask touching, beside; // the disc overlaps the wall; the foot is between the ends
  vec2 nearest;          // the closest point of the wall, m
};

INLINE struct wall_ahead wall_ahead_none(void)
{
  const struct disc_ahead none = disc_ahead_none();
  const vec2 zero = none.toward;
  return (struct wall_ahead){none,     none,        zero,        zero, splat(0),
                             splat(0), mask_none(), mask_none(), zero};
}

INLINE struct wall_ahead wall_ahead_if(mask m, struct wall_ahead yes, struct wall_ahead no)
{
  return (struct wall_ahead){disc_ahead_if(m, yes.a, no.a),
                             disc_ahead_if(m, yes.b, no.b),
                             select_vec2(m, yes.toward, no.toward),
                             select_vec2(m, yes.along, no.along),
                             select_real(m, yes.foot, no.foot),
                             select_real(m, yes.length, no.length),
                             select_mask(m, yes.touching, no.touching),
                             select_mask(m, yes.beside, no.beside),
                             select_vec2(m, yes.nearest, no.nearest)};
}

// a, b: m; along: the unit direction from a to b; radius: m. An agent in contact with the wall
// collides now if it approaches the closest point, and else never.
INLINE struct wall_ahead wall_ahead_of(vec2 a, vec2 b, vec2 along, real radius)
{
  const real zero = splat(0), one = splat(1);
  const vec2 onto = perp(along); // into the solid
  const real foot = -dot(a, along), length = dot(minus(b, a), along);
  const mask off_a = less(foot, zero), off_b = less(length, foot);
  const vec2 nearest = select_vec2(off_a, a, select_vec2(off_b, b, times(dot(a, onto), onto)));
  const real d2 = dot(nearest, nearest);
  const mask touching = less(d2, radius * radius), on = less_equal(d2, zero);
  const vec2 e = select_vec2(
      on, onto, times(one / square_root(select_real(on, one, d2)), nearest)); // towards the wall
  const real gap = dot(a, onto) - radius;
  const mask ahead = less(zero, gap) & not(touching);
  const real over_gap = one / max_real(gap, splat(COLLISION_GAP));
  return (struct wall_ahead){
      disc_ahead_if(touching, disc_ahead_touching(e), disc_ahead_of(a, radius)),
      disc_ahead_if(touching, disc_ahead_none(), disc_ahead_of(b, radius)),
      times(select_real(ahead, over_gap, zero), onto),
      along,
      foot,
      length,
      touching,
      not(off_a | off_b),
      nearest};
}

INLINE real wall_inv_time(const struct wall_ahead *w, vec2 v) // 1/s
{
  const real zero = splat(0);
  const real ends = max_real(disc_inv_time(&w->a, v), disc_inv_time(&w->b, v));
  const real inv_time = dot(v, w->toward);
  const real at = dot(v, w->along) + w->foot * inv_time; // of the collision, times inv_time
  const mask hit =
      less(zero, inv_time) & less_equal(zero, at) & less_equal(at, w->length * inv_time);
  return max_real(ends, select_real(hit, inv_time, zero));
}

// Time until overlapping discs separate, s (p between the centres, R2 the square of the sum of
// their radii): (w.p + sqrt(R^2 |w|^2 - det(w,p)^2)) / |w|^2. COLLISION_NEVER without relative
// motion.
INLINE real disc_exit_time(vec2 w, vec2 p, real R2)
{
  const real w2 = dot(w, w), wp = dot(w, p), across = det(w, p);
  const real root = square_root(max_real(R2 * w2 - across * across, splat(0)));
  const mask parting = less(wp, splat(0)); // then the equal form without cancellation
  const real top = select_real(parting, max_real(R2 - dot(p, p), splat(0)), root + wp);
  const real bottom = select_real(parting, root - wp, w2);
  const mask still = less_equal(bottom, splat(0));
  const real never = splat(COLLISION_NEVER);
  return select_real(still, never, min_real(top / select_real(still, splat(1), bottom), never));
}

// Time until the agent leaves a wall that it touches, s: off the line or off the corner.
INLINE real wall_exit_time(const struct wall_ahead *w, vec2 v, real radius)
{
  const real zero = splat(0), never = splat(COLLISION_NEVER);
  const vec2 onto = perp(w->along);
  const real leaving = -dot(v, onto);
  const mask leaves = less(zero, leaving);
  const real depth = max_real(radius - dot(w->nearest, onto), zero);
  const real line =
      select_real(leaves, min_real(depth / select_real(leaves, leaving, splat(1)), never), never);
  return select_real(w->beside, line, disc_exit_time(v, w->nearest, radius * radius));
}
