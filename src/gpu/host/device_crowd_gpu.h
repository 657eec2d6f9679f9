// Implements device_crowd.h with kernels. Included once for each kind of device.
#pragma once
#include "selection_launch.h"
#include "step_launch.h"

// --------------------------------------------------------------------------------------- world

static int64_t line_segment_count(const struct measure *m)
{
  int64_t count = 0;
  for (int32_t l = 0; l < m->line_count; l++)
    count += m->lines[l].count - 1;
  return count;
}

static void upload_lines(struct device_state *state, const struct measure *m)
{
  static_assert(HAS_NO_POINTER(*state->segments), "struct line_segment: give it a list");
  state->line_count = m->line_count;
  state->segment_count = line_segment_count(m);
  struct line_segment *list =
      (struct line_segment *)memory_create((size_t)state->segment_count, sizeof *list);
  struct line_segment *next = list;
  for (int32_t l = 0; l < m->line_count; l++)
    for (int64_t k = 0; k + 1 < m->lines[l].count; k++) {
      const struct point a = m->lines[l].points[k], b = m->lines[l].points[k + 1];
      const struct line_segment segment = {a, b, segment_box(a, b), l};
      *next++ = segment;
    }
  state->segments =
      (struct line_segment *)upload_copy(state, list, (size_t)state->segment_count * sizeof *list);
  device_wait(&state->device);
  memory_destroy(list);
}

#define MEMBERS_outlines(X)                                                                        \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, start, host->count + 1)                                                                 \
  X(ARRAY, points, host->start[host->count])                                                       \
  X(HOST, closed)
DEEP_COPY(outlines, struct world_upload);

#define MEMBERS_measure_area(X)                                                                    \
  X(HOST, name) X(STRUCT, outlines, outlines) X(PLAIN, box) X(PLAIN, walkable_area)
DEEP_COPY(measure_area, struct world_upload);
DEEP_COPY_ARRAY(measure_area, struct world_upload);

static void upload_areas(struct device_state *state, const struct measure *m)
{
  const struct world_upload u = {state, NULL, NULL};
  state->area_count = m->area_count;
  state->areas = deep_copy_measure_area_array(&u, m->areas, m->area_count);
}

// The counts of earlier uploads stay.
static void prepare_cells(struct device_state *state, const struct measure *m)
{
  const int64_t count = m->counts_cells ? CELL_SIDES * measure_cell_count(&m->grid) : 0;
  const size_t bytes = (size_t)count * sizeof(int64_t);
  state->grid = m->grid;
  if (count == state->cell_crossed_count)
    return;
  state->cell_crossed_count = count;
  if (count)
    device_fill(&state->device, buffer(state, CELL_CROSSED, bytes), 0, bytes);
}

static void upload_world(void *device, const struct world *world, const struct walking *walking,
                         const struct measure *measure)
{
  struct device_state *state = device_state_enter(device);
  if (world->version != 0 && world->version == state->version) {
    upload_changed_fields(state, world);
    return;
  }
  state->version = 0;
  arena_reset(&state->arena);
  upload_whole_world(state, world);
  upload_density_speed(state, walking->density_speed);
  upload_headway(state, walking->headway);
  upload_lines(state, measure);
  upload_areas(state, measure);
  prepare_cells(state, measure);
  device_upload_staged(&state->device, buffer(state, WORLD, sizeof state->world), &state->world,
                       sizeof state->world);
  device_wait(&state->device);
  state->version = world->version;
}

// -------------------------------------------------------------------------------------- agents

static struct box bounds_of(const struct agents *a)
{
  struct box b = {{0, 0}, {0, 0}};
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = point_of(a, i);
    const struct box at = {p, p};
    b = i ? box_union(b, at) : at;
  }
  return b;
}

static void upload_agents(void *device, const struct agents *a)
{
  struct device_state *state = device_state_enter(device);
  const size_t own = (size_t)a->count;
  state->resident.count = state->resident.ghost_count = 0;
  resident_reserve(state, a->count);
  state->resident.count = a->count;
  state->bounds = bounds_of(a);
#define X(type, name, unit, scope)                                                                 \
  if (scope <= SCOPE_STATE)                                                                        \
    device_upload(&state->device, state->resident.name, a->name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&state->device); // the caller may change its agents now
}

static void download_agents(void *device, struct agents *a)
{
  struct device_state *state = device_state_enter(device);
  const size_t own = (size_t)state->resident.count;
  a->count = a->ghost_count = 0;
  agents_reserve(a, state->resident.count);
  a->count = state->resident.count;
#define X(type, name, unit, scope)                                                                 \
  if (scope <= SCOPE_STATE)                                                                        \
    device_download(&state->device, a->name, state->resident.name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&state->device);
}

// -------------------------------------------------------------------------------------- counts

static void fetch_neighbour_counts(void *device, struct neighbours *neighbours)
{
  struct device_state *state = device_state_enter(device);
  const int64_t own = state->kernel_input.own;
  const int64_t leaves = (own + BOX_TREE_WIDTH - 1) / BOX_TREE_WIDTH;
  neighbours_reserve_counts(neighbours, own);
  device_download(&state->device, neighbours->neighbour_counts, state->kernel_input.leaf_neighbours,
                  (size_t)leaves * sizeof *neighbours->neighbour_counts);
  device_wait(&state->device);
}

static void count_stops(void *device, int64_t *counts, int32_t count)
{
  struct device_state *state = device_state_enter(device);
  const size_t bytes = (size_t)count * sizeof *counts;
  struct kernel_args args = kernel_args_begin(state);
  args.stop_occupancy = (int64_t *)buffer(state, STOP_OCCUPANCY, bytes);
  device_fill(&state->device, args.stop_occupancy, 0, bytes);
  LAUNCH(&state->device, count_stop_occupancy, upload_kernel_args(state, &args), args.own);
  device_download(&state->device, counts, args.stop_occupancy, bytes);
  device_wait(&state->device);
}

static void sums(void *device, struct crowd_sums *to)
{
  struct device_state *state = device_state_enter(device);
  struct kernel_args args = kernel_args_begin(state);
  args.sums = (struct crowd_sums *)buffer(state, SUMS, sizeof *to);
  device_fill(&state->device, args.sums, 0, sizeof *to);
  LAUNCH(&state->device, sum_observables, upload_kernel_args(state, &args), args.own);
  *to = *(const struct crowd_sums *)fetch(state, args.sums, sizeof *to);
}

static struct net_speed mark(void *device, const struct net_speed_window *window)
{
  struct device_state *state = device_state_enter(device);
  struct kernel_args args = kernel_args_begin(state);
  args.net_speed_window = *window;
  args.net_speed = (struct net_speed *)buffer(state, NET_SPEED, sizeof *args.net_speed);
  device_fill(&state->device, args.net_speed, 0, sizeof *args.net_speed);
  LAUNCH(&state->device, mark_positions, upload_kernel_args(state, &args), args.own);
  return *(const struct net_speed *)fetch(state, args.net_speed, sizeof *args.net_speed);
}

static void sum_areas(void *device, struct measure_sum *to)
{
  struct device_state *state = device_state_enter(device);
  const size_t bytes = (size_t)state->area_count * sizeof *to;
  struct kernel_args args = kernel_args_begin(state);
  if (bytes == 0)
    return;
  args.areas = state->areas;
  args.area_count = state->area_count;
  args.area_sums = (struct measure_sum *)buffer(state, AREA_SUMS, bytes);
  device_fill(&state->device, args.area_sums, 0, bytes);
  LAUNCH(&state->device, sum_area_people, upload_kernel_args(state, &args),
         args.area_count * area_threads(args.own));
  memcpy(to, fetch(state, args.area_sums, bytes), bytes);
}

// The cells keep their memory from sample to sample, and are 0 between them.
static struct cell_people *reserve_cell_people(struct device_state *state)
{
  const int64_t cells = measure_cell_count(&state->grid);
  const size_t bytes = (size_t)cells * sizeof(struct cell_people);
  if (cells != state->cell_people_count)
    device_fill(&state->device, buffer(state, CELL_PEOPLE, bytes), 0, bytes);
  state->cell_people_count = cells;
  return (struct cell_people *)state->buffers[CELL_PEOPLE].memory;
}

static const struct cell_people *count_cells(void *device, int64_t *count)
{
  struct device_state *state = device_state_enter(device);
  struct device *d = &state->device;
  struct kernel_args args = kernel_args_begin(state);
  const size_t own = (size_t)args.own;
  args.grid = state->grid;
  args.cell_people = reserve_cell_people(state);
  args.occupied_cells = (int32_t *)buffer(state, OCCUPIED_CELLS, own * sizeof(int32_t));
  args.occupied_count = (int32_t *)buffer(state, OCCUPIED_COUNT, sizeof(int32_t));
  device_fill(d, args.occupied_count, 0, sizeof *args.occupied_count);
  LAUNCH(d, count_cell_people, upload_kernel_args(state, &args), args.own);
  *count = *(const int32_t *)fetch(state, args.occupied_count, sizeof *args.occupied_count);
  const size_t bytes = (size_t)*count * sizeof *args.counted;
  args.counted = (struct cell_people *)buffer(state, RECORDS, bytes);
  LAUNCH(d, take_cell_people, upload_kernel_args(state, &args), *count);
  return (const struct cell_people *)fetch(state, args.counted, bytes);
}

static void fetch_cell_crossings(void *device, int64_t *crossed)
{
  struct device_state *state = device_state_enter(device);
  const int64_t count = state->cell_crossed_count;
  const size_t bytes = (size_t)count * sizeof *crossed;
  if (count == 0)
    return;
  void *on_device = state->buffers[CELL_CROSSED].memory;
  int64_t *more = (int64_t *)memory_create((size_t)count, sizeof *more);
  device_download(&state->device, more, on_device, bytes);
  device_fill(&state->device, on_device, 0, bytes);
  device_wait(&state->device);
  for (int64_t k = 0; k < count; k++)
    if (more[k])
      crossed[k] += more[k];
  memory_destroy(more);
}

// ------------------------------------------------------------------------------------ messages

static void *allocate_message(void *device, size_t bytes, bool of_device)
{
  device_state_enter(device);
  return of_device ? device_allocate(bytes) : pinned_allocate(bytes);
}

static void free_message(void *device, void *memory, bool of_device)
{
  device_state_enter(device);
  if (of_device)
    device_free(memory);
  else
    pinned_free(memory);
}

#define DEVICE_CROWD(state, emulated)                                                              \
  {                                                                                                \
    .device = (state), .in_host_memory = (emulated), .upload_world = upload_world,                 \
    .upload_agents = upload_agents, .download_agents = download_agents,                            \
    .fetch_neighbour_counts = fetch_neighbour_counts, .count_stops = count_stops, .sums = sums,    \
    .mark = mark, .sum_areas = sum_areas, .count_cells = count_cells,                              \
    .fetch_cell_crossings = fetch_cell_crossings, .pack_mirrors = pack_mirrors,                    \
    .copy_mirrors = copy_mirrors, .set_preferred = set_preferred, .build_index = build_index,      \
    .next_velocities = next_velocities, .find_overlap = find_overlap,                              \
    .find_deepest = find_deepest, .unpack_ghosts = unpack_ghosts, .apply_groups = apply_groups,    \
    .probe_discs = probe_discs, .move = move, .select = select_agents,                             \
    .download_selected = download_selected, .upload_selected = upload_selected,                    \
    .remove_selected = remove_selected, .append_agents = append_agents,                            \
    .allocate_message = allocate_message, .free_message = free_message                             \
  }
