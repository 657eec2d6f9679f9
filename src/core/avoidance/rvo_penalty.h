// What a velocity costs in sampled reciprocal velocity obstacles: rvo.h says what and why.
#pragma once
#include "collision_time.h"
#include "sight.h"

#define RVO_WALL_HIT    0x1p20f  // m: weighs a collision with a wall within one step
#define RVO_STEPS_MAX   4096     // to get out of an overlap; more count as so many
#define RVO_SHARE_LEAST 0x1p-10f // below, the neighbour does all there is to do

struct rvo_agent {
  struct disc_ahead ahead; // met by v' - apex, its hurry being that of the ray
  vec2 apex;               // (1 - share) v_A + share v_B, m/s: the ray is (v' - apex) / share
  mask overlap;
  vec2 p;         // m
  real R2, share; // m^2, 1
};

// What does not depend on the candidate.
struct rvo_scene {
  int agent_count, wall_count;
  mask overlap; // something does
  vec2 wish, first;
  real radius, max_speed;
  struct admissible admissible;
  vec2 centre; // of the disc that is sampled, m/s
  real reach;
  float safety, step;
  struct rvo_agent agents[NEIGHBOURS_MAX];
  struct wall_ahead walls[WALLS_MAX];
};

INLINE struct rvo_agent rvo_agent_of(const struct seen_agent *other, vec2 velocity)
{
  const real one = all_lanes(1), R2 = other->R * other->R;
  const mask counts = other->there & less_equal(all_lanes(RVO_SHARE_LEAST), other->share);
  const real share = pick(counts, other->share, one);
  struct disc_ahead d = disc_ahead_of(other->p, other->R);
  d.toward = times(one / share, d.toward); // hurry(w / share) = hurry(w) / share
  d.across = times(one / share, d.across);
  return (struct rvo_agent){disc_ahead_if(counts, d, disc_ahead_none()),
                            add(times(one - share, velocity), times(share, other->v)),
                            counts & less(dot(other->p, other->p), R2),
                            other->p,
                            R2,
                            share};
}

// Random candidates come from the smaller of the two admissible discs.
INLINE void rvo_choose_disc(struct rvo_scene *r)
{
  const vec2 zero = {all_lanes(0), all_lanes(0)};
  r->centre = zero;
  r->reach = r->admissible.speed;
  if (!r->admissible.limited)
    return;
  const mask tight = less(r->admissible.reach, r->admissible.speed);
  r->centre = pick2(tight, r->admissible.centre, zero);
  r->reach = pick(tight, r->admissible.reach, r->admissible.speed);
}

INLINE void rvo_prepare(struct rvo_scene *r, const struct sight *s, const struct rvo_options *o)
{
  r->agent_count = s->agent_count;
  r->wall_count = s->wall_count;
  r->overlap = none_of_lanes();
  r->wish = s->wish;
  r->first = admissible_nearest(&s->admissible, s->wish);
  r->radius = s->radius;
  r->max_speed = s->max_speed;
  r->admissible = s->admissible;
  r->safety = o->safety;
  r->step = s->step;
  rvo_choose_disc(r);
  for (int j = 0; j < s->agent_count; j++) {
    r->agents[j] = rvo_agent_of(&s->agents[j], s->velocity);
    r->overlap = r->overlap | r->agents[j].overlap;
  }
  for (int k = 0; k < s->wall_count; k++) {
    const struct seen_wall *w = &s->walls[k];
    r->walls[k] =
        wall_ahead_if(w->there, wall_ahead_of(w->a, w->b, w->along, s->radius), wall_ahead_none());
    r->overlap = r->overlap | r->walls[k].touching;
  }
}

// Whole steps until v has left all that overlaps: ceil by adding what leaves no fraction.
INLINE real rvo_steps_out(const struct rvo_scene *r, vec2 v)
{
  real time = all_lanes(0);
  for (int j = 0; j < r->agent_count; j++) {
    const struct rvo_agent *a = &r->agents[j];
    const real exit = a->share * disc_exit_time(minus(v, a->apex), a->p, a->R2);
    time = pick(a->overlap, larger(time, exit), time);
  }
  for (int k = 0; k < r->wall_count; k++)
    time =
        pick(r->walls[k].touching, larger(time, wall_exit_time(&r->walls[k], v, r->radius)), time);
  const real steps = smaller(time / all_lanes(r->step), all_lanes(RVO_STEPS_MAX));
  const real whole_steps = (steps + all_lanes(0x1p23f)) - all_lanes(0x1p23f);
  return pick(less(whole_steps, steps), whole_steps + all_lanes(1), whole_steps);
}

INLINE real rvo_penalty_out(const struct rvo_scene *r, vec2 v)
{
  const real speed2 = r->max_speed * r->max_speed;
  const mask moves = less(all_lanes(0), speed2);
  const real slow = pick(moves, dot(v, v) / pick(moves, speed2, all_lanes(1)), all_lanes(0));
  return rvo_steps_out(r, v) + slow;
}

#define RVO_GLANCE 4 // neighbours between two looks at whether anybody may still win: measured

// The greatest of `hurry` and that of v against the agents; it may stop short where safety hurry +
// away is above the bound already, for more can only make it worse.
INLINE real rvo_agents_hurry(const struct rvo_scene *r, vec2 v, real away, real bound, mask alive,
                             real hurry)
{
  for (int j = 0; j < r->agent_count; j++) {
    hurry = larger(hurry, disc_hurry(&r->agents[j].ahead, minus(v, r->agents[j].apex)));
    if (j % RVO_GLANCE == RVO_GLANCE - 1 &&
        !any(alive & less_equal(all_lanes(r->safety) * hurry + away, bound)))
      break;
  }
  return hurry;
}

INLINE real rvo_away(const struct rvo_scene *r, vec2 v) // m/s
{
  const vec2 off = minus(r->wish, v);
  return square_root(dot(off, off));
}

// The penalty of v and its *hurry; where it is above `bound` both may be too small, but the penalty
// not so small as the bound. Rounding is monotone: what is within the bound has the bits of the
// whole.
INLINE real rvo_penalty(const struct rvo_scene *r, vec2 v, real bound, real *hurry)
{
  const real away = rvo_away(r, v);
  real h = all_lanes(0);
  for (int k = 0; k < r->wall_count; k++)
    h = larger(h, wall_hurry(&r->walls[k], v));
  const mask hit = less(all_lanes(1), h * all_lanes(r->step));
  const real wall = pick(hit, all_lanes(RVO_WALL_HIT) * h, all_lanes(0));
  const mask alive = not(r->overlap) & less_equal(all_lanes(r->safety) * h + away, bound);
  if (any(alive))
    h = rvo_agents_hurry(r, v, away, bound, alive, h);
  real penalty = all_lanes(r->safety) * h + away;
  if (any(r->overlap))
    penalty = pick(r->overlap, rvo_penalty_out(r, v), penalty);
  *hurry = h;
  return penalty + wall;
}
