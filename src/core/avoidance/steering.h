// Steering behaviours (Reynolds 1987: separation, alignment, cohesion; 1999: unaligned collision
// avoidance). They change the preferred velocity, which already provides seek and arrival. The
// result is used as it is or passed to an avoidance method.
//
// Each behaviour is a velocity of at most preferred_speed, m/s, times its weight; the sum is
// clamped to max_speed. The papers do not specify the decay with distance: it is linear here.
#pragma once
#include "perception.h"

#define STEERING_COHESION_TIME 1.0f // s, to reach the centre of the neighbours

INLINE vec2 clamp_length(real length, vec2 v)
{
  return disc_closest(vec2_of(splat(0), splat(0)), length, v);
}

INLINE mask steering_valid(const struct perception *s, int j)
{
  return s->active & s->agents[j].valid;
}

// Reynolds 1987, "collision avoidance": away from neighbours whose discs are closer than
// `distance`, m. The strength falls from 1 at contact to 0 at the distance.
INLINE vec2 steering_separation(const struct perception *s, float distance, real preferred_speed)
{
  const real zero = splat(0), one = splat(1);
  vec2 sum = {zero, zero};
  for (int j = 0; j < s->agent_count; j++) {
    const struct neighbour *other = &s->agents[j];
    const real D2 = dot(other->p, other->p);
    const mask apart = less(zero, D2);
    const real D = square_root(D2);
    const vec2 away = select_vec2(apart, times(-one / select_real(apart, D, one), other->p),
                                  other->tie_direction);
    const real gap = max_real(D - other->R, zero);
    const mask close = steering_valid(s, j) & less(gap, splat(distance));
    const real strength =
        select_real(close, one - gap / select_real(close, splat(distance), one), zero);
    sum = add(sum, select_vec2(close, times(strength, away), vec2_of(zero, zero)));
  }
  return times(preferred_speed, clamp_length(one, sum));
}

// Reynolds 1987, "velocity matching" and "flock centering": towards the mean velocity and the mean
// position of the neighbours.
INLINE void steering_flock(const struct perception *s, real preferred_speed, vec2 *alignment,
                           vec2 *cohesion)
{
  const real zero = splat(0), one = splat(1);
  vec2 v = {zero, zero}, p = {zero, zero};
  real count = zero;
  for (int j = 0; j < s->agent_count; j++) {
    const mask sees = steering_valid(s, j);
    v = select_vec2(sees, add(v, s->agents[j].v), v);
    p = select_vec2(sees, add(p, s->agents[j].p), p);
    count = select_real(sees, count + one, count);
  }
  const mask some = less(zero, count);
  const real share = select_real(some, one / select_real(some, count, one), zero);
  const vec2 match = select_vec2(some, minus(times(share, v), s->velocity), vec2_of(zero, zero));
  *alignment = clamp_length(preferred_speed, match);
  *cohesion = clamp_length(preferred_speed, times(share / splat(STEERING_COHESION_TIME), p));
}

// Reynolds 1999, "unaligned collision avoidance": among the neighbours whose discs would touch the
// agent's at the closest approach within the horizon, at its preferred velocity, the agent passes
// the first one on the free side. It passes one exactly in front on the right, so a mirrored scene
// may differ in that.
INLINE vec2 steering_unaligned(const struct perception *s, real preferred_speed)
{
  const real zero = splat(0), one = splat(1);
  const real length2 = dot(s->preferred_velocity, s->preferred_velocity);
  const mask moves = less(zero, length2);
  const vec2 g = times(one / square_root(select_real(moves, length2, one)), s->preferred_velocity);
  const vec2 left = perp(g);
  real soonest = s->horizon, side = zero; // of the first one: > 0 on the left
  for (int j = 0; j < s->agent_count; j++) {
    const struct neighbour *other = &s->agents[j];
    const vec2 u = minus(other->v, s->preferred_velocity);
    const real u2 = dot(u, u);
    const mask moving = less(zero, u2);
    const real time = -dot(other->p, u) / select_real(moving, u2, one);
    const vec2 then = add(other->p, times(time, u));
    const mask meets = steering_valid(s, j) & moving & less(zero, time) & less(time, soonest) &
                       less(dot(then, then), other->R * other->R);
    soonest = select_real(meets, time, soonest);
    side = select_real(meets, dot(then, left), side);
  }
  const mask met = moves & less(soonest, s->horizon);
  const real urgency = one - soonest / select_real(met, s->horizon, one);
  const real turn = select_real(less(side, zero), one, -one); // a neighbour on the right: turn left
  return select_vec2(met, times(turn * urgency * preferred_speed, left), vec2_of(zero, zero));
}

// The changed preferred velocity. preferred_speed: the agent's own, m/s. The length of the
// preferred velocity also works, but then no other agent can push an agent that has arrived.
INLINE vec2 steering_velocity(const struct perception *s, const struct steering_options *o,
                              real preferred_speed)
{
  vec2 preferred_velocity = s->preferred_velocity, alignment, cohesion;
  if (o->separation > 0)
    preferred_velocity = add(
        preferred_velocity, times(splat(o->separation),
                                  steering_separation(s, o->separation_distance, preferred_speed)));
  if (o->alignment > 0 || o->cohesion > 0) {
    steering_flock(s, preferred_speed, &alignment, &cohesion);
    preferred_velocity = add(preferred_velocity, times(splat(o->alignment), alignment));
    preferred_velocity = add(preferred_velocity, times(splat(o->cohesion), cohesion));
  }
  if (o->unaligned > 0)
    preferred_velocity =
        add(preferred_velocity, times(splat(o->unaligned), steering_unaligned(s, preferred_speed)));
  return clamp_length(s->max_speed, preferred_velocity);
}
