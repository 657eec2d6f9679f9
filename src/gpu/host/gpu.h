// What a rank keeps on its device from call to call.
#pragma once
#include "kernels.h"
#include "line_segment.h"

// clang-format off
enum buffer {
#define X(type, name, unit, reach) HOME_##name,
  AGENT_FIELDS(X)
#undef X
#define X(type, name) GRID_##name,
  SCENE_SEEN(X) SCENE_OWN(X)
#undef X
  GRID_group,
  CELL,
  FROM,
  STARTS,
  GHOST_STARTS,
  NUMBER,
  LATE,
  BEST,
  LEAF_SEEN,
  CHOICE_X,
  CHOICE_Y,
  TALLY,
  SCENE,
  WORLD,
  ERRAND,
  WIDE,
  SHOWN,
  RECORDS,
  LIST,
  LISTED,
  CROSSED,
  TARGETS,
  MOVED,
  PLACES,
  TOUCHED,
  SHUFFLE,
  SHUFFLED,
  BUFFERS
};
// clang-format on

struct gpu {
  struct device device;
  int64_t nested_below; // agents: rvo is nested then
  struct device_buffer buffers[BUFFERS];
  struct agents home; // columns there
  struct device_arena arena;
  struct world world; // as the host's, but its pointers lead to the device
  struct pace pace;
  struct scene scene;            // of the step
  struct box round;              // round the owned, hi inside
  struct line_segment *segments; // [segment_count] of the lines that people are counted at
  int64_t segment_count;
  int32_t line_count;
  int64_t listed; // of the last selection
  int64_t orders; // made so far
};

static void *buffer(struct gpu *g, int which, size_t bytes)
{
  return device_room(&g->buffers[which], bytes);
}

// Room for so many, owned and ghosts; those who are there stay.
static void home_reserve(struct gpu *g, int64_t count)
{
  const size_t used = (size_t)(g->home.count + g->home.ghost_count);
  if (count <= g->home.capacity)
    return;
  g->home.capacity = count; // device_grow takes some more
#define X(type, name, unit, reach)                                                                 \
  g->home.name = (type *)device_grow(&g->device, &g->buffers[HOME_##name], used * sizeof(type),    \
                                     (size_t)g->home.capacity * sizeof(type));
  AGENT_FIELDS(X)
#undef X
}
