// The order of the grids, and who is near whom, thread by thread: one agent each.
#pragma once
#include "device.h"
#include "kernel_input.h"
#include "lanes.h"

INLINE struct point point_of(const struct agents *a, int64_t i)
{
  const struct point p = {a->x[i], a->y[i]};
  return p;
}

// ------------------------------------------------------------------------------------ the order

ON_DEVICE void find_cell(const struct kernel_input *s, const struct grid *g, int64_t i)
{
  const struct point p = point_of(&s->resident, i);
  g->cell[i] = grid_cell(g, grid_row(g, p.y), grid_column(g, p.x));
  s->memory_index[i] = (int32_t)i;
}

ON_DEVICE void find_start(const struct grid *g, int64_t i)
{
  const int32_t row = (int32_t)(i / g->stretches), stretch = (int32_t)(i % g->stretches);
  const int64_t end = g->first + g->count;
  g->start[i] = row < g->rows
                    ? (int32_t)grid_search(g, grid_cell(g, row, stretch << g->shift), g->first, end)
                    : (int32_t)end;
}

KERNEL(find_cells)
{
  find_cell(s, &s->grids[0], i);
}

KERNEL(find_starts)
{
  find_start(&s->grids[0], i);
}

KERNEL(gather_agents)
{
  const int32_t k = s->memory_index[i];
#define X(type, name) s->a.name[i] = s->resident.name[k];
  PERCEIVED_AGENT_FIELDS(X)
  OWNED_AGENT_FIELDS(X)
#undef X
  if (s->group_range > 0)
    s->a.group[i] = s->resident.group[k];
}

// The same of ghosts, of whom only what is seen is known.
KERNEL(find_ghost_cells)
{
  find_cell(s, &s->grids[1], s->own + i);
}

KERNEL(find_ghost_starts)
{
  find_start(&s->grids[1], i);
}

KERNEL(gather_ghosts)
{
  const int64_t at = s->own + i;
  const int32_t k = s->memory_index[at];
#define X(type, name) s->a.name[at] = s->resident.name[k];
  PERCEIVED_AGENT_FIELDS(X)
#undef X
  if (s->group_range > 0)
    s->a.group[at] = s->resident.group[k];
}

// Who chooses in this part of the step: backend.h.
INLINE bool is_in_part(const struct kernel_input *s, int64_t i)
{
  return s->in.part == PART_ALL ||
         box_holds(s->in.interior, point_of(&s->a, i)) == (s->in.part == PART_INTERIOR);
}

// ------------------------------------------------------------------------------------ neighbours

INLINE float perception_range2(const struct kernel_input *s,
                               int64_t i) // as of block_load, quanta^2
{
  const float range = s->a.neighbour_distance[i] * (1 / s->quantum), range2 = range * range;
  return s->range2 < range2 ? s->range2 : range2;
}

struct search { // of agent i: its nearest within the range, and who overlaps it
  const struct kernel_input *s;
  int64_t i;
  struct point p;
  float range2, touch2; // quanta^2: anybody's disc that may reach its own
  struct nearest_list *r;
  struct overlaps *o;
};

INLINE float search_reach2(const struct search *q) // nobody farther matters
{
  const bool full = q->r->count == q->r->room && q->r->room > 0;
  const float far2 = full ? q->r->list[q->r->count - 1].d2 : q->range2;
  return max_float(far2, q->touch2);
}

INLINE void search_visit(const struct search *q, int64_t j)
{
  const struct agents *a = &q->s->a;
  const float quantum = q->s->quantum, d2 = float_distance2(q->p, a->x[j], a->y[j]);
  const float R = a->radius[q->i] + a->radius[j], touch = R * (1 / quantum);
  if (j == q->i)
    return;
  if (d2 < q->range2) {
    const struct nearest_entry one = {d2, (int32_t)j, a->id[j]};
    nearest_list_insert(q->r, one);
  }
  if (d2 < touch * touch) {
    const float depth = R - sqrtf(d2) * quantum;
    q->o->count++;
    q->o->deepest = depth > q->o->deepest ? depth : q->o->deepest;
    q->o->with = a->id[j] < q->o->with ? a->id[j] : q->o->with;
  }
}

// One way along a row from agent j on, until its cells are too far.
INLINE void search_row(const struct search *q, const struct grid *g, int32_t row, float gap2,
                       int64_t j, int64_t end, int step)
{
  for (; j != end; j += step) {
    const float gap = (float)grid_column_gap(g, q->p, row, j);
    if (gap * gap + gap2 > search_reach2(q))
      return;
    search_visit(q, j);
  }
}

INLINE void search_grid(const struct search *q, const struct grid *g)
{
  const int32_t own = grid_row(g, q->p.y), column = grid_column(g, q->p.x);
  bool more[2] = {true, true}; // above, below
  for (int32_t k = 0; more[0] || more[1]; k++) {
    const int32_t row = grid_row_at(own, k);
    if (!more[row < own])
      continue;
    const float gap = (float)grid_row_gap(g, q->p, own, row), gap2 = gap * gap;
    if (row < 0 || row >= g->rows || gap2 > search_reach2(q)) {
      more[row < own] = false;
      continue;
    }
    const int64_t middle = grid_first(g, row, column);
    search_row(q, g, row, gap2, middle, grid_row_begin(g, row + 1), 1);
    search_row(q, g, row, gap2, middle - 1, grid_row_begin(g, row) - 1, -1);
  }
}

// Who is near agent i, and who overlaps it.
ON_DEVICE void search_all(const struct kernel_input *s, int64_t i, struct nearest_list *r,
                          struct overlaps *o)
{
  const float touch = 1.0001f * (s->a.radius[i] / s->quantum + s->radius_max);
  const struct search q = {s, i, point_of(&s->a, i), perception_range2(s, i), touch * touch, r, o};
  r->room = s->room;
  r->count = 0;
  o->count = 0;
  o->deepest = 0;
  o->with = INT64_MAX;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      search_grid(&q, &s->grids[k]);
}

KERNEL(find_neighbours)
{
  if (!is_in_part(s, i))
    return;
  struct nearest_list r;
  struct overlaps o;
  search_all(s, i, &r, &o);
  for (int k = 0; k < s->room; k++)
    s->neighbour_list[(int64_t)k * s->own + i] = k < r.count ? r.list[k].item : -1;
  atomic_max(&s->leaf_neighbours[s->memory_index[i] / BOX_TREE_WIDTH], r.count);
  atomic_reduce_add(&s->tally->overlaps, (int32_t)o.count);
  if (o.count == 0)
    return;
  atomic_max(&s->tally->deepest, bits_of(o.deepest));
  atomic_min(&s->tally->first_overlap_id, (uint64_t)s->a.id[i]);
}

// The rest about the one whom the tally names.
KERNEL(describe_first_overlap)
{
  if ((uint64_t)s->a.id[i] != s->tally->first_overlap_id)
    return;
  struct nearest_list r;
  struct overlaps o;
  search_all(s, i, &r, &o);
  s->tally->at = point_of(&s->a, i);
  s->tally->with = o.with;
}
