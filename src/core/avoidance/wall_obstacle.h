// The velocity obstacle of a wall: a segment inflated by the agent's radius, truncated at the time
// horizon. The agent does the whole avoidance (Fiorini, Shiller 1998; truncation by a line as in
// Guy et al. 2009, section 3.2).
#pragma once
#include "disc_tangents.h"
#include "perception.h"
#include "velocity_obstacles.h"

// Unit direction and distance (m) to the closest point of the wall. Beside the wall the direction
// is perpendicular to it; on the wall's line it points into the solid.
INLINE vec2 wall_direction(const struct perceived_wall *w, real *distance)
{
  const real zero = splat(0), one = splat(1);
  const vec2 line = minus(w->b, w->a), across = perp(w->along);
  const real t = -dot(w->a, line), height = dot(across, w->a);
  const mask before = less(t, zero), after = less(dot(line, line), t);
  const vec2 corner = select_vec2(before, w->a, w->b);
  const real corner2 = dot(corner, corner), d = square_root(corner2);
  const mask beside = not(before | after) | equal(corner2, zero);
  const vec2 square = select_vec2(less(height, zero), times(-one, across), across);
  *distance = select_real(beside, magnitude(height), d);
  return select_vec2(beside, square, times(one / select_real(beside, one, d), corner));
}

// inv_horizon: 1 / time horizon, 1/s. An agent in contact with the wall must not move against it.
INLINE struct velocity_obstacle wall_obstacle(const struct perceived_wall *w, real radius,
                                              real inv_horizon)
{
  const real zero = splat(0), one = splat(1), r2 = radius * radius;
  real d;
  const vec2 n = wall_direction(w, &d);
  const mask touches = less_equal(d, radius);

  // The outermost tangents of both ends; the inflated wall subtends less than 180 degrees.
  const real a2 = select_real(touches, one, dot(w->a, w->a)),
             b2 = select_real(touches, one, dot(w->b, w->b));
  const real over_a = one / a2, over_b = one / b2;
  const real g_a = square_root(max_real(a2 - r2, zero)), g_b = square_root(max_real(b2 - r2, zero));
  const vec2 left_a = disc_tangent_left(w->a, radius, g_a, over_a);
  const vec2 left_b = disc_tangent_left(w->b, radius, g_b, over_b);
  const vec2 right_a = disc_tangent_right(w->a, radius, g_a, over_a);
  const vec2 right_b = disc_tangent_right(w->b, radius, g_b, over_b);
  const vec2 left = select_vec2(less(zero, det(left_a, left_b)), left_b, left_a);
  const vec2 right = select_vec2(less(det(right_a, right_b), zero), right_b, right_a);

  const struct half_plane front = {n, select_real(touches, zero, (d - radius) * inv_horizon)};
  const struct half_plane l = {cone_left_normal(left), zero}, r = {cone_right_normal(right), zero};
  const struct half_plane always = half_plane_always();
  return (struct velocity_obstacle){
      3, {front, half_plane_select(touches, always, l), half_plane_select(touches, always, r)}};
}

// The obstacles of all perceived walls. Returns their number.
INLINE int wall_obstacles(const struct perception *s, struct velocity_obstacle *o)
{
  const real inv_horizon = splat(1 / s->horizon_walls);
  for (int i = 0; i < s->wall_count; i++)
    o[i] = velocity_obstacle_select(s->walls[i].valid,
                                    wall_obstacle(&s->walls[i], s->radius, inv_horizon));
  return s->wall_count;
}

// The lanes whose v no wall forbids; v and noise: m/s.
INLINE mask wall_obstacles_permit(const struct perception *s, vec2 v, real noise)
{
  struct velocity_obstacle o[WALLS_MAX];
  const int count = wall_obstacles(s, o);
  return s->active & not(velocity_forbidden(o, count, v, noise, s->active));
}

// The number of neighbours of each lane, which come first in its list.
INLINE ivec perceived_count(const struct perception *s)
{
  ivec count = splat_ivec(0);
  for (int i = 0; i < s->agent_count; i++)
    count = count + select_ivec(s->agents[i].valid, splat_ivec(1), splat_ivec(0));
  return count;
}
