#include "build_zones.h"

#include "name_table.h"
#include "shape.h"
#include "utf8.h"
#include <math.h>
#include <string.h>

static void check_zone(const struct config *c, const struct zone_config *z, struct diagnostics *p)
{
  const bool grid = navigation_models[c->navigation.model].uses_grid;
  if (z->speed == 1 && !z->no_go && !z->one_way.given)
    diagnostics_error(p, origin_location(c, &z->from, NULL),
                      "%s: the zone has no effect; speed, no_go or one_way is expected",
                      z->from.path);
  if (z->no_go && !grid)
    diagnostics_error(p, origin_location(c, &z->from, "no_go"),
                      "%s.no_go: needs navigation.model: field", z->from.path);
  if (z->one_way.given && !grid)
    diagnostics_error(p, origin_location(c, &z->from, "one_way"),
                      "%s.one_way: needs navigation.model: field", z->from.path);
  if (z->one_way.given && z->one_way.values[0] == 0 && z->one_way.values[1] == 0)
    diagnostics_error(p, origin_location(c, &z->from, "one_way"),
                      "%s.one_way: [0, 0] is not a direction", z->from.path);
}

static void check_names(const struct config *c, struct diagnostics *p)
{
  struct name_table names = {0};
  for (int i = 0; i < c->zones.count; i++) {
    const int before = name_table_add(&names, c->zones.records[i].name, i);
    if (before != NAME_UNKNOWN)
      diagnostics_error(p, origin_location(c, &c->zones.records[i].from, "name"),
                        "zones[%d].name: zones[%d] already has this name", i, before);
  }
  name_table_destroy(&names);
}

static void check_walkable(const struct demand_input *in, const struct zone_config *z,
                           const struct outlines *area, const struct nav_grid *g,
                           struct diagnostics *p)
{
  const int64_t cells = nav_grid_cell_count(g);
  uint8_t *marks = memory_create((size_t)cells, 1);
  bool walkable = false;
  nav_grid_mark(g, area, marks);
  for (int64_t i = 0; i < cells && !walkable; i++)
    walkable = marks[i] && !(g->bits[i] & NAV_GRID_SOLID);
  if (!walkable)
    diagnostics_error(p, origin_location(in->config, &z->from, NULL),
                      "%s: \"%s\" lies entirely inside walls", z->from.path, z->name);
  memory_destroy(marks);
}

static void build_zone(const struct demand_input *in, struct zone_config *z,
                       struct environment *environment, struct world *world, struct diagnostics *p)
{
  struct zone_effect *effect = &environment->zones[environment->zone_count++];
  *effect = (struct zone_effect){.speed = z->speed,
                                 .no_go = z->no_go,
                                 .one_way = z->one_way.given,
                                 .x = z->one_way.values[0],
                                 .y = z->one_way.values[1]};
  if (!demand_outlines(in, z->areas.areas, z->areas.count, &effect->area, p))
    return;
  z->size = fabs(outlines_area(&effect->area, (double)frame_quantum(&world->frame)));
  if (world->nav_grid.columns)
    check_walkable(in, z, &effect->area, &world->nav_grid, p);
  if (z->speed != 1)
    zones_add(&world->zones, &effect->area, (float)z->speed);
}

// Cells that routes may cross.
static int64_t open_cells(const struct nav_grid *g)
{
  int64_t count = 0;
  for (int64_t i = 0; i < nav_grid_cell_count(g); i++)
    count += !(g->bits[i] & (NAV_GRID_SOLID | NAV_GRID_LOW_CLEARANCE));
  return count;
}

// Fields would lead through the zones after all, as they lead agents out of a zone.
static void mark_zones(const struct config *c, const struct environment *environment,
                       struct nav_grid *g, struct diagnostics *p)
{
  const int64_t before = open_cells(g);
  environment_mark_zones(environment, g);
  if (before == 0 || open_cells(g) > 0)
    return;
  const struct zone_config *z = c->zones.records;
  while (!z->no_go)
    z++;
  diagnostics_error(p, origin_location(c, &z->from, "no_go"),
                    "%s.no_go: no ground is left for routes: the zones with no_go cover all of it",
                    z->from.path);
}

bool build_zones(const struct demand_input *in, struct environment *environment,
                 struct world *world, struct diagnostics *p)
{
  const int before = p->count;
  const struct config *c = in->config;
  check_names(c, p);
  for (int i = 0; i < c->zones.count; i++)
    check_zone(c, &c->zones.records[i], p);
  zones_create(&world->zones, c->zones.count);
  environment->zones = memory_create((size_t)c->zones.count, sizeof *environment->zones);
  for (int i = 0; i < c->zones.count && p->count == before; i++)
    build_zone(in, &c->zones.records[i], environment, world, p);
  zones_finish(&world->zones);
  if (p->count == before && world->nav_grid.columns)
    mark_zones(c, environment, &world->nav_grid, p);
  return p->count == before;
}

// --------------------------------------------------------------------------- throng check

void zones_describe(const struct config *c, FILE *out)
{
  if (c->zones.count)
    fprintf(out, "zones         %d\n", c->zones.count);
  for (int i = 0; i < c->zones.count; i++) {
    const struct zone_config *z = &c->zones.records[i];
    const char *mark = ":";
    fprintf(out, "  %-16s %.4g m^2", printable(z->name).text, z->size);
    if (z->speed != 1)
      fprintf(out, "%s walking speed x %.4g", mark, z->speed), mark = ",";
    if (z->no_go)
      fprintf(out, "%s no route leads through", mark), mark = ",";
    if (z->one_way.given)
      fprintf(out, "%s one way, towards (%.4g, %.4g)", mark, z->one_way.values[0],
              z->one_way.values[1]);
    fprintf(out, "\n");
  }
}
