// Steering behaviours (Reynolds 1987: separation, alignment, cohesion; 1999: unaligned collision
// avoidance): they change the wish, which already seeks the goal and arrives there. The result is
// walked as it is or handed to an avoidance method.
//
// Each behaviour is a velocity of at most `preferred`, m/s, times its weight; all are summed and
// the sum is cut to max_speed. The papers leave the fall with distance open: linear here.
#pragma once
#include "sight.h"

#define COHESION_TIME 1.0f // s: in so long one would be in the middle of the others

INLINE vec2 at_most(real length, vec2 v)
{
  return disc_nearest(vec2_of(all_lanes(0), all_lanes(0)), length, v);
}

INLINE mask steering_sees(const struct sight *s, int j)
{
  return s->active & s->agents[j].there;
}

// Reynolds 1987, "collision avoidance": away from those whose discs are nearer than `distance`, m;
// each counts 1 when it touches and 0 at the distance.
INLINE vec2 steering_separation(const struct sight *s, float distance, real preferred)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  vec2 sum = {zero, zero};
  for (int j = 0; j < s->agent_count; j++) {
    const struct seen_agent *other = &s->agents[j];
    const real D2 = dot(other->p, other->p);
    const mask apart = less(zero, D2);
    const real D = square_root(D2);
    const vec2 away = pick2(apart, times(-one / pick(apart, D, one), other->p), other->asunder);
    const real gap = larger(D - other->R, zero);
    const mask close = steering_sees(s, j) & less(gap, all_lanes(distance));
    const real strength = pick(close, one - gap / pick(close, all_lanes(distance), one), zero);
    sum = add(sum, pick2(close, times(strength, away), vec2_of(zero, zero)));
  }
  return times(preferred, at_most(one, sum));
}

// Reynolds 1987, "velocity matching" and "flock centering": towards the mean velocity of the others
// and towards the mean of their places.
INLINE void steering_flock(const struct sight *s, real preferred, vec2 *alignment, vec2 *cohesion)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  vec2 v = {zero, zero}, p = {zero, zero};
  real count = zero;
  for (int j = 0; j < s->agent_count; j++) {
    const mask sees = steering_sees(s, j);
    v = pick2(sees, add(v, s->agents[j].v), v);
    p = pick2(sees, add(p, s->agents[j].p), p);
    count = pick(sees, count + one, count);
  }
  const mask some = less(zero, count);
  const real share = pick(some, one / pick(some, count, one), zero);
  const vec2 match = pick2(some, minus(times(share, v), s->velocity), vec2_of(zero, zero));
  *alignment = at_most(preferred, match);
  *cohesion = at_most(preferred, times(share / all_lanes(COHESION_TIME), p));
}

// Reynolds 1999, "unaligned collision avoidance": of those whose discs would touch ours at the
// nearest approach within the horizon, were we to walk as wished, the soonest is passed on the side
// that it leaves free; exactly in front, on the right (the one thing that a mirror image changes).
INLINE vec2 steering_unaligned(const struct sight *s, real preferred)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  const real length2 = dot(s->wish, s->wish);
  const mask moves = less(zero, length2);
  const vec2 g = times(one / square_root(pick(moves, length2, one)), s->wish);
  const vec2 left = perp(g);
  real soonest = s->horizon, side = zero; // of the one met: > 0 on our left
  for (int j = 0; j < s->agent_count; j++) {
    const struct seen_agent *other = &s->agents[j];
    const vec2 u = minus(other->v, s->wish);
    const real u2 = dot(u, u);
    const mask moving = less(zero, u2);
    const real time = -dot(other->p, u) / pick(moving, u2, one);
    const vec2 then = add(other->p, times(time, u));
    const mask meets = steering_sees(s, j) & moving & less(zero, time) & less(time, soonest) &
                       less(dot(then, then), other->R * other->R);
    soonest = pick(meets, time, soonest);
    side = pick(meets, dot(then, left), side);
  }
  const mask met = moves & less(soonest, s->horizon);
  const real urgency = one - soonest / pick(met, s->horizon, one);
  const real turn = pick(less(side, zero), one, -one); // it is on the right: to the left
  return pick2(met, times(turn * urgency * preferred, left), vec2_of(zero, zero));
}

// The wish, changed. preferred: the agent's own speed, m/s; the length of the wish will do, but an
// agent that has arrived then lets nobody push it.
INLINE vec2 steering_wish(const struct sight *s, const struct steering_options *o, real preferred)
{
  vec2 wish = s->wish, alignment, cohesion;
  if (o->separation > 0)
    wish = add(wish, times(all_lanes(o->separation),
                           steering_separation(s, o->separation_distance, preferred)));
  if (o->alignment > 0 || o->cohesion > 0) {
    steering_flock(s, preferred, &alignment, &cohesion);
    wish = add(wish, times(all_lanes(o->alignment), alignment));
    wish = add(wish, times(all_lanes(o->cohesion), cohesion));
  }
  if (o->unaligned > 0)
    wish = add(wish, times(all_lanes(o->unaligned), steering_unaligned(s, preferred)));
  return at_most(s->max_speed, wish);
}
