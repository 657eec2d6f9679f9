// The penalty of a candidate velocity in sampled reciprocal velocity obstacles; rvo.h has the
// formulas.
#pragma once
#include "collision_time.h"
#include "perception.h"

#define RVO_WALL_HIT    0x1p20f  // m: weight of a collision with a wall within one step
#define RVO_CHANGE      0.5f     // weight of the change of velocity, of slow agents
#define RVO_TOWARDS     0.0625f  // weight of the deviation during an overlap; slowness has 1
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
  vec2 preferred_velocity;
  vec2 first; // the preferred velocity, at most as fast as the agent can be
  ivec turn;  // quarter turns of the scene: of the direction that the samples are numbered from
  real radius, max_speed;
  struct admissible admissible;
  mask slow; // cannot change to any velocity in one step
  float safety, step, inv_horizon_walls;
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

// The quarter of the plane, 0 to 3, in which v points.
INLINE ivec rvo_quarter_of(vec2 v)
{
  const real zero = splat(0);
  const mask right = less(zero, v.x) & less_equal(zero, v.y), up = less(zero, v.y);
  const ivec down = select_ivec(less(v.x, zero), splat_ivec(2), splat_ivec(3));
  return select_ivec(right, splat_ivec(0), select_ivec(up, splat_ivec(1), down));
}

INLINE vec2 rvo_unless_zero(vec2 v, vec2 otherwise)
{
  return select_vec2(less(splat(0), magnitude(v.x) + magnitude(v.y)), v, otherwise);
}

// The quarter of the preferred velocity or, for an agent that prefers to stand, of the first thing
// that tells one direction from another. So samples with the same number are turned with the scene.
INLINE ivec rvo_turn(const struct perception *s)
{
  const vec2 zero = {splat(0), splat(0)};
  vec2 v = rvo_unless_zero(s->preferred_velocity, s->velocity);
  for (int j = 0; j < s->agent_count; j++) {
    const struct neighbour *other = &s->agents[j];
    v = rvo_unless_zero(v, select_vec2(other->valid, rvo_unless_zero(other->p, other->v), zero));
  }
  for (int k = 0; k < s->wall_count; k++)
    v = rvo_unless_zero(v, select_vec2(s->walls[k].valid, s->walls[k].along, zero));
  return rvo_quarter_of(v);
}

INLINE void rvo_prepare(struct rvo_problem *r, const struct perception *s,
                        const struct rvo_options *o)
{
  r->agent_count = s->agent_count;
  r->wall_count = s->wall_count;
  r->overlap = mask_none();
  r->preferred_velocity = s->preferred_velocity;
  r->first = disc_closest(vec2_of(splat(0), splat(0)), s->max_speed, s->preferred_velocity);
  r->turn = rvo_turn(s);
  r->radius = s->radius;
  r->max_speed = s->max_speed;
  r->admissible = s->admissible;
  r->slow = s->admissible.limited ? admissible_limits(&s->admissible) : mask_none();
  r->safety = o->safety;
  r->step = s->step;
  r->inv_horizon_walls = 1 / s->horizon_walls;
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

// Below 1 for slow and 1/4 for preferred velocities: a step outweighs them as in the paper.
INLINE real rvo_exit_penalty(const struct rvo_problem *r, vec2 v)
{
  const real speed2 = r->max_speed * r->max_speed;
  const mask moves = less(splat(0), speed2);
  const vec2 off = minus(r->first, v);
  const real slow = dot(v, v) + splat(RVO_TOWARDS) * dot(off, off);
  return rvo_exit_steps(r, v) +
         select_real(moves, slow / select_real(moves, speed2, splat(1)), splat(0));
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

// The velocity after a step in which the agent changes it towards v as far as it can, m/s.
INLINE vec2 rvo_next_towards(const struct rvo_problem *r, vec2 v)
{
  return select_vec2(r->slow, admissible_closest(&r->admissible, v), v);
}

INLINE real rvo_walls_inv_time(const struct rvo_problem *r, vec2 v)
{
  real h = splat(0);
  for (int k = 0; k < r->wall_count; k++)
    h = max_real(h, wall_inv_time(&r->walls[k], v));
  return h;
}

// The penalty of meeting a wall in the next step, in which the agent changes its velocity towards v
// by as much as it can. inv_time: 1/s, of v against the walls.
INLINE real rvo_wall_hit(const struct rvo_problem *r, vec2 v, real inv_time)
{
  real h = inv_time;
  if (any(r->slow))
    h = select_real(r->slow, rvo_walls_inv_time(r, rvo_next_towards(r, v)), h);
  const mask hit = less(splat(1), h * splat(r->step));
  return select_real(hit, splat(RVO_WALL_HIT) * h, splat(0));
}

// The terms that do not depend on others: what is left to the preferred velocity and, of an agent
// that changes its velocity slowly, what is to change.
INLINE real rvo_deviation(const struct rvo_problem *r, vec2 v) // m/s
{
  const vec2 off = minus(r->preferred_velocity, v);
  const real deviation = square_root(dot(off, off));
  if (!any(r->slow))
    return deviation;
  const vec2 change = minus(r->admissible.centre, v);
  const real more = splat(RVO_CHANGE) * square_root(dot(change, change));
  return select_real(r->slow, deviation + more, deviation);
}

// The penalty of v and its *inv_time. Where the penalty exceeds `bound`, both may be too low, but
// the penalty stays above the bound. Rounding is monotone, so a penalty within the bound is exact.
INLINE real rvo_penalty(const struct rvo_problem *r, vec2 v, real bound, real *inv_time)
{
  const real deviation = rvo_deviation(r, v), walls = rvo_walls_inv_time(r, v);
  const real hit = rvo_wall_hit(r, v, walls);
  real h = max_real(walls - splat(r->inv_horizon_walls), splat(0));
  const mask alive = not(r->overlap) & less_equal(splat(r->safety) * h + deviation, bound);
  if (any(alive))
    h = rvo_agents_inv_time(r, v, deviation, bound, alive, h);
  real penalty = splat(r->safety) * h + deviation;
  if (any(r->overlap))
    penalty = select_real(r->overlap, rvo_exit_penalty(r, v), penalty);
  *inv_time = max_real(h, walls);
  return penalty + hit;
}
