// The penalty of a candidate velocity in sampled reciprocal velocity obstacles; rvo.h has the
// formulas.
#pragma once
#include "collision_time.h"
#include "perception.h"

#define RVO_WALL_HIT    0x1p20f  // m: weight of a collision with a wall within one step
#define RVO_STEPS_MAX   4096     // upper bound of the steps to leave an overlap
#define RVO_SHARE_LEAST 0x1p-10f // with a smaller share the neighbour alone avoids

struct rvo_agent {
  struct disc_ahead ahead; // against v' - apex; its inverse time is that of the ray
  vec2 apex;               // (1 - share) v_A + share v_B, m/s: the ray is (v' - apex) / share
  mask overlap;
  vec2 p;         // m
  real R2, share; // m^2, 1
};

// The terms that do not depend on the candidate.
struct rvo_problem {
  int agent_count, wall_count;
  mask overlap; // some object overlaps
  vec2 preferred_velocity, first;
  real radius, max_speed;
  struct admissible admissible;
  vec2 centre; // of the sampled disc, m/s
  real reach;
  float safety, step;
  struct rvo_agent agents[NEIGHBOURS_MAX];
  struct wall_ahead walls[WALLS_MAX];
};

INLINE struct rvo_agent rvo_agent_of(const struct neighbour *other, vec2 velocity)
{
  const real one = splat(1), R2 = other->R * other->R;
  const mask counts = other->valid & less_equal(splat(RVO_SHARE_LEAST), other->share);
  const real share = select_real(counts, other->share, one);
  struct disc_ahead d = disc_ahead_of(other->p, other->R);
  d.toward = times(one / share, d.toward); // the ray is 1 / share times as fast
  d.across = times(one / share, d.across);
  return (struct rvo_agent){disc_ahead_if(counts, d, disc_ahead_none()),
                            add(times(one - share, velocity), times(share, other->v)),
                            counts & less(dot(other->p, other->p), R2),
                            other->p,
                            R2,
                            share};
}

// Samples come from the smaller of the two admissible discs.
INLINE void rvo_sampling_disc(struct rvo_problem *r)
{
  const vec2 zero = {splat(0), splat(0)};
  r->centre = zero;
  r->reach = r->admissible.speed;
  if (!r->admissible.limited)
    return;
  const mask small = less(r->admissible.reach, r->admissible.speed);
  r->centre = select_vec2(small, r->admissible.centre, zero);
  r->reach = select_real(small, r->admissible.reach, r->admissible.speed);
}

INLINE void rvo_prepare(struct rvo_problem *r, const struct perception *s,
                        const struct rvo_options *o)
{
  r->agent_count = s->agent_count;
  r->wall_count = s->wall_count;
  r->overlap = mask_none();
  r->preferred_velocity = s->preferred_velocity;
  r->first = admissible_closest(&s->admissible, s->preferred_velocity);
  r->radius = s->radius;
  r->max_speed = s->max_speed;
  r->admissible = s->admissible;
  r->safety = o->safety;
  r->step = s->step;
  rvo_sampling_disc(r);
  for (int j = 0; j < s->agent_count; j++) {
    r->agents[j] = rvo_agent_of(&s->agents[j], s->velocity);
    r->overlap = r->overlap | r->agents[j].overlap;
  }
  for (int k = 0; k < s->wall_count; k++) {
    const struct perceived_wall *w = &s->walls[k];
    r->walls[k] =
        wall_ahead_if(w->valid, wall_ahead_of(w->a, w->b, w->along, s->radius), wall_ahead_none());
    r->overlap = r->overlap | r->walls[k].touching;
  }
}

// Whole steps until v has left every overlapping object. Adding 2^23 rounds to an integer.
INLINE real rvo_exit_steps(const struct rvo_problem *r, vec2 v)
{
  real time = splat(0);
  for (int j = 0; j < r->agent_count; j++) {
    const struct rvo_agent *a = &r->agents[j];
    const real exit = a->share * disc_exit_time(minus(v, a->apex), a->p, a->R2);
    time = select_real(a->overlap, max_real(time, exit), time);
  }
  for (int k = 0; k < r->wall_count; k++)
    time = select_real(r->walls[k].touching,
                       max_real(time, wall_exit_time(&r->walls[k], v, r->radius)), time);
  const real steps = min_real(time / splat(r->step), splat(RVO_STEPS_MAX));
  const real whole_steps = (steps + splat(0x1p23f)) - splat(0x1p23f);
  return select_real(less(whole_steps, steps), whole_steps + splat(1), whole_steps);
}

INLINE real rvo_exit_penalty(const struct rvo_problem *r, vec2 v)
{
  const real speed2 = r->max_speed * r->max_speed;
  const mask moves = less(splat(0), speed2);
  const real slow = select_real(moves, dot(v, v) / select_real(moves, speed2, splat(1)), splat(0));
  return rvo_exit_steps(r, v) + slow;
}

#define RVO_PRUNE_EVERY 4 // neighbours between two checks whether any lane can still win; measured

// The maximum of inv_time and the inverse times of v against the neighbours. It may stop early
// where safety inv_time + deviation exceeds the bound: further neighbours can only raise it.
INLINE real rvo_agents_inv_time(const struct rvo_problem *r, vec2 v, real deviation, real bound,
                                mask alive, real inv_time)
{
  for (int j = 0; j < r->agent_count; j++) {
    inv_time = max_real(inv_time, disc_inv_time(&r->agents[j].ahead, minus(v, r->agents[j].apex)));
    if (j % RVO_PRUNE_EVERY == RVO_PRUNE_EVERY - 1 &&
        !any(alive & less_equal(splat(r->safety) * inv_time + deviation, bound)))
      break;
  }
  return inv_time;
}

INLINE real rvo_deviation(const struct rvo_problem *r, vec2 v) // m/s
{
  const vec2 off = minus(r->preferred_velocity, v);
  return square_root(dot(off, off));
}

// The penalty of v and its *inv_time. Where the penalty exceeds `bound`, both may be too low, but
// the penalty stays above the bound. Rounding is monotone, so a penalty within the bound is exact.
INLINE real rvo_penalty(const struct rvo_problem *r, vec2 v, real bound, real *inv_time)
{
  const real deviation = rvo_deviation(r, v);
  real h = splat(0);
  for (int k = 0; k < r->wall_count; k++)
    h = max_real(h, wall_inv_time(&r->walls[k], v));
  const mask hit = less(splat(1), h * splat(r->step));
  const real wall = select_real(hit, splat(RVO_WALL_HIT) * h, splat(0));
  const mask alive = not(r->overlap) & less_equal(splat(r->safety) * h + deviation, bound);
  if (any(alive))
    h = rvo_agents_inv_time(r, v, deviation, bound, alive, h);
  real penalty = splat(r->safety) * h + deviation;
  if (any(r->overlap))
    penalty = select_real(r->overlap, rvo_exit_penalty(r, v), penalty);
  *inv_time = h;
  return penalty + wall;
}
