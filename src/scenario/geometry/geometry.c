#include "geometry_internal.h"

#include "geometry_file.h"
#include "projection.h"
#include "units.h"
#include "wkt.h"
#include <math.h>
#include <string.h>

// The centre is that of the bbox of the file, if it has one, so that what is added to the map moves
// nothing.
static void project_features(struct geometry *g, const struct config *c)
{
  struct rectangle r = g->box;
  if (r.lo[0] > r.hi[0])
    geometry_bounds(g, &r);
  if (r.lo[0] > r.hi[0])
    return;
  const struct numbers *centre = &c->world.centre;
  const struct projection to =
      centre->given ? projection_create(centre->values[0], centre->values[1])
                    : projection_create(0.5 * (r.lo[0] + r.hi[0]), 0.5 * (r.lo[1] + r.hi[1]));
  feature_set_project(&g->features, &(struct feature_mark){0}, to);
  if (g->box.lo[0] <= g->box.hi[0]) {
    projection_apply(&to, &g->box.lo[0], &g->box.lo[1]);
    projection_apply(&to, &g->box.hi[0], &g->box.hi[1]);
  }
  g->projected = true;
  g->projection = to;
}

// ------------------------------------------------------------------------------------- parts

// What a text of the scenario gave, for warnings. from: the set before it was read.
static void part_add(struct geometry *g, struct geometry_part part, const struct feature_mark *from,
                     struct diagnostics *p)
{
  const struct feature_set *set = &g->features;
  const struct survey s = survey_create(set, from);
  const bool points = set->trifles.points_ignored > from->trifles.points_ignored;
  feature_set_warn(set, from, part.at, p);
  if (s.count == 0 && part.walkable)
    diagnostics_error(p, part.at, "%s: it contains no polygon, so nothing would be walkable",
                      part.option);
  else if (s.count == 0 && !points)
    diagnostics_warning(p, part.at,
                        "%s: it contains no geometry and has no effect; check how it was made, or "
                        "leave it out",
                        part.option);
  if (s.count == 0)
    return;
  part.bounds = (struct rectangle){{s.lo[0], s.lo[1]}, {s.hi[0], s.hi[1]}};
  g->parts =
      memory_grow(g->parts, (size_t)g->part_count, (size_t)g->part_count + 1, sizeof *g->parts);
  g->parts[g->part_count++] = part;
}

static bool rectangles_overlap(const struct rectangle *a, const struct rectangle *b)
{
  return a->lo[0] <= b->hi[0] && b->lo[0] <= a->hi[0] && a->lo[1] <= b->hi[1] &&
         b->lo[1] <= a->hi[1];
}

// A box without anything of the map in it is that of another map, or its numbers are in another
// order: [south, west, north, east] is that of some services.
static void check_box(const struct rectangle *box, const struct rectangle *map, struct location at,
                      bool degrees, struct diagnostics *p)
{
  const struct rectangle swapped = {{box->lo[1], box->lo[0]}, {box->hi[1], box->hi[0]}};
  const char *unit = degrees ? "degrees" : "m";
  char hint[160] = "";
  if (map->lo[0] > map->hi[0] || rectangles_overlap(box, map))
    return;
  if (rectangles_overlap(&swapped, map))
    snprintf(hint, sizeof hint, "; x comes before y: did you mean [%.10g, %.10g, %.10g, %.10g]?",
             box->lo[1], box->lo[0], box->hi[1], box->hi[0]);
  diagnostics_error(p, at,
                    "bbox: nothing of the map lies in it: the map spans (%.7g, %.7g) to (%.7g, "
                    "%.7g) %s%s",
                    map->lo[0], map->lo[1], map->hi[0], map->hi[1], unit, hint);
}

// The member `bbox` of the file, in its units.
static void read_box(struct geometry *g, const char *text, size_t length, bool degrees,
                     struct diagnostics *p)
{
  struct rectangle map = rectangle_empty();
  struct location at = {g->path, NULL, 0, 0};
  geometry_bounds(g, &map);
  double box[4];
  if (!geojson_bbox(text, length, degrees, box, &at, p))
    return;
  g->box = (struct rectangle){{box[0], box[1]}, {box[2], box[3]}};
  check_box(&g->box, &map, at, degrees, p);
}

static void file_add(struct geometry *g, const struct config *c, struct diagnostics *p)
{
  size_t length;
  const int before = p->count;
  char *text =
      file_read(g->path, GEOMETRY_FILE_LIMIT,
                "world.geometry: ", origin_location(c, &c->from, "world.geometry"), &length, p);
  if (!text)
    return;
  const struct feature_mark begin = feature_set_mark(&g->features);
  const struct geometry_part part = {
      .at = {g->path, NULL, 0, 0}, .option = "world.geometry", .walkable = c->world.role == 1};
  static const enum role roles[] = {ROLE_OBSTACLE, ROLE_WALKABLE, ROLE_PLACE};
  const struct feature f = {.role = roles[c->world.role],
                            .file = c->world.geometry,
                            .repair = c->world.repair,
                            .at = part.at};
  geojson_attribution(text, length, g->attribution, sizeof g->attribution);
  g->units = geometry_text_read(&g->features, text, length, c->world.units, f, p);
  if (p->count == before)
    read_box(g, text, length, g->units.degrees, p);
  memory_destroy(text);
  if (p->count > before)
    return;
  if (g->units.degrees)
    project_features(g, c);
  part_add(g, part, &begin, p);
}

static void inline_add(struct geometry *g, const struct config *c, enum role role,
                       struct diagnostics *p)
{
  const bool walkable = role == ROLE_WALKABLE;
  const struct text_list *list = walkable ? &c->world.walkable : &c->world.obstacles;
  for (int i = 0; i < list->count; i++) {
    const struct feature_mark begin = feature_set_mark(&g->features);
    const int before = p->count;
    struct geometry_part part = {.at = list->at[i], .walkable = walkable};
    snprintf(part.option, sizeof part.option, "world.%s[%d]", walkable ? "walkable" : "obstacles",
             i);
    wkt_read(&g->features, list->texts[i],
             (struct feature){.role = role, .repair = c->world.repair, .at = part.at}, p);
    if (p->count == before)
      part_add(g, part, &begin, p);
  }
}

// Texts in the scenario are in metres; world.units: metres confirms it.
static void check_inline_units(const struct geometry *g, const struct feature_mark *from,
                               const struct config *c, struct diagnostics *p)
{
  const struct survey s = survey_create(&g->features, from);
  const struct text_list *list =
      c->world.obstacles.count ? &c->world.obstacles : &c->world.walkable;
  if (c->world.units == 0 && survey_looks_like_degrees(&s))
    diagnostics_warning(p, list->at[0],
                        "the WKT of this scenario spans %.3g x %.3g m at (%.7g, %.7g): it looks "
                        "like longitude and latitude, but WKT in a scenario is in metres; for "
                        "degrees, use a file with world.geometry and world.units: degrees",
                        s.hi[0] - s.lo[0], s.hi[1] - s.lo[1], s.lo[0], s.lo[1]);
}

static void report_outside(const struct geometry *g, const struct geometry_part *part, int more,
                           struct diagnostics *p)
{
  const struct rectangle *r = &part->bounds;
  char others[40] = "";
  if (more)
    snprintf(others, sizeof others, " (and %d more)", more);
  diagnostics_warning(p, part->at,
                      "%s: it lies outside world.extent and has no effect%s: it spans "
                      "(%.6g, %.6g) to (%.6g, %.6g) m%s",
                      part->option, others, r->lo[0], r->lo[1], r->hi[0], r->hi[1],
                      g->projected ? "; (0, 0) m is world.centre, the centre of the map by default"
                                   : "");
}

void geometry_check_extent(const struct geometry *g, const struct config *c,
                           const struct rectangle *extent, struct diagnostics *p)
{
  const struct geometry_part *first = NULL;
  int outside = 0;
  for (int i = 0; i < g->part_count; i++)
    if (!rectangles_overlap(&g->parts[i].bounds, extent)) {
      first = first ? first : &g->parts[i];
      outside++;
    }
  struct rectangle walkable = rectangle_empty();
  for (unsigned i = 0; i < g->features.walkable.count; i++)
    shape_include(g, g->features.walkable.shapes[i], &walkable);
  if (g->features.walkable.count && !rectangles_overlap(&walkable, extent))
    diagnostics_error(p, origin_location(c, &c->from, "world.extent"),
                      "world.extent: no walkable ground lies inside; it spans (%.6g, %.6g) to "
                      "(%.6g, %.6g) m",
                      walkable.lo[0], walkable.lo[1], walkable.hi[0], walkable.hi[1]);
  else if (first)
    report_outside(g, first, outside - 1, p);
}

// ---------------------------------------------------------------------------------- the whole

struct geometry *geometry_create(const struct config *c, bool labels, struct diagnostics *p)
{
  const int before = p->count;
  struct geometry *g = memory_create(1, sizeof *g);
  feature_set_create(&g->features);
  feature_set_create(&g->places);
  g->names = memory_create(1, sizeof *g->names);
  g->features.labels_all = labels;
  g->box = rectangle_empty();
  if (c->world.geometry) {
    g->path = path_resolve(c->path, c->world.geometry);
    file_add(g, c, p);
  }
  const struct feature_mark begin = feature_set_mark(&g->features);
  inline_add(g, c, ROLE_OBSTACLE, p);
  inline_add(g, c, ROLE_WALKABLE, p);
  if (p->count == before)
    check_inline_units(g, &begin, c, p);
  if (p->count == before)
    joints_create(
        g,
        origin_location(c, &c->from, c->world.walkable.count ? "world.walkable" : "world.geometry"),
        p);
  places_add(g, c, p);
  if (p->count == before)
    return g;
  geometry_destroy(g);
  return NULL;
}

void geometry_destroy(struct geometry *g)
{
  if (!g)
    return;
  shape_list_destroy(&g->features.geos_context, &g->joints);
  feature_names_destroy(g->names);
  memory_destroy(g->names);
  feature_set_destroy(&g->features);
  feature_set_destroy(&g->places);
  memory_destroy(g->parts);
  memory_destroy(g->path);
  memory_destroy(g);
}

const struct projection *geometry_projection(const struct geometry *g)
{
  return g->projected ? &g->projection : NULL;
}

char *geometry_describe_crs(const struct geometry *g)
{
  const struct crs crs = text_crs(&g->units);
  struct text t = {0};
  if (crs.kind != CRS_NOT_STATED && crs.code != 4326)
    text_add(&t, "crs           %s, taken for %s", crs.name,
             g->units.degrees ? "longitude and latitude" : "metres");
  return t.bytes;
}

// The first file that states anything is what others are compared with.
void geometry_check_crs(struct geometry *g, const struct text_units *units, struct location at,
                        struct diagnostics *p)
{
  const struct crs own = text_crs(units), first = text_crs(&g->units);
  if (own.kind == CRS_NOT_STATED || first.kind == CRS_NOT_STATED) {
    g->units = first.kind == CRS_NOT_STATED ? *units : g->units;
    return;
  }
  if (own.kind == CRS_METRES && !crs_equal(&own, &first))
    diagnostics_error(p, at,
                      "its crs is %s, but that of another file is %s: save all of them in one crs",
                      own.name, first.name);
  else if (own.kind == CRS_DEGREES && first.kind == CRS_DEGREES && !crs_close(&own, &first))
    diagnostics_warning(p, at,
                        "its crs is %s, but that of another file is %s: the same longitude and "
                        "latitude may be some hundred metres apart in them",
                        own.name, first.name);
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
  if (g->box.lo[0] <= g->box.hi[0]) {
    rectangle_include(r, g->box.lo[0], g->box.lo[1]);
    rectangle_include(r, g->box.hi[0], g->box.hi[1]);
  }
  for (int k = 0; k < FEATURE_BACKDROP; k++)
    for (unsigned i = 0; i < g->features.lists[k].count; i++)
      shape_include(g, g->features.lists[k].shapes[i], r);
}

static GEOSGeometry *walkable_union(const struct geometry *g)
{
  const struct geos_context *s = &g->features.geos_context;
  GEOSGeometry *ground = shape_union(s, &g->features.walkable);
  GEOSGeometry *joints = g->joints.count && ground ? shape_union(s, &g->joints) : NULL;
  if (!joints)
    return ground;
  GEOSGeometry *all = GEOSUnion_r(s->geos, ground, joints);
  GEOSGeom_destroy_r(s->geos, ground);
  GEOSGeom_destroy_r(s->geos, joints);
  return all;
}

GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid)
{
  const GEOSContextHandle_t geos = g->features.geos_context.geos;
  GEOSGeometry *shape = shape_union(&g->features.geos_context, &g->features.solid);
  *outside_solid = g->features.walkable.count > 0;
  if (shape && *outside_solid) {
    GEOSGeometry *walkable = walkable_union(g);
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
