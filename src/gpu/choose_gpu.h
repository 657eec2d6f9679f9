// The contract of backend.h by kernels: what is needed goes to the device, the chosen velocities
// come back. Included once by each kind of device.
#pragma once
#include "kernels.h"

// ------------------------------------------------------------------------------------ memory

enum buffer {
#define X(type, name) HOST_##name, GRID_##name,
  SCENE_SEEN(X) SCENE_OWN(X)
#undef X
      CELL,
  FROM,
  STARTS,
  NUMBER,
  LATE,
  BEST,
  LEAF_SEEN,
  CHOSEN_X,
  CHOSEN_Y,
  CHOICE_X,
  CHOICE_Y,
  WISH_X,
  WISH_Y,
  TALLY,
  SCENE,
  WALLS,
  WALL_ORDER,
  WALL_LEVELS,
  PACE_TABLES = WALL_LEVELS + 5 * (TREE_LEVELS_MAX + 1),
  BUFFERS = PACE_TABLES + 3
};

struct gpu {
  struct device device;
  int64_t nested_below; // agents: rvo is nested then
  struct device_buffer buffers[BUFFERS];
};

static void *buffer(struct gpu *g, int which, size_t bytes)
{
  return device_room(&g->buffers[which], bytes);
}

static void *sent(struct gpu *g, int which, const void *from, size_t bytes)
{
  return device_sent(&g->device, &g->buffers[which], from, bytes);
}

// ------------------------------------------------------------------------------------ what is sent

static void send_level(struct gpu *g, int which, struct tree_level *l, int64_t room)
{
  const size_t bytes = (size_t)(l->count ? l->count + room : 0) * 4;
  l->lo_x = (int32_t *)sent(g, which, l->lo_x, bytes);
  l->lo_y = (int32_t *)sent(g, which + 1, l->lo_y, bytes);
  l->hi_x = (int32_t *)sent(g, which + 2, l->hi_x, bytes);
  l->hi_y = (int32_t *)sent(g, which + 3, l->hi_y, bytes);
  l->radius = (float *)sent(g, which + 4, l->radius, bytes);
}

static void send_walls(struct gpu *g, struct obstacles *o)
{
  const size_t count = (size_t)o->count;
  o->rows = NULL; // no thread asks for it
  o->walls = (struct wall *)sent(g, WALLS, o->walls, count * sizeof *o->walls);
  o->order = (int32_t *)sent(g, WALL_ORDER, o->order, count * sizeof *o->order);
  o->boxes.count = o->count;
  send_level(g, WALL_LEVELS, &o->boxes, TREE_WIDTH);
  for (int l = 0; l < o->tree.level_count; l++)
    send_level(g, WALL_LEVELS + 5 * (l + 1), &o->tree.level[l], TREE_WIDTH);
}

static void send_pace(struct gpu *g, struct pace *p)
{
  const size_t count = (size_t)p->count;
  p->ahead = (float *)sent(g, PACE_TABLES, p->ahead, count * sizeof(float));
  p->half = (float *)sent(g, PACE_TABLES + 1, p->half, count * sizeof(float));
  p->share = (float *)sent(g, PACE_TABLES + 2, p->share, count * PACE_ENTRIES * sizeof(float));
}

static void send_agents(struct gpu *g, struct scene *s, const struct agents *a)
{
  const size_t all = (size_t)s->all, own = (size_t)s->own;
#define X(type, name)                                                                              \
  s->host.name = (type *)sent(g, HOST_##name, a->name, all * sizeof(type));                        \
  s->a.name = (type *)buffer(g, GRID_##name, all * sizeof(type));
  SCENE_SEEN(X)
#undef X
#define X(type, name)                                                                              \
  s->host.name = (type *)sent(g, HOST_##name, a->name, own * sizeof(type));                        \
  s->a.name = (type *)buffer(g, GRID_##name, all * sizeof(type));
  SCENE_OWN(X)
#undef X
  s->a.next_vx = (float *)buffer(g, CHOICE_X, all * sizeof(float));
  s->a.next_vy = (float *)buffer(g, CHOICE_Y, all * sizeof(float));
  s->a.count = s->all;
}

static struct box everybody(const struct neighbours *n) // hi inside
{
  struct box all = {{0, 0}, {0, 0}};
  const struct tree *trees[2] = {&n->own, &n->ghosts};
  bool some = false;
  for (int t = 0; t < 2; t++) {
    const int top = trees[t]->level_count - 1;
    for (int64_t i = 0; top >= 0 && i < trees[t]->level[top].count; i++) {
      const struct box b = tree_node_box(trees[t], top, i);
      all = some ? box_union(all, b) : b;
      some = true;
    }
  }
  return all;
}

static void make_room(struct gpu *g, struct scene *s)
{
  const size_t all = (size_t)s->all, own = (size_t)s->own;
  s->grid.cell = (uint32_t *)buffer(g, CELL, all * 4);
  s->from = (int32_t *)buffer(g, FROM, all * 4);
  s->grid.start = (int32_t *)buffer(g, STARTS, ((size_t)grid_table(&s->grid) + 1) * 4);
  s->number = (int32_t *)buffer(g, NUMBER, (size_t)s->room * all * 4);
  s->late = (int32_t *)buffer(g, LATE, own * 4);
  s->best = (uint64_t *)buffer(g, BEST, all * sizeof *s->best);
  s->leaf_seen = (int32_t *)buffer(g, LEAF_SEEN, (own / TREE_WIDTH + 1) * 4);
  s->next_vx = (float *)buffer(g, CHOSEN_X, own * 4);
  s->next_vy = (float *)buffer(g, CHOSEN_Y, own * 4);
  s->prefer_x = (float *)buffer(g, WISH_X, own * 4);
  s->prefer_y = (float *)buffer(g, WISH_Y, own * 4);
  s->tally = (struct scene_tally *)buffer(g, TALLY, sizeof *s->tally);
}

static bool has_pace(const struct choose_input *in)
{
  return in->pace && in->pace->range > 0;
}

// The scene as the host sees it, but with pointers into the device.
static struct scene scene_of(struct gpu *g, const struct choose_input *in, const struct agents *a)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  struct scene s;
  memset(&s, 0, sizeof s);
  s.own = a->count;
  s.all = a->count + a->ghost_count;
  // Nothing of the host may be left in it to follow: only what the kernels read.
  s.in.dt = in->dt;
  s.in.seed = in->seed;
  s.in.step = in->step;
  s.world.frame = in->world->frame;
  s.world.bounds = in->world->bounds;
  s.world.obstacles = in->world->obstacles;
  s.avoidance = *in->avoidance;
  s.crowd.alike = in->crowd->alike;
  s.quantum = quantum;
  s.quanta_per_speed = in->dt / quantum;
  s.range2 = range * range;
  s.radius_max = in->crowd->radius_max;
  s.room = in->avoidance->neighbours;
  s.grid = grid_over(everybody(in->crowd), 1 / quantum, s.all);
  if (has_pace(in)) {
    s.pace = *in->pace;
    s.pace_range = in->pace->range / quantum;
    send_pace(g, &s.pace);
  }
  if (s.world.obstacles.count)
    send_walls(g, &s.world.obstacles);
  send_agents(g, &s, a);
  make_room(g, &s);
  return s;
}

static struct scene *send_scene(struct gpu *g, struct scene s)
{
  struct scene *there = (struct scene *)buffer(g, SCENE, sizeof s);
  s.in.world = &there->world;
  s.in.avoidance = &there->avoidance;
  s.in.crowd = &there->crowd;
  s.in.pace = &there->pace;
  device_upload(&g->device, there, &s, sizeof s);
  device_wait(&g->device); // it is ours no longer than this call
  return there;
}

// ------------------------------------------------------------------------------------ the step

static void launch_nested(struct gpu *g, const struct scene *there, const struct scene *s)
{
  device_fill(&g->device, s->best, 0xff, (size_t)s->all * sizeof *s->best);
  LAUNCH(&g->device, try_samples, there, s->all * sample_fours(s));
  LAUNCH(&g->device, choose_sample, there, s->all);
}

static void launch_choice(struct gpu *g, const struct scene *there, const struct scene *s)
{
  if (s->avoidance.method == METHOD_rvo && s->own < g->nested_below) {
    launch_nested(g, there, s);
    return;
  }
  switch (s->avoidance.method) {
#define X(name)                                                                                    \
  case METHOD_##name:                                                                              \
    LAUNCH(&g->device, choose_by_##name, there, s->all);                                           \
    break;
    AVOIDANCE_METHODS(X)
#undef X
  default:
    break;
  }
  if (s->avoidance.method == METHOD_orca)
    LAUNCH(&g->device, choose_late, there, s->own);
}

static void launch_all(struct gpu *g, const struct scene *there, const struct scene *s)
{
  struct device *d = &g->device;
  device_fill(d, s->tally, 0, sizeof *s->tally);
  device_fill(d, s->leaf_seen, 0, ((size_t)s->own / TREE_WIDTH + 1) * 4);
  LAUNCH(d, find_cells, there, s->all);
  device_sort(d, s->grid.cell, s->from, s->all,
              grid_cell(&s->grid, s->grid.rows - 1, s->grid.columns - 1));
  LAUNCH(d, gather_agents, there, s->all);
  LAUNCH(d, find_starts, there, grid_table(&s->grid) + 1);
  if (s->pace_range > 0)
    LAUNCH(d, slow_down, there, s->all);
  LAUNCH(d, find_neighbours, there, s->all);
  launch_choice(g, there, s);
}

static void fetch(struct gpu *g, const struct scene *s, const struct choose_input *in,
                  struct agents *a, struct choose_counts *counts)
{
  struct device *d = &g->device;
  struct scene_tally tally;
  const size_t own = (size_t)s->own, leaves = (size_t)in->crowd->own.level[0].count;
  device_download(d, a->next_vx, s->next_vx, own * 4);
  device_download(d, a->next_vy, s->next_vy, own * 4);
  device_download(d, in->crowd->seen, s->leaf_seen, leaves * 4);
  if (s->pace_range > 0) {
    device_download(d, a->prefer_x, s->prefer_x, own * 4);
    device_download(d, a->prefer_y, s->prefer_y, own * 4);
  }
  device_download(d, &tally, s->tally, sizeof tally);
  device_wait(d);
  counts->overlaps_seen += tally.overlaps;
  counts->full_neighbourhoods += tally.full;
  counts->infeasible += tally.infeasible;
  counts->relaxed += tally.relaxed;
  counts->wall_stops += tally.wall_stops;
  counts->deepest_overlap = larger_float(counts->deepest_overlap, real_of_bits(tally.deepest));
}

// Everybody at once, when the ghosts are there.
__attribute__((unused)) static void choose_on(struct gpu *g, const struct choose_input *in,
                                              struct agents *a, struct choose_counts *counts)
{
  if (in->part == CHOOSE_INSIDE && in->meanwhile)
    in->meanwhile(in->context);
  if (in->part == CHOOSE_INSIDE || a->count == 0)
    return;
  device_begin(&g->device);
  const struct scene s = scene_of(g, in, a);
  const struct scene *there = send_scene(g, s);
  launch_all(g, there, &s);
  fetch(g, &s, in, a, counts);
}
