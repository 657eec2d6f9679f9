// The choice by kernels: backend.h. Included once by each kind of device.
#pragma once
#include "world_gpu.h"

// ------------------------------------------------------------------------------------ the scene

struct crowd_on {         // a crowd on the device
  struct box own, ghosts; // round them, hi inside; a guess does
  float radius_max;       // quanta: nobody is wider
  bool alike;             // everybody has yield 1
  bool groups;            // some have company
};

// Arrays in the order of the grids: what is there of the first `kept` agents stays.
static void reserve_order(struct gpu *g, int64_t kept)
{
  struct scene *s = &g->scene;
  const size_t all = (size_t)s->all, used = (size_t)kept;
  struct device *d = &g->device;
#define X(type, name)                                                                              \
  s->a.name =                                                                                      \
      (type *)device_grow(d, &g->buffers[GRID_##name], used * sizeof(type), all * sizeof(type));
  SCENE_SEEN(X)
  SCENE_OWN(X)
#undef X
  if (s->group_range > 0)
    s->a.group = (int64_t *)device_grow(d, &g->buffers[GRID_group], used * sizeof(int64_t),
                                        all * sizeof(int64_t));
  s->a.count = s->all;
  s->from = (int32_t *)device_grow(d, &g->buffers[FROM], used * 4, all * 4);
  uint32_t *cell = (uint32_t *)device_grow(d, &g->buffers[CELL], used * 4, all * 4);
  s->grids[0].cell = s->grids[1].cell = cell;
}

static int32_t *starts(struct gpu *g, int which, const struct grid *grid)
{
  return (int32_t *)buffer(g, which, ((size_t)grid_table(grid) + 1) * 4);
}

static bool is_nested(const struct gpu *g)
{
  return g->scene.avoidance.method == METHOD_rvo && g->scene.own < g->nested_below;
}

static void reserve_choice(struct gpu *g)
{
  struct scene *s = &g->scene;
  const size_t own = (size_t)s->own;
  s->number = (int32_t *)buffer(g, NUMBER, (size_t)s->room * own * 4);
  s->late = (int32_t *)buffer(g, LATE, own * 4);
  s->best = (uint64_t *)buffer(g, BEST, is_nested(g) ? own * sizeof *s->best : 0);
  s->leaf_seen = (int32_t *)buffer(g, LEAF_SEEN, (own / TREE_WIDTH + 1) * 4);
  s->a.next_vx = (float *)buffer(g, CHOICE_X, own * 4);
  s->a.next_vy = (float *)buffer(g, CHOICE_Y, own * 4);
  s->tally = (struct scene_tally *)buffer(g, TALLY, sizeof *s->tally);
}

// What is the same for all of them.
static void scene_rules(struct scene *s, const struct gpu *g, const struct choose_input *in)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  s->in.dt = in->dt;
  s->in.seed = in->seed;
  s->in.step = in->step;
  s->avoidance = *in->avoidance;
  s->pace = g->pace;
  s->pace_range = g->pace.range / quantum;
  s->quantum = quantum;
  s->quanta_per_speed = in->dt / quantum;
  s->range2 = range * range;
  s->room = in->avoidance->neighbours;
}

// The owned of `home`, without ghosts.
static void scene_begin(struct gpu *g, const struct choose_input *in, const struct crowd_on *crowd)
{
  struct scene *s = &g->scene;
  memset(s, 0, sizeof *s);
  scene_rules(s, g, in);
  s->own = s->all = g->home.count;
  s->home = g->home;
  s->radius_max = crowd->radius_max;
  s->crowd.alike = crowd->alike;
  if (crowd->groups)
    s->group_range = frame_length(&in->world->frame, (double)GROUP_RANGE);
  s->grids[0] = grid_over(crowd->own, 1 / s->quantum, s->own);
  reserve_order(g, 0);
  reserve_choice(g);
  s->grids[0].start = starts(g, STARTS, &s->grids[0]);
}

// The ghosts, who stand in `home` by now; round: as in struct crowd_on.
static void scene_meet(struct gpu *g, struct box round)
{
  struct scene *s = &g->scene;
  s->home = g->home;
  s->all = s->own + g->home.ghost_count;
  s->grids[1] = grid_over(round, 1 / s->quantum, g->home.ghost_count);
  s->grids[1].first = s->own;
  reserve_order(g, s->own);
  s->grids[1].start = starts(g, GHOST_STARTS, &s->grids[1]);
}

static const struct scene *send_scene(struct gpu *g)
{
  struct scene s = g->scene;
  struct scene *there = (struct scene *)buffer(g, SCENE, sizeof s);
  s.in.world = (struct world *)buffer(g, WORLD, sizeof g->world);
  s.in.avoidance = &there->avoidance;
  s.in.crowd = &there->crowd;
  s.in.pace = &there->pace;
  device_send(&g->device, there, &s, sizeof s);
  device_send(&g->device, g->buffers[WORLD].memory, &g->world, sizeof g->world);
  return there;
}

// ------------------------------------------------------------------------------------ the order

static void order_own(struct gpu *g, const struct scene *there)
{
  struct device *d = &g->device;
  const struct scene *s = &g->scene;
  const struct grid *grid = &s->grids[0];
  if (s->own == 0)
    return;
  LAUNCH(d, find_cells, there, s->own);
  device_sort(d, grid->cell, s->from, s->own, grid_cell(grid, grid->rows - 1, grid->columns - 1));
  LAUNCH(d, gather_agents, there, s->own);
  LAUNCH(d, find_starts, there, grid_table(grid) + 1);
}

static void order_ghosts(struct gpu *g, const struct scene *there)
{
  struct device *d = &g->device;
  const struct scene *s = &g->scene;
  const struct grid *grid = &s->grids[1];
  if (grid->count == 0)
    return;
  LAUNCH(d, find_ghost_cells, there, grid->count);
  device_sort(d, grid->cell + s->own, s->from + s->own, grid->count,
              grid_cell(grid, grid->rows - 1, grid->columns - 1));
  LAUNCH(d, gather_ghosts, there, grid->count);
  LAUNCH(d, find_ghost_starts, there, grid_table(grid) + 1);
}

// ------------------------------------------------------------------------------------ the choice

static void launch_nested(struct gpu *g, const struct scene *there)
{
  const struct scene *s = &g->scene;
  device_fill(&g->device, s->best, 0xff, (size_t)s->own * sizeof *s->best);
  LAUNCH(&g->device, try_samples, there, s->own * sample_fours(s));
  LAUNCH(&g->device, choose_sample, there, s->own);
}

static void launch_method(struct gpu *g, const struct scene *there)
{
  const struct scene *s = &g->scene;
  if (is_nested(g)) {
    launch_nested(g, there);
    return;
  }
  switch (s->avoidance.method) {
#define X(name)                                                                                    \
  case METHOD_##name:                                                                              \
    LAUNCH(&g->device, choose_by_##name, there, s->own);                                           \
    break;
    AVOIDANCE_METHODS(X)
#undef X
  default:
    break;
  }
  if (s->avoidance.method == METHOD_orca)
    LAUNCH(&g->device, choose_late, there, s->own);
}

static void tally_begin(struct gpu *g)
{
  struct scene *s = &g->scene;
  device_fill(&g->device, s->tally, 0, sizeof *s->tally);
  device_fill(&g->device, &s->tally->overlapper, 0xff, sizeof s->tally->overlapper);
  device_fill(&g->device, s->leaf_seen, 0, ((size_t)s->own / TREE_WIDTH + 1) * 4);
}

static void launch_choice(struct gpu *g, const struct scene *there)
{
  struct device *d = &g->device;
  const struct scene *s = &g->scene;
  device_fill(d, &s->tally->late, 0, sizeof s->tally->late);
  if (s->pace_range > 0)
    LAUNCH(d, slow_down, there, s->own);
  LAUNCH(d, find_neighbours, there, s->own);
  launch_method(g, there);
}

static void counts_add(struct choose_counts *counts, const struct scene_tally *t)
{
  counts->overlaps_seen += t->overlaps;
  counts->full_neighbourhoods += t->full;
  counts->infeasible += t->infeasible;
  counts->relaxed += t->relaxed;
  counts->wall_stops += t->wall_stops;
  counts->deepest_overlap = larger_float(counts->deepest_overlap, real_of_bits(t->deepest));
}

// ------------------------------------------------------------------------------------ the contract

static struct box tree_box(const struct tree *t) // hi inside
{
  struct box all = {{0, 0}, {0, 0}};
  const int top = t->level_count - 1;
  for (int64_t i = 0; top >= 0 && i < t->level[top].count; i++) {
    const struct box b = tree_node_box(t, top, i);
    all = i ? box_union(all, b) : b;
  }
  return all;
}

static void upload_agents(struct gpu *g, const struct agents *a)
{
  const size_t own = (size_t)a->count, all = own + (size_t)a->ghost_count;
  g->home.count = g->home.ghost_count = 0;
  home_reserve(g, (int64_t)all);
  g->home.count = a->count;
  g->home.ghost_count = a->ghost_count;
#define X(type, name) device_upload(&g->device, g->home.name, a->name, all * sizeof(type));
  SCENE_SEEN(X)
#undef X
#define X(type, name) device_upload(&g->device, g->home.name, a->name, own * sizeof(type));
  SCENE_OWN(X)
#undef X
}

static void fetch(struct gpu *g, const struct choose_input *in, struct agents *a,
                  struct choose_counts *counts)
{
  struct device *d = &g->device;
  struct scene_tally tally;
  const size_t own = (size_t)a->count, leaves = (size_t)in->crowd->own.level[0].count;
  device_download(d, a->next_vx, g->home.next_vx, own * 4);
  device_download(d, a->next_vy, g->home.next_vy, own * 4);
  device_download(d, in->crowd->seen, g->scene.leaf_seen, leaves * 4);
  if (g->scene.pace_range > 0) {
    device_download(d, a->prefer_x, g->home.prefer_x, own * 4);
    device_download(d, a->prefer_y, g->home.prefer_y, own * 4);
  }
  device_download(d, &tally, g->scene.tally, sizeof tally);
  device_wait(d);
  counts_add(counts, &tally);
}

// The crowd of the host, in order on the device; its scene there.
static const struct scene *scene_on(struct gpu *g, const struct choose_input *in,
                                    const struct agents *a, const struct crowd_on *crowd)
{
  arena_empty(&g->arena);
  learn_walls(g, in->world);
  learn_pace(g, in->pace);
  upload_agents(g, a);
  scene_begin(g, in, crowd);
  scene_meet(g, crowd->ghosts);
  const struct scene *there = send_scene(g);
  order_own(g, there);
  order_ghosts(g, there);
  return there;
}

static const struct scene *scene_of(struct gpu *g, const struct choose_input *in,
                                    const struct agents *a)
{
  const struct crowd_on crowd = {tree_box(&in->crowd->own), tree_box(&in->crowd->ghosts),
                                 in->crowd->radius_max, in->crowd->alike, false};
  return scene_on(g, in, a, &crowd);
}

// Of agents whom the host holds: all at once, when the ghosts are there.
static void choose_on(struct gpu *g, const struct choose_input *in, struct agents *a,
                      struct choose_counts *counts)
{
  if (in->part == CHOOSE_INSIDE && in->meanwhile)
    in->meanwhile(in->context);
  if (in->part == CHOOSE_INSIDE || a->count == 0)
    return;
  device_begin(&g->device);
  const struct scene *there = scene_of(g, in, a);
  tally_begin(g);
  launch_choice(g, there);
  fetch(g, in, a, counts);
}
