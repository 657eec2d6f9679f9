// Hybrid reciprocal velocity obstacles (Snape, van den Berg, Guy, Manocha 2011, section IV): the
// velocity closest to the preferred one outside of one cone per neighbour, without a time horizon.
//
// An agent that passes on the right of the centre line of the reciprocal cone keeps the cone's
// right side, but its left side is that of the full velocity obstacle. A change of sides then costs
// the whole avoidance, which prevents the reciprocal dance. Units m and m/s; p = p_B - p_A, D =
// |p|, R = r_A + r_B, w = v_A - v_B.
#pragma once
#include "wall_obstacle.h"

// An overlapping pair: the half-plane of velocities that separate the two too slowly to end the
// overlap within the step, by this agent's share.
INLINE struct half_plane hrvo_overlap(const struct neighbour *other, vec2 velocity, float step,
                                      const struct admissible *admissible)
{
  const real zero = splat(0), one = splat(1);
  const vec2 p = other->p, w = minus(velocity, other->v);
  const real d2 = dot(p, p), d = square_root(d2), w2 = dot(w, w);
  const mask same = equal(d2, zero), still = equal(w2, zero);
  // At the same place: along the relative velocity, else the agreed direction.
  const vec2 onward = select_vec2(still, other->tie_direction,
                                  times(one / square_root(select_real(still, one, w2)), w));
  const vec2 n = select_vec2(same, times(-one, onward), times(one / select_real(same, one, d), p));
  const vec2 apex = minus(velocity, times(other->share, w));
  const real part = other->share * ((other->R - d) * splat(1 / step));
  const mask open = equal(n.x, zero) & equal(n.y, zero);
  const struct half_plane h = {n, dot(n, apex) - part};
  return half_plane_select(open, half_plane_never(), half_plane_within_reach(h, admissible));
}

// The cone of one neighbour. Each side starts at the apex of its own cone, (v_A + v_B) / 2 with
// equal shares or v_B. The intersection of the two sides, the apex in the paper, is not needed. An
// agent on the centre line passes on the left. Two points (R = 0) never collide.
INLINE struct velocity_obstacle hrvo_obstacle(const struct neighbour *other, vec2 velocity,
                                              float step, const struct admissible *admissible)
{
  const real zero = splat(0), one = splat(1), R = other->R;
  const vec2 p = other->p, w = minus(velocity, other->v);
  const real d2 = dot(p, p), r2 = R * R;
  const mask overlap = less_equal(d2, r2), point = not(less(zero, R));
  const real d2_apart = select_real(overlap, one, d2),
             g = square_root(max_real(d2_apart - r2, zero));
  const vec2 n_l = cone_left_normal(disc_tangent_left(p, R, g, one / d2_apart));
  const vec2 n_r = cone_right_normal(disc_tangent_right(p, R, g, one / d2_apart));
  const vec2 apex = minus(velocity, times(other->share, w));
  const mask right = less(det(p, w), zero);
  struct half_plane l = {n_l, dot(n_l, select_vec2(right, other->v, apex))};
  const struct half_plane r = {n_r, dot(n_r, select_vec2(right, apex, other->v))};
  l = half_plane_select(point, half_plane_never(), l);
  if (any(overlap))
    l = half_plane_select(overlap, hrvo_overlap(other, velocity, step, admissible), l);
  return (struct velocity_obstacle){2, {l, half_plane_select(overlap, half_plane_always(), r)}};
}

// The lanes in which no cone forbids *v, the velocity closest to the preferred one: it is then what
// hrvo_best returns. No cone is stored.
INLINE mask hrvo_unhindered(const struct perception *s, vec2 *v)
{
  const real noise = splat(LP_NOISE) * s->admissible.speed;
  *v = admissible_closest(&s->admissible, s->preferred_velocity);
  mask free = wall_obstacles_permit(s, *v, noise);
  for (int i = 0; i < s->agent_count && any(free); i++) {
    const struct velocity_obstacle o = velocity_obstacle_select(
        s->agents[i].valid, hrvo_obstacle(&s->agents[i], s->velocity, s->step, &s->admissible));
    free = free & not(velocity_obstacle_holds(&o, *v, noise));
  }
  return free;
}

// The obstacles of walls, o[0..hard), and of the neighbours; returns hard.
INLINE int hrvo_obstacles(const struct perception *s, struct velocity_obstacle *o)
{
  const int hard = wall_obstacles(s, o);
  for (int i = 0; i < s->agent_count; i++)
    o[hard + i] = velocity_obstacle_select(
        s->agents[i].valid, hrvo_obstacle(&s->agents[i], s->velocity, s->step, &s->admissible));
  return hard;
}

// The best velocity outside of all cones. o[VELOCITY_OBSTACLES_MAX]: memory of the problem, for
// velocity_keep_most. *infeasible: lanes without one; their velocity is undefined.
INLINE vec2 hrvo_best(const struct perception *s, struct velocity_obstacle *o,
                      struct velocity_problem *problem, mask *infeasible)
{
  const int hard = hrvo_obstacles(s, o), count = hard + s->agent_count;
  *problem = (struct velocity_problem){o, hard, count, &s->admissible, s->preferred_velocity};
  return velocity_best(o, count, &s->admissible, s->preferred_velocity, s->active, infeasible);
}
