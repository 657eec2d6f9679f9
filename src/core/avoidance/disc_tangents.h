// The tangents from the origin to a disc: the legs of its velocity obstacle, and the normals of the
// cone between them (Fiorini, Shiller 1998).
#pragma once
#include "lanes.h"

// Unit tangents to the disc of `radius` (m) at p (m), which does not hold the origin.
// g = sqrt(|p|^2 - radius^2), the length of a tangent, m; inv_d2 = 1 / |p|^2, 1/m^2.
INLINE vec2 disc_tangent_left(vec2 p, real radius, real g, real inv_d2)
{
  return times(inv_d2, vec2_of(p.x * g - p.y * radius, p.x * radius + p.y * g));
}
INLINE vec2 disc_tangent_right(vec2 p, real radius, real g, real inv_d2)
{
  return times(inv_d2, vec2_of(p.x * g + p.y * radius, p.y * g - p.x * radius));
}

// The unit normals of a cone's two sides that point into the cone, from the sides' directions.
INLINE vec2 cone_left_normal(vec2 left_side)
{
  return vec2_of(left_side.y, -left_side.x);
}
INLINE vec2 cone_right_normal(vec2 right_side)
{
  return vec2_of(-right_side.y, right_side.x);
}
