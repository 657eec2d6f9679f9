// The world in a device's memory: copies whose pointers lead to copies.
#pragma once
#include "device_state.h"
#include "obstacles_inside_kernel.h"
#include "zones.h"

static void *upload_copy(struct device_state *g, const void *from, size_t bytes)
{
  void *to = bytes ? arena_allocate(&g->arena, bytes) : NULL;
  if (bytes)
    device_upload(&g->device, to, from, bytes);
  return to;
}

#define UPLOAD(g, pointer, count)                                                                  \
  ((pointer) = (__typeof__(pointer))upload_copy(g, pointer, (size_t)(count) * sizeof *(pointer)))

static void upload_level(struct device_state *g, struct box_tree_level *l, int64_t room)
{
  const int64_t count = l->count ? l->count + room : 0;
  UPLOAD(g, l->lo_x, count);
  UPLOAD(g, l->lo_y, count);
  UPLOAD(g, l->hi_x, count);
  UPLOAD(g, l->hi_y, count);
  UPLOAD(g, l->radius, count);
}

static void upload_tree(struct device_state *g, struct box_tree *t)
{
  for (int l = 0; l < t->level_count; l++)
    upload_level(g, &t->level[l], BOX_TREE_WIDTH);
}

static void upload_rows(struct device_state *g, struct obstacles *o)
{
  struct row_index rows = *o->rows;
  UPLOAD(g, rows.walls, rows.start[rows.count]);
  UPLOAD(g, rows.start, rows.count + 1);
  o->rows = (struct row_index *)upload_copy(g, &rows, sizeof rows);
  device_wait(&g->device); // rows is here no longer
}

static void upload_obstacles(struct device_state *g, struct obstacles *o)
{
  if (o->count == 0) {
    o->rows = NULL;
    return;
  }
  UPLOAD(g, o->walls, o->count);
  UPLOAD(g, o->order, o->count);
  o->boxes.count = o->count;
  upload_level(g, &o->boxes, BOX_TREE_WIDTH);
  upload_tree(g, &o->tree);
  upload_rows(g, o);
}

static void upload_density_speed(struct device_state *g, const struct density_speed *p)
{
  memset(&g->density_speed, 0, sizeof g->density_speed);
  if (!p || !(p->range > 0))
    return;
  g->density_speed = *p;
  UPLOAD(g, g->density_speed.ahead, p->count);
  UPLOAD(g, g->density_speed.half, p->count);
  UPLOAD(g, g->density_speed.share, p->count * DENSITY_SPEED_ENTRIES);
}

// ------------------------------------------------------------------------------------ zones

static void upload_zones(struct device_state *g, struct zones *z)
{
  if (z->count == 0)
    return;
  struct zone *list = (struct zone *)memory_create((size_t)z->count, sizeof *list);
  memcpy(list, z->list, (size_t)z->count * sizeof *list);
  for (int32_t k = 0; k < z->count; k++)
    upload_obstacles(g, &list[k].area);
  z->list = (struct zone *)upload_copy(g, list, (size_t)z->count * sizeof *list);
  UPLOAD(g, z->raster, ZONES_RASTER * ZONES_RASTER);
  device_wait(&g->device);
  memory_destroy(list);
}

// ------------------------------------------------------------------------------------ fields

// there: the world on the device.
static void upload_fields(struct device_state *g, struct world *w, struct world *on_device)
{
  const int64_t cells = nav_grid_cell_count(&w->nav_grid);
  if (w->field_count == 0)
    return;
  struct field *list = (struct field *)memory_create((size_t)w->field_count, sizeof *list);
  memcpy(list, w->fields, (size_t)w->field_count * sizeof *list);
  for (int32_t k = 0; k < w->field_count; k++) {
    list[k].nav_grid = &on_device->nav_grid;
    UPLOAD(g, list[k].time, cells);
    UPLOAD(g, list[k].direction, cells);
    UPLOAD(g, list[k].paths, cells);
    UPLOAD(g, list[k].destination_box, 1);
  }
  w->fields = (struct field *)upload_copy(g, list, (size_t)w->field_count * sizeof *list);
  UPLOAD(g, w->nav_grid.bits, cells);
  w->nav_grid.cost = NULL; // what the fields are made of is the host's affair
  w->nav_grid.blocked_directions = NULL;
  w->nav_grid.obstacles = &on_device->obstacles;
  device_wait(&g->device);
  memory_destroy(list);
}

// ------------------------------------------------------------------------------------ roadmaps

static void upload_waypoints(struct device_state *g, struct waypoints *s)
{
  UPLOAD(g, s->segments, s->count);
  UPLOAD(g, s->order, s->count);
  upload_tree(g, &s->tree);
}

static void upload_destinations(struct device_state *g, struct roadmap *r)
{
  const size_t bytes = (size_t)r->destination_count * sizeof *r->destinations;
  struct destination *list =
      (struct destination *)memory_create((size_t)r->destination_count, sizeof *list);
  memcpy(list, r->destinations, bytes);
  for (int32_t k = 0; k < r->destination_count; k++) {
    upload_obstacles(g, &list[k].area);
    upload_waypoints(g, &list[k].edges);
  }
  r->destinations = (struct destination *)upload_copy(g, list, bytes);
  device_wait(&g->device);
  memory_destroy(list);
}

static void upload_trees(struct device_state *g, struct roadmap *r, const struct box_tree *nodes)
{
  const size_t bytes = (size_t)r->destination_count * sizeof *r->trees;
  struct shortest_path_tree *list =
      (struct shortest_path_tree *)memory_create((size_t)r->destination_count, sizeof *list);
  memcpy(list, r->trees, bytes);
  for (int32_t k = 0; k < r->destination_count; k++) {
    struct cost_to_go *rest = &list[k].cost_to_go;
    UPLOAD(g, list[k].next, r->node_count);
    UPLOAD(g, rest->of, r->node_count);
    UPLOAD(g, rest->tangent_wedges, rest->tangent_wedges ? r->node_count : 0);
    for (int l = 0; l < nodes->level_count; l++)
      UPLOAD(g, rest->least[l], nodes->level[l].count);
  }
  r->trees = (struct shortest_path_tree *)upload_copy(g, list, bytes);
  device_wait(&g->device);
  memory_destroy(list);
}

// What its makers alone ask for stays here.
static void upload_roadmap(struct device_state *g, struct roadmap *r, struct world *on_device)
{
  if (r->destination_count == 0)
    return;
  upload_trees(g, r, &r->waypoints.tree);
  upload_destinations(g, r);
  upload_waypoints(g, &r->waypoints);
  UPLOAD(g, r->nodes, r->node_count);
  UPLOAD(g, r->inflated.after, r->inflated.walls.count);
  upload_obstacles(g, &r->inflated.walls);
  r->walls = &on_device->obstacles;
  r->corners = NULL;
  r->first = NULL;
  r->to = NULL;
  r->length = NULL;
  r->last_edges = NULL;
}

// ------------------------------------------------------------------------------------ together

// What a choice asks for: its frame, bounds and walls.
static void upload_walls(struct device_state *g, const struct world *w)
{
  memset(&g->world, 0, sizeof g->world); // nothing of the host may be left in it to follow
  g->world.frame = w->frame;
  g->world.bounds = w->bounds;
  g->world.obstacles = w->obstacles;
  upload_obstacles(g, &g->world.obstacles);
}

// All that a step asks for.
static void upload_navigation(struct device_state *g, const struct world *w)
{
  struct world *on_device = (struct world *)buffer(g, WORLD, sizeof g->world);
  upload_walls(g, w);
  g->world.zones = w->zones;
  upload_zones(g, &g->world.zones);
  g->world.navigation = w->navigation;
  g->world.nav_grid = w->nav_grid;
  g->world.field_count = w->field_count;
  g->world.fields = w->fields;
  upload_fields(g, &g->world, on_device);
  g->world.roadmap = w->roadmap;
  upload_roadmap(g, &g->world.roadmap, on_device);
}
