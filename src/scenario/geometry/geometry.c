#include "geometry_internal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 30)

// --------------------------------------------------------------------------------- features

static void report_feature(const struct feature *f, struct diagnostics *p, const char *what,
                           double x, double y)
{
  char number[40] = "";
  if (f->number)
    snprintf(number, sizeof number, "feature %lld: ", (long long)f->number);
  diagnostics_error(p, f->at, "%s%s at (%.*f, %.*f) %s", number, what, f->degrees ? 7 : 3, x,
                    f->degrees ? 7 : 3, y, f->degrees ? "degrees" : "m");
}

// GEOS knows "Self-intersection" and "Ring Self-intersection" of a polygon; the rest of its
// reasons speak for themselves.
static const char *validity_message(const char *why)
{
  if (!why)
    return "the polygon is not valid";
  if (strcmp(why, "Self-intersection") == 0)
    return "the polygon crosses itself";
  return strcmp(why, "Ring Self-intersection") == 0
             ? "a ring of the polygon touches or crosses itself"
             : why;
}

GEOSGeometry *shape_make_valid(struct geometry *g, GEOSGeometry *shape, const struct feature *f,
                               struct diagnostics *p)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  char *why = NULL;
  GEOSGeometry *where = NULL;
  GEOSGeometry *made = shape;
  if (GEOSisValidDetail_r(geos, shape, 0, &why, &where) != 1) {
    double x = 0, y = 0;
    if (where && GEOSisEmpty_r(geos, where) == 0) {
      GEOSGeomGetX_r(geos, where, &x);
      GEOSGeomGetY_r(geos, where, &y);
    }
    made = f->repair ? GEOSMakeValid_r(geos, shape) : NULL;
    g->repaired += made != NULL;
    if (!made)
      report_feature(f, p, validity_message(why), x, y);
    GEOSGeom_destroy_r(geos, shape);
  }
  if (why)
    GEOSFree_r(geos, why);
  if (where)
    GEOSGeom_destroy_r(geos, where);
  return made;
}

static void part_classify(struct geometry *g, const GEOSGeometry *part, const struct feature *f,
                          struct diagnostics *p, bool checked);

static void polygon_classify(struct geometry *g, const GEOSGeometry *part, const struct feature *f,
                             struct diagnostics *p, bool checked)
{
  GEOSGeometry *shape = GEOSGeom_clone_r(g->geos_context.geos, part);
  if (!checked) {
    shape = shape_make_valid(g, shape, f, p);
    if (shape && GEOSGeomTypeId_r(g->geos_context.geos, shape) != GEOS_POLYGON) {
      part_classify(g, shape, f, p, true); // repaired: several polygons, perhaps lines
      GEOSGeom_destroy_r(g->geos_context.geos, shape);
      return;
    }
  }
  if (!shape)
    return;
  if (f->role == ROLE_AREA) {
    const unsigned capacity = g->areas.capacity;
    shape_list_add(&g->areas, shape);
    if (g->areas.capacity != capacity)
      g->area_names = memory_grow(g->area_names, capacity, g->areas.capacity, sizeof(char *));
    g->area_names[g->areas.count - 1] = text_copy(f->name, strlen(f->name));
  } else {
    shape_list_add(f->role == ROLE_WALKABLE ? &g->walkable : &g->solid, shape);
  }
}

static void part_classify(struct geometry *g, const GEOSGeometry *part, const struct feature *f,
                          struct diagnostics *p, bool checked)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  const int type = GEOSGeomTypeId_r(geos, part);
  if (GEOSisEmpty_r(geos, part))
    return;
  if (type == GEOS_POLYGON)
    polygon_classify(g, part, f, p, checked);
  else if (type == GEOS_POINT || type == GEOS_MULTIPOINT)
    g->points_ignored += GEOSGetNumGeometries_r(geos, part);
  else if (type > GEOS_POLYGON)
    for (int i = 0; i < GEOSGetNumGeometries_r(geos, part); i++)
      part_classify(g, GEOSGetGeometryN_r(geos, part, i), f, p, checked);
  else if (f->role == ROLE_OBSTACLE)
    shape_list_add(&g->lines, GEOSGeom_clone_r(geos, part));
  else if (!checked) // a line that a repair left over is nothing
    diagnostics_error(p, f->at, "feature %lld: a line cannot be walkable or an area",
                      (long long)f->number);
}

void feature_add(struct geometry *g, GEOSGeometry *shape, const struct feature *f,
                 struct diagnostics *p)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  double lo[2] = {0}, hi[2] = {0};
  const bool some = shape_bounds(&g->geos_context, shape, lo, hi);
  char number[40] = "";
  if (f->number)
    snprintf(number, sizeof number, "feature %lld: ", (long long)f->number);
  if (!shape_is_finite(&g->geos_context, shape))
    diagnostics_error(p, f->at, "%sa coordinate is not a finite number", number);
  else if (some && f->degrees &&
           (fabs(lo[0]) > 180 || fabs(hi[0]) > 180 || fabs(lo[1]) > 85 || fabs(hi[1]) > 85))
    diagnostics_error(p, f->at,
                      "%s(%.10g, %.10g) is no longitude and latitude (within 180 and 85 "
                      "degrees); if these are metres, say world.units: metres",
                      number, fabs(lo[0]) > fabs(hi[0]) ? lo[0] : hi[0],
                      fabs(lo[1]) > fabs(hi[1]) ? lo[1] : hi[1]);
  else if (some &&
           (fabs(lo[0]) > 1e8 || fabs(lo[1]) > 1e8 || fabs(hi[0]) > 1e8 || fabs(hi[1]) > 1e8))
    diagnostics_error(p, f->at, "%sa coordinate lies beyond 1e8 m", number);
  else
    part_classify(g, shape, f, p, false);
  GEOSGeom_destroy_r(geos, shape);
}

// ------------------------------------------------------------------------------- projection

struct projection {
  double longitude, latitude; // degrees
  double east, north;         // m a degree
};

// WGS84: a = 6378137 m, f = 1 / 298.257223563. Radii of curvature at the latitude (Snyder 1987,
// eq. 4-18, 4-20): N in the prime vertical, M in the meridian.
static struct projection projection_at(double longitude, double latitude)
{
  const double a = 6378137.0, f = 1.0 / 298.257223563, e2 = f * (2.0 - f);
  const double degree = 1.57079632679489661923 / 90.0;
  double sine, cosine;
  quarter_turn(fabs(latitude) / 90.0, &sine, &cosine);
  const double w2 = 1.0 - e2 * sine * sine, w = sqrt(w2);
  return (struct projection){longitude, latitude, a / w * cosine * degree,
                             a * (1.0 - e2) / (w2 * w) * degree};
}

static int project(double *x, double *y, void *projection)
{
  const struct projection *to = projection;
  *x = (*x - to->longitude) * to->east;
  *y = (*y - to->latitude) * to->north;
  return 1;
}

static void list_project(struct geometry *g, struct shape_list *list, struct projection *to)
{
  for (unsigned i = 0; i < list->count; i++) {
    GEOSGeometry *metres =
        GEOSGeom_transformXY_r(g->geos_context.geos, list->shapes[i], project, to);
    GEOSGeom_destroy_r(g->geos_context.geos, list->shapes[i]);
    list->shapes[i] = metres;
  }
}

void geometry_project_lines(struct geometry *g, double longitude, double latitude)
{
  struct projection to = projection_at(longitude, latitude);
  list_project(g, &g->lines, &to);
}

static void geometry_project(struct geometry *g, const struct config *c)
{
  struct rectangle r = rectangle_empty();
  geometry_bounds(g, &r);
  if (r.lo[0] > r.hi[0])
    return;
  struct projection to = projection_at(0.5 * (r.lo[0] + r.hi[0]), 0.5 * (r.lo[1] + r.hi[1]));
  if (c->world.centre.given)
    to = projection_at(c->world.centre.values[0], c->world.centre.values[1]);
  list_project(g, &g->solid, &to);
  list_project(g, &g->walkable, &to);
  list_project(g, &g->lines, &to);
  list_project(g, &g->areas, &to);
  g->projected = true;
  g->longitude = to.longitude;
  g->latitude = to.latitude;
}

// -------------------------------------------------------------------------------------- all

char *path_resolve(const char *scenario, const char *file)
{
  const char *slash = strrchr(scenario, '/');
  struct text t = {0};
  if (*file != '/' && slash)
    text_add_bytes(&t, scenario, (size_t)(slash - scenario) + 1);
  text_add(&t, "%s", file);
  return t.bytes;
}

static void file_add(struct geometry *g, const struct config *c, const char *path,
                     struct diagnostics *p)
{
  size_t length;
  char *text =
      file_read(path, FILE_LIMIT,
                "world.geometry: ", origin_location(c, &c->from, "world.geometry"), &length, p);
  if (!text)
    return;
  struct feature f = {.role = c->world.role == 1 ? ROLE_WALKABLE : ROLE_OBSTACLE,
                      .repair = c->world.repair,
                      .at = {path, NULL, 0, 0}};
  const char *first = text + strspn(text, " \t\r\n");
  if (*first == '{' || *first == '[') {
    geojson_attribution(text, length, g->attribution, sizeof g->attribution);
    f.degrees = c->world.units == 2 || (c->world.units == 0 && geojson_in_degrees(text, length));
    geojson_read(g, text, length, f, p);
  } else {
    f.degrees = c->world.units == 2;
    wkt_read(g, text, f, p);
  }
  memory_destroy(text);
  if (f.degrees && p->count == 0)
    geometry_project(g, c);
  if (g->points_ignored)
    diagnostics_warning(p, f.at, "%lld points are ignored: they are neither walls nor ground",
                        (long long)g->points_ignored);
  if (g->repaired)
    diagnostics_warning(p, f.at, "%lld invalid polygons were repaired", (long long)g->repaired);
}

static void inline_add(struct geometry *g, const struct text_list *list, enum role role,
                       bool repair, struct diagnostics *p)
{
  for (int i = 0; i < list->count; i++)
    wkt_read(g, list->texts[i], (struct feature){.role = role, .repair = repair, .at = list->at[i]},
             p);
}

struct geometry *geometry_create(const struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  struct geometry *g = memory_create(1, sizeof *g);
  geos_context_create(&g->geos_context);
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
  for (unsigned i = 0; i < g->areas.count; i++)
    memory_destroy(g->area_names[i]);
  memory_destroy(g->area_names);
  shape_list_destroy(&g->geos_context, &g->solid);
  shape_list_destroy(&g->geos_context, &g->walkable);
  shape_list_destroy(&g->geos_context, &g->lines);
  shape_list_destroy(&g->geos_context, &g->areas);
  geos_context_destroy(&g->geos_context);
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
  if (!shape_bounds(&g->geos_context, shape, lo, hi))
    return;
  rectangle_include(r, lo[0], lo[1]);
  rectangle_include(r, hi[0], hi[1]);
}

void geometry_bounds(const struct geometry *g, struct rectangle *r)
{
  const struct shape_list *lists[] = {&g->solid, &g->walkable, &g->lines, &g->areas};
  for (int k = 0; k < 4; k++)
    for (unsigned i = 0; i < lists[k]->count; i++)
      shape_include(g, lists[k]->shapes[i], r);
}

GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  GEOSGeometry *shape = shape_union(&g->geos_context, &g->solid);
  *outside_solid = g->walkable.count > 0;
  if (shape && *outside_solid) {
    GEOSGeometry *walkable = shape_union(&g->geos_context, &g->walkable);
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

bool geometry_walls(struct geometry *g, const struct config *c, const struct frame *frame,
                    const struct rectangle *clip, struct outlines *walls, bool *outside_solid,
                    struct diagnostics *p)
{
  outlines_create(walls);
  GEOSGeometry *shape = walls_shape(g, c->world.simplify, outside_solid);
  shape = shape ? shape_clip(&g->geos_context, shape, clip->lo, clip->hi) : NULL;
  bool good = shape != NULL;
  if (shape) {
    shape_outlines(&g->geos_context, shape, frame, *outside_solid, walls);
    GEOSGeom_destroy_r(g->geos_context.geos, shape);
  }
  for (unsigned i = 0; good && i < g->lines.count; i++) {
    GEOSGeometry *line = GEOSGeom_clone_r(g->geos_context.geos, g->lines.shapes[i]);
    line = shape_clip(&g->geos_context, line, clip->lo, clip->hi);
    good = line != NULL;
    if (line)
      shape_outlines(&g->geos_context, line, frame, false, walls);
    if (line)
      GEOSGeom_destroy_r(g->geos_context.geos, line);
  }
  if (!good)
    diagnostics_error(p, origin_location(c, &c->from, "world.geometry"),
                      "world: the shapes cannot be united: %s", g->geos_context.error);
  return good;
}
