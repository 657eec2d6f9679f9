// The nearest agents and the overlaps of an agent: a search that holds for any crowd, grid and
// range. It is the reference of key_search.h and takes over where that gives up. It visits the rows
// outward from the agent's own, and within a row the cells to both sides, until all remaining cells
// are farther than the farthest of the nearest agents.
#pragma once
#include "grid_kernels.h"
#include "nearest_list.h"

INLINE float perception_range2(const struct kernel_input *s, int64_t i) // quanta^2, as block_load
{
  const float range = s->sorted.neighbour_distance[i] * (1 / s->quantum), range2 = range * range;
  return s->range2 < range2 ? s->range2 : range2;
}

struct search { // for the nearest neighbours of agent i and for the agents that overlap it
  const struct kernel_input *s;
  int64_t i;
  struct point p;
  float range2, touch2; // quanta^2: beyond touch2 no disc can overlap its own
  struct nearest_list *nearest;
  struct overlaps *overlaps;
};

struct grid_row {
  const struct grid *grid;
  int32_t row;
  float gap2; // squared distance from the agent, quanta^2
};

INLINE float search_reach2(const struct search *q) // agents beyond cannot change the result
{
  const struct nearest_list *r = q->nearest;
  const bool full = r->count == r->room && r->room > 0;
  return max_float(full ? r->list[r->count - 1].d2 : q->range2, q->touch2);
}

INLINE float search_distance2(const struct search *q, int64_t j) // of agent j, quanta^2
{
  return float_distance2(q->p, q->s->sorted.x[j], q->s->sorted.y[j]);
}

INLINE void search_note_overlap(const struct search *q, int64_t j, float d2)
{
  const struct agents *a = &q->s->sorted;
  const float quantum = q->s->quantum, contact = 1 - q->s->avoidance.squeeze;
  const float R = contact * (a->radius[q->i] + a->radius[j]), touch = R * (1 / quantum);
  if (d2 >= touch * touch)
    return;
  struct overlaps *o = q->overlaps;
  const float depth = R - sqrtf(d2) * quantum;
  o->count++;
  o->deepest = depth > o->deepest ? depth : o->deepest;
  o->with = a->id[j] < o->with ? a->id[j] : o->with;
}

INLINE void search_visit(const struct search *q, int64_t j)
{
  const float d2 = search_distance2(q, j);
  if (j == q->i)
    return;
  if (d2 < q->range2) {
    const struct nearest_entry entry = {d2, (int32_t)j, q->s->sorted.id[j]};
    nearest_list_insert(q->nearest, entry);
  }
  if (d2 < q->touch2)
    search_note_overlap(q, j, d2);
}

// One way along a row from agent j on, until its cells are out of reach.
INLINE void search_row(const struct search *q, const struct grid_row *r, int64_t j, int64_t end,
                       int step)
{
  for (; j != end; j += step) {
    const float gap = (float)grid_column_gap(r->grid, q->p, r->row, j);
    if (gap * gap + r->gap2 > search_reach2(q))
      return;
    search_visit(q, j);
  }
}

INLINE void search_grid(const struct search *q, const struct grid *g)
{
  const int32_t own = grid_row(g, q->p.y), column = grid_column(g, q->p.x);
  bool more[2] = {true, true}; // above, below
  for (int32_t k = 0; more[0] || more[1]; k++) {
    const int32_t row = grid_row_outward(own, k);
    if (!more[row < own])
      continue;
    const float gap = (float)grid_row_gap(g, q->p, own, row);
    const struct grid_row r = {g, row, gap * gap};
    if (row < 0 || row >= g->rows || r.gap2 > search_reach2(q)) {
      more[row < own] = false;
      continue;
    }
    const int64_t middle = grid_cell_begin(g, row, column);
    search_row(q, &r, middle, grid_row_begin(g, row + 1), 1);
    search_row(q, &r, middle - 1, grid_row_begin(g, row) - 1, -1);
  }
}

// nearest: NULL for a search by keys.
INLINE struct search search_of(const struct kernel_input *s, int64_t i,
                               struct nearest_list *nearest, struct overlaps *overlaps)
{
  const float touch = 1.0001f * (s->sorted.radius[i] / s->quantum + s->radius_max);
  const struct search q = {.s = s,
                           .i = i,
                           .p = point_of(&s->sorted, i),
                           .range2 = perception_range2(s, i),
                           .touch2 = touch * touch,
                           .nearest = nearest,
                           .overlaps = overlaps};
  overlaps->count = 0;
  overlaps->deepest = 0;
  overlaps->with = INT64_MAX;
  return q;
}

ON_DEVICE void search_by_rows(const struct kernel_input *s, int64_t i, struct nearest_list *nearest,
                              struct overlaps *overlaps)
{
  const struct search q = search_of(s, i, nearest, overlaps);
  nearest->room = s->neighbour_max;
  nearest->count = 0;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      search_grid(&q, &s->grids[k]);
}
