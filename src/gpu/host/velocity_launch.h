// The choice by kernels: backend.h. Included once by each kind of device.
#pragma once
#include "world_upload.h"

// ------------------------------------------------------------------------------------ the scene

struct crowd_extent {     // a crowd on the device
  struct box own, ghosts; // round them, hi inside; a guess does
  float radius_max;       // quanta: nobody is wider
  bool uniform_yield;     // everybody has yield 1
  bool groups;            // some have company
};

// Arrays in the order of the grids: what is there of the first `kept` agents stays.
static void reserve_sorted(struct device_state *g, int64_t kept)
{
  struct kernel_input *s = &g->kernel_input;
  const size_t all = (size_t)s->all, used = (size_t)kept;
  struct device *d = &g->device;
#define X(type, name)                                                                              \
  s->a.name =                                                                                      \
      (type *)device_grow(d, &g->buffers[SORTED_##name], used * sizeof(type), all * sizeof(type));
  PERCEIVED_AGENT_FIELDS(X)
  OWNED_AGENT_FIELDS(X)
#undef X
  if (s->group_range > 0)
    s->a.group = (int64_t *)device_grow(d, &g->buffers[SORTED_group], used * sizeof(int64_t),
                                        all * sizeof(int64_t));
  s->a.count = s->all;
  s->memory_index = (int32_t *)device_grow(d, &g->buffers[MEMORY_INDEX], used * 4, all * 4);
  uint32_t *cell = (uint32_t *)device_grow(d, &g->buffers[CELL], used * 4, all * 4);
  s->grids[0].cell = s->grids[1].cell = cell;
}

static int32_t *starts(struct device_state *g, int which, const struct grid *grid)
{
  return (int32_t *)buffer(g, which, ((size_t)grid_table(grid) + 1) * 4);
}

static bool is_nested(const struct device_state *g)
{
  return g->kernel_input.avoidance.method == METHOD_rvo && g->kernel_input.own < g->nested_below;
}

static void reserve_output(struct device_state *g)
{
  struct kernel_input *s = &g->kernel_input;
  const size_t own = (size_t)s->own;
  s->neighbour_list = (int32_t *)buffer(g, NEIGHBOUR_LIST, (size_t)s->room * own * 4);
  s->infeasible_list = (int32_t *)buffer(g, INFEASIBLE_LIST, own * 4);
  s->best_sample =
      (uint64_t *)buffer(g, BEST_SAMPLE, is_nested(g) ? own * sizeof *s->best_sample : 0);
  s->leaf_neighbours = (int32_t *)buffer(g, LEAF_NEIGHBOURS, (own / BOX_TREE_WIDTH + 1) * 4);
  s->a.next_vx = (float *)buffer(g, NEXT_VX, own * 4);
  s->a.next_vy = (float *)buffer(g, NEXT_VY, own * 4);
  s->tally = (struct step_tally *)buffer(g, STEP_TALLY, sizeof *s->tally);
}

// What is the same for all of them.
static void kernel_input_parameters(struct kernel_input *s, const struct device_state *g,
                                    const struct next_velocity_input *in)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  s->in.dt = in->dt;
  s->in.seed = in->seed;
  s->in.step = in->step;
  s->avoidance = *in->avoidance;
  s->density_speed = g->density_speed;
  s->density_range = g->density_speed.range / quantum;
  s->quantum = quantum;
  s->quanta_per_speed = in->dt / quantum;
  s->range2 = range * range;
  s->room = in->avoidance->neighbours;
}

// The owned of `home`, without ghosts.
static void kernel_input_begin(struct device_state *g, const struct next_velocity_input *in,
                               const struct crowd_extent *neighbours)
{
  struct kernel_input *s = &g->kernel_input;
  memset(s, 0, sizeof *s);
  kernel_input_parameters(s, g, in);
  s->own = s->all = g->resident.count;
  s->resident = g->resident;
  s->radius_max = neighbours->radius_max;
  s->neighbours.uniform_yield = neighbours->uniform_yield;
  if (neighbours->groups)
    s->group_range = frame_length(&in->world->frame, (double)GROUP_RANGE);
  s->grids[0] = grid_over(neighbours->own, 1 / s->quantum, s->own);
  reserve_sorted(g, 0);
  reserve_output(g);
  s->grids[0].start = starts(g, CELL_STARTS, &s->grids[0]);
}

// The ghosts, who stand in `home` by now; round: as in struct crowd_extent.
static void kernel_input_add_ghosts(struct device_state *g, struct box bounds)
{
  struct kernel_input *s = &g->kernel_input;
  s->resident = g->resident;
  s->all = s->own + g->resident.ghost_count;
  s->grids[1] = grid_over(bounds, 1 / s->quantum, g->resident.ghost_count);
  s->grids[1].first = s->own;
  reserve_sorted(g, s->own);
  s->grids[1].start = starts(g, GHOST_CELL_STARTS, &s->grids[1]);
}

static const struct kernel_input *upload_kernel_input(struct device_state *g)
{
  struct kernel_input s = g->kernel_input;
  struct kernel_input *on_device = (struct kernel_input *)buffer(g, KERNEL_INPUT, sizeof s);
  s.in.world = (struct world *)buffer(g, WORLD, sizeof g->world);
  s.in.avoidance = &on_device->avoidance;
  s.in.neighbours = &on_device->neighbours;
  s.in.density_speed = &on_device->density_speed;
  device_upload_staged(&g->device, on_device, &s, sizeof s);
  device_upload_staged(&g->device, g->buffers[WORLD].memory, &g->world, sizeof g->world);
  return on_device;
}

// ------------------------------------------------------------------------------------ the order

static void sort_owned(struct device_state *g, const struct kernel_input *on_device)
{
  struct device *d = &g->device;
  const struct kernel_input *s = &g->kernel_input;
  const struct grid *grid = &s->grids[0];
  if (s->own == 0)
    return;
  LAUNCH(d, find_cells, on_device, s->own);
  device_sort(d, grid->cell, s->memory_index, s->own,
              grid_cell(grid, grid->rows - 1, grid->columns - 1));
  LAUNCH(d, gather_agents, on_device, s->own);
  LAUNCH(d, find_starts, on_device, grid_table(grid) + 1);
}

static void sort_ghosts(struct device_state *g, const struct kernel_input *on_device)
{
  struct device *d = &g->device;
  const struct kernel_input *s = &g->kernel_input;
  const struct grid *grid = &s->grids[1];
  if (grid->count == 0)
    return;
  LAUNCH(d, find_ghost_cells, on_device, grid->count);
  device_sort(d, grid->cell + s->own, s->memory_index + s->own, grid->count,
              grid_cell(grid, grid->rows - 1, grid->columns - 1));
  LAUNCH(d, gather_ghosts, on_device, grid->count);
  LAUNCH(d, find_ghost_starts, on_device, grid_table(grid) + 1);
}

// ------------------------------------------------------------------------------------ the choice

static void launch_nested(struct device_state *g, const struct kernel_input *on_device)
{
  const struct kernel_input *s = &g->kernel_input;
  device_fill(&g->device, s->best_sample, 0xff, (size_t)s->own * sizeof *s->best_sample);
  LAUNCH(&g->device, evaluate_samples, on_device, s->own * sample_quads(s));
  LAUNCH(&g->device, take_best_sample, on_device, s->own);
}

static void launch_method(struct device_state *g, const struct kernel_input *on_device)
{
  const struct kernel_input *s = &g->kernel_input;
  if (is_nested(g)) {
    launch_nested(g, on_device);
    return;
  }
  switch (s->avoidance.method) {
#define X(name)                                                                                    \
  case METHOD_##name:                                                                              \
    LAUNCH(&g->device, avoidance_kernel_##name, on_device, s->own);                                \
    break;
    AVOIDANCE_METHODS(X)
#undef X
  default:
    break;
  }
  if (s->avoidance.method == METHOD_orca)
    LAUNCH(&g->device, solve_infeasible, on_device, s->own);
}

static void tally_reset(struct device_state *g)
{
  struct kernel_input *s = &g->kernel_input;
  device_fill(&g->device, s->tally, 0, sizeof *s->tally);
  device_fill(&g->device, &s->tally->first_overlap_id, 0xff, sizeof s->tally->first_overlap_id);
  device_fill(&g->device, s->leaf_neighbours, 0, ((size_t)s->own / BOX_TREE_WIDTH + 1) * 4);
}

static void launch_next_velocity(struct device_state *g, const struct kernel_input *on_device)
{
  struct device *d = &g->device;
  const struct kernel_input *s = &g->kernel_input;
  device_fill(d, &s->tally->infeasible_list, 0, sizeof s->tally->infeasible_list);
  if (s->density_range > 0)
    LAUNCH(d, apply_density_speed, on_device, s->own);
  LAUNCH(d, find_neighbours, on_device, s->own);
  launch_method(g, on_device);
}

static void counts_add(struct next_velocity_counts *counts, const struct step_tally *t)
{
#define X(name, where) BACKEND_##where(counts->name += t->name;)
  STEP_COUNTERS(X)
#undef X
  counts->deepest_overlap = max_float(counts->deepest_overlap, real_of_bits(t->deepest));
}

// ------------------------------------------------------------------------------------ the contract

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

static void upload_host_agents(struct device_state *g, const struct agents *a)
{
  const size_t own = (size_t)a->count, all = own + (size_t)a->ghost_count;
  g->resident.count = g->resident.ghost_count = 0;
  home_reserve(g, (int64_t)all);
  g->resident.count = a->count;
  g->resident.ghost_count = a->ghost_count;
#define X(type, name) device_upload(&g->device, g->resident.name, a->name, all * sizeof(type));
  PERCEIVED_AGENT_FIELDS(X)
#undef X
#define X(type, name) device_upload(&g->device, g->resident.name, a->name, own * sizeof(type));
  OWNED_AGENT_FIELDS(X)
#undef X
}

static void download_choice(struct device_state *g, const struct next_velocity_input *in,
                            struct agents *a, struct next_velocity_counts *counts)
{
  struct device *d = &g->device;
  struct step_tally tally;
  const size_t own = (size_t)a->count, leaves = (size_t)in->neighbours->own.level[0].count;
  device_download(d, a->next_vx, g->resident.next_vx, own * 4);
  device_download(d, a->next_vy, g->resident.next_vy, own * 4);
  device_download(d, in->neighbours->neighbour_counts, g->kernel_input.leaf_neighbours, leaves * 4);
  if (g->kernel_input.density_range > 0) {
    device_download(d, a->prefer_x, g->resident.prefer_x, own * 4);
    device_download(d, a->prefer_y, g->resident.prefer_y, own * 4);
  }
  device_download(d, &tally, g->kernel_input.tally, sizeof tally);
  device_wait(d);
  counts_add(counts, &tally);
}

// The crowd of the host, in order on the device; its scene there.
static const struct kernel_input *kernel_input_of_crowd(struct device_state *g,
                                                        const struct next_velocity_input *in,
                                                        const struct agents *a,
                                                        const struct crowd_extent *neighbours)
{
  arena_reset(&g->arena);
  upload_walls(g, in->world);
  upload_density_speed(g, in->density_speed);
  upload_host_agents(g, a);
  kernel_input_begin(g, in, neighbours);
  kernel_input_add_ghosts(g, neighbours->ghosts);
  const struct kernel_input *on_device = upload_kernel_input(g);
  sort_owned(g, on_device);
  sort_ghosts(g, on_device);
  return on_device;
}

static const struct kernel_input *kernel_input_of(struct device_state *g,
                                                  const struct next_velocity_input *in,
                                                  const struct agents *a)
{
  const struct crowd_extent neighbours = {
      tree_box(&in->neighbours->own), tree_box(&in->neighbours->ghosts), in->neighbours->radius_max,
      in->neighbours->uniform_yield, false};
  return kernel_input_of_crowd(g, in, a, &neighbours);
}

// Of agents whom the host holds: all at once, when the ghosts are there.
static void compute_host_agents(struct device_state *g, const struct next_velocity_input *in,
                                struct agents *a, struct next_velocity_counts *counts)
{
  if (in->part == PART_INTERIOR && in->progress)
    in->progress(in->context);
  if (in->part == PART_INTERIOR || a->count == 0)
    return;
  device_begin(&g->device);
  const struct kernel_input *on_device = kernel_input_of(g, in, a);
  tally_reset(g);
  launch_next_velocity(g, on_device);
  download_choice(g, in, a, counts);
}
