// The contract of device_crowd.h by kernels. Included once by each kind of device.
#pragma once
#include "selection_launch.h"
#include "step_launch.h"

// ------------------------------------------------------------------------------------ moving in

static int64_t segments_of(const struct measure *m)
{
  int64_t count = 0;
  for (int32_t l = 0; l < m->line_count; l++)
    count += m->lines[l].count - 1;
  return count;
}

static void upload_lines(struct device_state *g, const struct measure *m)
{
  g->line_count = m->line_count;
  g->segment_count = segments_of(m);
  struct line_segment *list = (struct line_segment *)memory_create((size_t)g->segment_count,
                                                                   sizeof *list),
                      *next = list;
  for (int32_t l = 0; l < m->line_count; l++)
    for (int64_t k = 0; k + 1 < m->lines[l].count; k++) {
      const struct point a = m->lines[l].points[k], b = m->lines[l].points[k + 1];
      const struct line_segment one = {a, b, segment_box(a, b), l};
      *next++ = one;
    }
  g->segments =
      (struct line_segment *)upload_copy(g, list, (size_t)g->segment_count * sizeof *list);
  device_wait(&g->device);
  memory_destroy(list);
}

static void upload_world(void *device, const struct world *world,
                         const struct density_speed *density_speed, const struct measure *measure)
{
  struct device_state *g = device_state_of(device);
  arena_reset(&g->arena);
  upload_navigation(g, world);
  upload_density_speed(g, density_speed);
  upload_lines(g, measure);
  device_upload_staged(&g->device, buffer(g, WORLD, sizeof g->world), &g->world, sizeof g->world);
  device_wait(&g->device);
}

static struct box bounds_of(const struct agents *a)
{
  struct box b = {{0, 0}, {0, 0}};
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = point_of(a, i);
    const struct box one = {p, p};
    b = i ? box_union(b, one) : one;
  }
  return b;
}

static void upload_agents(void *device, const struct agents *a)
{
  struct device_state *g = device_state_of(device);
  const size_t own = (size_t)a->count;
  g->resident.count = g->resident.ghost_count = 0;
  home_reserve(g, a->count);
  g->resident.count = a->count;
  g->bounds = bounds_of(a);
#define X(type, name, unit, reach)                                                                 \
  if (reach <= SCOPE_STATE)                                                                        \
    device_upload(&g->device, g->resident.name, a->name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&g->device); // it may change now
}

static void download_agents(void *device, struct agents *a)
{
  struct device_state *g = device_state_of(device);
  const size_t own = (size_t)g->resident.count;
  a->count = a->ghost_count = 0;
  agents_reserve(a, g->resident.count);
  a->count = g->resident.count;
#define X(type, name, unit, reach)                                                                 \
  if (reach <= SCOPE_STATE)                                                                        \
    device_download(&g->device, a->name, g->resident.name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&g->device);
}

static void fetch_neighbour_counts(void *device, struct neighbours *neighbours)
{
  struct device_state *g = device_state_of(device);
  const int64_t leaves = (g->kernel_input.own + BOX_TREE_WIDTH - 1) / BOX_TREE_WIDTH;
  neighbours_reserve_counts(neighbours, g->kernel_input.own);
  device_download(&g->device, neighbours->neighbour_counts, g->kernel_input.leaf_neighbours,
                  (size_t)leaves * 4);
  device_wait(&g->device);
}

static void count_stops(void *device, int64_t *counts, int32_t count)
{
  struct device_state *g = device_state_of(device);
  const size_t bytes = (size_t)count * sizeof *counts;
  struct kernel_args e = kernel_args_of(g);
  e.stop_counts = (int64_t *)buffer(g, STOP_COUNTS, bytes);
  device_fill(&g->device, e.stop_counts, 0, bytes);
  LAUNCH(&g->device, count_stop_agents, upload_kernel_args(g, &e), e.own);
  device_download(&g->device, counts, e.stop_counts, bytes);
  device_wait(&g->device);
}

static void sums(void *device, struct device_crowd_sums *to)
{
  struct device_state *g = device_state_of(device);
  struct kernel_args e = kernel_args_of(g);
  e.sums = (struct device_crowd_sums *)buffer(g, STOP_COUNTS, sizeof *to);
  device_fill(&g->device, e.sums, 0, sizeof *to);
  LAUNCH(&g->device, sum_observables, upload_kernel_args(g, &e), e.own);
  device_download(&g->device, to, e.sums, sizeof *to);
  device_wait(&g->device);
}

// ------------------------------------------------------------------------------------ parcels

static void *allocate_message(void *device, size_t bytes, bool of_device)
{
  device_state_of(device);
  return of_device ? device_allocate(bytes) : pinned_allocate(bytes);
}

static void free_message(void *device, void *memory, bool of_device)
{
  device_state_of(device);
  if (of_device)
    device_free(memory);
  else
    pinned_free(memory);
}

#define DEVICE_CROWD(device_state, in_host_memory)                                                 \
  {                                                                                                \
    device_state, in_host_memory, upload_world, upload_agents, download_agents,                    \
        fetch_neighbour_counts, count_stops, sums, pack_mirrors, copy_mirrors, set_preferred,      \
        build_index, next_velocities, find_overlap, unpack_ghosts, apply_groups, probe_discs,      \
        move, select_agents, download_selected, upload_selected, remove_selected, append_agents,   \
        allocate_message, free_message                                                             \
  }
