// Kernels that build the grids; one thread per agent.
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
