// The velocity of LANES agents that have seen their neighbours and walls, by any method; the last
// word is that of the walls.
#pragma once
#include "clearpath.h"
#include "cut.h"
#include "directional.h"
#include "hrvo.h"
#include "look.h"
#include "orca.h"
#include "postponed.h"
#include "rvo.h"
#include "steering.h"

// Nobody ever enters a wall: a step that would touch one is not made. Exact.
ONE_TEXT void store_one(const struct job *job, int64_t i, float vx, float vy, bool near_wall,
                        struct choose_counts *counts)
{
  struct agents *a = job->a;
  if (near_wall) {
    const struct point from = {a->x[i], a->y[i]};
    const struct point to =
        position_kept(position_after(from, vx, vy, job->quanta_per_speed), job->in->world->bounds);
    if (segment_meets_walls(from, to, &job->in->world->obstacles)) {
      counts->wall_stops++;
      vx = vy = 0;
    }
  }
  a->next_vx[i] = vx;
  a->next_vy[i] = vy;
}

ONE_TEXT void store_block(const struct block *b, const struct job *job, vec2 v, mask chosen,
                          struct choose_counts *counts)
{
  if (mask_bits(chosen & not(b->near_wall)) == ALL_LANES_BITS) {
    lanes_store(job->a->next_vx + b->first, v.x);
    lanes_store(job->a->next_vy + b->first, v.y);
    return;
  }
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  const uint32_t near = mask_bits(b->near_wall);
  for (uint32_t bits = mask_bits(chosen); bits; bits &= bits - 1) {
    const int l = bits_first(bits);
    store_one(job, b->first + l, vx[l], vy[l], near >> l & 1, counts);
  }
}

ONE_TEXT void finish_postponed(struct postponed *p, const struct job *job,
                               struct choose_counts *counts)
{
  if (p->count == 0)
    return;
  mask active;
  const vec2 v = postponed_solve(p, &active);
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  for (int l = 0; l < p->count; l++)
    store_one(job, p->agent[l], vx[l], vy[l], p->near_wall >> l & 1, counts);
  postponed_begin(p);
}

ONE_TEXT void postpone_lanes(struct postponed *p, const struct block *b, const struct sight *s,
                             const struct job *job, const struct half_plane *h, int hard, int count,
                             vec2 v, whole failed, mask late, struct choose_counts *counts)
{
  const uint32_t near = mask_bits(b->near_wall);
  int32_t lanes_failed[LANES];
  lanes_store_whole(lanes_failed, failed);
  for (uint32_t bits = mask_bits(late); bits; bits &= bits - 1) {
    const int l = bits_first(bits);
    postpone(p, l, h, hard, count, &s->admissible, &v, lanes_failed[l], b->first + l,
             near >> l & 1);
    counts->infeasible++;
    if (p->count == LANES)
      finish_postponed(p, job, counts);
  }
}

ONE_TEXT mask choose_orca(const struct sight *s, const struct block *b, const struct job *job,
                          struct postponed *p, struct choose_counts *counts)
{
  struct half_plane h[HALF_PLANES_MAX];
  const struct lp_goal goal = {s->wish, none_of_lanes()};
  int hard;
  const int count = orca_half_planes(h, s, &hard);
  whole failed;
  const vec2 v = linear_program_2(h, count, &s->admissible, goal, s->active, &failed);
  const mask late = b->active & whole_less(failed, all_lanes_whole(count));
  if (p)
    postpone_lanes(p, b, s, job, h, hard, count, v, failed, late, counts);
  store_block(b, job, v, b->active & not(late), counts);
  return p ? none_of_lanes() : late;
}

ONE_TEXT struct rvo_draw draw_of(const struct block *b, const struct job *job)
{
  int32_t low[LANES], high[LANES];
  for (int l = 0; l < LANES; l++) {
    low[l] = (int32_t)(uint32_t)job->a->id[b->first + l];
    high[l] = (int32_t)(uint32_t)((uint64_t)job->a->id[b->first + l] >> 32);
  }
  const struct rvo_draw draw = {job->in->seed, job->in->step, lanes_load_whole(low),
                                lanes_load_whole(high)};
  return draw;
}

// Few agents are done sample by sample, many side by side: one answer (Bleiweiss 2009).
ONE_TEXT vec2 velocity_by_samples(const struct sight *s, const struct block *b,
                                  const struct job *job, mask *infeasible)
{
  const struct rvo_options *options = &job->in->avoidance->rvo;
  const struct rvo_draw draw = draw_of(b, job);
  const int agents = bits_count(mask_bits(s->active));
  return 5 * agents < 4 * LANES ? rvo_velocity_nested(s, options, draw, infeasible)
                                : rvo_velocity(s, options, draw, infeasible);
}

ONE_TEXT vec2 velocity_of(enum avoidance_method method, const struct sight *s,
                          const struct block *b, const struct job *job, mask *infeasible,
                          mask *relaxed)
{
  const struct avoidance *avoidance = job->in->avoidance;
  switch (method) {
  case METHOD_clearpath:
    return clearpath_velocity(s, &avoidance->clearpath, infeasible, relaxed);
  case METHOD_hrvo:
    return hrvo_velocity(s, infeasible);
  case METHOD_rvo:
    return velocity_by_samples(s, b, job, infeasible);
  case METHOD_directional:
    return directional_velocity(s, &avoidance->directional, infeasible);
  default: // none: as one wishes
    return admissible_nearest(&s->admissible, s->wish);
  }
}

// What the agents wish of what they see, before any method: steering; and the passive see nobody.
// The lanes of those.
ONE_TEXT mask settle_wish(struct sight *s, const struct block *b, const struct job *job)
{
  const struct steering_options *steering = &job->in->avoidance->steering;
  const mask passive = b->active & less_equal(b->yield, all_lanes(0));
  const vec2 own_wish = s->wish;
  if (steering->on)
    s->wish = steering_wish(s, steering, lanes_load(job->a->speed + b->first));
  if (!any(passive))
    return passive;
  s->wish = pick2(passive, own_wish, s->wish);
  for (int i = 0; i < s->agent_count; i++)
    s->agents[i].there = s->agents[i].there & not(passive);
  for (int i = 0; i < s->wall_count; i++)
    s->walls[i].there = s->walls[i].there & not(passive);
  return passive;
}

// The velocity v found by a method; that of the passive is their wish.
ONE_TEXT void store_choice(const struct sight *s, const struct block *b, const struct job *job,
                           mask passive, vec2 v, mask infeasible, mask relaxed,
                           struct choose_counts *counts)
{
  if (any(passive))
    v = pick2(passive, admissible_nearest(&s->admissible, s->wish), v);
  counts->infeasible += bits_count(mask_bits(b->active & infeasible));
  counts->relaxed += bits_count(mask_bits(b->active & relaxed));
  store_block(b, job, v, b->active, counts);
}

// The method: a constant where it is called, so that a kernel holds no other. Lanes for whom no
// velocity meets all half-planes go to p, or, without one, are left to do: those of the result.
ONE_TEXT mask choose_velocity(enum avoidance_method method, struct sight *s, const struct block *b,
                              const struct job *job, struct postponed *p,
                              struct choose_counts *counts)
{
  const mask passive = settle_wish(s, b, job);
  if (method == METHOD_orca)
    return choose_orca(s, b, job, p, counts);
  mask infeasible = none_of_lanes(), relaxed = none_of_lanes();
  const vec2 v = velocity_of(method, s, b, job, &infeasible, &relaxed);
  store_choice(s, b, job, passive, v, infeasible, relaxed, counts);
  return none_of_lanes();
}
