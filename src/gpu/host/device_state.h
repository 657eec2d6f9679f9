// What a rank keeps on its device between calls.
#pragma once
#include "line_segment.h"
#include "measure.h"
#include "velocity_kernels.h"

// clang-format off
enum buffer {
#define X(type, name, unit, scope) RESIDENT_##name, SORTED_##name,
  AGENT_FIELDS(X)
#undef X
  CELLS,
  MEMORY_INDEX,
  RUN_STARTS,
  GHOST_RUN_STARTS,
  NEIGHBOUR_LIST,
  UNSOLVED_LIST,
  BEST_SAMPLE,
  SEARCHES,
  SEARCH_OBSTACLES,
  SEARCH_EDGE_KEYS,
  EDGES,
  LEAF_NEIGHBOURS,
  STEP_TALLY,
  KERNEL_INPUT,
  WORLD,
  KERNEL_ARGS,
  HALO_BOXES,
  MIRROR_COUNTS,
  RECORDS,
  SELECTED,
  SELECTED_COUNT,
  CROSSED,
  CELL_CROSSED,
  CELL_PEOPLE,
  OCCUPIED_CELLS,
  OCCUPIED_COUNT,
  AREA_SUMS,
  STOP_OCCUPANCY,
  SUMS,
  NET_SPEED,
  MOVE_TALLY,
  DISCS,
  OCCUPIED,
  PERMUTATION_ARGS,
  PERMUTED_COLUMN,
  BUFFERS
};
// clang-format on

enum host_buffer {
  HOST_FETCHED,
  HOST_FIRST_RECORDS,
  HOST_CROSSED,
  HOST_REMOVED,
  HOST_GAPS,
  HOST_PAIRS,
  HOST_BUFFERS
};

struct device_state {
  struct device device;
  int64_t nested_below;     // agents: below, RVO runs nested
  int32_t searches_max;     // agents whose obstacles are searched at a time
  int32_t edges_per_search; // chosen edges of each, on average, that there is room for
  struct device_buffer buffers[BUFFERS];
  struct device_buffer host_buffers[HOST_BUFFERS]; // pinned: a step allocates nothing
  struct agents resident;                          // its columns lie in device memory
  struct device_arena arena;
  struct world world;   // a copy of the host's with pointers into device memory
  struct field *fields; // those of `world`, in host memory, with pointers into device memory
  uint64_t version;     // of `world`, once it is complete
  struct density_speed density_speed;
  struct headway_options headway;
  struct kernel_input kernel_input; // of this step
  struct box bounds;                // of the owned agents, hi inside
  struct line_segment *segments;    // [segment_count] of the measurement lines, on the device
  int64_t segment_count;
  int32_t line_count;
  struct measure_grid grid;
  int64_t cell_crossed_count; // integers of the buffer CELL_CROSSED; 0: cells are not counted
  int64_t cell_people_count;  // cells of the buffer CELL_PEOPLE
  struct measure_area *areas; // [area_count] on the device
  int32_t area_count;
  int64_t selected_count; // by the last select
  int64_t index_builds;
};

// Device memory of at least that many bytes; its contents are lost.
static void *buffer(struct device_state *state, int which, size_t bytes)
{
  return device_reserve(&state->buffers[which], bytes);
}

// Likewise of the host.
static void *host_buffer(struct device_state *state, enum host_buffer which, size_t bytes)
{
  return pinned_reserve(&state->host_buffers[which], bytes);
}

// Bytes of the device in memory of the host, which stay until the next call. Waits for all work.
static const void *fetch(struct device_state *state, const void *from, size_t bytes)
{
  void *to = host_buffer(state, HOST_FETCHED, bytes);
  device_download(&state->device, to, from, bytes);
  device_wait(&state->device);
  return to;
}

// Room for `count` agents, owned and ghosts; keeps those that are there.
static void resident_reserve(struct device_state *state, int64_t count)
{
  const size_t used = (size_t)(state->resident.count + state->resident.ghost_count);
  if (count <= state->resident.capacity)
    return;
  state->resident.capacity = count; // device_grow adds a margin
#define X(type, name, unit, scope)                                                                 \
  state->resident.name =                                                                           \
      (type *)device_grow(&state->device, &state->buffers[RESIDENT_##name], used * sizeof(type),   \
                          (size_t)state->resident.capacity * sizeof(type));
  AGENT_FIELDS(X)
#undef X
}
