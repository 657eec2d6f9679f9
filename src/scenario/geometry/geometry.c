#include "geometry_internal.h"

#include "geometry_file.h"
#include "projection.h"
#include <math.h>
#include <string.h>

char *path_resolve(const char *scenario, const char *file)
{
  const char *slash = strrchr(scenario, '/');
  struct text t = {0};
  if (*file != '/' && slash)
    text_add_bytes(&t, scenario, (size_t)(slash - scenario) + 1);
  text_add(&t, "%s", file);
  return t.bytes;
}

static void project_features(struct geometry *g, const struct config *c)
{
  struct rectangle r = rectangle_empty();
  geometry_bounds(g, &r);
  if (r.lo[0] > r.hi[0])
    return;
  const struct numbers *centre = &c->world.centre;
  const struct projection to =
      centre->given ? projection_create(centre->values[0], centre->values[1])
                    : projection_create(0.5 * (r.lo[0] + r.hi[0]), 0.5 * (r.lo[1] + r.hi[1]));
  struct feature_set *set = &g->features;
  struct shape_list *const lists[] = {&set->solid, &set->walkable, &set->lines, &set->areas};
  for (int k = 0; k < 4; k++)
    shape_list_project(&set->geos_context, lists[k], to);
  g->projected = true;
  g->longitude = to.longitude;
  g->latitude = to.latitude;
}

static void file_add(struct geometry *g, const struct config *c, const char *path,
                     struct diagnostics *p)
{
  size_t length;
  char *text =
      file_read(path, GEOMETRY_FILE_LIMIT,
                "world.geometry: ", origin_location(c, &c->from, "world.geometry"), &length, p);
  if (!text)
    return;
  const struct feature f = {.role = c->world.role == 1 ? ROLE_WALKABLE : ROLE_OBSTACLE,
                            .repair = c->world.repair,
                            .at = {path, NULL, 0, 0}};
  geojson_attribution(text, length, g->attribution, sizeof g->attribution);
  const bool degrees = geometry_text_read(&g->features, text, length, c->world.units, f, p);
  memory_destroy(text);
  if (degrees && p->count == 0)
    project_features(g, c);
  if (g->features.points_ignored)
    diagnostics_warning(p, f.at, "%lld points are ignored: a point is neither a wall nor an area",
                        (long long)g->features.points_ignored);
  if (g->features.repaired)
    diagnostics_warning(p, f.at, "%lld invalid polygons were repaired",
                        (long long)g->features.repaired);
}

static void inline_add(struct geometry *g, const struct text_list *list, enum role role,
                       bool repair, struct diagnostics *p)
{
  for (int i = 0; i < list->count; i++)
    wkt_read(&g->features, list->texts[i],
             (struct feature){.role = role, .repair = repair, .at = list->at[i]}, p);
}

struct geometry *geometry_create(const struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  struct geometry *g = memory_create(1, sizeof *g);
  feature_set_create(&g->features);
  if (c->world.geometry) {
    char *path = path_resolve(c->path, c->world.geometry);
    file_add(g, c, path, p);
    memory_destroy(path);
  }
  inline_add(g, &c->world.obstacles, ROLE_OBSTACLE, c->world.repair, p);
  inline_add(g, &c->world.walkable, ROLE_WALKABLE, c->world.repair, p);
  if (p->count == before)
    return g;
  geometry_destroy(g);
  return NULL;
}

void geometry_destroy(struct geometry *g)
{
  if (!g)
    return;
  feature_set_destroy(&g->features);
  memory_destroy(g);
}

bool geometry_is_projected(const struct geometry *g, double *longitude, double *latitude)
{
  *longitude = g->longitude;
  *latitude = g->latitude;
  return g->projected;
}

const char *geometry_attribution(const struct geometry *g)
{
  return g->attribution;
}

struct rectangle rectangle_empty(void)
{
  return (struct rectangle){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
}

void rectangle_include(struct rectangle *r, double x, double y)
{
  const double at[2] = {x, y};
  for (int k = 0; k < 2; k++) {
    r->lo[k] = at[k] < r->lo[k] ? at[k] : r->lo[k];
    r->hi[k] = at[k] > r->hi[k] ? at[k] : r->hi[k];
  }
}

void shape_include(const struct geometry *g, const GEOSGeometry *shape, struct rectangle *r)
{
  double lo[2], hi[2];
  if (!shape_bounds(&g->features.geos_context, shape, lo, hi))
    return;
  rectangle_include(r, lo[0], lo[1]);
  rectangle_include(r, hi[0], hi[1]);
}

void geometry_bounds(const struct geometry *g, struct rectangle *r)
{
  const struct shape_list *lists[] = {&g->features.solid, &g->features.walkable, &g->features.lines,
                                      &g->features.areas};
  for (int k = 0; k < 4; k++)
    for (unsigned i = 0; i < lists[k]->count; i++)
      shape_include(g, lists[k]->shapes[i], r);
}

GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid)
{
  const GEOSContextHandle_t geos = g->features.geos_context.geos;
  GEOSGeometry *shape = shape_union(&g->features.geos_context, &g->features.solid);
  *outside_solid = g->features.walkable.count > 0;
  if (shape && *outside_solid) {
    GEOSGeometry *walkable = shape_union(&g->features.geos_context, &g->features.walkable);
    GEOSGeometry *rest = walkable ? GEOSDifference_r(geos, walkable, shape) : NULL;
    GEOSGeom_destroy_r(geos, shape);
    GEOSGeom_destroy_r(geos, walkable);
    shape = rest;
  }
  if (shape && tolerance > 0) {
    GEOSGeometry *simple = GEOSTopologyPreserveSimplify_r(geos, shape, tolerance);
    GEOSGeom_destroy_r(geos, shape);
    shape = simple;
  }
  return shape;
}

static bool lines_append(const struct geometry_context *in, struct outlines *walls)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  const struct shape_list *lines = &in->geometry->features.lines;
  for (unsigned i = 0; i < lines->count; i++) {
    GEOSGeometry *line = GEOSGeom_clone_r(s->geos, lines->shapes[i]);
    line = shape_clip(s, line, in->extent->lo, in->extent->hi);
    if (!line)
      return false;
    shape_outlines(s, line, in->frame, false, walls);
    GEOSGeom_destroy_r(s->geos, line);
  }
  return true;
}

bool geometry_walls(const struct geometry_context *in, struct outlines *walls, bool *outside_solid,
                    struct diagnostics *p)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  outlines_create(walls);
  GEOSGeometry *shape = walls_shape(in->geometry, in->config->world.simplify, outside_solid);
  shape = shape ? shape_clip(s, shape, in->extent->lo, in->extent->hi) : NULL;
  bool good = shape != NULL;
  if (shape) {
    shape_outlines(s, shape, in->frame, *outside_solid, walls);
    GEOSGeom_destroy_r(s->geos, shape);
  }
  good = good && lines_append(in, walls);
  if (!good)
    diagnostics_error(p, origin_location(in->config, &in->config->from, "world.geometry"),
                      "world: the union of the shapes failed: %s", s->error);
  return good;
}
