// The step on a GPU, thread by thread: one agent each, in a block of one lane.
#pragma once
#define CANDIDATES_MAX NEIGHBOURS_MAX
#define BYSTANDERS_MAX 64
#include "choose.h"
#include "scene.h"
#include "window.h"

#include "device.h"

INLINE struct job job_of(const struct scene *s)
{
  const struct job job = {&s->in,    (struct agents *)&s->a,     s->quantum,   s->quanta_per_speed,
                          s->range2, s->quantum * s->radius_max, s->pace_range};
  return job;
}

INLINE struct point point_of(const struct agents *a, int64_t i)
{
  const struct point p = {a->x[i], a->y[i]};
  return p;
}

// ------------------------------------------------------------------------------------ the order

KERNEL(find_cells)
{
  s->cell[i] = grid_cell(&s->grid, point_of(&s->host, i));
  s->from[i] = (int32_t)i;
}

KERNEL(gather_agents)
{
  const int32_t k = s->from[i];
#define X(type, name) s->a.name[i] = s->host.name[k];
  SCENE_SEEN(X)
#undef X
#define X(type, name) s->a.name[i] = k < s->own ? s->host.name[k] : 0;
  SCENE_OWN(X)
#undef X
}

// The first agent of every cell up to its own, and behind the last.
KERNEL(find_starts)
{
  const int64_t before = i > 0 ? (int64_t)s->cell[i - 1] : -1;
  const int64_t own = i < s->all ? (int64_t)s->cell[i] : grid_cells(&s->grid);
  for (int64_t c = before + 1; c <= own; c++)
    s->grid.start[c] = (int32_t)i;
}

// ------------------------------------------------------------------------------------ neighbours

INLINE void overlaps_add(struct overlaps *o, float R, float d2, float quantum)
{
  const float touch = R * (1 / quantum), depth = R - sqrtf(d2) * quantum;
  if (!(d2 < touch * touch))
    return;
  o->count++;
  o->deepest = depth > o->deepest ? depth : o->deepest;
}

// Of agent i: its nearest within that range, and who overlaps it.
ON_DEVICE void grid_search(const struct scene *s, int64_t i, float range2, struct ranking *r,
                           struct overlaps *o)
{
  const struct grid *g = &s->grid;
  const struct agents *a = &s->a;
  const struct point p = point_of(a, i);
  const float touch = 1.0001f * (a->radius[i] / s->quantum + s->radius_max), touch2 = touch * touch;
  const int32_t own = grid_row(g, p.y);
  bool more[2] = {true, true}; // above, below
  for (int32_t k = 0; more[0] || more[1]; k++) {
    const int32_t row = grid_row_at(own, k);
    if (!more[row < own])
      continue;
    const float gap = (float)grid_row_gap(g, p, own, row);
    const float far2 = r->count == r->room ? r->list[r->count - 1].d2 : range2;
    const float reach2 = larger_float(far2, touch2);
    if (row < 0 || row >= g->rows || gap * gap > reach2) {
      more[row < own] = false;
      continue;
    }
    const struct grid_run run = grid_stretch(g, p, row, reach2);
    for (int64_t j = run.begin; j < run.end; j++) {
      const float d2 = distance2(p, a->x[j], a->y[j]);
      if (j == i || !(d2 <= reach2))
        continue;
      if (d2 < range2) {
        const struct ranked one = {d2, (int32_t)j, a->id[j]};
        ranking_insert(r, one);
      }
      overlaps_add(o, a->radius[i] + a->radius[j], d2, s->quantum);
    }
  }
}

INLINE float sight2(const struct scene *s, int64_t i) // as of block_load, quanta^2
{
  const float range = s->a.neighbour_distance[i] * (1 / s->quantum), range2 = range * range;
  return s->range2 < range2 ? s->range2 : range2;
}

KERNEL(find_neighbours)
{
  if (s->from[i] >= s->own)
    return;
  struct ranking r;
  struct overlaps o = {0, 0, 0};
  r.room = s->room;
  r.count = 0;
  grid_search(s, i, sight2(s, i), &r, &o);
  for (int k = 0; k < s->room; k++)
    s->number[(int64_t)k * s->all + i] = k < r.count ? r.list[k].item : -1;
  atomic_count(&s->tally->overlaps, o.count);
  if (o.count)
    atomic_most(&s->tally->deepest, bits_of(o.deepest));
  atomic_most(&s->leaf_seen[s->from[i] / TREE_WIDTH], r.count);
}

// ------------------------------------------------------------------------------------ the wish

ON_DEVICE void watch(struct bystanders *all, const struct scene *s, const struct job *job,
                     struct window *w, struct point p)
{
  const float range2 = job->pace_range * job->pace_range;
  const struct tree_query query = {w->box, range2, 0};
  const int64_t far = (int64_t)(1.0001f * job->pace_range) + 2;
  const int32_t low = grid_row(&s->grid, p.y - far), high = grid_row(&s->grid, p.y + far);
  bystanders_begin(all, p);
  for (int32_t row = low; row <= high; row++) {
    const struct grid_run run = grid_stretch(&s->grid, p, row, range2);
    bystanders_append(all, job, run.begin, run.end, &query, w);
  }
  window_count(w, job, all);
}

KERNEL(slow_down)
{
  if (s->from[i] >= s->own)
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
  s->prefer_x[s->from[i]] = s->a.prefer_x[i];
  s->prefer_y[s->from[i]] = s->a.prefer_y[i];
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
    const int32_t j = s->number[(int64_t)k * s->all + i];
    n.number[k] = j < 0 ? -1 : candidates_add(&c, &s->a, j, p);
  }
  see_neighbours(sight, b, job, &c, &n, counts);
  see_walls(sight, b, job, box);
}

ON_DEVICE void send_velocity(const struct scene *s, int64_t i)
{
  s->next_vx[s->from[i]] = s->a.next_vx[i];
  s->next_vy[s->from[i]] = s->a.next_vy[i];
}

ON_DEVICE void count_choices(const struct scene *s, const struct choose_counts *c)
{
  atomic_count(&s->tally->full, c->full_neighbourhoods);
  atomic_count(&s->tally->infeasible, c->infeasible);
  atomic_count(&s->tally->relaxed, c->relaxed);
  atomic_count(&s->tally->wall_stops, c->wall_stops);
}

ON_DEVICE void choose_one(enum avoidance_method method, const struct scene *s, int64_t i)
{
  if (s->from[i] >= s->own)
    return;
  const struct job job = job_of(s);
  struct choose_counts counts = {0, 0, 0, 0, 0, 0};
  struct block b;
  struct sight sight;
  see(s, &job, i, &b, &sight, &counts);
  if (any(choose_velocity(method, &sight, &b, &job, NULL, &counts)))
    s->late[atomic_next(&s->tally->late)] = (int32_t)i;
  else
    send_velocity(s, i);
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
  send_velocity(s, k);
  count_choices(s, &counts);
}
