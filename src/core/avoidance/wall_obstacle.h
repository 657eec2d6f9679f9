// The velocities that lead an agent into a wall: the velocity obstacle of a segment grown by the
// agent's radius, cut off at a horizon; all of the avoidance is the agent's own
// (Fiorini, Shiller 1998; the cut-off by a line as in Guy et al. 2009, section 3.2).
#pragma once
#include "orca.h" // the tangents of a disc
#include "sight.h"
#include "velocity_obstacles.h"

// Inward unit normals of the cone between two directions.
INLINE vec2 cone_left_normal(vec2 left_side)
{
  return vec2_of(left_side.y, -left_side.x);
}
INLINE vec2 cone_right_normal(vec2 right_side)
{
  return vec2_of(-right_side.y, right_side.x);
}

// The way to the nearest point of the wall: unit direction and distance, m. Beside the wall it is
// square to it; on the wall's line it points into the solid.
INLINE vec2 wall_direction(const struct seen_wall *w, real *distance)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  const vec2 line = minus(w->b, w->a), across = perp(w->along);
  const real t = -dot(w->a, line), height = dot(across, w->a);
  const mask before = less(t, zero), after = less(dot(line, line), t);
  const vec2 corner = pick2(before, w->a, w->b);
  const real corner2 = dot(corner, corner), d = square_root(corner2);
  const mask beside = not(before | after) | equal(corner2, zero);
  const vec2 square = pick2(less(height, zero), times(-one, across), across);
  *distance = pick(beside, magnitude(height), d);
  return pick2(beside, square, times(one / pick(beside, one, d), corner));
}

// hurry: one over the horizon, 1/s. Who touches the wall already must not move against it.
INLINE struct velocity_obstacle wall_obstacle(const struct seen_wall *w, real radius, real hurry)
{
  const real zero = all_lanes(0), one = all_lanes(1), r2 = radius * radius;
  real d;
  const vec2 n = wall_direction(w, &d);
  const mask touches = less_equal(d, radius);

  // The outermost of the tangents at both ends; the grown wall is seen under less than 180 degrees.
  const real a2 = pick(touches, one, dot(w->a, w->a)), b2 = pick(touches, one, dot(w->b, w->b));
  const real over_a = one / a2, over_b = one / b2;
  const real g_a = square_root(larger(a2 - r2, zero)), g_b = square_root(larger(b2 - r2, zero));
  const vec2 left_a = left_tangent(w->a, radius, g_a, over_a);
  const vec2 left_b = left_tangent(w->b, radius, g_b, over_b);
  const vec2 right_a = right_tangent(w->a, radius, g_a, over_a);
  const vec2 right_b = right_tangent(w->b, radius, g_b, over_b);
  const vec2 left = pick2(less(zero, det(left_a, left_b)), left_b, left_a);
  const vec2 right = pick2(less(det(right_a, right_b), zero), right_b, right_a);

  const struct half_plane front = {n, pick(touches, zero, (d - radius) * hurry)};
  const struct half_plane l = {cone_left_normal(left), zero}, r = {cone_right_normal(right), zero};
  const struct half_plane always = half_plane_always();
  return (struct velocity_obstacle){
      3, {front, half_plane_if(touches, always, l), half_plane_if(touches, always, r)}};
}

// The obstacles of all walls in sight. Returns how many.
INLINE int wall_obstacles(const struct sight *s, struct velocity_obstacle *o)
{
  const real hurry = all_lanes(1 / s->horizon_walls);
  for (int i = 0; i < s->wall_count; i++)
    o[i] =
        velocity_obstacle_where(s->walls[i].there, wall_obstacle(&s->walls[i], s->radius, hurry));
  return s->wall_count;
}

// How many neighbours each lane has: who a lane sees stands first in its list.
INLINE whole agents_in_sight(const struct sight *s)
{
  whole count = all_lanes_whole(0);
  for (int i = 0; i < s->agent_count; i++)
    count = count + pick_whole(s->agents[i].there, all_lanes_whole(1), all_lanes_whole(0));
  return count;
}
