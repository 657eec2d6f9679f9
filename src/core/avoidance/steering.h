// Steering behaviours (Reynolds 1987: separation, alignment, cohesion; 1999: unaligned collision
// avoidance): they change the wish, which already seeks the goal and arrives there. The result is
// walked as it is or handed to an avoidance method.
//
// Each behaviour is a velocity of at most `preferred`, m/s, times its weight; all are summed and
// the sum is cut to max_speed. The papers leave the fall with distance open: linear here.
#pragma once
#include "perception.h"

#define STEERING_COHESION_TIME 1.0f // s: in so long one would be in the middle of the others

INLINE vec2 clamp_length(real length, vec2 v)
{
  return disc_closest(vec2_of(splat(0), splat(0)), length, v);
}

INLINE mask steering_valid(const struct perception *s, int j)
{
  return s->active & s->agents[j].valid;
}

// Reynolds 1987, "collision avoidance": away from those whose discs are nearer than `distance`, m;
// each counts 1 when it touches and 0 at the distance.
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

// Reynolds 1987, "velocity matching" and "flock centering": towards the mean velocity of the others
// and towards the mean of their places.
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

// Reynolds 1999, "unaligned collision avoidance": of those whose discs would touch ours at the
// nearest approach within the horizon, were we to walk as wished, the soonest is passed on the side
// that it leaves free; exactly in front, on the right (the one thing that a mirror image changes).
INLINE vec2 steering_unaligned(const struct perception *s, real preferred_speed)
{
  const real zero = splat(0), one = splat(1);
  const real length2 = dot(s->preferred_velocity, s->preferred_velocity);
  const mask moves = less(zero, length2);
  const vec2 g = times(one / square_root(select_real(moves, length2, one)), s->preferred_velocity);
  const vec2 left = perp(g);
  real soonest = s->horizon, side = zero; // of the one met: > 0 on our left
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
  const real turn = select_real(less(side, zero), one, -one); // it is on the right: to the left
  return select_vec2(met, times(turn * urgency * preferred_speed, left), vec2_of(zero, zero));
}

// The wish, changed. preferred: the agent's own speed, m/s; the length of the wish will do, but an
// agent that has arrived then lets nobody push it.
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
