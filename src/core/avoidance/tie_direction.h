// Ties: when no side of a velocity obstacle is nearer than another, the two agents need an agreed
// direction to avoid each other (struct neighbour, tie_direction).
#pragma once
#include "lanes.h"

// 1 / time horizon per lane, 1/s: `far` for discs that are apart, `near` (1 / step) for discs that
// overlap (van den Berg, Guy, Lin, Manocha 2011, section 5.1).
struct inv_horizons {
  real far, near;
};

// Lanes whose relative velocity is exactly the centre of the cut-off disc of the neighbour at p (m)
// with radii sum R (m). Two agents at one place with one velocity are the simplest case.
INLINE mask tie_direction_needed(vec2 p, real R, vec2 own, vec2 other,
                                 struct inv_horizons inv_horizons)
{
  const real inv_horizon =
      select_real(less_equal(dot(p, p), R * R), inv_horizons.near, inv_horizons.far);
  const vec2 x = minus(minus(own, other), times(inv_horizon, p));
  return equal(dot(x, x), splat(0));
}
