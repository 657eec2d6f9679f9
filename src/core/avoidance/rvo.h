// Reciprocal velocity obstacles by sampling (van den Berg, Lin, Manocha 2008; Bleiweiss 2009), in
// the two forms of Bleiweiss: flat, one agent per lane, and nested, one sample of an agent per
// lane. Both give the same bits.
//
// Candidate 0 is the preferred velocity; the others are random velocities up to the maximum speed
// and a pure function of (seed, id, step, sample). They are evenly distributed over the disc and
// come in fours, each a quarter turn from the last. The first of four is drawn, and turned with the
// scene: the turned scene has the turned candidates, with the same numbers, so ties prefer no
// direction of the plane. The lowest penalty wins, then the lower sample number:
//
//     penalty(v') = safety / tc(v') + |preferred - v'|, m/s
//
// tc: the shortest time to collision with what the agent perceives, s. Against a neighbour it is
// the time of the ray (v' - (1 - share) v_A) / share - v_B; against passive agents (share 1), of v'
// - v_B; against walls, of v'. For a wall 1 / tc is lessened by 1 / horizon_walls, at least to 0:
// what is met later does not count, as in the authors' RVO library, where a wall counts if the time
// is too short to brake. If every wall counted fully, nobody would walk straight to a place that
// lies within `safety` of the wall behind it: safety / tc grows faster with the speed than the
// deviation falls, so standing still would be best.
//
// An agent with a maximum acceleration changes its velocity towards the winner as far as it can in
// a step (Bleiweiss 2009: "We first scale the velocity of the agent to obey maximum acceleration").
// If only the velocities within that reach were candidates, it would brake and turn too late: in
// the ring of docs/models.md at 2 m/s^2, 228 overlaps up to 0.46 m deep instead of 10 up to 0.07 m.
// For such agents |v_A - v'| / 2 is added to the penalty: who has begun to pass on one side goes
// on.
//
// Two rules come in addition. A candidate that hits a wall within one step loses against any that
// does not. During an overlap only the overlapping objects count:
//
//     penalty(v') = ceil(t_exit / step) + (|v'|^2 + w |preferred - v'|^2) / max_speed^2
//
// with the longest exit time: out soonest, and slowly among equals. The order is that of the
// authors' -1 / tc, who have w = 0. Then velocities a quarter turn apart that end the overlap in
// equal steps tie. With w = 1/16 the agent prefers the one that leads on.
//
// The time horizon is not used, because far collisions have little weight anyway. Nor is
// tie_direction, because the samples of two agents differ.
//
// Known limit of the method: without a maximum acceleration nothing slows a change of sides, so two
// agents may choose the same side again and again (the reciprocal dance) and graze each other.
#pragma once
#include "random_lanes.h"
#include "rvo_penalty.h"

struct rvo_draw {
  uint64_t seed;
  int64_t step;
  ivec id_low, id_high; // the 64 bits of the agent's id
};

// Candidates that wait for evaluation, at most one per lane. Most candidates lose by their
// deviation alone; the others are evaluated together.
struct rvo_pending {
  mask valid;
  vec2 v;
  ivec sample;
  real bound; // m/s: a candidate with a higher penalty cannot win
};

struct rvo_best {
  real penalty;  // m/s
  real inv_time; // 1/s
  vec2 v;
  ivec sample;
};

// The unit vector at 45 t degrees, -1 < t < 1, by Taylor polynomials: wrong by less than 4e-7.
INLINE vec2 rvo_direction(real t)
{
  const real one = splat(1), x = splat(0.785398163f) * t, x2 = x * x;
  real cosine = splat(1.0f / 720) - x2 * splat(1.0f / 40320);
  cosine = one - x2 * (splat(1.0f / 2) - x2 * (splat(1.0f / 24) - x2 * cosine));
  real sine = splat(1.0f / 120) - x2 * splat(1.0f / 5040);
  sine = x * (one - x2 * (splat(1.0f / 6) - x2 * sine));
  return vec2_of(cosine, sine);
}

// A random point in the quarter of the disc around the x axis, m/s. The root makes the density even
// (Shirley, Chiu 1997, section 1).
INLINE vec2 rvo_quarter_sample(const struct rvo_problem *r, lane_word word)
{
  return times(r->max_speed * square_root(random_unit_low(word)),
               rvo_direction(random_signed_high(word)));
}

// The first of the four samples that a word gives, m/s; each other is a quarter turn further. Which
// quarter is the first follows from the last bits of the length.
INLINE vec2 rvo_first_sample(const struct rvo_problem *r, lane_word word)
{
  const vec2 v = rvo_quarter_sample(r, word);
  const ivec quarter = (ivec)word + r->turn, odd = splat_ivec(1), half = splat_ivec(2);
  const vec2 turned = select_vec2(ivec_equal(quarter & odd, odd), perp(v), v);
  return select_vec2(ivec_equal(quarter & half, half), perp(perp(turned)), turned);
}

// The velocity of the sample `number` of the four that a word gives, m/s.
INLINE vec2 rvo_disc_sample(const struct rvo_problem *r, lane_word word, int number)
{
  vec2 v = rvo_first_sample(r, word);
  for (int k = 0; k < number; k++)
    v = perp(v);
  return v;
}

INLINE void rvo_evaluate(const struct rvo_problem *r, struct rvo_pending *pending,
                         struct rvo_best *best)
{
  real inv_time;
  const real limit =
      select_real(pending->valid, min_real(pending->bound, best->penalty), splat(-1));
  const real penalty = rvo_penalty(r, pending->v, limit, &inv_time);
  const mask better = pending->valid & less(penalty, best->penalty);
  best->penalty = select_real(better, penalty, best->penalty);
  best->inv_time = select_real(better, inv_time, best->inv_time);
  best->v = select_vec2(better, pending->v, best->v);
  best->sample = select_ivec(better, pending->sample, best->sample);
  pending->valid = mask_none();
}

// Queues v where it counts and may win; evaluates the waiting candidates first if their lanes are
// needed.
INLINE void rvo_enqueue(const struct rvo_problem *r, vec2 v, ivec sample, mask counts,
                        struct rvo_pending *pending, struct rvo_best *best)
{
  const real limit = min_real(pending->bound, best->penalty);
  const mask alive = counts & (r->overlap | less_equal(rvo_deviation(r, v), limit));
  if (any(alive & pending->valid))
    rvo_evaluate(r, pending, best);
  pending->v = select_vec2(alive, v, pending->v);
  pending->sample = select_ivec(alive, sample, pending->sample);
  pending->valid = pending->valid | alive;
}

INLINE struct rvo_best rvo_begin(const struct rvo_problem *r) // the preferred velocity, sample 0
{
  struct rvo_best best = {.v = r->first, .sample = splat_ivec(0)};
  best.penalty = rvo_penalty(r, r->first, splat(INFINITY), &best.inv_time);
  return best;
}

#define RVO_FOURS 4 // sets of four samples from one call of the generator

INLINE struct random_lanes rvo_random_words(const struct rvo_draw *draw, ivec call)
{
  return random_words_lanes(draw->seed, draw->id_low, draw->id_high, draw->step,
                            call * 256 + splat_ivec(RANDOM_VELOCITY));
}

// Samples first .. first + 3, a quarter turn apart.
INLINE void rvo_evaluate_four(const struct rvo_problem *r, lane_word word, ivec first,
                              int32_t samples, struct rvo_pending *pending, struct rvo_best *best)
{
  vec2 v = rvo_first_sample(r, word);
  for (int k = 0; k < 4; k++) {
    const ivec sample = first + splat_ivec(k);
    rvo_enqueue(r, v, sample, ivec_less(sample, splat_ivec(samples)), pending, best);
    v = perp(v);
  }
}

// Samples 16 call + 1 .. 16 call + 16, below 2^20: those of one call of the generator.
INLINE void rvo_evaluate_call(const struct rvo_problem *r, const struct rvo_draw *draw, ivec call,
                              int32_t samples, struct rvo_pending *pending, struct rvo_best *best)
{
  const struct random_lanes words = rvo_random_words(draw, call);
  for (int w = 0; w < RVO_FOURS; w++)
    rvo_evaluate_four(r, words.word[w], call * 16 + splat_ivec(4 * w + 1), samples, pending, best);
}

// The next velocity, m/s: as far towards the best one as the agent can come in a step. *infeasible:
// lanes where it collides within one step (if all take their agreed share), or that overlap
// something.
INLINE vec2 rvo_next(const struct rvo_problem *r, const struct rvo_best *best, mask *infeasible)
{
  vec2 v = best->v;
  real inv_time = best->inv_time;
  if (any(r->slow)) {
    v = rvo_next_towards(r, v);
    rvo_penalty(r, v, splat(INFINITY), &inv_time);
  }
  *infeasible = r->overlap | less(splat(1), inv_time * splat(r->step));
  return v;
}

// Flat: one agent per lane. Returns the next velocity, m/s. *infeasible: active lanes as above.
INLINE vec2 rvo_velocity(const struct perception *s, const struct rvo_options *o,
                         struct rvo_draw draw, mask *infeasible)
{
  struct rvo_problem r;
  rvo_prepare(&r, s, o);
  struct rvo_best best = rvo_begin(&r);
  struct rvo_pending pending = {mask_none(), best.v, best.sample, best.penalty};
  for (int32_t call = 0; 16 * call + 1 < o->samples; call++) {
    rvo_evaluate_call(&r, &draw, splat_ivec(call), o->samples, &pending, &best);
    pending.bound = best.penalty;
  }
  rvo_evaluate(&r, &pending, &best);
  const vec2 v = rvo_next(&r, &best, infeasible);
  *infeasible = s->active & *infeasible;
  return v;
}

INLINE mask broadcast_lane_mask(mask m, int l)
{
  return mask_from_bits(mask_bits(m) >> l & 1 ? ALL_LANES_BITS : 0);
}

INLINE ivec broadcast_lane_ivec(ivec x, int l)
{
  return bits_of(broadcast_lane(real_of_bits(x), l));
}

INLINE struct disc_ahead disc_ahead_broadcast(const struct disc_ahead *d, int l)
{
  return (struct disc_ahead){broadcast_lane_vec2(d->toward, l), broadcast_lane_vec2(d->across, l),
                             broadcast_lane(d->ratio, l)};
}

INLINE struct rvo_agent rvo_agent_broadcast(const struct rvo_agent *a, int l)
{
  return (struct rvo_agent){disc_ahead_broadcast(&a->ahead, l), broadcast_lane_vec2(a->apex, l),
                            broadcast_lane_mask(a->overlap, l), broadcast_lane_vec2(a->p, l),
                            broadcast_lane(a->R2, l),           broadcast_lane(a->share, l)};
}

INLINE struct wall_ahead wall_ahead_broadcast(const struct wall_ahead *w, int l)
{
  return (struct wall_ahead){disc_ahead_broadcast(&w->a, l),      disc_ahead_broadcast(&w->b, l),
                             broadcast_lane_vec2(w->toward, l),   broadcast_lane_vec2(w->along, l),
                             broadcast_lane(w->foot, l),          broadcast_lane(w->length, l),
                             broadcast_lane_mask(w->touching, l), broadcast_lane_mask(w->beside, l),
                             broadcast_lane_vec2(w->nearest, l)};
}

// Copies the agent of lane l to all lanes of *one.
INLINE void rvo_problem_broadcast(struct rvo_problem *one, const struct rvo_problem *r, int l)
{
  one->agent_count = r->agent_count;
  one->wall_count = r->wall_count;
  one->overlap = broadcast_lane_mask(r->overlap, l);
  one->preferred_velocity = broadcast_lane_vec2(r->preferred_velocity, l);
  one->first = broadcast_lane_vec2(r->first, l);
  one->turn = broadcast_lane_ivec(r->turn, l);
  one->radius = broadcast_lane(r->radius, l);
  one->max_speed = broadcast_lane(r->max_speed, l);
  one->slow = broadcast_lane_mask(r->slow, l);
  one->admissible = (struct admissible){
      broadcast_lane(r->admissible.speed, l), r->admissible.limited,
      broadcast_lane_vec2(r->admissible.centre, l), broadcast_lane(r->admissible.reach, l)};
  one->safety = r->safety;
  one->step = r->step;
  one->inv_horizon_walls = r->inv_horizon_walls;
  for (int j = 0; j < r->agent_count; j++)
    one->agents[j] = rvo_agent_broadcast(&r->agents[j], l);
  for (int k = 0; k < r->wall_count; k++)
    one->walls[k] = wall_ahead_broadcast(&r->walls[k], l);
}

INLINE int rvo_best_lane(const struct rvo_best *best) // lowest (penalty, sample)
{
  float penalty[LANES];
  int32_t sample[LANES];
  lanes_store(penalty, best->penalty);
  lanes_store_ivec(sample, best->sample);
  int found = 0;
  for (int l = 1; l < LANES; l++)
    if (penalty[l] < penalty[found] || (penalty[l] == penalty[found] && sample[l] < sample[found]))
      found = l;
  return found;
}

// Evaluates all samples of the agent that fills all lanes; the result is in all lanes.
INLINE struct rvo_best rvo_best_of_one(const struct rvo_problem *one, const struct rvo_draw *draw,
                                       int32_t samples)
{
  const ivec lane = lane_indices();
  struct rvo_best best = rvo_begin(one);
  struct rvo_pending pending = {mask_none(), best.v, best.sample, best.penalty};
  for (int32_t first = 0; 16 * first + 1 < samples; first += LANES) {
    rvo_evaluate_call(one, draw, splat_ivec(first) + lane, samples, &pending, &best);
    pending.bound = broadcast_lane(best.penalty, rvo_best_lane(&best));
  }
  rvo_evaluate(one, &pending, &best);
  const int l = rvo_best_lane(&best);
  return (struct rvo_best){broadcast_lane(best.penalty, l), broadcast_lane(best.inv_time, l),
                           broadcast_lane_vec2(best.v, l), broadcast_lane_ivec(best.sample, l)};
}

// Nested: one sample per lane, one active agent after the other. The result equals rvo_velocity.
INLINE vec2 rvo_velocity_nested(const struct perception *s, const struct rvo_options *o,
                                struct rvo_draw draw, mask *infeasible)
{
  struct rvo_problem r, one;
  rvo_prepare(&r, s, o);
  vec2 v = s->velocity;
  mask bad = mask_none();
  for (int l = 0; l < LANES; l++) {
    const mask this_lane = mask_from_bits(1u << l) & s->active;
    if (!any(this_lane))
      continue;
    const struct rvo_draw own = {draw.seed, draw.step, broadcast_lane_ivec(draw.id_low, l),
                                 broadcast_lane_ivec(draw.id_high, l)};
    rvo_problem_broadcast(&one, &r, l);
    const struct rvo_best best = rvo_best_of_one(&one, &own, o->samples);
    mask one_bad;
    v = select_vec2(this_lane, rvo_next(&one, &best, &one_bad), v);
    bad = bad | (this_lane & one_bad);
  }
  *infeasible = bad;
  return v;
}
