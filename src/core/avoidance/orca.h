// Optimal reciprocal collision avoidance: the half-plane of velocities that one neighbour or one
// wall leaves to an agent (van den Berg, Guy, Lin, Manocha 2011, sections 4 and 5.4).
//
// Units m and m/s. Positions are relative to the agent: p = p_B - p_A, R = r_A + r_B.
#pragma once
#include "half_plane.h"
#include "sight.h"

// One over the horizon, per lane: `far` for those apart, `near` (1 / step) for those that overlap.
struct orca_horizon {
  real far, near;
};

// Is v exactly at the centre of the cut-off, so that no side is nearer than another? (Same place
// and same velocity are the plainest case.)
INLINE mask orca_agent_open(vec2 p, real R, vec2 own, vec2 other, struct orca_horizon time)
{
  const real hurry = pick(less_equal(dot(p, p), R * R), time.near, time.far);
  const vec2 x = minus(minus(own, other), times(hurry, p));
  return equal(dot(x, x), all_lanes(0));
}

// The agent's half-plane against a neighbour at p, R apart when they touch. `own`, `other`: the
// velocities; share of the avoidance that is ours (1/2: reciprocal). `asunder`: the unit direction
// we take when same place and same velocity leave all open; the other takes its opposite.
INLINE struct half_plane orca_agent(vec2 p, real R, vec2 own, vec2 other, struct orca_horizon time,
                                    real share, vec2 asunder)
{
  const vec2 v = minus(own, other);
  const real D2 = dot(p, p), R2 = R * R;
  const mask overlap = less_equal(D2, R2);
  const real hurry = pick(overlap, time.near, time.far);
  const vec2 x = minus(v, times(hurry, p)); // from the cut-off's centre
  const real x2 = dot(x, x), xp = dot(x, p);
  const mask circle = overlap | (less(xp, all_lanes(0)) & less(R2 * x2, xp * xp));

  // Cut-off circle: n = x / |x|, u = (R / tau - |x|) n. Leg: left when x is left of p; u is the way
  // from v to it. A lane needs one root and one quotient, whichever it is: of |x|, or of the
  // tangent's length.
  const real root = square_root(pick(circle, x2, D2 - R2));
  const mask open = circle & equal(root, all_lanes(0));
  const real over = all_lanes(1) / pick(open, all_lanes(1), pick(circle, root, D2));
  const real g = pick(less(all_lanes(0), det(p, x)), root, -root);
  const vec2 leg = vec2_of(-(p.x * R) - p.y * g, p.x * g - p.y * R);
  vec2 n = times(over, pick2(circle, x, leg));
  if (any(open)) { // without an agreed direction, any; it is open by rounding alone then
    const mask agreed = less(all_lanes(0), dot(asunder, asunder));
    n = pick2(open, pick2(agreed, asunder, vec2_of(all_lanes(1), all_lanes(0))), n);
  }
  const real u = pick(circle, R * hurry - root, -dot(n, v));
  return (struct half_plane){n, dot(n, own) + share * u};
}

// Do the half-planes h[0..count) already keep the agent off both ends of the wall?
INLINE mask orca_wall_covered(const struct seen_wall *w, real radius, real hurry,
                              const struct half_plane *h, int count)
{
  const vec2 a = times(hurry, w->a), b = times(hurry, w->b);
  const real reach = hurry * radius - all_lanes(1e-5f);
  mask covered = none_of_lanes();
  for (int j = 0; j < count; j++)
    covered = covered | (less_equal(reach, half_plane_lack(h[j], a)) &
                         less_equal(reach, half_plane_lack(h[j], b)));
  return covered;
}

// The legs of the velocity obstacle of a disc at p: unit tangents from the origin.
INLINE vec2 left_tangent(vec2 p, real radius, real g, real one_over_d2)
{
  return times(one_over_d2, vec2_of(p.x * g - p.y * radius, p.x * radius + p.y * g));
}
INLINE vec2 right_tangent(vec2 p, real radius, real g, real one_over_d2)
{
  return times(one_over_d2, vec2_of(p.x * g + p.y * radius, p.y * g - p.x * radius));
}

// The agent touches the wall already: move away from the nearest corner or off the line.
INLINE struct half_plane orca_wall_touching(const struct seen_wall *w, real s, real d2_a, real d2_b)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  const mask beside_a = less(s, zero), beside_b = less(one, s);
  const real scale_a = one / square_root(pick(less(zero, d2_a), d2_a, one));
  const real scale_b = one / square_root(pick(less(zero, d2_b), d2_b, one));
  const vec2 off_line = vec2_of(w->along.y, -w->along.x);
  const vec2 n =
      pick2(beside_a, times(-scale_a, w->a), pick2(beside_b, times(-scale_b, w->b), off_line));
  // A reflex corner is the business of the wall that faces the agent.
  const mask others_a = beside_a & not(w->convex_a);
  const mask others_b = beside_b & (not(w->convex_b) | less(det(w->b, w->after), zero));
  return half_plane_if(others_a | others_b, half_plane_always(), (struct half_plane){n, zero});
}

// The agent's half-plane against a wall, all of the avoidance being its own
// (section 5.4: the velocity obstacle of a segment, cut off at the horizon).
INLINE struct half_plane orca_wall(const struct seen_wall *w, real radius, vec2 v, real hurry)
{
  const real zero = all_lanes(0), one = all_lanes(1), never = all_lanes(3e38f);
  const vec2 line = minus(w->b, w->a);
  const real r2 = radius * radius, d2_a = dot(w->a, w->a), d2_b = dot(w->b, w->b);
  const real s = -dot(w->a, line) / dot(line, line); // foot of the agent: 0 at a, 1 at b
  const vec2 foot = add(w->a, times(s, line));
  const mask near_line = less_equal(dot(foot, foot), r2);
  const mask touches = (less(s, zero) & less_equal(d2_a, r2)) |
                       (less(one, s) & less_equal(d2_b, r2)) |
                       (not(less(s, zero)) & not(less(one, s)) & near_line);

  // Seen end on, the wall is only its nearer corner.
  const mask only_a = less(s, zero) & near_line, only_b = less(one, s) & near_line;
  const mask one_point = only_a | only_b;
  const vec2 left = pick2(only_b, w->b, w->a), right = pick2(only_a, w->a, w->b);
  const mask convex_left = pick_mask(only_b, w->convex_b, w->convex_a);
  const mask convex_right = pick_mask(only_a, w->convex_a, w->convex_b);
  const mask others = (only_a & not(w->convex_a)) | (only_b & not(w->convex_b));

  // Legs; at a reflex corner the leg goes on along the wall.
  const real d2_left = dot(left, left), d2_right = dot(right, right);
  const real g_left = square_root(larger(d2_left - r2, zero));
  const real g_right = square_root(larger(d2_right - r2, zero));
  const real over_left = one / pick(less(zero, d2_left), d2_left, one);
  const real over_right = one / pick(less(zero, d2_right), d2_right, one);
  const vec2 back = times(-one, w->along);
  vec2 leg_left =
      pick2(convex_left | one_point, left_tangent(left, radius, g_left, over_left), back);
  vec2 leg_right =
      pick2(convex_right | one_point, right_tangent(right, radius, g_right, over_right), w->along);
  // A leg that points into the next wall is that wall's: nothing is projected on it.
  const vec2 before = pick2(only_b, w->along, w->before), after = pick2(only_a, w->along, w->after);
  const mask foreign_left = convex_left & not(less(det(leg_left, times(-one, before)), zero));
  const mask foreign_right = convex_right & not(less(zero, det(leg_right, after)));
  leg_left = pick2(foreign_left, times(-one, before), leg_left);
  leg_right = pick2(foreign_right, after, leg_right);

  // Where is v: before the cut-off's ends, beside the segment, or beside a leg?
  const vec2 cut_left = times(hurry, left), cut_right = times(hurry, right);
  const vec2 cut = minus(cut_right, cut_left);
  const real cut2 = dot(cut, cut);
  const vec2 from_left = minus(v, cut_left), from_right = minus(v, cut_right);
  const real t = pick(one_point, all_lanes(0.5f), dot(from_left, cut) / pick(one_point, one, cut2));
  const real t_left = dot(from_left, leg_left), t_right = dot(from_right, leg_right);
  const mask behind_left = less(t_left, zero), behind_right = less(t_right, zero);
  const mask round_left = (less(t, zero) & behind_left) | (one_point & behind_left & behind_right);
  const mask round_right = less(one, t) & behind_right & not(round_left);

  const vec2 to_cut = minus(from_left, times(t, cut));
  const vec2 to_left = minus(from_left, times(t_left, leg_left));
  const vec2 to_right = minus(from_right, times(t_right, leg_right));
  const real d2_cut = pick(less(t, zero) | less(one, t) | one_point, never, dot(to_cut, to_cut));
  const real d2_leg_left = pick(behind_left, never, dot(to_left, to_left));
  const real d2_leg_right = pick(behind_right, never, dot(to_right, to_right));
  const mask on_cut = less_equal(d2_cut, d2_leg_left) & less_equal(d2_cut, d2_leg_right);
  const mask on_left = not(on_cut) & less_equal(d2_leg_left, d2_leg_right);
  const mask on_right = not(on_cut) & not(on_left);

  // The normal there; the line lies radius / horizon off the obstacle along it.
  const vec2 from_corner = pick2(round_left, from_left, from_right);
  const real corner2 = dot(from_corner, from_corner);
  const mask at_corner = equal(corner2, zero);
  const vec2 off_line = vec2_of(w->along.y, -w->along.x);
  const vec2 n_corner = pick2(at_corner, off_line,
                              times(one / square_root(pick(at_corner, one, corner2)), from_corner));
  const vec2 n_left = perp(leg_left), n_right = times(-one, perp(leg_right));
  const vec2 n_flat = pick2(on_cut, off_line, pick2(on_left, n_left, n_right));
  const mask round = round_left | round_right;
  const vec2 n = pick2(round, n_corner, n_flat);
  const mask uses_right = (round & not(round_left)) | (not(round) & on_right);
  const real b = dot(n, pick2(uses_right, cut_right, cut_left)) + hurry * radius;
  const mask foreign = not(round) & ((on_left & foreign_left) | (on_right & foreign_right));

  const struct half_plane apart =
      half_plane_if(others | foreign, half_plane_always(), (struct half_plane){n, b});
  return half_plane_if(touches, orca_wall_touching(w, s, d2_a, d2_b), apart);
}

// All half-planes of a block: walls first. Returns how many; *hard: how many of them are walls'.
INLINE int orca_half_planes(struct half_plane *h, const struct sight *s, int *hard)
{
  const real hurry_walls = all_lanes(1 / s->horizon_walls);
  const struct orca_horizon time = {all_lanes(1) / s->horizon, all_lanes(1 / s->step)};
  int count = 0;
  for (int i = 0; i < s->wall_count; i++) {
    const struct seen_wall *w = &s->walls[i];
    const mask covered = orca_wall_covered(w, s->radius, hurry_walls, h, count);
    h[count++] =
        half_plane_if(s->active & w->there & not(covered),
                      orca_wall(w, s->radius, s->velocity, hurry_walls), half_plane_always());
  }
  *hard = count;
  for (int i = 0; i < s->agent_count; i++) {
    const struct seen_agent *o = &s->agents[i];
    h[count++] = half_plane_if(
        o->there, orca_agent(o->p, o->R, s->velocity, o->v, time, o->share, o->asunder),
        half_plane_always());
  }
  return count;
}
