// Optimal reciprocal collision avoidance: the half-plane of velocities that a neighbour or a wall
// permits (van den Berg, Guy, Lin, Manocha 2011, sections 4 and 5.4).
//
// Units m and m/s. Positions are relative to the agent: p = p_B - p_A, R = r_A + r_B.
#pragma once
#include "disc_tangents.h"
#include "half_plane.h"
#include "perception.h"
#include "tie_direction.h"

// The half-plane against a neighbour; own: the agent's velocity.
INLINE struct half_plane orca_agent(const struct neighbour *other, vec2 own,
                                    struct inv_horizons inv_horizons)
{
  const vec2 p = other->p, v = minus(own, other->v), tie_direction = other->tie_direction;
  const real R = other->R;
  const real D2 = dot(p, p), R2 = R * R;
  const mask overlap = less_equal(D2, R2);
  const real inv_horizon = select_real(overlap, inv_horizons.near, inv_horizons.far);
  const vec2 x = minus(v, times(inv_horizon, p)); // from the centre of the cut-off disc
  const real x2 = dot(x, x), xp = dot(x, p);
  const mask circle = overlap | (less(xp, splat(0)) & less(R2 * x2, xp * xp));

  // Cut-off disc: n = x / |x|, u = (R / tau - |x|) n. Leg: the left one when x is left of p; u
  // points from v to it. Either way a lane needs one square root and one quotient: of |x|, or of
  // the tangent's length.
  const real root = square_root(select_real(circle, x2, D2 - R2));
  const mask open = circle & equal(root, splat(0));
  const real over = splat(1) / select_real(open, splat(1), select_real(circle, root, D2));
  const real g = select_real(less(splat(0), det(p, x)), root, -root);
  const vec2 leg = vec2_of(-(p.x * R) - p.y * g, p.x * g - p.y * R);
  vec2 n = times(over, select_vec2(circle, x, leg));
  if (any(open)) { // without an agreed direction this is due to rounding: any direction is right
    const mask agreed = less(splat(0), dot(tie_direction, tie_direction));
    n = select_vec2(open, select_vec2(agreed, tie_direction, vec2_of(splat(1), splat(0))), n);
  }
  const real u = select_real(circle, R * inv_horizon - root, -dot(n, v));
  return (struct half_plane){n, dot(n, own) + other->share * u};
}

// Do the half-planes h[0..count) already keep the agent off both ends of the wall?
INLINE mask orca_wall_covered(const struct perceived_wall *w, real radius, real inv_horizon,
                              const struct half_plane *h, int count)
{
  const vec2 a = times(inv_horizon, w->a), b = times(inv_horizon, w->b);
  const real reach = inv_horizon * radius - splat(1e-5f);
  mask covered = mask_none();
  for (int j = 0; j < count; j++)
    covered = covered | (less_equal(reach, half_plane_violation(h[j], a)) &
                         less_equal(reach, half_plane_violation(h[j], b)));
  return covered;
}

// The agent touches the wall: it moves away from the closest corner or off the line.
INLINE struct half_plane orca_wall_touching(const struct perceived_wall *w, real s, real d2_a,
                                            real d2_b)
{
  const real zero = splat(0), one = splat(1);
  const mask beside_a = less(s, zero), beside_b = less(one, s);
  const real scale_a = one / square_root(select_real(less(zero, d2_a), d2_a, one));
  const real scale_b = one / square_root(select_real(less(zero, d2_b), d2_b, one));
  const vec2 off_line = vec2_of(w->along.y, -w->along.x);
  const vec2 n = select_vec2(beside_a, times(-scale_a, w->a),
                             select_vec2(beside_b, times(-scale_b, w->b), off_line));
  // A reflex corner belongs to the adjacent wall, which faces the agent.
  const mask others_a = beside_a & not(w->convex_a);
  const mask others_b = beside_b & (not(w->convex_b) | less(det(w->b, w->after), zero));
  return half_plane_select(others_a | others_b, half_plane_always(), (struct half_plane){n, zero});
}

// A wall as the agent sees it: the ends and legs of its velocity obstacle.
struct orca_wall_cone {
  mask one_point; // viewed along its line, the wall is its closer corner only
  mask others;    // that corner belongs to the adjacent wall
  vec2 left, right;
  vec2 leg_left, leg_right;         // unit
  mask foreign_left, foreign_right; // the leg belongs to the adjacent wall
};

INLINE struct orca_wall_cone orca_wall_cone_of(const struct perceived_wall *w, real radius,
                                               mask only_a, mask only_b)
{
  const real zero = splat(0), one = splat(1), r2 = radius * radius;
  const mask one_point = only_a | only_b;
  const vec2 left = select_vec2(only_b, w->b, w->a), right = select_vec2(only_a, w->a, w->b);
  const mask convex_left = select_mask(only_b, w->convex_b, w->convex_a);
  const mask convex_right = select_mask(only_a, w->convex_a, w->convex_b);
  const mask others = (only_a & not(w->convex_a)) | (only_b & not(w->convex_b));

  // At a reflex corner the leg continues along the wall.
  const real d2_left = dot(left, left), d2_right = dot(right, right);
  const real g_left = square_root(max_real(d2_left - r2, zero));
  const real g_right = square_root(max_real(d2_right - r2, zero));
  const real over_left = one / select_real(less(zero, d2_left), d2_left, one);
  const real over_right = one / select_real(less(zero, d2_right), d2_right, one);
  const vec2 back = times(-one, w->along);
  const vec2 leg_left = select_vec2(convex_left | one_point,
                                    disc_tangent_left(left, radius, g_left, over_left), back);
  const vec2 leg_right = select_vec2(
      convex_right | one_point, disc_tangent_right(right, radius, g_right, over_right), w->along);
  // A leg that points into the next wall belongs to that wall: no velocity is projected onto it.
  const vec2 before = select_vec2(only_b, w->along, w->before),
             after = select_vec2(only_a, w->along, w->after);
  const mask foreign_left = convex_left & not(less(det(leg_left, times(-one, before)), zero));
  const mask foreign_right = convex_right & not(less(zero, det(leg_right, after)));
  return (struct orca_wall_cone){one_point,
                                 others,
                                 left,
                                 right,
                                 select_vec2(foreign_left, times(-one, before), leg_left),
                                 select_vec2(foreign_right, after, leg_right),
                                 foreign_left,
                                 foreign_right};
}

// The part of the cone's boundary closest to a velocity: an end of the cut-off, the cut-off segment
// or a leg.
struct orca_wall_side {
  vec2 from_left, from_right; // from the ends of the cut-off to the velocity
  mask round_left, round_right;
  mask on_cut, on_left, on_right; // where it is no end
};

INLINE struct orca_wall_side orca_wall_side_of(const struct orca_wall_cone *c, vec2 cut_left,
                                               vec2 cut_right, vec2 v)
{
  const real zero = splat(0), one = splat(1), never = splat(3e38f);
  const mask one_point = c->one_point;
  const vec2 cut = minus(cut_right, cut_left);
  const real cut2 = dot(cut, cut);
  const vec2 from_left = minus(v, cut_left), from_right = minus(v, cut_right);
  const real t =
      select_real(one_point, splat(0.5f), dot(from_left, cut) / select_real(one_point, one, cut2));
  const real t_left = dot(from_left, c->leg_left), t_right = dot(from_right, c->leg_right);
  const mask behind_left = less(t_left, zero), behind_right = less(t_right, zero);
  const mask round_left = (less(t, zero) & behind_left) | (one_point & behind_left & behind_right);
  const mask round_right = less(one, t) & behind_right & not(round_left);

  const vec2 to_cut = minus(from_left, times(t, cut));
  const vec2 to_left = minus(from_left, times(t_left, c->leg_left));
  const vec2 to_right = minus(from_right, times(t_right, c->leg_right));
  const real d2_cut =
      select_real(less(t, zero) | less(one, t) | one_point, never, dot(to_cut, to_cut));
  const real d2_leg_left = select_real(behind_left, never, dot(to_left, to_left));
  const real d2_leg_right = select_real(behind_right, never, dot(to_right, to_right));
  const mask on_cut = less_equal(d2_cut, d2_leg_left) & less_equal(d2_cut, d2_leg_right);
  const mask on_left = not(on_cut) & less_equal(d2_leg_left, d2_leg_right);
  return (struct orca_wall_side){
      from_left, from_right, round_left, round_right, on_cut, on_left, not(on_cut) & not(on_left)};
}

// The agent does not touch the wall. The line of the half-plane is radius / horizon from the
// obstacle along the normal there.
INLINE struct half_plane orca_wall_apart(const struct orca_wall_cone *c, vec2 along, real radius,
                                         vec2 v, real inv_horizon)
{
  const real zero = splat(0), one = splat(1);
  const vec2 cut_left = times(inv_horizon, c->left), cut_right = times(inv_horizon, c->right);
  const struct orca_wall_side side = orca_wall_side_of(c, cut_left, cut_right, v);
  const vec2 from_corner = select_vec2(side.round_left, side.from_left, side.from_right);
  const real corner2 = dot(from_corner, from_corner);
  const mask at_corner = equal(corner2, zero);
  const vec2 off_line = vec2_of(along.y, -along.x);
  const vec2 n_corner =
      select_vec2(at_corner, off_line,
                  times(one / square_root(select_real(at_corner, one, corner2)), from_corner));
  const vec2 n_left = perp(c->leg_left), n_right = times(-one, perp(c->leg_right));
  const vec2 n_flat =
      select_vec2(side.on_cut, off_line, select_vec2(side.on_left, n_left, n_right));
  const mask round = side.round_left | side.round_right;
  const vec2 n = select_vec2(round, n_corner, n_flat);
  const mask uses_right = (round & not(side.round_left)) | (not(round) & side.on_right);
  const real b = dot(n, select_vec2(uses_right, cut_right, cut_left)) + inv_horizon * radius;
  const mask foreign =
      not(round) & ((side.on_left & c->foreign_left) | (side.on_right & c->foreign_right));
  return half_plane_select(c->others | foreign, half_plane_always(), (struct half_plane){n, b});
}

// The half-plane against a wall, with the whole avoidance done by the agent (section 5.4: the
// velocity obstacle of a segment, truncated at the time horizon).
INLINE struct half_plane orca_wall(const struct perceived_wall *w, real radius, vec2 v,
                                   real inv_horizon)
{
  const real zero = splat(0), one = splat(1);
  const vec2 line = minus(w->b, w->a);
  const real r2 = radius * radius, d2_a = dot(w->a, w->a), d2_b = dot(w->b, w->b);
  const real s = -dot(w->a, line) / dot(line, line); // the agent's projection: 0 at a, 1 at b
  const vec2 foot = add(w->a, times(s, line));
  const mask near_line = less_equal(dot(foot, foot), r2);
  const mask touches = (less(s, zero) & less_equal(d2_a, r2)) |
                       (less(one, s) & less_equal(d2_b, r2)) |
                       (not(less(s, zero)) & not(less(one, s)) & near_line);
  const struct orca_wall_cone cone =
      orca_wall_cone_of(w, radius, less(s, zero) & near_line, less(one, s) & near_line);
  return half_plane_select(touches, orca_wall_touching(w, s, d2_a, d2_b),
                           orca_wall_apart(&cone, w->along, radius, v, inv_horizon));
}

// All half-planes of a block, in h[HALF_PLANES_MAX].
INLINE struct lp_constraints orca_half_planes(struct half_plane *h, const struct perception *s)
{
  const real inv_horizon_walls = splat(1 / s->horizon_walls);
  const struct inv_horizons inv_horizons = {splat(1) / s->horizon, splat(1 / s->step)};
  int count = 0;
  for (int i = 0; i < s->wall_count; i++) {
    const struct perceived_wall *w = &s->walls[i];
    const mask covered = orca_wall_covered(w, s->radius, inv_horizon_walls, h, count);
    h[count++] = half_plane_select(s->active & w->valid & not(covered),
                                   orca_wall(w, s->radius, s->velocity, inv_horizon_walls),
                                   half_plane_always());
  }
  const int hard = count;
  for (int i = 0; i < s->agent_count; i++) {
    const struct neighbour *o = &s->agents[i];
    h[count++] =
        half_plane_select(o->valid, orca_agent(o, s->velocity, inv_horizons), half_plane_always());
  }
  return (struct lp_constraints){h, hard, count};
}
