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
  struct feature_mark mark = {.points_ignored = set->points_ignored, .repaired = set->repaired};
  for (int k = 0; k < FEATURE_LISTS; k++)
    mark.counts[k] = set->lists[k].count;
  return mark;
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

static void report_feature(const struct feature *f, struct diagnostics *p, const char *what,
                           double x, double y)
{
  char number[40] = "";
  if (f->number)
    snprintf(number, sizeof number, "feature %lld: ", (long long)f->number);
  diagnostics_error(p, f->at, "%s%s at (%.*f, %.*f) %s", number, what, f->degrees ? 7 : 3, x,
                    f->degrees ? 7 : 3, y, f->degrees ? "degrees" : "m");
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

GEOSGeometry *shape_make_valid(struct feature_set *set, GEOSGeometry *shape,
                               const struct feature *f, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
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
    set->repaired += made != NULL;
    if (made)
      list_add(set, &set->faults, GEOSGeom_createPointFromXY_r(geos, x, y), f);
    else
      report_feature(f, p, validity_message(why), x, y);
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
    set->points_ignored += count;
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
