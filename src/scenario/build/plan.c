#include "plan.h"

#include "demand_internal.h"
#include "roadmap_make.h"
#include <string.h>

// -------------------------------------------------------------------------------- creation

// A line of points as a wall both ways.
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

static void door_create(struct door *d, const struct demand_input *in, const struct door_config *c,
                        struct problems *p)
{
  const int given = (c->line.count > 0) + (c->area.kind != AREA_NONE);
  outlines_create(&d->shape);
  d->closed = c->closed;
  if (given != 1) {
    problem_add(p, origin_place(in->config, &c->from, NULL), "%s: %s of line and area is expected",
                c->from.path, given ? "only one" : "one");
    return;
  }
  if (c->line.count && !door_line(d, in, c)) {
    problem_add(p, origin_place(in->config, &c->from, "line"),
                "%s.line: it leaves the world, or has the same point twice", c->from.path);
    return;
  }
  if (c->area.kind != AREA_NONE) {
    outlines_destroy(&d->shape);
    if (!areas_outlines(in->geometry, in->config, &c->area, 1, &in->world->frame, in->extent,
                        &d->shape, p))
      return;
  }
  obstacles_create(&d->solid, &d->shape, false);
}

static void exits_create(struct plan *s, const struct demand_input *in, struct problems *p)
{
  const struct destination_list *list = &in->config->destinations;
  s->destination_count = list->count;
  s->area_count = memory_create((size_t)list->count, sizeof *s->area_count);
  s->areas = memory_create((size_t)list->count, sizeof(struct outlines *));
  s->shut = memory_create((size_t)list->count, sizeof(bool *));
  s->live = memory_create((size_t)list->count, sizeof *s->live);
  for (int i = 0; i < list->count; i++) {
    const struct area_list *areas = &list->records[i].areas;
    s->live[i] = list->records[i].live;
    s->areas[i] = memory_create((size_t)areas->count, sizeof **s->areas);
    s->shut[i] = memory_create((size_t)areas->count, sizeof **s->shut);
    for (; s->area_count[i] < areas->count; s->area_count[i]++)
      areas_outlines(in->geometry, in->config, &areas->areas[s->area_count[i]], 1,
                     &in->world->frame, in->extent, &s->areas[i][s->area_count[i]], p);
  }
}

void plan_create(struct plan *s, const struct demand_input *in, struct problems *p)
{
  const struct door_list *list = &in->config->doors;
  s->doors = memory_create((size_t)list->count, sizeof *s->doors);
  for (; s->door_count < list->count; s->door_count++)
    door_create(&s->doors[s->door_count], in, &list->records[s->door_count], p);
  exits_create(s, in, p);
}

void plan_destroy(struct plan *s)
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
    memory_destroy(s->shut[i]);
  }
  memory_destroy(s->areas);
  memory_destroy(s->shut);
  memory_destroy(s->live);
  memory_destroy(s->area_count);
  memory_destroy(s->doors);
  *s = (struct plan){0};
}

// --------------------------------------------------------------------------------- changing

static int64_t points_of(const struct outlines *o)
{
  return o->count ? o->start[o->count] : 0;
}

static void outlines_append(struct outlines *to, const struct outlines *from)
{
  const int64_t points = points_of(to);
  if (points_of(from))
    memcpy(to->points + points, from->points, (size_t)points_of(from) * sizeof *to->points);
  for (int64_t l = 0; l < from->count; l++) {
    to->closed[to->count] = from->closed[l];
    to->start[++to->count] = points + from->start[l + 1];
  }
}

static struct outlines outlines_room(int64_t lines, int64_t points)
{
  return (struct outlines){.start = memory_create((size_t)lines + 1, sizeof(int64_t)),
                           .points = memory_create((size_t)points, sizeof(struct point)),
                           .closed = memory_create((size_t)lines, 1)};
}

struct outlines plan_outlines(const struct plan *s)
{
  int64_t lines = s->walls.count, points = points_of(&s->walls);
  for (int i = 0; i < s->door_count; i++) {
    lines += s->doors[i].shape.count;
    points += points_of(&s->doors[i].shape);
  }
  struct outlines all = outlines_room(lines, points);
  outlines_append(&all, &s->walls);
  for (int i = 0; i < s->door_count; i++)
    if (s->doors[i].closed)
      outlines_append(&all, &s->doors[i].shape);
  return all;
}

void plan_build_obstacles(const struct plan *s, struct world *w)
{
  struct outlines all = plan_outlines(s);
  obstacles_destroy(&w->obstacles);
  obstacles_create(&w->obstacles, &all, s->outside_solid);
  outlines_destroy(&all);
}

void plan_mark_zones(const struct plan *s, struct ground *g)
{
  uint8_t *marks = memory_create((size_t)ground_cell_count(g), 1);
  for (int i = 0; i < s->zone_count; i++) {
    const struct zone_rule *zone = &s->zones[i];
    memset(marks, 0, (size_t)ground_cell_count(g));
    ground_mark(g, &zone->area, marks);
    if (zone->speed != 1)
      zone_slow_ground(g, marks, zone->speed);
    if (zone->no_go)
      zone_close_ground(g, marks);
    if (zone->turned)
      zone_turn_ground(g, marks, zone->x, zone->y);
  }
  memory_destroy(marks);
}

bool plan_target(const struct plan *s, const struct ground *g, int32_t destination, uint8_t *target)
{
  const int64_t cells = ground_cell_count(g);
  memset(target, 0, (size_t)cells);
  for (int k = 0; k < s->area_count[destination]; k++)
    if (!s->shut[destination][k])
      ground_mark(g, &s->areas[destination][k], target);
  for (int64_t i = 0; i < cells; i++)
    if (target[i] && !(g->bits[i] & GROUND_SOLID))
      return true;
  return false;
}

// Its target is marked in the field's own memory.
static struct field_task task_of(const struct plan *s, struct world *w, int32_t destination,
                                 const uint16_t *cost)
{
  struct field *f = &w->fields[destination];
  plan_target(s, &w->ground, destination, f->paths);
  return (struct field_task){f, f->paths, cost && s->live[destination] ? cost : w->ground.cost};
}

void plan_solve(const struct plan *s, struct world *w, const int32_t *destinations, int32_t count,
                const uint16_t *cost)
{
  const int32_t rank = w->team->rank, size = w->team->size;
  const int32_t mine = count > rank ? (count - rank - 1) / size + 1 : 0;
  struct field_task *tasks = memory_create((size_t)mine, sizeof *tasks);
  team_agree(w->team, true); // nobody is led by the old ones any more
#pragma omp parallel for schedule(dynamic, 1) if (mine > 1)
  for (int32_t k = 0; k < mine; k++)
    tasks[k] = task_of(s, w, destinations[rank + k * size], cost);
  fields_solve(tasks, mine);
  team_agree(w->team, true); // and all of the new ones are done
  memory_destroy(tasks);
}

static void rebuild_ground(const struct plan *s, struct world *w)
{
  const int32_t cell = w->ground.cell;
  ground_destroy(&w->ground);
  ground_create(&w->ground, w->bounds, cell, s->clearance, &w->obstacles);
  plan_mark_zones(s, &w->ground);
}

// All areas of a destination as one.
static struct outlines areas_together(const struct plan *s, int32_t destination)
{
  int64_t lines = 0, points = 0;
  for (int k = 0; k < s->area_count[destination]; k++) {
    lines += s->areas[destination][k].count;
    points += points_of(&s->areas[destination][k]);
  }
  struct outlines all = outlines_room(lines, points);
  for (int k = 0; k < s->area_count[destination]; k++)
    outlines_append(&all, &s->areas[destination][k]);
  return all;
}

static void rebuild_roadmap(const struct plan *s, struct world *w)
{
  char error[240];
  struct outlines grown, all = plan_outlines(s);
  require(walls_grow(&all, s->outside_solid, s->clearance, &grown, error, sizeof error),
          "the walls cannot be grown: %s", error);
  roadmap_destroy(&w->roadmap);
  roadmap_create(&w->roadmap, &w->obstacles, &grown, s->outside_solid, w->bounds, s->clearance);
  for (int32_t i = 0; i < s->destination_count; i++) {
    struct outlines area = areas_together(s, i);
    roadmap_add_target(&w->roadmap, &area, w->bounds); // none of it is free: nobody gets there
    outlines_destroy(&area);
  }
  roadmap_link(&w->roadmap);
  roadmap_solve(&w->roadmap);
  outlines_destroy(&all);
  outlines_destroy(&grown);
}

void plan_rebuild(const struct plan *s, struct world *w)
{
  plan_build_obstacles(s, w);
  if (w->ground.columns > 0)
    rebuild_ground(s, w);
  if (w->roadmap.target_count > 0)
    rebuild_roadmap(s, w);
}

bool door_near(const struct door *d, struct point p, int32_t distance)
{
  return obstacles_solid(&d->solid, p) || obstacles_near(&d->solid, p, distance);
}

bool plan_is_shut(const struct plan *s, int32_t destination)
{
  for (int32_t k = 0; k < s->area_count[destination]; k++)
    if (!s->shut[destination][k])
      return false;
  return true;
}
