#include "extent.h"

struct extent_input {
  const struct config *c;
  struct geometry *geometry;
  struct diagnostics *diagnostics;
};

static void areas_include(const struct extent_input *m, struct rectangle *r)
{
  const struct config *c = m->c;
  for (int i = 0; i < c->destinations.count; i++)
    for (int k = 0; k < c->destinations.records[i].areas.count; k++)
      area_bounds(m->geometry, c, &c->destinations.records[i].areas.areas[k], r, m->diagnostics);
  struct rectangle zones = rectangle_empty(); // checked, but they do not widen the world
  for (int i = 0; i < c->zones.count; i++)
    for (int k = 0; k < c->zones.records[i].areas.count; k++)
      area_bounds(m->geometry, c, &c->zones.records[i].areas.areas[k], &zones, m->diagnostics);
  for (int i = 0; i < c->sources.count; i++) {
    const struct source_config *s = &c->sources.records[i];
    struct rectangle own = rectangle_empty();
    area_bounds(m->geometry, c, &s->area, &own, m->diagnostics);
    area_bounds(m->geometry, c, &s->goal_area, r, m->diagnostics);
    if (s->goal.given)
      rectangle_include(r, s->goal.values[0], s->goal.values[1]);
    for (int k = 0; own.lo[0] <= own.hi[0] && k < 2; k++) {
      const double *corner = k ? own.hi : own.lo;
      rectangle_include(r, corner[0], corner[1]);
      if (s->opposite.given)
        rectangle_include(r, 2 * s->opposite.values[0] - corner[0],
                          2 * s->opposite.values[1] - corner[1]);
      if (s->offset.given)
        rectangle_include(r, corner[0] + s->offset.values[0], corner[1] + s->offset.values[1]);
    }
  }
}

static void agent_table_include(const struct agent_table *agent_table, struct rectangle *r)
{
  for (int64_t i = 0; i < agent_table->count; i++) {
    const struct agent_row *row = &agent_table->rows[i];
    rectangle_include(r, row->xy[0], row->xy[1]);
    if (row->has_goal)
      rectangle_include(r, row->goal[0], row->goal[1]);
  }
}

static struct rectangle extent_given(const struct extent_input *m)
{
  const double *x = m->c->world.extent.values;
  if (!(x[0] < x[2] && x[1] < x[3]))
    diagnostics_error(m->diagnostics, origin_location(m->c, &m->c->from, "world.extent"),
                      "world.extent: x0 < x1 and y0 < y1 are expected in [x0, y0, x1, y1]");
  const struct rectangle extent = {{x[0], x[1]}, {x[2], x[3]}};
  geometry_check_extent(m->geometry, m->c, &extent, m->diagnostics);
  return extent;
}

struct rectangle extent_find(const struct config *c, struct geometry *geometry,
                             const struct agent_table *agent_table, struct diagnostics *p)
{
  const struct extent_input in = {c, geometry, p};
  struct rectangle r = rectangle_empty();
  areas_include(&in, &r); // also checks the areas
  geometry_bounds(geometry, &r);
  agent_table_include(agent_table, &r);
  if (c->world.extent.given)
    return extent_given(&in);
  if (p->count == 0 && !(r.lo[0] <= r.hi[0]))
    diagnostics_error(
        p, (struct location){c->path, NULL, 0, 0},
        c->sources.count || c->agents
            ? "world.extent is missing, and nothing else determines the size of the world"
            : "no agents: sources and agents are missing");
  const double margin = c->world.margin > 0.001 ? c->world.margin : 0.001;
  return (struct rectangle){{r.lo[0] - margin, r.lo[1] - margin},
                            {r.hi[0] + margin, r.hi[1] + margin}};
}
