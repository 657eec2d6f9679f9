#include "environment.h"

#include "demand_input.h"
#include "inflate.h"
#include "narrow_cells.h"
#include "region.h"
#include "shape.h"
#include <assert.h>
#include <string.h>

// -------------------------------------------------------------------------------- creation

// The shape of a door given as a line. False: it leaves the frame or repeats a point.
static bool door_line(struct door *d, const struct demand_input *in, const struct door_config *c)
{
  const int count = c->line.count;
  struct outlines *o = &d->shape;
  memory_destroy(o->start);
  *o = (struct outlines){.count = 1,
                         .start = memory_create(2, sizeof *o->start),
                         .points = memory_create((size_t)count, sizeof *o->points),
                         .closed = memory_create(1, 1)};
  o->start[1] = count;
  for (int i = 0; i < count; i++) {
    const double *at = c->line.values + 2 * (size_t)i;
    if (!frame_holds(&in->world->frame, at[0], at[1]))
      return false;
    o->points[i] = frame_point(&in->world->frame, at[0], at[1]);
    if (i && o->points[i].x == o->points[i - 1].x && o->points[i].y == o->points[i - 1].y)
      return false;
  }
  return true;
}

static bool outlines_touch(const struct outlines *o, struct box bounds)
{
  struct box box = outlines_box(o); // upper end included
  box.hi = (struct point){box.hi.x + 1, box.hi.y + 1};
  return box_overlaps(box, bounds);
}

static void door_create(struct door *d, const struct demand_input *in, const struct door_config *c,
                        struct diagnostics *p)
{
  const int given = (c->line.count > 0) + (c->area.kind != AREA_NONE);
  outlines_create(&d->shape);
  d->closed = c->closed;
  if (given != 1) {
    diagnostics_error(p, origin_location(in->config, &c->from, NULL),
                      "%s: %s of line and area is expected", c->from.path,
                      given ? "only one" : "one");
    return;
  }
  if (c->line.count && !door_line(d, in, c)) {
    diagnostics_error(p, origin_location(in->config, &c->from, "line"),
                      "%s.line: it leaves the world or repeats a point", c->from.path);
    return;
  }
  if (c->line.count && !outlines_touch(&d->shape, in->world->bounds)) {
    diagnostics_error(p, origin_location(in->config, &c->from, "line"),
                      "%s.line: it lies outside world.extent", c->from.path);
    return;
  }
  if (c->area.kind != AREA_NONE) {
    outlines_destroy(&d->shape);
    if (!demand_outlines(in, &c->area, 1, &d->shape, p))
      return;
  }
  obstacles_create(&d->solid, &d->shape, false);
}

static void exits_create(struct environment *s, const struct demand_input *in,
                         struct diagnostics *p)
{
  const struct destination_list *list = &in->config->destinations;
  s->destination_count = list->count;
  s->area_count = memory_create((size_t)list->count, sizeof *s->area_count);
  s->areas = memory_create((size_t)list->count, sizeof(struct outlines *));
  s->area_closed = memory_create((size_t)list->count, sizeof(bool *));
  s->targets = memory_create((size_t)list->count, sizeof *s->targets);
  s->near = memory_create((size_t)list->count, sizeof *s->near);
  s->live = memory_create((size_t)list->count, sizeof *s->live);
  for (int i = 0; i < list->count; i++) {
    const struct area_list *areas = &list->records[i].areas;
    s->live[i] = list->records[i].live;
    s->areas[i] = memory_create((size_t)areas->count, sizeof **s->areas);
    s->area_closed[i] = memory_create((size_t)areas->count, sizeof **s->area_closed);
    for (; s->area_count[i] < areas->count; s->area_count[i]++)
      demand_outlines(in, &areas->areas[s->area_count[i]], 1, &s->areas[i][s->area_count[i]], p);
  }
}

void environment_create(struct environment *s, const struct demand_input *in, struct diagnostics *p)
{
  const struct door_list *list = &in->config->doors;
  s->doors = memory_create((size_t)list->count, sizeof *s->doors);
  for (; s->door_count < list->count; s->door_count++)
    door_create(&s->doors[s->door_count], in, &list->records[s->door_count], p);
  exits_create(s, in, p);
}

void environment_destroy(struct environment *s)
{
  for (int i = 0; i < s->door_count; i++) {
    outlines_destroy(&s->doors[i].shape);
    obstacles_destroy(&s->doors[i].solid);
  }
  for (int i = 0; i < s->zone_count; i++)
    outlines_destroy(&s->zones[i].area);
  memory_destroy(s->zones);
  for (int i = 0; i < s->destination_count; i++) {
    for (int k = 0; k < s->area_count[i]; k++)
      outlines_destroy(&s->areas[i][k]);
    memory_destroy(s->areas[i]);
    memory_destroy(s->area_closed[i]);
    cell_list_destroy(&s->targets[i]);
    cell_list_destroy(&s->near[i]);
  }
  memory_destroy(s->targets);
  memory_destroy(s->near);
  memory_destroy(s->areas);
  memory_destroy(s->area_closed);
  memory_destroy(s->live);
  memory_destroy(s->area_count);
  memory_destroy(s->doors);
  *s = (struct environment){0};
}

// --------------------------------------------------------------------------------- changing

struct outlines environment_outlines(const struct environment *s)
{
  struct outlines all;
  outlines_create(&all);
  outlines_append(&all, &s->walls);
  for (int i = 0; i < s->door_count; i++)
    if (s->doors[i].closed)
      outlines_append(&all, &s->doors[i].shape);
  return all;
}

void environment_build_obstacles(const struct environment *s, struct world *w)
{
  struct outlines all = environment_outlines(s);
  obstacles_destroy(&w->obstacles);
  obstacles_create(&w->obstacles, &all, s->outside_solid);
  w->version = world_next_version(); // what is built on them follows
  outlines_destroy(&all);
}

void environment_create_nav_grid(const struct environment *s, struct world *w, int32_t cell)
{
  nav_grid_create(&w->nav_grid, w->bounds, cell, s->clearance, &w->obstacles);
  nav_grid_open_narrow_cells(&w->nav_grid, s->clearance);
  if (s->spreads) {
    nav_grid_measure_gaps(&w->nav_grid, frame_length(&w->frame, 1));
    nav_grid_raise_costs_near_walls(&w->nav_grid);
  }
}

void environment_mark_zones(const struct environment *s, struct nav_grid *g)
{
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(g), 1);
  for (int i = 0; i < s->zone_count; i++) {
    const struct zone_effect *zone = &s->zones[i];
    memset(marks, 0, (size_t)nav_grid_cell_count(g));
    nav_grid_mark(g, &zone->area, marks);
    if (zone->speed != 1)
      zone_slow_nav_grid(g, marks, zone->speed);
    if (zone->no_go)
      zone_close_nav_grid(g, marks);
    if (zone->one_way)
      zone_direct_nav_grid(g, marks, zone->x, zone->y);
  }
  memory_destroy(marks);
}

bool environment_is_walled_up(const struct environment *s, const struct nav_grid *g,
                              int32_t destination)
{
  assert(destination >= 0 && destination < s->destination_count);
  const struct cell_list *targets = &s->targets[destination];
  for (size_t i = 0; i < targets->count; i++)
    if (!(g->bits[targets->cells[i]] & NAV_GRID_SOLID))
      return false;
  return true;
}

static void rebuild_nav_grid(const struct environment *s, struct world *w)
{
  const int32_t cell = w->nav_grid.cell;
  nav_grid_destroy(&w->nav_grid);
  environment_create_nav_grid(s, w, cell);
  environment_mark_zones(s, &w->nav_grid);
}

static void rebuild_roadmap(const struct environment *s, struct world *w)
{
  char error[240];
  struct outlines inflated, all = environment_outlines(s);
  require(inflate_walls(&all, s->outside_solid, s->clearance, &inflated, error, sizeof error),
          "the walls cannot be inflated: %s", error);
  roadmap_destroy(&w->roadmap);
  roadmap_create(&w->roadmap, &w->obstacles, &inflated, s->outside_solid, w->bounds, s->clearance);
  for (int32_t i = 0; i < s->destination_count; i++) {
    struct outlines area = environment_areas(s, i, false);
    roadmap_add_destination(&w->roadmap, &area, w->bounds); // without free ground: unreachable
    outlines_destroy(&area);
  }
  roadmap_build_edges(&w->roadmap);
  roadmap_build_trees(&w->roadmap);
  if (s->spreads)
    world_measure_passages(w);
  outlines_destroy(&all);
  outlines_destroy(&inflated);
}

void environment_rebuild(const struct environment *s, struct world *w)
{
  environment_build_obstacles(s, w);
  if (w->nav_grid.columns > 0)
    rebuild_nav_grid(s, w);
  if (w->roadmap.destination_count > 0)
    rebuild_roadmap(s, w);
}

bool door_near(const struct door *d, struct point p, int32_t distance)
{
  return obstacles_solid(&d->solid, p) || obstacles_near(&d->solid, p, distance);
}

bool environment_is_closed(const struct environment *s, int32_t destination)
{
  assert(destination >= 0 && destination < s->destination_count);
  for (int32_t k = 0; k < s->area_count[destination]; k++)
    if (!s->area_closed[destination][k])
      return false;
  return true;
}
