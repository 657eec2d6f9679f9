// The next velocities of LANES agents from their perception, by any method. No velocity may lead
// into a wall.
#pragma once
#include "clearpath.h"
#include "directional.h"
#include "hrvo.h"
#include "infeasible.h"
#include "obstacles_crossing_kernel.h"
#include "orca.h"
#include "perceive.h"
#include "rvo.h"
#include "steering.h"
#include "velocity_queue.h"

// Would the agent's step touch a wall? Exact.
HOST_DEVICE bool step_touches_wall(const struct job *job, int64_t i, float vx, float vy)
{
  const struct point from = {job->a->x[i], job->a->y[i]};
  const struct point to =
      position_clamped(position_after(from, vx, vy, job->quanta_per_speed), job->in->world->bounds);
  return obstacles_crossing(from, to, &job->in->world->obstacles);
}

// Stops the agent if its step would touch a wall: agents never enter walls.
INLINE void store_velocity(const struct job *job, int64_t i, float vx, float vy, bool near_wall,
                           struct next_velocity_counts *counts)
{
  const bool stops = near_wall && step_touches_wall(job, i, vx, vy);
  counts->wall_stops += stops;
  job->a->next_vx[i] = stops ? 0 : vx;
  job->a->next_vy[i] = stops ? 0 : vy;
}

HOST_DEVICE void store_velocities(const struct block *b, const struct job *job, vec2 v, mask chosen,
                                  struct next_velocity_counts *counts)
{
  const uint32_t near_wall = mask_bits(chosen & b->near_wall);
  if (near_wall) {
    float vx[LANES], vy[LANES];
    uint32_t stops = 0;
    lanes_store(vx, v.x);
    lanes_store(vy, v.y);
    for (uint32_t bits = near_wall; bits; bits &= bits - 1) {
      const int l = lowest_bit(bits);
      stops |= (uint32_t)step_touches_wall(job, b->first + l, vx[l], vy[l]) << l;
    }
    counts->wall_stops += bit_count(stops);
    v = select_vec2(mask_from_bits(stops), vec2_of(splat(0), splat(0)), v);
  }
  lanes_store_where(job->a->next_vx + b->first, chosen, v.x);
  lanes_store_where(job->a->next_vy + b->first, chosen, v.y);
}

// Agents that wait until others have the same, harder problem. NULL: they do not wait.
struct next_velocity_queues {
  struct infeasible_queue *half_planes; // of ORCA
  struct velocity_queue *obstacles;     // of ClearPath and HRVO
};

HOST_DEVICE void step_infeasible(struct infeasible_queue *p, const struct job *job,
                                 struct next_velocity_counts *counts)
{
  const mask done = infeasible_queue_step(p);
  const uint32_t near_wall = mask_bits(p->near_wall);
  float vx[LANES], vy[LANES];
  int32_t agent[LANES];
  lanes_store(vx, p->relaxed.v.x);
  lanes_store(vy, p->relaxed.v.y);
  lanes_store_ivec(agent, p->agent);
  for (uint32_t bits = mask_bits(done); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    store_velocity(job, agent[l], vx[l], vy[l], near_wall >> l & 1, counts);
  }
  infeasible_queue_remove(p, done);
}

HOST_DEVICE void flush_infeasible(struct infeasible_queue *p, const struct job *job,
                                  struct next_velocity_counts *counts)
{
  while (p->count > 0)
    step_infeasible(p, job, counts);
}

HOST_DEVICE void flush_obstacles(struct velocity_queue *q, const struct job *job,
                                 struct next_velocity_counts *counts)
{
  if (q->count == 0)
    return;
  const vec2 v = velocity_queue_solve(q);
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  for (int l = 0; l < q->count; l++)
    store_velocity(job, q->agent[l], vx[l], vy[l], q->near_wall >> l & 1, counts);
  velocity_queue_begin(q);
}

// Lanes of a block without a velocity within all half-planes. from->relaxed: what linear_program_2
// has added.
HOST_DEVICE void queue_infeasible(struct infeasible_queue *p, struct infeasible_block *from,
                                  vec2 preferred_velocity, mask lanes, const struct job *job,
                                  struct next_velocity_counts *counts)
{
  counts->infeasible += bit_count(mask_bits(lanes));
  linear_program_3_begin(&from->relaxed, &from->constraints, from->set, preferred_velocity, lanes);
  while (any(lanes)) {
    lanes = infeasible_queue_add(p, from, lanes);
    if (p->count == LANES)
      step_infeasible(p, job, counts);
  }
}

HOST_DEVICE mask orca_next_velocity(const struct perception *s, const struct block *b,
                                    const struct job *job, struct infeasible_queue *p,
                                    struct next_velocity_counts *counts)
{
  struct half_plane h[HALF_PLANES_MAX], added_h[LP_ADDED_MAX + 1];
  const struct lp_constraints constraints = orca_half_planes(h, s);
  struct lp_added added = {added_h, 0};
  mask failed;
  const vec2 v = linear_program_2(h, constraints.count, &s->admissible, s->preferred_velocity,
                                  s->active, &added, &failed);
  const mask unsolved = failed & b->active;
  store_velocities(b, job, v, b->active & not(unsolved), counts);
  if (!p || !any(unsolved))
    return unsolved;
  struct infeasible_block from = {constraints,
                                  &s->admissible,
                                  {v, splat(0), added},
                                  splat_ivec((int32_t)b->first) + lane_indices(),
                                  b->near_wall};
  queue_infeasible(p, &from, s->preferred_velocity, unsolved, job, counts);
  return mask_none();
}

HOST_DEVICE struct rvo_draw rvo_draw_of(const struct block *b, const struct job *job)
{
  int32_t low[LANES], high[LANES];
  for (int l = 0; l < LANES; l++) {
    low[l] = (int32_t)(uint32_t)job->a->id[b->first + l];
    high[l] = (int32_t)(uint32_t)((uint64_t)job->a->id[b->first + l] >> 32);
  }
  const struct rvo_draw draw = {job->in->seed, job->in->step, lanes_load_ivec(low),
                                lanes_load_ivec(high)};
  return draw;
}

// Nested with few active lanes, else flat: both give the same bits (Bleiweiss 2009).
HOST_DEVICE vec2 next_velocity_sampled(const struct perception *s, const struct block *b,
                                       const struct job *job, mask *infeasible)
{
  const struct rvo_options *options = &job->in->avoidance->rvo;
  const struct rvo_draw draw = rvo_draw_of(b, job);
  const int agents = bit_count(mask_bits(s->active));
  return 5 * agents < 4 * LANES ? rvo_velocity_nested(s, options, draw, infeasible)
                                : rvo_velocity(s, options, draw, infeasible);
}

struct method_result {
  vec2 v;
  mask infeasible, relaxed;
};

HOST_DEVICE vec2 next_velocity_by_method(enum avoidance_method method, const struct perception *s,
                                         const struct block *b, const struct job *job,
                                         mask *infeasible)
{
  const struct avoidance *avoidance = job->in->avoidance;
  switch (method) {
  case METHOD_rvo:
    return next_velocity_sampled(s, b, job, infeasible);
  case METHOD_directional:
    return directional_velocity(s, &avoidance->directional, infeasible);
  default: // none: the preferred velocity
    return admissible_closest(&s->admissible, s->preferred_velocity);
  }
}

// Applies steering before any method, and makes passive agents perceive nothing. Returns the
// passive lanes.
HOST_DEVICE mask apply_steering(struct perception *s, const struct block *b, const struct job *job)
{
  const struct steering_options *steering = &job->in->avoidance->steering;
  const mask passive = b->active & less_equal(b->yield, splat(0));
  const vec2 own_preferred = s->preferred_velocity;
  if (steering->on)
    s->preferred_velocity = steering_velocity(s, steering, lanes_load(job->a->speed + b->first));
  if (!any(passive))
    return passive;
  s->preferred_velocity = select_vec2(passive, own_preferred, s->preferred_velocity);
  for (int i = 0; i < s->agent_count; i++)
    s->agents[i].valid = s->agents[i].valid & not(passive);
  for (int i = 0; i < s->wall_count; i++)
    s->walls[i].valid = s->walls[i].valid & not(passive);
  return passive;
}

// Stores the velocities of a method in the lanes of `chosen`; passive agents keep their preferred
// velocity.
HOST_DEVICE void store_result(const struct perception *s, const struct block *b,
                              const struct job *job, mask passive,
                              const struct method_result *result, mask chosen,
                              struct next_velocity_counts *counts)
{
  vec2 v = result->v;
  if (any(passive))
    v = select_vec2(passive, admissible_closest(&s->admissible, s->preferred_velocity), v);
  counts->infeasible += bit_count(mask_bits(b->active & result->infeasible));
  counts->relaxed += bit_count(mask_bits(b->active & result->relaxed));
  store_velocities(b, job, v, chosen, counts);
}

HOST_DEVICE void queue_obstacles(struct velocity_queue *q, const struct velocity_problem *problem,
                                 ivec agents, mask lanes, const struct block *b,
                                 const struct job *job, struct next_velocity_counts *counts)
{
  int32_t others[LANES];
  lanes_store_ivec(others, agents);
  const uint32_t near_wall = mask_bits(b->near_wall);
  for (uint32_t bits = mask_bits(lanes); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct queued_agent of = {b->first + l, others[l], near_wall >> l & 1};
    velocity_queue_add(q, problem, l, &of);
    if (q->count == LANES)
      flush_obstacles(q, job, counts);
  }
}

// Stores the best velocities outside of the obstacles of a problem. Infeasible lanes drop their
// furthest neighbours: at once, or in the queue.
HOST_DEVICE void avoid_obstacles(const struct perception *s, const struct block *b,
                                 const struct job *job, mask passive, struct method_result *result,
                                 const struct velocity_problem *problem, struct velocity_queue *q,
                                 struct next_velocity_counts *counts)
{
  const mask lost = b->active & result->infeasible;
  mask chosen = b->active;
  if (any(lost) && q) {
    queue_obstacles(q, problem, perceived_count(s), lost, b, job, counts);
    chosen = chosen & not(lost);
  } else if (any(lost)) {
    result->v = velocity_keep_most(problem, perceived_count(s), lost, result->v);
  }
  store_result(s, b, job, passive, result, chosen, counts);
}

HOST_DEVICE void hrvo_next_velocity(const struct perception *s, const struct block *b,
                                    const struct job *job, mask passive, struct velocity_queue *q,
                                    struct next_velocity_counts *counts)
{
  struct velocity_obstacle o[VELOCITY_OBSTACLES_MAX];
  struct velocity_problem problem;
  struct method_result result = {s->velocity, mask_none(), mask_none()};
  result.v = hrvo_best(s, o, &problem, &result.infeasible);
  avoid_obstacles(s, b, job, passive, &result, &problem, q, counts);
}

HOST_DEVICE void clearpath_next_velocity(const struct perception *s, const struct block *b,
                                         const struct job *job, mask passive,
                                         struct velocity_queue *q,
                                         struct next_velocity_counts *counts)
{
  struct clearpath_problem memory;
  struct velocity_problem problem;
  struct method_result result = {s->velocity, mask_none(), mask_none()};
  result.v = clearpath_best(s, &job->in->avoidance->clearpath, &memory, &problem,
                            &result.infeasible, &result.relaxed);
  avoid_obstacles(s, b, job, passive, &result, &problem, q, counts);
}

// Stores the velocity closest to the preferred one in lanes where neither ClearPath nor HRVO
// forbids it. Returns the other lanes, for which next_velocity has to search.
HOST_DEVICE mask next_velocity_unhindered(enum avoidance_method method, struct perception *s,
                                          const struct block *b, const struct job *job,
                                          struct next_velocity_counts *counts)
{
  const mask passive = apply_steering(s, b, job);
  struct method_result result = {s->velocity, mask_none(), mask_none()};
  const mask free = method == METHOD_hrvo
                        ? hrvo_unhindered(s, &result.v)
                        : clearpath_unhindered(s, &job->in->avoidance->clearpath, &result.v);
  store_result(s, b, job, passive, &result, b->active & free, counts);
  return b->active & not(free);
}

// Callers pass a constant method, so that a kernel holds the code of one method. Infeasible lanes
// of ORCA are queued; without a queue they are returned.
HOST_DEVICE mask next_velocity(enum avoidance_method method, struct perception *s,
                               const struct block *b, const struct job *job,
                               struct next_velocity_queues queues,
                               struct next_velocity_counts *counts)
{
  const mask passive = apply_steering(s, b, job);
  if (method == METHOD_orca)
    return orca_next_velocity(s, b, job, queues.half_planes, counts);
  struct method_result result = {s->velocity, mask_none(), mask_none()};
  switch (method) {
  case METHOD_clearpath:
    clearpath_next_velocity(s, b, job, passive, queues.obstacles, counts);
    break;
  case METHOD_hrvo:
    hrvo_next_velocity(s, b, job, passive, queues.obstacles, counts);
    break;
  default:
    result.v = next_velocity_by_method(method, s, b, job, &result.infeasible);
    store_result(s, b, job, passive, &result, b->active, counts);
    break;
  }
  return mask_none();
}
