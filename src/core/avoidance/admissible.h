// The velocities that an agent can reach in one step: no faster than its maximum speed and, where
// it has a maximum acceleration, no further from its current velocity than that allows. The set is
// the intersection of two discs, for LANES agents at a time (van den Berg, Lin, Manocha 2008, eq.
// 10; Guy et al. 2009, section 4).
#pragma once
#include "lanes.h"

struct admissible {
  real speed;   // m/s: |v| <= speed
  bool limited; // some lane has the second disc:
  vec2 centre;  // the current velocity
  real reach;   // m/s: |v - centre| <= reach; in lanes without a limit, large enough to hold every
                // velocity
};

// Tolerance for rounding: a point projected onto a circle counts as inside.
#define ADMISSIBLE_SLACK (1 + 0x1p-18f)

INLINE mask admissible_in_reach(const struct admissible *a, vec2 v)
{
  const vec2 off = minus(v, a->centre);
  return less_equal(dot(off, off), a->reach * a->reach * splat(ADMISSIBLE_SLACK));
}

INLINE real admissible_all(real speed, vec2 velocity) // m/s: a reach that holds every velocity
{
  return splat(2) * (speed + magnitude(velocity.x) + magnitude(velocity.y));
}

INLINE mask admissible_limits(const struct admissible *a) // lanes with a limit that matters
{
  return less(a->reach, admissible_all(a->speed, a->centre));
}

// max_acceleration: m/s^2, 0: unlimited; step: s. An agent above its maximum speed slows down as
// much as it must for the set not to be empty.
INLINE struct admissible admissible_of(real speed, vec2 velocity, real max_acceleration, float step)
{
  const mask limit = less(splat(0), max_acceleration);
  const real all = admissible_all(speed, velocity);
  if (!any(limit))
    return (struct admissible){speed, false, velocity, all};
  const real now = square_root(dot(velocity, velocity));
  const real reach = max_real(max_acceleration * splat(step), now - speed);
  return (struct admissible){speed, true, velocity, select_real(limit, reach, all)};
}

INLINE vec2 disc_closest(vec2 centre, real radius, vec2 v)
{
  const vec2 off = minus(v, centre);
  const real length2 = dot(off, off);
  const mask outside = less(radius * radius, length2);
  if (!any(outside))
    return v;
  const real scale = radius / square_root(select_real(outside, length2, splat(1)));
  return select_vec2(outside, add(centre, times(scale, off)), v);
}

// The crossing of the two circles on the side of `towards` from the line through both centres.
INLINE vec2 admissible_corner(const struct admissible *a, vec2 towards)
{
  const real zero = splat(0), one = splat(1);
  const real d2 = dot(a->centre, a->centre);
  const mask apart = less(zero, d2);
  const real d = square_root(select_real(apart, d2, one));
  const vec2 e = times(one / d, a->centre);
  const real along = splat(0.5f) * (d2 + a->speed * a->speed - a->reach * a->reach) / d;
  const real up = square_root(max_real(a->speed * a->speed - along * along, zero));
  const real side = select_real(less(det(e, towards), zero), -one, one);
  return add(times(along, e), times(side * up, perp(e)));
}

// The admissible velocity closest to v.
INLINE vec2 admissible_closest(const struct admissible *a, vec2 v)
{
  const vec2 slow = disc_closest(vec2_of(splat(0), splat(0)), a->speed, v);
  if (!a->limited)
    return slow;
  const vec2 near = disc_closest(a->centre, a->reach, v);
  const mask near_good = less_equal(dot(near, near), a->speed * a->speed * splat(ADMISSIBLE_SLACK));
  return select_vec2(admissible_in_reach(a, slow), slow,
                     select_vec2(near_good, near, admissible_corner(a, v)));
}

// The admissible velocity furthest along the unit vector n.
INLINE vec2 admissible_furthest(const struct admissible *a, vec2 n)
{
  const vec2 fast = times(a->speed, n);
  if (!a->limited)
    return fast;
  const vec2 near = add(a->centre, times(a->reach, n));
  const mask near_good = less_equal(dot(near, near), a->speed * a->speed * splat(ADMISSIBLE_SLACK));
  return select_vec2(admissible_in_reach(a, fast), fast,
                     select_vec2(near_good, near, admissible_corner(a, n)));
}

// The admissible part [low, high] of the line foot + t direction (unit); false where it is empty.
// foot must be the point of the line closest to the origin.
INLINE mask admissible_chord(const struct admissible *a, vec2 foot, vec2 direction, real *low,
                             real *high)
{
  const real zero = splat(0);
  const real room = a->speed * a->speed - dot(foot, foot);
  const real half = square_root(max_real(room, zero));
  mask good = less_equal(zero, room);
  *low = -half;
  *high = half;
  if (!a->limited)
    return good;
  const vec2 off = minus(a->centre, foot);
  const real middle = dot(off, direction), away = det(direction, off);
  const real room2 = a->reach * a->reach - away * away;
  const real half2 = square_root(max_real(room2, zero));
  *low = max_real(*low, middle - half2);
  *high = min_real(*high, middle + half2);
  return good & less_equal(zero, room2) & less_equal(*low, *high);
}
