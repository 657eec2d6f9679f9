#include "feature.h"

#include <math.h>
#include <string.h>

void feature_set_create(struct feature_set *set)
{
  *set = (struct feature_set){0};
  geos_context_create(&set->geos_context);
}

void feature_set_destroy(struct feature_set *set)
{
  for (unsigned i = 0; i < set->areas.count; i++)
    memory_destroy(set->area_names[i]);
  memory_destroy(set->area_names);
  for (int k = 0; k < FEATURE_LISTS; k++)
    shape_list_destroy(&set->geos_context, &set->lists[k]);
  geos_context_destroy(&set->geos_context);
}

struct feature_mark feature_set_mark(const struct feature_set *set)
{
  struct feature_mark mark = {.points_ignored = set->points_ignored, .repaired = set->repaired};
  for (int k = 0; k < FEATURE_LISTS; k++)
    mark.counts[k] = set->lists[k].count;
  return mark;
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
  if (f->role == ROLE_AREA) {
    const unsigned capacity = set->areas.capacity;
    shape_list_add(&set->areas, shape);
    if (set->areas.capacity != capacity)
      set->area_names = memory_grow(set->area_names, capacity, set->areas.capacity, sizeof(char *));
    set->area_names[set->areas.count - 1] = text_copy(f->name, strlen(f->name));
  } else {
    shape_list_add(f->role == ROLE_WALKABLE ? &set->walkable : &set->solid, shape);
  }
}

static void part_classify(struct feature_set *set, const GEOSGeometry *part,
                          const struct feature *f, struct diagnostics *p, bool checked)
{
  const GEOSContextHandle_t geos = set->geos_context.geos;
  const int type = GEOSGeomTypeId_r(geos, part);
  if (GEOSisEmpty_r(geos, part))
    return;
  if (type == GEOS_POLYGON)
    polygon_classify(set, part, f, p, checked);
  else if (type == GEOS_POINT || type == GEOS_MULTIPOINT)
    set->points_ignored += GEOSGetNumGeometries_r(geos, part);
  else if (type > GEOS_POLYGON)
    for (int i = 0; i < GEOSGetNumGeometries_r(geos, part); i++)
      part_classify(set, GEOSGetGeometryN_r(geos, part, i), f, p, checked);
  else if (f->role == ROLE_OBSTACLE)
    shape_list_add(&set->lines, GEOSGeom_clone_r(geos, part));
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
