// The avoidance kernels. A thread computes one agent, as a block of one lane of the CPU code.
#pragma once
#define CANDIDATES_MAX NEIGHBOURS_MAX
#define EDGES_WAITING  16
#define OCCUPANTS_MAX  64
#include "density_window.h"
#include "group_kernel.h"
#include "next_velocity.h"
#include "walk.h"

#include "neighbour_kernels.h"

INLINE struct job job_of(const struct kernel_input *s)
{
  const struct job job = {.in = &s->in,
                          .a = (struct agents *)&s->sorted,
                          .quantum = s->quantum,
                          .quanta_per_speed = s->quanta_per_speed,
                          .range2 = s->range2,
                          .radius_max = s->quantum * s->radius_max,
                          .density_range = s->density_range,
                          .headway = s->headway.on,
                          .contact = 1 - s->avoidance.squeeze};
  return job;
}

// -------------------------------------------------------------------------- preferred velocity

INLINE void append_grid_occupants(struct occupants *all, const struct grid *g,
                                  const struct job *job, const struct box_tree_query *query,
                                  struct density_window *w, struct point p)
{
  const int64_t far = (int64_t)(1.0001f * job->density_range) + 2;
  const int32_t low = grid_row(g, p.y - far), high = grid_row(g, p.y + far);
  const int32_t west = grid_column(g, p.x - far), east = grid_column(g, p.x + far);
  for (int32_t row = low; row <= high; row++)
    occupants_append(all, job, grid_cell_begin(g, row, west), grid_cell_begin(g, row, east + 1),
                     query, w);
}

ON_DEVICE void count_occupants(struct occupants *all, const struct kernel_input *s,
                               const struct job *job, struct density_window *w, struct point p)
{
  const float range2 = job->density_range * job->density_range;
  const struct box_tree_query query = {w->box, range2, 0};
  occupants_begin(all, p);
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      append_grid_occupants(all, &s->grids[k], job, &query, w, p);
  density_window_count(w, job, all);
}

KERNEL(apply_density_speed)
{
  if (!is_in_part(s, i))
    return;
  const struct job job = job_of(s);
  const struct point p = point_of(&s->sorted, i);
  const struct box box = {p, p};
  struct occupants all;
  struct density_window w;
  if (density_window_load(&w, &job, i, i + 1, box)) {
    w.walls = density_window_has_walls(&w, &job);
    count_occupants(&all, s, &job, &w, p);
    density_window_apply(&w, &job, i,
                         w.walls ? density_window_visible(&w, &job)
                                 : DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS);
  }
  s->resident.prefer_x[s->memory_index[i]] = s->sorted.prefer_x[i];
  s->resident.prefer_y[s->memory_index[i]] = s->sorted.prefer_y[i];
}

ON_DEVICE void sum_group_members(struct group_sum *sum, const struct kernel_input *s,
                                 const struct grid *g, int64_t i)
{
  const struct point p = point_of(&s->sorted, i);
  const int64_t far = s->group_range;
  const int32_t west = grid_column(g, p.x - far), east = grid_column(g, p.x + far);
  for (int32_t row = grid_row(g, p.y - far); row <= grid_row(g, p.y + far); row++)
    for (int64_t j = grid_cell_begin(g, row, west); j < grid_cell_begin(g, row, east + 1); j++)
      group_sum_add(sum, &s->sorted, i, j, far);
}

KERNEL(apply_group_cohesion)
{
  struct group_sum sum = {0, 0, 0};
  if (agent_group(&s->sorted, i) < 0)
    return;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      sum_group_members(&sum, s, &s->grids[k], i);
  group_apply_one((struct agents *)(uintptr_t)&s->sorted, i, &sum, s->quantum);
}

// ----------------------------------------------------------------------------------- avoidance

struct seen_by { // what an agent sees: the list of its neighbours and their numbers in it
  struct candidates candidates;
  struct nearest nearest;
};

ON_DEVICE void perceive_agents(const struct kernel_input *s, const struct job *job, int64_t i,
                               struct block *b, struct perception *perception, struct seen_by *seen,
                               struct next_velocity_counts *counts)
{
  const struct point p = point_of(&s->sorted, i);
  struct candidates *c = &seen->candidates;
  block_load(b, perception, job, p, i);
  c->count = 0;
  c->overflow = true; // perceive_neighbours counts no overlaps: find_neighbours has counted them
  seen->nearest.room = s->neighbour_max;
  for (int k = 0; k < s->neighbour_max; k++) {
    const int32_t j = s->neighbour_list[(int64_t)k * s->own + i];
    seen->nearest.number[k] = j < 0 ? -1 : candidates_add(c, &s->sorted, j, p);
  }
  perceive_neighbours(perception, b, job, c, &seen->nearest, counts);
}

// The same straight from the sorted agents, without a list of candidates and the tests for
// overlaps.
ON_DEVICE void perceive_listed(const struct kernel_input *s, const struct job *job, int64_t i,
                               struct block *b, struct perception *perception,
                               struct next_velocity_counts *counts)
{
  const struct agents *a = &s->sorted;
  const struct point p = point_of(a, i);
  const int32_t *list = s->neighbour_list + i;
  const int64_t own = s->own;
  const int most = s->neighbour_max;
  block_load(b, perception, job, p, i);
  const struct view view = view_of(perception, b, job);
  int k = 0;
  for (; k < most && *list >= 0; k++, list += own) {
    const int32_t j = *list;
    const struct others other = {.found = mask_from_bits(1),
                                 .p = {(float)(a->x[j] - p.x), (float)(a->y[j] - p.y)},
                                 .v = {a->vx[j], a->vy[j]},
                                 .radius = a->radius[j],
                                 .yield = s->neighbours.uniform_yield ? 1 : a->yield[j]};
    struct neighbour *seen = &perception->agents[k];
    mask maybe_tied;
    perceive_neighbour(seen, &view, &other, k, &maybe_tied);
    if (any(maybe_tied))
      perceive_tie_direction(seen, &view, j);
    counts->full_neighbourhoods += any(seen->valid) && b->room == k + 1;
  }
  perception->agent_count = k;
}

ON_DEVICE void perceive_agent(const struct kernel_input *s, const struct job *job, int64_t i,
                              struct block *b, struct perception *perception,
                              struct next_velocity_counts *counts)
{
  const struct point p = point_of(&s->sorted, i);
  const struct box box = {p, p};
  perceive_listed(s, job, i, b, perception, counts);
  perceive_walls(perception, b, job, NULL, box);
}

ON_DEVICE void add_oncoming(struct side_block *b, const struct kernel_input *s,
                            const struct grid *g, struct point p)
{
  const struct agents *a = &s->sorted;
  const int64_t far = (int64_t)(1.0001f * HEADWAY_RANGE / s->quantum) + 2;
  const int32_t west = grid_column(g, p.x - far), east = grid_column(g, p.x + far);
  for (int32_t row = grid_row(g, p.y - far); row <= grid_row(g, p.y + far); row++)
    for (int64_t j = grid_cell_begin(g, row, west); j < grid_cell_begin(g, row, east + 1); j++) {
      const vec2 at = {(float)(a->x[j] - p.x), (float)(a->y[j] - p.y)};
      const vec2 facing = {a->facing_x[j], a->facing_y[j]};
      side_view_add(&b->view, times(s->quantum, at), facing);
    }
}

ON_DEVICE void look_for_oncoming(const struct kernel_input *s, const struct job *job, int64_t i)
{
  struct side_block side;
  if (!side_block_load(&side, job, i))
    return;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      add_oncoming(&side, s, &s->grids[k], point_of(&s->sorted, i));
  side_block_remember(&side, job, i);
  s->resident.passing[s->memory_index[i]] = s->sorted.passing[i];
}

KERNEL(apply_headway)
{
  if (!is_in_part(s, i))
    return;
  const struct job job = job_of(s);
  const struct point p = point_of(&s->sorted, i);
  const struct box box = {p, p};
  ivec profile;
  if (!any(walks_by_headway(&job, i, &profile)))
    return;
  if (looks_for_oncoming(&job))
    look_for_oncoming(s, &job, i);
  struct next_velocity_counts unused = {0};
  struct block b;
  struct perception perception;
  struct seen_by seen;
  perceive_agents(s, &job, i, &b, &perception, &seen, &unused);
  walk(&perception, &b, &job, &seen.candidates, &seen.nearest, box);
  s->resident.prefer_x[s->memory_index[i]] = s->sorted.prefer_x[i];
  s->resident.prefer_y[s->memory_index[i]] = s->sorted.prefer_y[i];
  s->resident.choice[s->memory_index[i]] = s->sorted.choice[i];
}

ON_DEVICE void write_back(const struct kernel_input *s, int64_t i)
{
  const int32_t k = s->memory_index[i];
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_OUTPUT)                                                              \
    s->resident.name[k] = s->sorted.name[i];
  AGENT_FIELDS(X)
#undef X
}

ON_DEVICE void tally_add(const struct kernel_input *s, const struct next_velocity_counts *c)
{
#define X(name, where) VELOCITY_##where(atomic_reduce_add(&s->tally->name, (int32_t)c->name);)
  STEP_COUNTERS(X)
#undef X
}

ON_DEVICE void next_velocity_agent(enum avoidance_method method, const struct kernel_input *s,
                                   int64_t i)
{
  if (!is_in_part(s, i))
    return;
  const struct job job = job_of(s);
  struct next_velocity_counts counts = {0};
  struct block b;
  struct perception perception;
  perceive_agent(s, &job, i, &b, &perception, &counts);
  const struct next_velocity_queues none = {NULL, NULL};
  const mask left = method == METHOD_hrvo || method == METHOD_clearpath
                        ? next_velocity_unhindered(method, &perception, &b, &job, &counts)
                        : next_velocity(method, &perception, &b, &job, none, &counts);
  if (any(left))
    s->unsolved_list[atomic_increment(&s->tally->unsolved_count)] = (int32_t)i;
  else
    write_back(s, i);
  tally_add(s, &counts);
}

// A kernel per method, so that none reserves the registers and local memory of another.
#define X(name)                                                                                    \
  KERNEL(next_velocity_##name)                                                                     \
  {                                                                                                \
    next_velocity_agent(METHOD_##name, s, i);                                                      \
  }
AVOIDANCE_METHODS(X)
#undef X

// The listed agents: those for which ORCA is infeasible, by the third linear program (van den Berg
// 2011), and those whose preferred velocity ClearPath-1 forbids. In the kernels above, the threads
// that need this would hold up their warps. ClearPath-2 and HRVO: obstacle_search_kernels.h.
ON_DEVICE void next_velocity_listed(enum avoidance_method method, const struct kernel_input *s,
                                    int64_t i)
{
  if (i >= s->tally->unsolved_count)
    return;
  const int32_t k = s->unsolved_list[i];
  const struct job job = job_of(s);
  struct next_velocity_counts counts = {0}, already_counted = {0};
  struct block b;
  struct perception perception;
  struct infeasible_queue queue;
  if (method == METHOD_orca)
    infeasible_queue_begin(&queue);
  perceive_agent(s, &job, k, &b, &perception, &already_counted);
  const struct next_velocity_queues queues = {method == METHOD_orca ? &queue : NULL, NULL};
  next_velocity(method, &perception, &b, &job, queues, &counts);
  if (method == METHOD_orca)
    flush_infeasible(&queue, &job, &counts);
  write_back(s, k);
  tally_add(s, &counts);
}

KERNEL(solve_infeasible)
{
  next_velocity_listed(METHOD_orca, s, i);
}

KERNEL(solve_clearpath_guaranteed)
{
  next_velocity_listed(METHOD_clearpath, s, i);
}

// ---------------------------------------------------------------------------------- nested RVO

// For small crowds a thread evaluates four samples of an agent instead of all of them (Bleiweiss
// 2009), so that enough threads occupy the device. The least (penalty, sample) is the same.
INLINE int32_t sample_quads(const struct kernel_input *s) // at least 1: it evaluates sample 0, too
{
  return (s->avoidance.rvo.samples + 3) / 4;
}

struct sampled_agent {
  struct block block;
  struct perception perception;
  struct rvo_problem problem;
  mask passive;
};

ON_DEVICE void perceive_sampled_agent(const struct kernel_input *s, const struct job *job,
                                      int64_t i, struct sampled_agent *a,
                                      struct next_velocity_counts *counts)
{
  perceive_agent(s, job, i, &a->block, &a->perception, counts);
  a->passive = apply_steering(&a->perception, &a->block, job);
  rvo_prepare(&a->problem, &a->perception, &s->avoidance.rvo);
}

KERNEL(rvo_evaluate_samples)
{
  const int64_t agent = i / sample_quads(s);
  if (!is_in_part(s, agent))
    return;
  const struct job job = job_of(s);
  struct next_velocity_counts unused = {0};
  struct sampled_agent a;
  perceive_sampled_agent(s, &job, agent, &a, &unused);
  const struct rvo_problem *r = &a.problem;
  const struct rvo_draw draw = rvo_draw_of(&a.block, &job);
  struct rvo_best best = rvo_begin(r);
  struct rvo_pending pending = {mask_none(), best.v, best.sample, best.penalty};
  const int32_t four = (int32_t)(i % sample_quads(s));
  const struct random_lanes words = rvo_random_words(&draw, four / RVO_FOURS);
  rvo_evaluate_four(r, words.word[four % RVO_FOURS], 4 * four + 1, s->avoidance.rvo.samples,
                    &pending, &best);
  pending.bound = best.penalty;
  rvo_evaluate(r, &pending, &best);
  // A penalty is >= 0, so integer order of its bits is float order.
  atomic_min(&s->best_sample[agent],
             (uint64_t)(uint32_t)bits_of(best.penalty) << 32 | (uint32_t)best.sample);
}

ON_DEVICE struct rvo_best evaluate_sample(const struct rvo_problem *r, const struct rvo_draw *draw,
                                          int32_t sample)
{
  struct rvo_best best = rvo_begin(r);
  if (sample == 0)
    return best;
  const int32_t four = (sample - 1) / 4;
  const struct random_lanes words = rvo_random_words(draw, four / RVO_FOURS);
  best.v = rvo_disc_sample(r, words.word[four % RVO_FOURS], (sample - 1) % 4);
  best.sample = sample;
  best.penalty = rvo_penalty(r, best.v, INFINITY, &best.inv_time);
  return best;
}

KERNEL(rvo_apply_best_sample)
{
  if (!is_in_part(s, i))
    return;
  const struct job job = job_of(s);
  struct next_velocity_counts counts = {0};
  struct sampled_agent a;
  perceive_sampled_agent(s, &job, i, &a, &counts);
  const struct rvo_draw draw = rvo_draw_of(&a.block, &job);
  const struct rvo_best best =
      evaluate_sample(&a.problem, &draw, (int32_t)(uint32_t)s->best_sample[i]);
  struct method_result result = {best.v, mask_none(), mask_none()};
  result.v = rvo_next(&a.problem, &best, &result.infeasible);
  store_result(&a.perception, &a.block, &job, a.passive, &result, a.block.active, &counts);
  write_back(s, i);
  tally_add(s, &counts);
}
