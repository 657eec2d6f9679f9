// Areas: a few words of a scenario into shapes and outlines.
#include "geometry_internal.h"

#include <string.h>

#define CIRCLE_CORNERS 64

static GEOSGeometry *circle_shape(struct geometry *g, const double *numbers)
{
  double ring[2 * CIRCLE_CORNERS];
  for (size_t i = 0; i < CIRCLE_CORNERS; i++) {
    double x, y;
    circle_point((int64_t)i, CIRCLE_CORNERS, &x, &y);
    ring[2 * i] = numbers[0] + numbers[2] * x;
    ring[2 * i + 1] = numbers[1] + numbers[2] * y;
  }
  return shape_polygon(&g->geos_context, ring, CIRCLE_CORNERS);
}

static GEOSGeometry *border_shape(struct geometry *g, double width, const struct rectangle *extent)
{
  const double lo[2] = {extent->lo[0] + width, extent->lo[1] + width};
  const double hi[2] = {extent->hi[0] - width, extent->hi[1] - width};
  GEOSGeometry *all = shape_rectangle(&g->geos_context, extent->lo, extent->hi);
  if (!all || !(lo[0] < hi[0] && lo[1] < hi[1]))
    return all;
  GEOSGeometry *inner = shape_rectangle(&g->geos_context, lo, hi);
  GEOSGeometry *ring = GEOSDifference_r(g->geos_context.geos, all, inner);
  GEOSGeom_destroy_r(g->geos_context.geos, all);
  GEOSGeom_destroy_r(g->geos_context.geos, inner);
  return ring;
}

static GEOSGeometry *wkt_area_shape(struct geometry *g, const char *text, struct location at,
                                    struct diagnostics *p)
{
  const struct shape_list nav_grid = g->walkable; // set aside: the reader fills this list
  g->walkable = (struct shape_list){0};
  wkt_read(g, text, (struct feature){.role = ROLE_WALKABLE, .at = at}, p);
  GEOSGeometry *shape = shape_union(&g->geos_context, &g->walkable);
  shape_list_destroy(&g->geos_context, &g->walkable);
  g->walkable = nav_grid;
  return shape;
}

static GEOSGeometry *feature_shape(struct geometry *g, const char *name, struct location at,
                                   const char *path, struct diagnostics *p)
{
  struct shape_list found = {0};
  const char *near = NULL;
  int best = 100;
  for (unsigned i = 0; i < g->areas.count; i++) {
    if (strcmp(g->area_names[i], name) == 0)
      shape_list_add(&found, GEOSGeom_clone_r(g->geos_context.geos, g->areas.shapes[i]));
    else if (edit_is_close(name, g->area_names[i], &best))
      near = g->area_names[i];
  }
  if (!found.count)
    diagnostics_error(p, at, "%s: the geometry has no area \"%.80s\"%s%s%s", path, name,
                      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  GEOSGeometry *shape = found.count ? shape_union(&g->geos_context, &found) : NULL;
  shape_list_destroy(&g->geos_context, &found);
  return shape;
}

// extent may be NULL for every kind but the border. NULL and a problem when it makes no sense.
static GEOSGeometry *area_shape(struct geometry *g, const struct config *c, const struct area *area,
                                const struct rectangle *extent, struct diagnostics *p)
{
  const struct location at = origin_location(c, &area->from, NULL);
  const int before = p->count;
  GEOSGeometry *shape = NULL;
  switch (area->kind) {
  case AREA_NONE:
    return NULL;
  case AREA_RECTANGLE:
    shape = shape_rectangle(&g->geos_context, area->numbers, area->numbers + 2);
    break;
  case AREA_CIRCLE:
    shape = circle_shape(g, area->numbers);
    break;
  case AREA_POLYGON:
    shape = shape_polygon(&g->geos_context, area->points, area->point_count);
    shape = shape ? shape_make_valid(g, shape, &(struct feature){.at = at}, p) : NULL;
    break;
  case AREA_WKT:
    shape = wkt_area_shape(g, area->text, at, p);
    break;
  case AREA_FEATURE:
    shape = feature_shape(g, area->text, at, area->from.path, p);
    break;
  case AREA_BORDER:
    shape = border_shape(g, area->numbers[0], extent);
    break;
  }
  if (p->count == before && (!shape || GEOSisEmpty_r(g->geos_context.geos, shape)))
    diagnostics_error(p, at, "%s: the area is empty", area->from.path);
  if (p->count == before)
    return shape;
  if (shape)
    GEOSGeom_destroy_r(g->geos_context.geos, shape);
  return NULL;
}

bool area_bounds(struct geometry *g, const struct config *c, const struct area *area,
                 struct rectangle *r, struct diagnostics *p)
{
  if (area->kind == AREA_BORDER || area->kind == AREA_NONE)
    return true;
  GEOSGeometry *shape = area_shape(g, c, area, NULL, p);
  if (!shape)
    return false;
  shape_include(g, shape, r);
  GEOSGeom_destroy_r(g->geos_context.geos, shape);
  return true;
}

// NULL and a problem when nothing of it lies inside the extent.
static GEOSGeometry *area_inside(struct geometry *g, const struct config *c,
                                 const struct area *area, const struct rectangle *extent,
                                 struct diagnostics *p)
{
  GEOSGeometry *shape = area_shape(g, c, area, extent, p);
  if (!shape)
    return NULL;
  shape = shape_clip(&g->geos_context, shape, extent->lo, extent->hi);
  if (shape && GEOSisEmpty_r(g->geos_context.geos, shape) == 0)
    return shape;
  if (shape)
    GEOSGeom_destroy_r(g->geos_context.geos, shape);
  diagnostics_error(p, origin_location(c, &area->from, NULL),
                    "%s: the area lies outside world.extent", area->from.path);
  return NULL;
}

// Only polygons: an area that grazes the extent leaves a line there.
static void polygons_outlines(const struct geometry *g, const GEOSGeometry *shape,
                              const struct frame *frame, struct outlines *out)
{
  for (int i = 0; i < GEOSGetNumGeometries_r(g->geos_context.geos, shape); i++) {
    const GEOSGeometry *part = GEOSGetGeometryN_r(g->geos_context.geos, shape, i);
    if (GEOSGeomTypeId_r(g->geos_context.geos, part) == GEOS_POLYGON)
      shape_outlines(&g->geos_context, part, frame, false, out);
  }
}

// NULL and perhaps a problem when there is nothing.
static GEOSGeometry *areas_shape(struct geometry *g, const struct config *c,
                                 const struct area *areas, int count,
                                 const struct rectangle *extent, struct diagnostics *p)
{
  const int before = p->count;
  struct shape_list list = {0};
  for (int i = 0; i < count; i++) {
    GEOSGeometry *shape = area_inside(g, c, &areas[i], extent, p);
    if (shape)
      shape_list_add(&list, shape);
  }
  GEOSGeometry *all = p->count == before ? shape_union(&g->geos_context, &list) : NULL;
  shape_list_destroy(&g->geos_context, &list);
  return all;
}

double areas_free_area(struct geometry *g, const struct config *c, const struct area *areas,
                       int count, const struct rectangle *extent, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  bool outside_solid;
  GEOSGeometry *all = areas_shape(g, c, areas, count, extent, p);
  GEOSGeometry *nav_grid = walls_shape(g, c->world.simplify, &outside_solid);
  GEOSGeometry *walkable_area = NULL;
  if (all && nav_grid)
    walkable_area = outside_solid ? GEOSIntersection_r(geos, all, nav_grid)
                                  : GEOSDifference_r(geos, all, nav_grid);
  double size = -1;
  if (walkable_area && !GEOSArea_r(geos, walkable_area, &size))
    size = -1;
  GEOSGeometry *mine[] = {all, nav_grid, walkable_area};
  for (int k = 0; k < 3; k++)
    if (mine[k])
      GEOSGeom_destroy_r(geos, mine[k]);
  return size;
}

bool line_outline(struct geometry *g, const char *wkt, struct location at, const char *path,
                  const struct frame *frame, struct outlines *out, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = g->geos_context.geos;
  GEOSGeometry *line = GEOSGeomFromWKT_r(geos, wkt);
  outlines_create(out);
  double lo[2], hi[2];
  const bool good = line && GEOSGeomTypeId_r(geos, line) == GEOS_LINESTRING &&
                    shape_is_finite(&g->geos_context, line) &&
                    shape_bounds(&g->geos_context, line, lo, hi) &&
                    frame_holds(frame, lo[0], lo[1]) && frame_holds(frame, hi[0], hi[1]);
  if (good)
    shape_outlines(&g->geos_context, line, frame, false, out);
  else
    diagnostics_error(p, at, "%s: a WKT LINESTRING inside the world is expected", path);
  if (line)
    GEOSGeom_destroy_r(geos, line);
  return good;
}

bool areas_outlines(struct geometry *g, const struct config *c, const struct area *areas, int count,
                    const struct frame *frame, const struct rectangle *extent, struct outlines *out,
                    struct diagnostics *p)
{
  const int before = p->count;
  GEOSGeometry *all = areas_shape(g, c, areas, count, extent, p);
  outlines_create(out);
  if (all) {
    polygons_outlines(g, all, frame, out);
    GEOSGeom_destroy_r(g->geos_context.geos, all);
  }
  if (p->count == before && out->count == 0)
    diagnostics_error(p, origin_location(c, &areas[0].from, NULL), "%s: the area is empty",
                      areas[0].from.path);
  return p->count == before;
}
