// The step on a GPU, thread by thread: one agent each, in a block of one lane.
#pragma once
#define CANDIDATES_MAX NEIGHBOURS_MAX
#define BYSTANDERS_MAX 64
#include "choose.h"
#include "group_one.h"
#include "window.h"

#include "order_kernels.h"

INLINE struct job job_of(const struct scene *s)
{
  const struct job job = {&s->in,    (struct agents *)&s->a,     s->quantum,   s->quanta_per_speed,
                          s->range2, s->quantum * s->radius_max, s->pace_range};
  return job;
}

// ------------------------------------------------------------------------------------ the wish

INLINE void watch_grid(struct bystanders *all, const struct grid *g, const struct job *job,
                       const struct tree_query *query, struct window *w, struct point p)
{
  const int64_t far = (int64_t)(1.0001f * job->pace_range) + 2;
  const int32_t low = grid_row(g, p.y - far), high = grid_row(g, p.y + far);
  const int32_t west = grid_column(g, p.x - far), east = grid_column(g, p.x + far);
  for (int32_t row = low; row <= high; row++)
    bystanders_append(all, job, grid_first(g, row, west), grid_first(g, row, east + 1), query, w);
}

ON_DEVICE void watch(struct bystanders *all, const struct scene *s, const struct job *job,
                     struct window *w, struct point p)
{
  const float range2 = job->pace_range * job->pace_range;
  const struct tree_query query = {w->box, range2, 0};
  bystanders_begin(all, p);
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      watch_grid(all, &s->grids[k], job, &query, w, p);
  window_count(w, job, all);
}

KERNEL(slow_down)
{
  if (!chooses_now(s, i))
    return;
  const struct job job = job_of(s);
  const struct point p = point_of(&s->a, i);
  const struct box box = {p, p};
  struct bystanders all;
  struct window w;
  if (window_load(&w, &job, i, i + 1, box)) {
    w.walls = walls_may_stand(&w, &job);
    watch(&all, s, &job, &w, p);
    window_slow(&w, &job, i, w.walls ? window_free(&w, &job) : PACE_ROWS * PACE_COLUMNS);
  }
  s->home.prefer_x[s->from[i]] = s->a.prefer_x[i];
  s->home.prefer_y[s->from[i]] = s->a.prefer_y[i];
}

ON_DEVICE void find_mates(struct mates *m, const struct scene *s, const struct grid *g, int64_t i)
{
  const struct point p = point_of(&s->a, i);
  const int64_t far = s->group_range;
  const int32_t west = grid_column(g, p.x - far), east = grid_column(g, p.x + far);
  for (int32_t row = grid_row(g, p.y - far); row <= grid_row(g, p.y + far); row++)
    for (int64_t j = grid_first(g, row, west); j < grid_first(g, row, east + 1); j++)
      mates_add(m, &s->a, i, j, far);
}

// Who belongs together stands together: a look round finds them.
KERNEL(keep_together)
{
  struct mates m = {0, 0, 0};
  if (s->a.group[i] < 0)
    return;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      find_mates(&m, s, &s->grids[k], i);
  keep_with((struct agents *)(uintptr_t)&s->a, i, &m, s->quantum);
}

// ------------------------------------------------------------------------------------ the choice

ON_DEVICE void see(const struct scene *s, const struct job *job, int64_t i, struct block *b,
                   struct sight *sight, struct choose_counts *counts)
{
  const struct point p = point_of(&s->a, i);
  const struct box box = {p, p};
  struct candidates c;
  struct nearest n;
  block_load(b, sight, job, p, i);
  c.count = 0;
  c.too_many = true; // overlaps have been counted
  n.room = s->room;
  for (int k = 0; k < s->room; k++) {
    const int32_t j = s->number[(int64_t)k * s->own + i];
    n.number[k] = j < 0 ? -1 : candidates_add(&c, &s->a, j, p);
  }
  see_neighbours(sight, b, job, &c, &n, counts);
  see_walls(sight, b, job, box);
}

ON_DEVICE void bring_home(const struct scene *s, int64_t i)
{
  s->home.next_vx[s->from[i]] = s->a.next_vx[i];
  s->home.next_vy[s->from[i]] = s->a.next_vy[i];
}

ON_DEVICE void count_choices(const struct scene *s, const struct choose_counts *c)
{
  atomic_sum(&s->tally->full, (int32_t)c->full_neighbourhoods);
  atomic_sum(&s->tally->infeasible, (int32_t)c->infeasible);
  atomic_sum(&s->tally->relaxed, (int32_t)c->relaxed);
  atomic_sum(&s->tally->wall_stops, (int32_t)c->wall_stops);
}

ON_DEVICE void choose_one(enum avoidance_method method, const struct scene *s, int64_t i)
{
  if (!chooses_now(s, i))
    return;
  const struct job job = job_of(s);
  struct choose_counts counts = {0, 0, 0, 0, 0, 0};
  struct block b;
  struct sight sight;
  see(s, &job, i, &b, &sight, &counts);
  if (any(choose_velocity(method, &sight, &b, &job, NULL, &counts)))
    s->late[atomic_next(&s->tally->late)] = (int32_t)i;
  else
    bring_home(s, i);
  count_choices(s, &counts);
}

#define X(name)                                                                                    \
  KERNEL(choose_by_##name)                                                                         \
  {                                                                                                \
    choose_one(METHOD_##name, s, i);                                                               \
  }
AVOIDANCE_METHODS(X)
#undef X

// Those for whom no velocity meets all half-planes: the linear program in three dimensions.
KERNEL(choose_late)
{
  if (i >= s->tally->late)
    return;
  const int32_t k = s->late[i];
  const struct job job = job_of(s);
  struct choose_counts counts = {0, 0, 0, 0, 0, 0}, seen = {0, 0, 0, 0, 0, 0};
  struct block b;
  struct sight sight;
  struct postponed p;
  postponed_begin(&p);
  see(s, &job, k, &b, &sight, &seen);
  choose_velocity(METHOD_orca, &sight, &b, &job, &p, &counts);
  bring_home(s, k);
  count_choices(s, &counts);
}

// ------------------------------------------------------------------------------------ rvo, nested

// For few agents a thread takes four samples of one, instead of all (Bleiweiss 2009): as many
// threads as the device likes. The least (penalty, sample) is the same.
INLINE int32_t sample_fours(const struct scene *s)
{
  return (s->avoidance.rvo.samples + 3) / 4;
}

ON_DEVICE mask see_samples(const struct scene *s, const struct job *job, int64_t i, struct block *b,
                           struct sight *sight, struct rvo_scene *r, struct choose_counts *counts)
{
  see(s, job, i, b, sight, counts);
  const mask passive = settle_wish(sight, b, job);
  rvo_prepare(r, sight, &s->avoidance.rvo);
  return passive;
}

KERNEL(try_samples)
{
  const int64_t agent = i / sample_fours(s);
  if (!chooses_now(s, agent))
    return;
  const struct job job = job_of(s);
  struct choose_counts unused = {0, 0, 0, 0, 0, 0};
  struct block b;
  struct sight sight;
  struct rvo_scene r;
  see_samples(s, &job, agent, &b, &sight, &r, &unused);
  const struct rvo_draw draw = draw_of(&b, &job);
  struct rvo_best best = rvo_begin(&r);
  struct rvo_waiting waiting = {none_of_lanes(), best.v, best.sample};
  rvo_try_four(&r, &draw, (int32_t)(i % sample_fours(s)), s->avoidance.rvo.samples, best.penalty,
               &waiting, &best);
  rvo_try(&r, &waiting, best.penalty, &best);
  // Not below 0, so the bits of a penalty grow with it.
  atomic_least(&s->best[agent],
               (uint64_t)(uint32_t)bits_of(best.penalty) << 32 | (uint32_t)best.sample);
}

ON_DEVICE struct rvo_best best_of_sample(const struct rvo_scene *r, const struct rvo_draw *draw,
                                         int32_t sample)
{
  struct rvo_best best = rvo_begin(r);
  if (sample == 0)
    return best;
  const struct random_lanes words = random_words_lanes(
      draw->seed, draw->id_low, draw->id_high, draw->step, sample / 4 * 256 + RANDOM_VELOCITY);
  best.v = rvo_in_disc(r, words.word[sample % 4]);
  best.sample = sample;
  best.penalty = rvo_penalty(r, best.v, INFINITY, &best.hurry);
  return best;
}

KERNEL(choose_sample)
{
  if (!chooses_now(s, i))
    return;
  const struct job job = job_of(s);
  struct choose_counts counts = {0, 0, 0, 0, 0, 0};
  struct block b;
  struct sight sight;
  struct rvo_scene r;
  const mask passive = see_samples(s, &job, i, &b, &sight, &r, &counts);
  const struct rvo_draw draw = draw_of(&b, &job);
  const struct rvo_best best = best_of_sample(&r, &draw, (int32_t)(uint32_t)s->best[i]);
  store_choice(&sight, &b, &job, passive, best.v, rvo_infeasible(&r, &best), none_of_lanes(),
               &counts);
  bring_home(s, i);
  count_choices(s, &counts);
}
