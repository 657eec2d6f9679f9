// The world in a device's memory: copies whose pointers lead to copies.
#pragma once
#include "gpu.h"
#include "solid.h"
#include "zones.h"

static void *copied(struct gpu *g, const void *from, size_t bytes)
{
  void *to = bytes ? arena_take(&g->arena, bytes) : NULL;
  if (bytes)
    device_upload(&g->device, to, from, bytes);
  return to;
}

#define COPIED(g, pointer, count)                                                                  \
  ((pointer) = (__typeof__(pointer))copied(g, pointer, (size_t)(count) * sizeof *(pointer)))

static void copy_level(struct gpu *g, struct tree_level *l, int64_t room)
{
  const int64_t count = l->count ? l->count + room : 0;
  COPIED(g, l->lo_x, count);
  COPIED(g, l->lo_y, count);
  COPIED(g, l->hi_x, count);
  COPIED(g, l->hi_y, count);
  COPIED(g, l->radius, count);
}

static void copy_tree(struct gpu *g, struct tree *t)
{
  for (int l = 0; l < t->level_count; l++)
    copy_level(g, &t->level[l], TREE_WIDTH);
}

static void copy_rows(struct gpu *g, struct obstacles *o)
{
  struct row_index rows = *o->rows;
  COPIED(g, rows.walls, rows.start[rows.count]);
  COPIED(g, rows.start, rows.count + 1);
  o->rows = (struct row_index *)copied(g, &rows, sizeof rows);
  device_wait(&g->device); // rows is here no longer
}

static void copy_obstacles(struct gpu *g, struct obstacles *o)
{
  if (o->count == 0) {
    o->rows = NULL;
    return;
  }
  COPIED(g, o->walls, o->count);
  COPIED(g, o->order, o->count);
  o->boxes.count = o->count;
  copy_level(g, &o->boxes, TREE_WIDTH);
  copy_tree(g, &o->tree);
  copy_rows(g, o);
}

static void learn_pace(struct gpu *g, const struct pace *p)
{
  memset(&g->pace, 0, sizeof g->pace);
  if (!p || !(p->range > 0))
    return;
  g->pace = *p;
  COPIED(g, g->pace.ahead, p->count);
  COPIED(g, g->pace.half, p->count);
  COPIED(g, g->pace.share, p->count * PACE_ENTRIES);
}

// ------------------------------------------------------------------------------------ zones

static void copy_zones(struct gpu *g, struct zones *z)
{
  if (z->count == 0)
    return;
  struct zone *list = (struct zone *)memory_create((size_t)z->count, sizeof *list);
  memcpy(list, z->list, (size_t)z->count * sizeof *list);
  for (int32_t k = 0; k < z->count; k++)
    copy_obstacles(g, &list[k].area);
  z->list = (struct zone *)copied(g, list, (size_t)z->count * sizeof *list);
  COPIED(g, z->raster, ZONES_RASTER * ZONES_RASTER);
  device_wait(&g->device);
  memory_destroy(list);
}

// ------------------------------------------------------------------------------------ fields

// there: the world on the device.
static void copy_fields(struct gpu *g, struct world *w, struct world *there)
{
  const int64_t cells = ground_cell_count(&w->ground);
  if (w->field_count == 0)
    return;
  struct field *list = (struct field *)memory_create((size_t)w->field_count, sizeof *list);
  memcpy(list, w->fields, (size_t)w->field_count * sizeof *list);
  for (int32_t k = 0; k < w->field_count; k++) {
    list[k].ground = &there->ground;
    COPIED(g, list[k].time, cells);
    COPIED(g, list[k].way, cells);
    COPIED(g, list[k].paths, cells);
    COPIED(g, list[k].near, 1);
  }
  w->fields = (struct field *)copied(g, list, (size_t)w->field_count * sizeof *list);
  COPIED(g, w->ground.bits, cells);
  w->ground.cost = NULL; // what the fields are made of is the host's affair
  w->ground.refused = NULL;
  w->ground.obstacles = &there->obstacles;
  device_wait(&g->device);
  memory_destroy(list);
}

// ------------------------------------------------------------------------------------ roadmaps

static void copy_sites(struct gpu *g, struct sites *s)
{
  COPIED(g, s->pieces, s->count);
  COPIED(g, s->order, s->count);
  copy_tree(g, &s->tree);
}

static void copy_targets(struct gpu *g, struct roadmap *r)
{
  const size_t bytes = (size_t)r->target_count * sizeof *r->targets;
  struct target *list = (struct target *)memory_create((size_t)r->target_count, sizeof *list);
  memcpy(list, r->targets, bytes);
  for (int32_t k = 0; k < r->target_count; k++) {
    copy_obstacles(g, &list[k].area);
    copy_sites(g, &list[k].edges);
  }
  r->targets = (struct target *)copied(g, list, bytes);
  device_wait(&g->device);
  memory_destroy(list);
}

static void copy_trees(struct gpu *g, struct roadmap *r, const struct tree *nodes)
{
  const size_t bytes = (size_t)r->target_count * sizeof *r->trees;
  struct roadmap_tree *list =
      (struct roadmap_tree *)memory_create((size_t)r->target_count, sizeof *list);
  memcpy(list, r->trees, bytes);
  for (int32_t k = 0; k < r->target_count; k++) {
    struct remaining *rest = &list[k].remaining;
    COPIED(g, list[k].next, r->node_count);
    COPIED(g, rest->of, r->node_count);
    COPIED(g, rest->wedges, rest->wedges ? r->node_count : 0);
    for (int l = 0; l < nodes->level_count; l++)
      COPIED(g, rest->least[l], nodes->level[l].count);
  }
  r->trees = (struct roadmap_tree *)copied(g, list, bytes);
  device_wait(&g->device);
  memory_destroy(list);
}

// What its makers alone ask for stays here.
static void copy_roadmap(struct gpu *g, struct roadmap *r, struct world *there)
{
  if (r->target_count == 0)
    return;
  copy_trees(g, r, &r->sites.tree);
  copy_targets(g, r);
  copy_sites(g, &r->sites);
  COPIED(g, r->nodes, r->node_count);
  COPIED(g, r->grown.after, r->grown.walls.count);
  copy_obstacles(g, &r->grown.walls);
  r->walls = &there->obstacles;
  r->corners = NULL;
  r->first = NULL;
  r->to = NULL;
  r->length = NULL;
  r->legs = NULL;
}

// ------------------------------------------------------------------------------------ together

// What a choice asks for: its frame, bounds and walls.
static void learn_walls(struct gpu *g, const struct world *w)
{
  memset(&g->world, 0, sizeof g->world); // nothing of the host may be left in it to follow
  g->world.frame = w->frame;
  g->world.bounds = w->bounds;
  g->world.obstacles = w->obstacles;
  copy_obstacles(g, &g->world.obstacles);
}

// All that a step asks for.
static void learn_world(struct gpu *g, const struct world *w)
{
  struct world *there = (struct world *)buffer(g, WORLD, sizeof g->world);
  learn_walls(g, w);
  g->world.zones = w->zones;
  copy_zones(g, &g->world.zones);
  g->world.ground = w->ground;
  g->world.field_count = w->field_count;
  g->world.fields = w->fields;
  copy_fields(g, &g->world, there);
  g->world.roadmap = w->roadmap;
  copy_roadmap(g, &g->world.roadmap, there);
}
