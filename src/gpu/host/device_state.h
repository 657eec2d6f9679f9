// What a rank keeps on its device from call to call.
#pragma once
#include "line_segment.h"
#include "velocity_kernels.h"

// clang-format off
enum buffer {
#define X(type, name, unit, reach) AGENT_##name,
  AGENT_FIELDS(X)
#undef X
#define X(type, name) SORTED_##name,
  PERCEIVED_AGENT_FIELDS(X) OWNED_AGENT_FIELDS(X)
#undef X
  SORTED_group,
  CELL,
  MEMORY_INDEX,
  CELL_STARTS,
  GHOST_CELL_STARTS,
  NEIGHBOUR_LIST,
  INFEASIBLE_LIST,
  BEST_SAMPLE,
  LEAF_NEIGHBOURS,
  NEXT_VX,
  NEXT_VY,
  STEP_TALLY,
  KERNEL_INPUT,
  WORLD,
  KERNEL_ARGS,
  WIDENED_BOXES,
  MIRROR_COUNTS,
  RECORDS,
  SELECTED,
  SELECTED_COUNT,
  CROSSINGS,
  STOP_COUNTS,
  MOVE_TALLY,
  DISCS,
  OCCUPIED,
  PERMUTATION_ARGS,
  PERMUTED_COLUMN,
  BUFFERS
};
// clang-format on

struct device_state {
  struct device device;
  int64_t nested_below; // agents: rvo is nested then
  struct device_buffer buffers[BUFFERS];
  struct agents resident; // columns there
  struct device_arena arena;
  struct world world; // as the host's, but its pointers lead to the device
  struct density_speed density_speed;
  struct kernel_input kernel_input; // of the step
  struct box bounds;                // round the owned, hi inside
  struct line_segment *segments;    // [segment_count] of the lines that people are counted at
  int64_t segment_count;
  int32_t line_count;
  int64_t selected_count; // of the last selection
  int64_t index_builds;   // made so far
};

static void *buffer(struct device_state *g, int which, size_t bytes)
{
  return device_reserve(&g->buffers[which], bytes);
}

// Room for so many, owned and ghosts; those who are there stay.
static void home_reserve(struct device_state *g, int64_t count)
{
  const size_t used = (size_t)(g->resident.count + g->resident.ghost_count);
  if (count <= g->resident.capacity)
    return;
  g->resident.capacity = count; // device_grow takes some more
#define X(type, name, unit, reach)                                                                 \
  g->resident.name =                                                                               \
      (type *)device_grow(&g->device, &g->buffers[AGENT_##name], used * sizeof(type),              \
                          (size_t)g->resident.capacity * sizeof(type));
  AGENT_FIELDS(X)
#undef X
}
