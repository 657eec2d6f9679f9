#include "feature.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *feature_list_name(int list)
{
  static const char *const names[FEATURE_LISTS] = {"obstacle", "walkable", "wall",   "area", "line",
                                                   "point",    "fault",    "street", "label"};
  return names[list];
}

void feature_set_create(struct feature_set *set)
{
  *set = (struct feature_set){0};
  geos_context_create(&set->geos_context);
}

void feature_set_destroy(struct feature_set *set)
{
  for (int k = 0; k < FEATURE_LISTS; k++) {
    for (unsigned i = 0; set->labels[k] && i < set->lists[k].count; i++)
      memory_destroy(set->labels[k][i].properties);
    memory_destroy(set->labels[k]);
    shape_list_destroy(&set->geos_context, &set->lists[k]);
  }
  geos_context_destroy(&set->geos_context);
}

struct feature_mark feature_set_mark(const struct feature_set *set)
{
  struct feature_mark mark = {.trifles = set->trifles};
  for (int k = 0; k < FEATURE_LISTS; k++)
    mark.counts[k] = set->lists[k].count;
  return mark;
}

#define REPAIRS_SHOWN 20 // each with its place and area

static void count_warn(int64_t count, const char *what, struct location at, struct diagnostics *p)
{
  if (count > 0)
    diagnostics_warning(p, at, what, (long long)count);
}

void feature_set_warn(const struct feature_set *set, const struct feature_mark *from,
                      struct location at, struct diagnostics *p)
{
  const struct feature_counts *now = &set->trifles, *old = &from->trifles;
  const int64_t shown = old->repaired > REPAIRS_SHOWN ? old->repaired : REPAIRS_SHOWN;
  count_warn(now->points_ignored - old->points_ignored,
             "%lld points are ignored: a point is neither a wall nor an area", at, p);
  count_warn(now->lines_skipped - old->lines_skipped,
             "lines skipped because all their points are the same: %lld", at, p);
  count_warn(now->rings_closed - old->rings_closed,
             "rings closed whose first and last points are not the same, but within 1 mm: %lld", at,
             p);
  count_warn(now->repaired - shown, "further invalid polygons repaired: %lld", at, p);
}

struct feature_offer feature_set_offer(const struct feature_set *set, int list, unsigned i)
{
  static const enum geojson_kind kinds[FEATURE_LISTS] = {
      GEOJSON_POLYGON, GEOJSON_POLYGON, GEOJSON_LINE, GEOJSON_POLYGON, GEOJSON_LINE,
      GEOJSON_POINT,   GEOJSON_POINT,   GEOJSON_LINE, GEOJSON_POINT};
  const struct feature_label *label = &set->labels[list][i];
  const char *text = label->properties;
  return (struct feature_offer){.properties = {text, text ? text + strlen(text) : NULL},
                                .file = label->file ? label->file : "",
                                .kind = kinds[list],
                                .at = label->at};
}

void feature_set_project(struct feature_set *set, const struct feature_mark *from,
                         struct projection to)
{
  for (int k = 0; k < FEATURE_LISTS; k++)
    shape_list_project(&set->geos_context, &set->lists[k], from->counts[k], to);
}

struct fault { // of a polygon
  const char *what;
  double x, y;
};

// "feature 3: the polygon crosses itself at (5.000, 5.000) m"
static void fault_text(const struct feature *f, const struct fault *fault, char *text, size_t size)
{
  char number[40] = "";
  if (f->number)
    snprintf(number, sizeof number, "feature %lld: ", (long long)f->number);
  snprintf(text, size, "%s%s at (%.*f, %.*f) %s", number, fault->what, f->degrees ? 7 : 3, fault->x,
           f->degrees ? 7 : 3, fault->y, f->degrees ? "degrees" : "m");
}

static double area_of(const struct feature_set *set, const GEOSGeometry *shape, double scale)
{
  double area = 0;
  return GEOSArea_r(set->geos_context.geos, shape, &area) ? area * scale : 0;
}

// What a repair made of the area that the outline encloses, less its holes.
static void report_repair(const struct feature_set *set, const struct feature *f,
                          const struct fault *fault, const GEOSGeometry *const shapes[2],
                          struct diagnostics *p)
{
  const struct projection to = projection_create(fault->x, f->degrees ? fault->y : 0);
  const double scale = f->degrees ? to.east * to.north : 1;
  char text[200];
  fault_text(f, fault, text, sizeof text);
  diagnostics_warning(p, f->at, "%s: repaired; its area was %.6g m^2 and is %.6g m^2", text,
                      area_of(set, shapes[0], scale), area_of(set, shapes[1], scale));
}

// GEOS reports "Self-intersection" and "Ring Self-intersection"; its other reasons are clear.
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

// Takes ownership of the shape.
static void list_add(struct feature_set *set, struct shape_list *list, GEOSGeometry *shape,
                     const struct feature *f)
{
  const ptrdiff_t k = list - set->lists;
  const struct json_span json = f->properties;
  const unsigned capacity = list->capacity;
  shape_list_add(list, shape);
  if ((k < FEATURE_AREAS || k >= FEATURE_BACKDROP) && !set->labels_all)
    return;
  if (list->capacity != capacity)
    set->labels[k] = memory_grow(set->labels[k], capacity, list->capacity, sizeof *set->labels[k]);
  set->labels[k][list->count - 1] = (struct feature_label){
      json.begin ? text_copy(json.begin, (size_t)(json.end - json.begin)) : NULL, false, f->file,
      f->at};
}

// Outlines joined, holes cut out of them: what is in a hole stays outside. The other method of GEOS
// takes what is encircled an even number of times for outside, so that a hole that shares an edge
// with the outline vanishes.
static GEOSGeometry *structure_repair(GEOSContextHandle_t geos, const GEOSGeometry *shape)
{
  GEOSMakeValidParams *how = GEOSMakeValidParams_create_r(geos);
  GEOSMakeValidParams_setMethod_r(geos, how, GEOS_MAKE_VALID_STRUCTURE);
  GEOSMakeValidParams_setKeepCollapsed_r(geos, how, 0);
  GEOSGeometry *made = GEOSMakeValidWithParams_r(geos, shape, how);
  GEOSMakeValidParams_destroy_r(geos, how);
  return made;
}

// NULL and an error, unless f->repair.
static GEOSGeometry *shape_repair(struct feature_set *set, const GEOSGeometry *shape,
                                  const struct feature *f, const struct fault *fault,
                                  struct diagnostics *p)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  GEOSGeometry *made = f->repair ? structure_repair(geos, shape) : NULL;
  char text[200];
  fault_text(f, fault, text, sizeof text);
  if (!made) {
    diagnostics_error(p, f->at, "%s", text);
    return NULL;
  }
  list_add(set, &set->faults, GEOSGeom_createPointFromXY_r(geos, fault->x, fault->y), f);
  if (++set->trifles.repaired <= REPAIRS_SHOWN)
    report_repair(set, f, fault, (const GEOSGeometry *const[]){shape, made}, p);
  return made;
}

GEOSGeometry *shape_make_valid(struct feature_set *set, GEOSGeometry *shape,
                               const struct feature *f, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  char *why = NULL;
  GEOSGeometry *where = NULL;
  GEOSGeometry *made = shape;
  if (GEOSisValidDetail_r(geos, shape, 0, &why, &where) != 1) {
    struct fault fault = {validity_message(why), 0, 0};
    if (where && GEOSisEmpty_r(geos, where) == 0) {
      GEOSGeomGetX_r(geos, where, &fault.x);
      GEOSGeomGetY_r(geos, where, &fault.y);
    }
    made = shape_repair(set, shape, f, &fault, p);
    GEOSGeom_destroy_r(geos, shape);
  }
  if (why)
    GEOSFree_r(geos, why);
  if (where)
    GEOSGeom_destroy_r(geos, where);
  return made;
}

static void part_classify(struct feature_set *set, const GEOSGeometry *part,
                          const struct feature *f, struct diagnostics *p, bool checked);

static void polygon_classify(struct feature_set *set, const GEOSGeometry *part,
                             const struct feature *f, struct diagnostics *p, bool checked)
{
  GEOSGeometry *shape = GEOSGeom_clone_r(set->geos_context.geos, part);
  if (!checked) {
    shape = shape_make_valid(set, shape, f, p);
    if (shape && GEOSGeomTypeId_r(set->geos_context.geos, shape) != GEOS_POLYGON) {
      part_classify(set, shape, f, p, true); // the repair gave several polygons, or lines
      GEOSGeom_destroy_r(set->geos_context.geos, shape);
      return;
    }
  }
  if (!shape)
    return;
  const bool named = f->role == ROLE_AREA || f->role == ROLE_PLACE;
  list_add(set,
           named                      ? &set->areas
           : f->role == ROLE_WALKABLE ? &set->walkable
                                      : &set->solid,
           shape, f);
}

static void points_classify(struct feature_set *set, const GEOSGeometry *part,
                            const struct feature *f)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  const int count = GEOSGetNumGeometries_r(geos, part);
  if (f->role != ROLE_PLACE)
    set->trifles.points_ignored += count;
  else
    for (int i = 0; i < count; i++)
      list_add(set, &set->points, GEOSGeom_clone_r(geos, GEOSGetGeometryN_r(geos, part, i)), f);
}

// What is only drawn: lines of streets, points of labels.
static void backdrop_classify(struct feature_set *set, const GEOSGeometry *part,
                              const struct feature *f, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  const int type = GEOSGeomTypeId_r(geos, part);
  const bool street = f->role == ROLE_STREET;
  if (type > GEOS_POLYGON && !(street && type == GEOS_MULTILINESTRING))
    for (int i = 0; i < GEOSGetNumGeometries_r(geos, part); i++)
      backdrop_classify(set, GEOSGetGeometryN_r(geos, part, i), f, p);
  else if (street ? type == GEOS_LINESTRING || type == GEOS_MULTILINESTRING : type == GEOS_POINT)
    list_add(set, street ? &set->streets : &set->names, GEOSGeom_clone_r(geos, part), f);
  else
    diagnostics_error(p, f->at, "feature %lld: a %s is expected of throng: %s",
                      (long long)f->number, street ? "line" : "point", street ? "street" : "label");
}

static bool line_is_a_point(const struct geos_context *s, const GEOSGeometry *line)
{
  double length = 0;
  return GEOSLength_r(s->geos, line, &length) && length <= 0;
}

static void part_classify(struct feature_set *set, const GEOSGeometry *part,
                          const struct feature *f, struct diagnostics *p, bool checked)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  const int type = GEOSGeomTypeId_r(geos, part);
  if (GEOSisEmpty_r(geos, part))
    return;
  if (f->role == ROLE_STREET || f->role == ROLE_LABEL)
    backdrop_classify(set, part, f, p);
  else if (type == GEOS_POLYGON)
    polygon_classify(set, part, f, p, checked);
  else if (type == GEOS_POINT || type == GEOS_MULTIPOINT)
    points_classify(set, part, f);
  else if (type > GEOS_POLYGON)
    for (int i = 0; i < GEOSGetNumGeometries_r(geos, part); i++)
      part_classify(set, GEOSGetGeometryN_r(geos, part, i), f, p, checked);
  else if (line_is_a_point(&set->geos_context, part))
    set->trifles.lines_skipped += !checked;
  else if (f->role == ROLE_OBSTACLE || (f->role == ROLE_PLACE && !checked))
    list_add(set, f->role == ROLE_PLACE ? &set->paths : &set->lines, GEOSGeom_clone_r(geos, part),
             f);
  else if (!checked) // lines that a repair leaves over are dropped
    diagnostics_error(p, f->at, "feature %lld: a line cannot be walkable or an area",
                      (long long)f->number);
}

void feature_add(struct feature_set *set, GEOSGeometry *shape, const struct feature *f,
                 struct diagnostics *p)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  double lo[2] = {0}, hi[2] = {0};
  const bool some = shape_bounds(&set->geos_context, shape, lo, hi);
  char number[40] = "";
  if (f->number)
    snprintf(number, sizeof number, "feature %lld: ", (long long)f->number);
  if (!shape_is_finite(&set->geos_context, shape))
    diagnostics_error(p, f->at, "%sa coordinate is not a finite number", number);
  else if (some && f->degrees &&
           (fabs(lo[0]) > 180 || fabs(hi[0]) > 180 || fabs(lo[1]) > 85 || fabs(hi[1]) > 85))
    diagnostics_error(p, f->at,
                      "%s(%.10g, %.10g) is not a longitude and latitude (within 180 and 85 "
                      "degrees), the units of GeoJSON; for metres, set world.units: metres",
                      number, fabs(lo[0]) > fabs(hi[0]) ? lo[0] : hi[0],
                      fabs(lo[1]) > fabs(hi[1]) ? lo[1] : hi[1]);
  else if (some &&
           (fabs(lo[0]) > 1e8 || fabs(lo[1]) > 1e8 || fabs(hi[0]) > 1e8 || fabs(hi[1]) > 1e8))
    diagnostics_error(p, f->at, "%sa coordinate lies beyond 1e8 m", number);
  else
    part_classify(set, shape, f, p, false);
  GEOSGeom_destroy_r(geos, shape);
}
