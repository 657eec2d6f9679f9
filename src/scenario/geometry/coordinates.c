// Gives metres to coordinates in longitude and latitude, and points to lines that are features.
#include "geometry_internal.h"

#include "config_read.h"
#include "options.h"
#include <math.h>
#include <string.h>

struct placing {
  const struct geometry *g;
  struct config *c;
  struct rectangle map; // m, the bounds of the geometry
  const char *path;     // of the option
  struct diagnostics *diagnostics;
};

// Where coordinates may lie: world.extent or, with some room around it, the map; empty: anywhere.
// o: the option; NULL: a point of a table.
static struct rectangle limits(const struct placing *w, const struct option *o)
{
  const struct numbers *extent = &w->c->world.extent;
  const bool exact = !o || o->type == OPTION_PLACE || o->type == OPTION_POINTS;
  struct rectangle r = rectangle_empty();
  if (o && strcmp(o->path, "world.extent") == 0)
    return r;
  if (extent->given) {
    rectangle_include(&r, extent->values[0], extent->values[1]);
    rectangle_include(&r, extent->values[2], extent->values[3]);
  } else {
    r = w->map;
  }
  const double side = fmax(r.hi[0] - r.lo[0], r.hi[1] - r.lo[1]);
  for (int k = 0; k < 2 && side >= 0 && !(exact && extent->given); k++) {
    r.lo[k] -= fmax(side, 1000);
    r.hi[k] += fmax(side, 1000);
  }
  return r;
}

static bool holds(const struct rectangle *r, double x, double y)
{
  return r->lo[0] > r->hi[0] || (x >= r->lo[0] && x <= r->hi[0] && y >= r->lo[1] && y <= r->hi[1]);
}

static bool degrees_hold(const struct placing *w, const struct rectangle *r, double longitude,
                         double latitude)
{
  if (!(fabs(longitude) <= 180 && fabs(latitude) <= 85))
    return false;
  projection_apply(&w->g->projection, &longitude, &latitude);
  return holds(r, longitude, latitude);
}

static void report_outside(const struct placing *w, struct location at, const struct rectangle *r,
                           const double *xy)
{
  char swapped[80] = "", where[160] = "is not a longitude and latitude (within 180 and 85 degrees)";
  struct rectangle d = *r;
  if (r->lo[0] <= r->hi[0] && degrees_hold(w, r, xy[1], xy[0]))
    snprintf(swapped, sizeof swapped, "; longitude comes first: did you mean [%.10g, %.10g]?",
             xy[1], xy[0]);
  if (fabs(xy[0]) <= 180 && fabs(xy[1]) <= 85) {
    projection_reverse(&w->g->projection, &d.lo[0], &d.lo[1]);
    projection_reverse(&w->g->projection, &d.hi[0], &d.hi[1]);
    snprintf(where, sizeof where,
             "lies outside the world (longitude %.6g to %.6g, latitude %.6g to %.6g)", d.lo[0],
             d.hi[0], d.lo[1], d.hi[1]);
  }
  diagnostics_error(w->diagnostics, at, "%s: [%.10g, %.10g] %s%s", w->path, xy[0], xy[1], where,
                    swapped);
}

// Of one point, in place; at: where it is written.
static bool to_metres(const struct placing *w, const struct option *o, struct location at,
                      double *xy)
{
  const struct rectangle r = limits(w, o);
  if (!degrees_hold(w, &r, xy[0], xy[1])) {
    report_outside(w, at, &r, xy);
    return false;
  }
  projection_apply(&w->g->projection, &xy[0], &xy[1]);
  return true;
}

static bool is_projected(const struct placing *w, struct location at)
{
  if (!w->g->projected)
    diagnostics_error(w->diagnostics, at,
                      "%s: longitude and latitude need a map in degrees (world.geometry), or "
                      "world.centre, which is (0, 0) m",
                      w->path);
  return w->g->projected;
}

// count: of points
static void numbers_place(const struct placing *w, const struct option *o, const struct node *n,
                          double *values, int count)
{
  if (!n || !is_projected(w, n->at))
    return;
  for (int i = 0; i < count; i++)
    if (!to_metres(w, o, n->at, values + 2 * i))
      return;
}

static void list_place(const struct placing *w, const struct option *o, struct number_list *list)
{
  for (int i = 0; list->lonlat && i < list->count; i++) {
    const struct node *n = list->lonlat[i];
    if (n && (!is_projected(w, n->at) || !to_metres(w, o, n->at, list->values + 2 * (size_t)i)))
      return;
  }
  if (list->feature.node)
    list->values =
        feature_points(w->g, &list->feature, GEOJSON_LINE, w->path, &list->count, w->diagnostics);
}

static void place_place(const struct placing *w, const struct option *o, struct numbers *numbers)
{
  numbers_place(w, o, numbers->lonlat, numbers->values, o->type == OPTION_RECTANGLE ? 2 : 1);
  if (!numbers->feature.node)
    return;
  int count = 0;
  double *point =
      feature_points(w->g, &numbers->feature, GEOJSON_POINT, w->path, &count, w->diagnostics);
  if (point)
    memcpy(numbers->values, point, 2 * sizeof *point);
  memory_destroy(point);
}

static void area_place(struct placing *w, const struct option *o, struct area *area)
{
  w->path = area->from.path;
  if (area->kind == AREA_WKT && area->lonlat)
    is_projected(w, area->lonlat->at);
  else
    numbers_place(w, o, area->lonlat, area->numbers, area->kind == AREA_RECTANGLE ? 2 : 1);
  list_place(w, o, &area->polygon);
}

static void option_place(void *context, const struct option *o, void *target, const char *path)
{
  struct placing *w = context;
  struct area_list *areas = target;
  w->path = path;
  if (o->type == OPTION_PLACE || o->type == OPTION_RECTANGLE)
    place_place(w, o, target);
  else if (o->type == OPTION_POINTS)
    list_place(w, o, target);
  else if (o->type == OPTION_AREA)
    area_place(w, o, target);
  for (int i = 0; o->type == OPTION_AREAS && i < areas->count; i++)
    area_place(w, o, &areas->areas[i]);
}

bool geometry_place(const struct geometry *g, struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  struct placing w = {.g = g, .c = c, .map = rectangle_empty(), .diagnostics = p};
  geometry_bounds(g, &w.map);
  config_visit(c, &(struct config_visitor){option_place, &w});
  return p->count == before;
}

bool geometry_place_points(const struct geometry *g, struct config *c, struct lonlat_points *points,
                           struct diagnostics *p)
{
  const int before = p->count;
  struct placing w = {
      .g = g, .c = c, .map = rectangle_empty(), .path = points->name, .diagnostics = p};
  geometry_bounds(g, &w.map);
  if (points->count && !is_projected(&w, points->at))
    return false;
  for (int64_t i = 0; i < points->count; i++) {
    struct location at = points->at;
    double *xy;
    at.line = points->of(points->context, i, &xy);
    if (xy)
      to_metres(&w, NULL, at, xy);
  }
  return p->count == before;
}
