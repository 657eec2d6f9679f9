// Launches the grid and avoidance kernels. Included once for each kind of device.
#pragma once
#include "obstacle_search_launch.h"
#include "world_upload.h"

// --------------------------------------------------------------------------------------- input

struct crowd_extent {     // of the agents on the device
  struct box own, ghosts; // their boxes, hi inside; estimates are enough: they set the grids' size
  float radius_max;       // quanta: no agent is wider
  bool uniform_yield;     // all agents have yield 1
  bool groups;            // some agents walk in groups
};

INLINE bool is_gathered(const struct kernel_input *s, enum kernel_access access)
{
  return access == ACCESS_ALL || access == ACCESS_OWNED ||
         (access == ACCESS_GROUP && s->group_range > 0);
}

// Arrays in grid order; keeps the first `kept` agents.
static void reserve_sorted(struct device_state *state, int64_t kept)
{
  struct kernel_input *s = &state->kernel_input;
  const size_t all = (size_t)s->all, used = (size_t)kept;
  struct device *d = &state->device;
#define X(type, name, unit, scope)                                                                 \
  if (is_gathered(s, ACCESS_##name))                                                               \
    s->sorted.name = (type *)device_grow(d, &state->buffers[SORTED_##name], used * sizeof(type),   \
                                         all * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  s->sorted.count = s->all;
  s->memory_index =
      (int32_t *)device_grow(d, &state->buffers[MEMORY_INDEX], used * sizeof *s->memory_index,
                             all * sizeof *s->memory_index);
  uint32_t *cell =
      (uint32_t *)device_grow(d, &state->buffers[CELLS], used * sizeof *cell, all * sizeof *cell);
  s->grids[0].cell = s->grids[1].cell = cell;
}

static int32_t *reserve_starts(struct device_state *state, int which, const struct grid *grid)
{
  return (int32_t *)buffer(state, which, ((size_t)grid_table_size(grid) + 1) * sizeof(int32_t));
}

static bool is_nested(const struct device_state *state)
{
  const struct kernel_input *s = &state->kernel_input;
  return s->avoidance.method == METHOD_rvo && s->own < state->nested_below;
}

static size_t leaf_neighbours_bytes(const struct kernel_input *s)
{
  return ((size_t)s->own / BOX_TREE_WIDTH + 1) * sizeof *s->leaf_neighbours;
}

static void reserve_output(struct device_state *state)
{
  struct kernel_input *s = &state->kernel_input;
  const size_t own = (size_t)s->own;
  s->neighbour_list = (int32_t *)buffer(state, NEIGHBOUR_LIST,
                                        (size_t)s->neighbour_max * own * sizeof *s->neighbour_list);
  s->unsolved_list = (int32_t *)buffer(state, UNSOLVED_LIST, own * sizeof *s->unsolved_list);
  s->best_sample =
      (uint64_t *)buffer(state, BEST_SAMPLE, is_nested(state) ? own * sizeof *s->best_sample : 0);
  reserve_searches(state);
  s->leaf_neighbours = (int32_t *)buffer(state, LEAF_NEIGHBOURS, leaf_neighbours_bytes(s));
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_OUTPUT)                                                              \
    s->sorted.name = (type *)buffer(state, SORTED_##name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  s->tally = (struct step_tally *)buffer(state, STEP_TALLY, sizeof *s->tally);
}

struct input_upload { // where the kernels find what struct next_velocity_input points to
  struct world *world;
  struct kernel_input *input;
};

#define MEMBERS_walking(X)                                                                         \
  X(LINK, density_speed, &u->input->density_speed) X(LINK, headway, &u->input->headway)
DEEP_COPY(walking, struct input_upload);

#define MEMBERS_next_velocity_input(X)                                                             \
  X(LINK, world, u->world)                                                                         \
  X(LINK, avoidance, &u->input->avoidance)                                                         \
  X(HOST, plugin)                                                                                  \
  X(LINK, neighbours, &u->input->neighbours)                                                       \
  X(HOST, wall_lists)                                                                              \
  X(PLAIN, dt)                                                                                     \
  X(PLAIN, seed)                                                                                   \
  X(PLAIN, step)                                                                                   \
  X(STRUCT, walking, walking)                                                                      \
  X(PLAIN, part)                                                                                   \
  X(PLAIN, interior)                                                                               \
  X(HOST, progress)                                                                                \
  X(HOST, context)
DEEP_COPY(next_velocity_input, struct input_upload);

static void set_parameters(struct kernel_input *s, const struct device_state *state,
                           const struct next_velocity_input *in)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  static_assert(HAS_NO_POINTER(s->avoidance), "struct avoidance: give it a list, deep_copy.h");
  s->in = *in;
  s->in.part = PART_ALL; // next_velocities sets the part
  s->avoidance = *in->avoidance;
  s->density_speed = state->density_speed;
  s->density_range = state->density_speed.range / quantum;
  s->headway = state->headway;
  s->quantum = quantum;
  s->quanta_per_speed = in->dt / quantum;
  s->range2 = range * range;
  s->neighbour_max = in->avoidance->neighbours;
}

// Input of the owned agents, without ghosts.
static void kernel_input_begin(struct device_state *state, const struct next_velocity_input *in,
                               const struct crowd_extent *extent)
{
  struct kernel_input *s = &state->kernel_input;
  assert(in->world && in->avoidance && in->avoidance->neighbours <= NEIGHBOURS_MAX);
  memset(s, 0, sizeof *s);
  set_parameters(s, state, in);
  s->own = s->all = state->resident.count;
  s->resident = state->resident;
  s->radius_max = extent->radius_max;
  s->neighbours.uniform_yield = extent->uniform_yield;
  if (extent->groups)
    s->group_range = frame_length(&in->world->frame, (double)GROUP_RANGE);
  s->grids[0] = grid_over(extent->own, 1 / s->quantum, s->own);
  assert(grid_is_valid(&s->grids[0]));
  reserve_sorted(state, 0);
  reserve_output(state);
  s->grids[0].start = reserve_starts(state, RUN_STARTS, &s->grids[0]);
}

// Adds the ghosts of `resident`. bounds: see struct crowd_extent.
static void kernel_input_add_ghosts(struct device_state *state, struct box bounds)
{
  struct kernel_input *s = &state->kernel_input;
  s->resident = state->resident;
  s->all = s->own + state->resident.ghost_count;
  s->grids[1] = grid_over(bounds, 1 / s->quantum, state->resident.ghost_count);
  s->grids[1].first = s->own;
  assert(grid_is_valid(&s->grids[1]));
  reserve_sorted(state, s->own);
  s->grids[1].start = reserve_starts(state, GHOST_RUN_STARTS, &s->grids[1]);
}

static const struct kernel_input *upload_kernel_input(struct device_state *state)
{
  struct kernel_input s = state->kernel_input;
  struct kernel_input *on_device = (struct kernel_input *)buffer(state, KERNEL_INPUT, sizeof s);
  struct world *world = (struct world *)buffer(state, WORLD, sizeof state->world);
  const struct input_upload u = {world, on_device};
  deep_copy_next_velocity_input(&u, &state->kernel_input.in, &s.in);
  device_upload_staged(&state->device, on_device, &s, sizeof s);
  device_upload_staged(&state->device, world, &state->world, sizeof state->world);
  return on_device;
}

// --------------------------------------------------------------------------------------- grids

static uint32_t last_cell(const struct grid *g)
{
  return grid_cell(g, g->rows - 1, g->columns - 1);
}

static uint64_t sort_key(const struct device_state *state, const struct kernel_input *on_device)
{
  const struct kernel_input *s = &state->kernel_input;
  const void *const arrays[] = {on_device, s->grids[0].cell, s->memory_index};
  const int64_t sizes[] = {s->own, device_sort_bits(last_cell(&s->grids[0]))};
  const uint64_t hash = hash_bytes(HASH_START, arrays, sizeof arrays);
  return device_sort_key(&state->device, hash_bytes(hash, sizes, sizeof sizes));
}

static void sort_owned(struct device_state *state, const struct kernel_input *on_device)
{
  struct device *d = &state->device;
  const struct kernel_input *s = &state->kernel_input;
  const struct grid *grid = &s->grids[0];
  if (s->own == 0)
    return;
  if (device_sequence_begin(d, SEQUENCE_INDEX, sort_key(state, on_device))) {
    LAUNCH(d, compute_cells, on_device, s->own);
    device_sort(d, grid->cell, s->memory_index, s->own, last_cell(grid));
    LAUNCH(d, gather_agents, on_device, s->own);
    device_sequence_end(d, SEQUENCE_INDEX);
  }
  LAUNCH(d, find_run_starts, on_device, grid_table_size(grid) + 1); // their number varies
}

static void sort_ghosts(struct device_state *state, const struct kernel_input *on_device)
{
  struct device *d = &state->device;
  const struct kernel_input *s = &state->kernel_input;
  const struct grid *grid = &s->grids[1];
  if (grid->count == 0)
    return;
  LAUNCH(d, compute_ghost_cells, on_device, grid->count);
  device_sort(d, grid->cell + s->own, s->memory_index + s->own, grid->count, last_cell(grid));
  LAUNCH(d, gather_ghosts, on_device, grid->count);
  LAUNCH(d, find_ghost_run_starts, on_device, grid_table_size(grid) + 1);
}

// ----------------------------------------------------------------------------------- avoidance

static void launch_nested(struct device_state *state, const struct kernel_input *on_device)
{
  const struct kernel_input *s = &state->kernel_input;
  device_fill(&state->device, s->best_sample, 0xff, (size_t)s->own * sizeof *s->best_sample);
  LAUNCH(&state->device, rvo_evaluate_samples, on_device, s->own * sample_quads(s));
  LAUNCH(&state->device, rvo_apply_best_sample, on_device, s->own);
}

static void launch_method(struct device_state *state, const struct kernel_input *on_device)
{
  const struct kernel_input *s = &state->kernel_input;
  if (is_nested(state)) {
    launch_nested(state, on_device);
    return;
  }
  switch (s->avoidance.method) {
#define X(name)                                                                                    \
  case METHOD_##name:                                                                              \
    LAUNCH(&state->device, next_velocity_##name, on_device, s->own);                               \
    break;
    AVOIDANCE_METHODS(X)
#undef X
  default:
    break;
  }
  if (s->avoidance.method == METHOD_orca)
    LAUNCH(&state->device, solve_infeasible, on_device, s->own);
  else if (searches_obstacles(&s->avoidance))
    launch_obstacle_search(state, on_device);
  else if (s->avoidance.method == METHOD_clearpath)
    LAUNCH(&state->device, solve_clearpath_guaranteed, on_device, s->own);
}

static void tally_reset(struct device_state *state)
{
  struct kernel_input *s = &state->kernel_input;
  device_fill(&state->device, s->tally, 0, sizeof *s->tally);
  device_fill(&state->device, &s->tally->first_overlap_id, 0xff, sizeof s->tally->first_overlap_id);
  device_fill(&state->device, &s->tally->deepest_id, 0xff, sizeof s->tally->deepest_id);
  device_fill(&state->device, s->leaf_neighbours, 0, leaf_neighbours_bytes(s));
}

static uint64_t next_velocity_key(const struct device_state *state,
                                  const struct kernel_input *on_device)
{
  const struct kernel_input *s = &state->kernel_input;
  const void *const arrays[] = {on_device, s->tally, s->best_sample};
  const int64_t numbers[] = {s->own,
                             s->neighbour_max,
                             s->avoidance.method,
                             s->avoidance.clearpath.guaranteed,
                             is_nested(state) ? sample_quads(s) : 0,
                             s->density_range > 0,
                             s->headway.on};
  return hash_bytes(hash_bytes(HASH_START, arrays, sizeof arrays), numbers, sizeof numbers);
}

static void launch_next_velocity(struct device_state *state, const struct kernel_input *on_device)
{
  struct device *d = &state->device;
  const struct kernel_input *s = &state->kernel_input;
  if (!device_sequence_begin(d, SEQUENCE_VELOCITIES, next_velocity_key(state, on_device)))
    return;
  device_fill(d, &s->tally->unsolved_count, 0, sizeof s->tally->unsolved_count);
  if (s->density_range > 0)
    LAUNCH(d, apply_density_speed, on_device, s->own);
  LAUNCH(d, find_neighbours, on_device, s->own);
  if (s->headway.on)
    LAUNCH(d, apply_headway, on_device, s->own);
  launch_method(state, on_device);
  device_sequence_end(d, SEQUENCE_VELOCITIES);
}

static void counts_add(struct next_velocity_counts *counts, const struct step_tally *t)
{
#define X(name, where) BACKEND_##where(counts->name += t->name;)
  STEP_COUNTERS(X)
#undef X
  counts->deepest.depth = max_float(counts->deepest.depth, real_of_bits(t->deepest_overlap_bits));
}

// --------------------------------------------------------------------------------- host agents

static struct box tree_box(const struct box_tree *t) // hi inside
{
  struct box all = {{0, 0}, {0, 0}};
  const int top = t->level_count - 1;
  for (int64_t i = 0; top >= 0 && i < t->level[top].count; i++) {
    const struct box b = box_tree_node_box(t, top, i);
    all = i ? box_union(all, b) : b;
  }
  return all;
}

static void upload_host_agents(struct device_state *state, const struct agents *a)
{
  const size_t own = (size_t)a->count, all = own + (size_t)a->ghost_count;
  state->resident.count = state->resident.ghost_count = 0;
  resident_reserve(state, (int64_t)all);
  state->resident.count = a->count;
  state->resident.ghost_count = a->ghost_count;
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_ALL || ACCESS_##name == ACCESS_OWNED)                                \
    device_upload(&state->device, state->resident.name, a->name,                                   \
                  (ACCESS_##name == ACCESS_ALL ? all : own) * sizeof(type));
  AGENT_FIELDS(X)
#undef X
}

static void download_velocities(struct device_state *state, const struct next_velocity_input *in,
                                struct agents *a, struct next_velocity_counts *counts)
{
  struct device *d = &state->device;
  const size_t own = (size_t)a->count, leaves = (size_t)in->neighbours->own.level[0].count;
  const struct kernel_input *s = &state->kernel_input;
  const bool walking = s->density_range > 0 || s->headway.on; // a walking model has run
#define X(type, name, unit, scope)                                                                 \
  if (ACCESS_##name == ACCESS_OUTPUT)                                                              \
    device_download(d, a->name, state->resident.name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  if (walking) {
    device_download(d, a->prefer_x, state->resident.prefer_x, own * sizeof *a->prefer_x);
    device_download(d, a->prefer_y, state->resident.prefer_y, own * sizeof *a->prefer_y);
    device_download(d, a->passing, state->resident.passing, own * sizeof *a->passing);
    device_download(d, a->choice, state->resident.choice, own * sizeof *a->choice);
  }
  device_download(d, in->neighbours->neighbour_counts, state->kernel_input.leaf_neighbours,
                  leaves * sizeof *in->neighbours->neighbour_counts);
  counts_add(counts, (const struct step_tally *)fetch(state, s->tally, sizeof *s->tally));
}

// Uploads the host's agents and walls, and sorts the agents into grids.
static const struct kernel_input *prepare_host_agents(struct device_state *state,
                                                      const struct next_velocity_input *in,
                                                      const struct agents *a,
                                                      const struct crowd_extent *extent)
{
  arena_reset(&state->arena);
  upload_walls(state, in->world);
  upload_density_speed(state, in->walking.density_speed);
  upload_headway(state, in->walking.headway);
  upload_host_agents(state, a);
  kernel_input_begin(state, in, extent);
  kernel_input_add_ghosts(state, extent->ghosts);
  const struct kernel_input *on_device = upload_kernel_input(state);
  sort_owned(state, on_device);
  sort_ghosts(state, on_device);
  return on_device;
}

static struct crowd_extent extent_of(const struct neighbours *n)
{
  const struct crowd_extent extent = {.own = tree_box(&n->own),
                                      .ghosts = tree_box(&n->ghosts),
                                      .radius_max = n->radius_max,
                                      .uniform_yield = n->uniform_yield,
                                      .groups = false};
  return extent;
}

// backend.h for agents in host memory. Computes all agents in the last part, when the ghosts are
// there.
static void compute_host_agents(struct device_state *state, const struct next_velocity_input *in,
                                struct agents *a, struct next_velocity_counts *counts)
{
  if (in->part == PART_INTERIOR && in->progress)
    in->progress(in->context);
  if (in->part == PART_INTERIOR || a->count == 0)
    return;
  const struct crowd_extent extent = extent_of(in->neighbours);
  device_begin(&state->device);
  const struct kernel_input *on_device = prepare_host_agents(state, in, a, &extent);
  tally_reset(state);
  launch_next_velocity(state, on_device);
  download_velocities(state, in, a, counts);
}
