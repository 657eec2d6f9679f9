// Reciprocal velocity obstacles by sampling (van den Berg, Lin, Manocha 2008; Bleiweiss 2009), in
// the two forms of Bleiweiss: flat, a lane an agent, and nested, a lane a sample of one agent. Both
// give one answer, to the bit.
//
// Candidate 0 is the wish; the others are random in the admissible velocities and a pure function
// of (seed, id, step, sample). Least penalty wins, then the lower sample number:
//     penalty(v') = safety / tc(v') + |wish - v'|, m/s
// tc: the least time to collision with what is seen, s. Against a neighbour it is that of the ray
// (v' - (1 - share) v_A) / share - v_B; against walls and the passive (share 1) of v' - v_B.
//
// Two things come on top. A candidate that meets a wall within one step loses to any that does
// not. And where something overlaps, only what overlaps counts and not the wish:
//     penalty(v') = ceil(t_exit / step) + (|v'| / max_speed)^2
// over the last to be left: out soonest, slowly among equals. It orders as the authors' -1 / tc.
//
// The horizon of the sight is not used: far collisions weigh little by themselves. Nor is
// `asunder`: the draws of two agents differ.
//
// Known limit, the method's own: with nothing that slows a change of sides two may take the same
// side over and over (the reciprocal dance) and brush each other. A greatest acceleration and a
// short step cure it.
#pragma once
#include "random_lanes.h"
#include "rvo_penalty.h"

struct rvo_draw {
  uint64_t seed;
  int64_t step;
  whole id_low, id_high; // of the agent: its 64 bits
};

// Candidates that wait, at most one a lane: most lose by their way off the wish alone, and those
// that do not are looked at side by side.
struct rvo_waiting {
  mask there;
  vec2 v;
  whole sample;
};

struct rvo_best {
  real penalty; // m/s
  real hurry;   // 1/s
  vec2 v;
  whole sample;
};

// The square [-1, 1]^2 pressed into the unit disc: no sine, no rejection. It is the elliptical grid
// map, (x sqrt(1 - y^2/2), y sqrt(1 - x^2/2)), its roots replaced by a parabola in y^2 that meets
// them at 0 and at 1 and stays below between: the image lies inside, within 0.002 of the circle.
INLINE real rvo_squeeze(real x, real y)
{
  const real y2 = y * y;
  return x * (all_lanes(1) - y2 * (all_lanes(0.25f) + all_lanes(0.04290f) * y2));
}
INLINE vec2 rvo_in_disc(const struct rvo_scene *r, lane_word word)
{
  const real x = random_signed_low(word), y = random_signed_high(word);
  return add(r->centre, times(r->reach, vec2_of(rvo_squeeze(x, y), rvo_squeeze(y, x))));
}

INLINE void rvo_try(const struct rvo_scene *r, struct rvo_waiting *waiting, real bound,
                    struct rvo_best *best)
{
  real hurry;
  const real limit = pick(waiting->there, smaller(bound, best->penalty), all_lanes(-1));
  const real penalty = rvo_penalty(r, waiting->v, limit, &hurry);
  const mask better = waiting->there & less(penalty, best->penalty);
  best->penalty = pick(better, penalty, best->penalty);
  best->hurry = pick(better, hurry, best->hurry);
  best->v = pick2(better, waiting->v, best->v);
  best->sample = pick_whole(better, waiting->sample, best->sample);
  waiting->there = none_of_lanes();
}

// Lets v wait where it counts and may win, after trying those who wait already if it must.
INLINE void rvo_wait(const struct rvo_scene *r, vec2 v, whole sample, mask counts, real bound,
                     struct rvo_waiting *waiting, struct rvo_best *best)
{
  const real limit = smaller(bound, best->penalty);
  const mask alive = counts & (r->overlap | less_equal(rvo_away(r, v), limit));
  if (any(alive & waiting->there))
    rvo_try(r, waiting, bound, best);
  waiting->v = pick2(alive, v, waiting->v);
  waiting->sample = pick_whole(alive, sample, waiting->sample);
  waiting->there = waiting->there | alive;
}

INLINE struct rvo_best rvo_begin(const struct rvo_scene *r) // the wish, sample 0
{
  struct rvo_best best = {.v = r->first, .sample = all_lanes_whole(0)};
  best.penalty = rvo_penalty(r, r->first, all_lanes(INFINITY), &best.hurry);
  return best;
}

// Samples 4 four .. 4 four + 3, below 2^18: one draw gives all. Sample 0 is the wish, not drawn.
INLINE void rvo_try_four(const struct rvo_scene *r, const struct rvo_draw *draw, whole four,
                         int32_t samples, real bound, struct rvo_waiting *waiting,
                         struct rvo_best *best)
{
  const struct random_lanes words =
      random_words_lanes(draw->seed, draw->id_low, draw->id_high, draw->step,
                         four * 256 + all_lanes_whole(RANDOM_VELOCITY));
  for (int w = 0; w < 4; w++) {
    const whole sample = four * 4 + all_lanes_whole(w);
    const vec2 v = rvo_in_disc(r, words.word[w]);
    const mask counts = whole_less(sample, all_lanes_whole(samples)) &
                        whole_less(all_lanes_whole(0), sample) &
                        admissible_holds(&r->admissible, v);
    rvo_wait(r, v, sample, counts, bound, waiting, best);
  }
}

// Lanes where the best still collides within one step, or that overlap something.
INLINE mask rvo_infeasible(const struct rvo_scene *r, const struct rvo_best *best)
{
  return r->overlap | less(all_lanes(1), best->hurry * all_lanes(r->step));
}

// Flat: lanes are agents. The next velocity, m/s; *infeasible: active lanes where it collides
// within one step (all sharing as agreed), or where something overlaps already.
INLINE vec2 rvo_velocity(const struct sight *s, const struct rvo_options *o, struct rvo_draw draw,
                         mask *infeasible)
{
  struct rvo_scene r;
  rvo_prepare(&r, s, o);
  struct rvo_best best = rvo_begin(&r);
  struct rvo_waiting waiting = {none_of_lanes(), best.v, best.sample};
  for (int32_t four = 0; 4 * four < o->samples; four++)
    rvo_try_four(&r, &draw, all_lanes_whole(four), o->samples, best.penalty, &waiting, &best);
  rvo_try(&r, &waiting, best.penalty, &best);
  *infeasible = s->active & rvo_infeasible(&r, &best);
  return best.v;
}

INLINE mask lane_everywhere_mask(mask m, int l)
{
  return mask_from_bits(mask_bits(m) >> l & 1 ? ALL_LANES_BITS : 0);
}

INLINE whole lane_everywhere_whole(whole x, int l)
{
  return bits_of(lane_in_all(real_of_bits(x), l));
}

INLINE struct disc_ahead disc_ahead_everywhere(const struct disc_ahead *d, int l)
{
  return (struct disc_ahead){lane2_in_all(d->toward, l), lane2_in_all(d->across, l),
                             lane_in_all(d->ratio, l)};
}

INLINE struct rvo_agent rvo_agent_everywhere(const struct rvo_agent *a, int l)
{
  return (struct rvo_agent){disc_ahead_everywhere(&a->ahead, l),
                            lane2_in_all(a->apex, l),
                            lane_everywhere_mask(a->overlap, l),
                            lane2_in_all(a->p, l),
                            lane_in_all(a->R2, l),
                            lane_in_all(a->share, l)};
}

INLINE struct wall_ahead wall_ahead_everywhere(const struct wall_ahead *w, int l)
{
  return (struct wall_ahead){disc_ahead_everywhere(&w->a, l),
                             disc_ahead_everywhere(&w->b, l),
                             lane2_in_all(w->toward, l),
                             lane2_in_all(w->along, l),
                             lane_in_all(w->foot, l),
                             lane_in_all(w->length, l),
                             lane_everywhere_mask(w->touching, l),
                             lane_everywhere_mask(w->beside, l),
                             lane2_in_all(w->nearest, l)};
}

// The agent of lane l, in all lanes of *one.
INLINE void rvo_scene_everywhere(struct rvo_scene *one, const struct rvo_scene *r, int l)
{
  one->agent_count = r->agent_count;
  one->wall_count = r->wall_count;
  one->overlap = lane_everywhere_mask(r->overlap, l);
  one->wish = lane2_in_all(r->wish, l);
  one->first = lane2_in_all(r->first, l);
  one->radius = lane_in_all(r->radius, l);
  one->max_speed = lane_in_all(r->max_speed, l);
  one->admissible = (struct admissible){lane_in_all(r->admissible.speed, l), r->admissible.limited,
                                        lane2_in_all(r->admissible.centre, l),
                                        lane_in_all(r->admissible.reach, l)};
  one->centre = lane2_in_all(r->centre, l);
  one->reach = lane_in_all(r->reach, l);
  one->safety = r->safety;
  one->step = r->step;
  for (int j = 0; j < r->agent_count; j++)
    one->agents[j] = rvo_agent_everywhere(&r->agents[j], l);
  for (int k = 0; k < r->wall_count; k++)
    one->walls[k] = wall_ahead_everywhere(&r->walls[k], l);
}

INLINE int rvo_best_lane(const struct rvo_best *best) // least (penalty, sample)
{
  float penalty[LANES];
  int32_t sample[LANES];
  lanes_store(penalty, best->penalty);
  lanes_store_whole(sample, best->sample);
  int found = 0;
  for (int l = 1; l < LANES; l++)
    if (penalty[l] < penalty[found] || (penalty[l] == penalty[found] && sample[l] < sample[found]))
      found = l;
  return found;
}

// All samples of one agent that stands in all lanes; the best in all lanes.
INLINE struct rvo_best rvo_best_of_one(const struct rvo_scene *one, const struct rvo_draw *draw,
                                       int32_t samples)
{
  const whole lane = lane_numbers();
  struct rvo_best best = rvo_begin(one);
  struct rvo_waiting waiting = {none_of_lanes(), best.v, best.sample};
  real bound = best.penalty;
  for (int32_t first = 0; 4 * first < samples; first += LANES) {
    rvo_try_four(one, draw, all_lanes_whole(first) + lane, samples, bound, &waiting, &best);
    bound = lane_in_all(best.penalty, rvo_best_lane(&best));
  }
  rvo_try(one, &waiting, bound, &best);
  const int l = rvo_best_lane(&best);
  return (struct rvo_best){lane_in_all(best.penalty, l), lane_in_all(best.hurry, l),
                           lane2_in_all(best.v, l), lane_everywhere_whole(best.sample, l)};
}

// Nested: lanes are samples, the active agents one after the other. Gives what rvo_velocity gives.
INLINE vec2 rvo_velocity_nested(const struct sight *s, const struct rvo_options *o,
                                struct rvo_draw draw, mask *infeasible)
{
  struct rvo_scene r, one;
  rvo_prepare(&r, s, o);
  vec2 v = r.first;
  mask bad = none_of_lanes();
  for (int l = 0; l < LANES; l++) {
    const mask here = mask_from_bits(1u << l) & s->active;
    if (!any(here))
      continue;
    const struct rvo_draw own = {draw.seed, draw.step, lane_everywhere_whole(draw.id_low, l),
                                 lane_everywhere_whole(draw.id_high, l)};
    rvo_scene_everywhere(&one, &r, l);
    const struct rvo_best best = rvo_best_of_one(&one, &own, o->samples);
    v = pick2(here, best.v, v);
    bad = bad | (here & rvo_infeasible(&one, &best));
  }
  *infeasible = bad;
  return v;
}
