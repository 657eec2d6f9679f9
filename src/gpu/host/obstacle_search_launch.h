// Launches the search of ClearPath-2 and HRVO. Included once for each kind of device.
#pragma once
#include "obstacle_search_kernels.h"
#include "world_upload.h"

static bool searches_obstacles(const struct avoidance *a)
{
  return a->method == METHOD_hrvo || (a->method == METHOD_clearpath && !a->clearpath.guaranteed);
}

static void reserve_searches(struct device_state *state)
{
  struct kernel_input *s = &state->kernel_input;
  if (!searches_obstacles(&s->avoidance))
    return;
  assert(state->searches_max > 0 && state->edges_per_search >= EDGES_NEAREST);
  s->search_room = (int32_t)(s->own < state->searches_max ? s->own : state->searches_max);
  s->edge_room = state->edges_per_search * s->search_room;
  const size_t searches = (size_t)s->search_room, edges = (size_t)s->edge_room;
  const size_t obstacles = searches * (size_t)(s->neighbour_max + WALLS_MAX);
  s->searches = (struct obstacle_search *)buffer(state, SEARCHES, searches * sizeof *s->searches);
  s->search_obstacles = (struct velocity_obstacle *)buffer(state, SEARCH_OBSTACLES,
                                                           obstacles * sizeof *s->search_obstacles);
  s->search_edge_keys =
      (uint64_t *)buffer(state, SEARCH_EDGE_KEYS, 3 * obstacles * sizeof *s->search_edge_keys);
  s->edges = (struct searched_edge *)buffer(state, EDGES, edges * sizeof *s->edges);
}

static void launch_search_round(struct device_state *state, const struct kernel_input *on_device)
{
  struct device *d = &state->device;
  const struct kernel_input *s = &state->kernel_input;
  const int64_t agents = s->search_room;
  device_fill(d, &s->tally->edge_count, 0, sizeof s->tally->edge_count);
  LAUNCH(d, begin_search, on_device, agents);
  LAUNCH(d, list_edges, on_device, LISTING_THREADS * agents);
  LAUNCH(d, choose_nearest, on_device, agents);
  LAUNCH(d, search_edges, on_device, EDGES_NEAREST * agents);
  LAUNCH(d, choose_others, on_device, agents);
  LAUNCH(d, search_edges, on_device, s->edge_room);
  LAUNCH(d, decide_velocities, on_device, agents);
}

// The agents that next_velocity_clearpath or _hrvo has listed. Their number is known only on the
// device, so that there are launches for all.
static void launch_obstacle_search(struct device_state *state, const struct kernel_input *on_device)
{
  struct device *d = &state->device;
  const struct kernel_input *s = &state->kernel_input;
  const int rounds = search_rounds(s->neighbour_max);
  device_fill(d, &s->tally->searched, 0, sizeof s->tally->searched);
  for (int64_t first = 0; first < s->own; first += s->search_room) {
    if (s->avoidance.method == METHOD_hrvo)
      LAUNCH(d, collect_obstacles_hrvo, on_device, s->search_room);
    else
      LAUNCH(d, collect_obstacles_clearpath, on_device, s->search_room);
    for (int round = 0; round < rounds; round++)
      launch_search_round(state, on_device);
    LAUNCH(d, begin_next_searches, on_device, 1);
  }
}
