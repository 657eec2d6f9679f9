// Kernels that build the grids and search them for neighbours; one thread per agent.
#pragma once
#include "device.h"
#include "kernel_input.h"
#include "lanes.h"

INLINE struct point point_of(const struct agents *a, int64_t i)
{
  const struct point p = {a->x[i], a->y[i]};
  return p;
}

// --------------------------------------------------------------------------------------- build

ON_DEVICE void compute_cell(const struct kernel_input *s, const struct grid *g, int64_t i)
{
  const struct point p = point_of(&s->resident, i);
  g->cell[i] = grid_cell(g, grid_row(g, p.y), grid_column(g, p.x));
  s->memory_index[i] = (int32_t)i;
}

ON_DEVICE void find_run_start(const struct grid *g, int64_t i)
{
  const int32_t row = (int32_t)(i / g->runs), run = (int32_t)(i % g->runs);
  const int64_t end = g->first + g->count;
  g->start[i] = row < g->rows ? (int32_t)grid_lower_bound(g, grid_cell(g, row, run << g->shift),
                                                          g->first, end)
                              : (int32_t)end;
}

KERNEL(compute_cells)
{
  compute_cell(s, &s->grids[0], i);
}

KERNEL(find_run_starts)
{
  find_run_start(&s->grids[0], i);
}

KERNEL(gather_agents)
{
  const int32_t k = s->memory_index[i];
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_ALL || ACCESS_##name == ACCESS_OWNED ||                              \
      (ACCESS_##name == ACCESS_GROUP && s->group_range > 0))                                       \
    s->sorted.name[i] = s->resident.name[k];
  AGENT_FIELDS(X)
#undef X
}

KERNEL(compute_ghost_cells)
{
  compute_cell(s, &s->grids[1], s->own + i);
}

KERNEL(find_ghost_run_starts)
{
  find_run_start(&s->grids[1], i);
}

KERNEL(gather_ghosts)
{
  const int64_t at = s->own + i;
  const int32_t k = s->memory_index[at];
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_ALL || (ACCESS_##name == ACCESS_GROUP && s->group_range > 0))        \
    s->sorted.name[at] = s->resident.name[k];
  AGENT_FIELDS(X)
#undef X
}

// Does the agent belong to the part of the domain that is computed now? backend.h.
INLINE bool is_in_part(const struct kernel_input *s, int64_t i)
{
  return s->in.part == PART_ALL ||
         box_holds(s->in.interior, point_of(&s->sorted, i)) == (s->in.part == PART_INTERIOR);
}

// ---------------------------------------------------------------------------------- neighbours

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

INLINE void search_visit(const struct search *q, int64_t j)
{
  const struct agents *a = &q->s->sorted;
  const float quantum = q->s->quantum, d2 = float_distance2(q->p, a->x[j], a->y[j]);
  const float contact = 1 - q->s->avoidance.squeeze;
  const float R = contact * (a->radius[q->i] + a->radius[j]), touch = R * (1 / quantum);
  if (j == q->i)
    return;
  if (d2 < q->range2) {
    const struct nearest_entry entry = {d2, (int32_t)j, a->id[j]};
    nearest_list_insert(q->nearest, entry);
  }
  if (d2 < touch * touch) {
    struct overlaps *o = q->overlaps;
    const float depth = R - sqrtf(d2) * quantum;
    o->count++;
    o->deepest = depth > o->deepest ? depth : o->deepest;
    o->with = a->id[j] < o->with ? a->id[j] : o->with;
  }
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

ON_DEVICE void search_grids(const struct kernel_input *s, int64_t i, struct nearest_list *nearest,
                            struct overlaps *overlaps)
{
  const float touch = 1.0001f * (s->sorted.radius[i] / s->quantum + s->radius_max);
  const struct search q = {.s = s,
                           .i = i,
                           .p = point_of(&s->sorted, i),
                           .range2 = perception_range2(s, i),
                           .touch2 = touch * touch,
                           .nearest = nearest,
                           .overlaps = overlaps};
  nearest->room = s->neighbour_max;
  nearest->count = 0;
  overlaps->count = 0;
  overlaps->deepest = 0;
  overlaps->with = INT64_MAX;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count)
      search_grid(&q, &s->grids[k]);
}

KERNEL(find_neighbours)
{
  if (!is_in_part(s, i))
    return;
  struct nearest_list nearest;
  struct overlaps overlaps;
  search_grids(s, i, &nearest, &overlaps);
  for (int k = 0; k < s->neighbour_max; k++)
    s->neighbour_list[(int64_t)k * s->own + i] = k < nearest.count ? nearest.list[k].item : -1;
  atomic_max(&s->leaf_neighbours[s->memory_index[i] / BOX_TREE_WIDTH], nearest.count);
  atomic_reduce_add(&s->tally->overlaps, (int32_t)overlaps.count);
  atomic_reduce_add(&s->tally->in_contact, overlaps.count > 0);
  if (overlaps.count == 0)
    return;
  atomic_max(&s->tally->deepest_overlap_bits, bits_of(overlaps.deepest));
  atomic_min(&s->tally->first_overlap_id, (uint64_t)s->sorted.id[i]);
}

// A second search, so that the tally needs no atomic update of a whole record.
KERNEL(locate_first_overlap)
{
  if ((uint64_t)s->sorted.id[i] != s->tally->first_overlap_id)
    return;
  struct nearest_list nearest;
  struct overlaps overlaps;
  search_grids(s, i, &nearest, &overlaps);
  s->tally->first_overlap_at = point_of(&s->sorted, i);
  s->tally->first_overlap_other = overlaps.with;
}

// The same for the deepest overlap, of which both agents of a pair have the depth.
KERNEL(find_deepest_overlap)
{
  struct nearest_list nearest;
  struct overlaps overlaps;
  search_grids(s, i, &nearest, &overlaps);
  if (overlaps.count > 0 && bits_of(overlaps.deepest) == s->tally->deepest_overlap_bits)
    atomic_min(&s->tally->deepest_id, (uint64_t)s->sorted.id[i]);
}

KERNEL(locate_deepest_overlap)
{
  if ((uint64_t)s->sorted.id[i] == s->tally->deepest_id)
    s->tally->deepest_at = point_of(&s->sorted, i);
}
