// Areas of a scenario: from their options to shapes and outlines.
#include "circle.h"
#include "geometry_internal.h"
#include "wkt.h"
#include <assert.h>
#include <string.h>

#define CIRCLE_VERTICES 64

static GEOSGeometry *circle_shape(struct geometry *g, const double *numbers)
{
  double ring[2 * CIRCLE_VERTICES];
  for (size_t i = 0; i < CIRCLE_VERTICES; i++) {
    double x, y;
    circle_point((int64_t)i, CIRCLE_VERTICES, &x, &y);
    ring[2 * i] = numbers[0] + numbers[2] * x;
    ring[2 * i + 1] = numbers[1] + numbers[2] * y;
  }
  return shape_polygon(&g->features.geos_context, ring, CIRCLE_VERTICES);
}

static GEOSGeometry *border_shape(struct geometry *g, double width, const struct rectangle *extent)
{
  const double lo[2] = {extent->lo[0] + width, extent->lo[1] + width};
  const double hi[2] = {extent->hi[0] - width, extent->hi[1] - width};
  GEOSGeometry *all = shape_rectangle(&g->features.geos_context, extent->lo, extent->hi);
  if (!all || !(lo[0] < hi[0] && lo[1] < hi[1]))
    return all;
  GEOSGeometry *inner = shape_rectangle(&g->features.geos_context, lo, hi);
  GEOSGeometry *ring = GEOSDifference_r(g->features.geos_context.geos, all, inner);
  GEOSGeom_destroy_r(g->features.geos_context.geos, all);
  GEOSGeom_destroy_r(g->features.geos_context.geos, inner);
  return ring;
}

static GEOSGeometry *wkt_area_shape(struct geometry *g, const struct area *area, struct location at,
                                    struct diagnostics *p)
{
  struct feature_set *set = &g->features;
  const struct shape_list walkable = set->walkable; // set aside: the reader fills this list
  set->walkable = (struct shape_list){0};
  wkt_read(set, area->text,
           (struct feature){.role = ROLE_WALKABLE, .degrees = area->lonlat, .at = at}, p);
  if (area->lonlat && g->projected)
    shape_list_project(&set->geos_context, &set->walkable, 0, g->projection);
  GEOSGeometry *shape = shape_union(&set->geos_context, &set->walkable);
  shape_list_destroy(&set->geos_context, &set->walkable);
  set->walkable = walkable;
  return shape;
}

// extent: needed for AREA_BORDER only, else NULL is allowed. NULL and an error if the area is
// invalid.
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
    shape = shape_rectangle(&g->features.geos_context, area->numbers, area->numbers + 2);
    break;
  case AREA_CIRCLE:
    shape = circle_shape(g, area->numbers);
    break;
  case AREA_POLYGON:
    shape = shape_polygon(&g->features.geos_context, area->polygon.values, area->polygon.count);
    shape = shape ? shape_make_valid(&g->features, shape, &(struct feature){.at = at}, p) : NULL;
    break;
  case AREA_WKT:
    shape = wkt_area_shape(g, area, at, p);
    break;
  case AREA_FEATURE:
    shape = feature_shape(g, &area->feature, at, area->from.path, p);
    break;
  case AREA_BORDER:
    shape = border_shape(g, area->numbers[0], extent);
    break;
  }
  if (p->count == before && (!shape || GEOSisEmpty_r(g->features.geos_context.geos, shape)))
    diagnostics_error(p, at, "%s: the area is empty", area->from.path);
  if (p->count == before)
    return shape;
  if (shape)
    GEOSGeom_destroy_r(g->features.geos_context.geos, shape);
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
  GEOSGeom_destroy_r(g->features.geos_context.geos, shape);
  return true;
}

GEOSGeometry *area_inside(const struct geometry_context *in, const struct area *area,
                          struct diagnostics *p)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  GEOSGeometry *shape = area_shape(in->geometry, in->config, area, in->extent, p);
  if (!shape)
    return NULL;
  shape = shape_clip(s, shape, in->extent->lo, in->extent->hi);
  if (shape && GEOSisEmpty_r(s->geos, shape) == 0)
    return shape;
  if (shape)
    GEOSGeom_destroy_r(s->geos, shape);
  diagnostics_error(p, origin_location(in->config, &area->from, NULL),
                    "%s: the area lies outside world.extent", area->from.path);
  return NULL;
}

// Polygons only: clipping an area that touches the extent may leave lines.
static void polygons_outlines(const struct geometry_context *in, const GEOSGeometry *shape,
                              struct outlines *out)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  for (int i = 0; i < GEOSGetNumGeometries_r(s->geos, shape); i++) {
    const GEOSGeometry *part = GEOSGetGeometryN_r(s->geos, shape, i);
    if (GEOSGeomTypeId_r(s->geos, part) == GEOS_POLYGON)
      shape_outlines(s, part, in->frame, false, out);
  }
}

GEOSGeometry *areas_shape(const struct geometry_context *in, const struct area *areas, int count,
                          struct diagnostics *p)
{
  struct geos_context *s = &in->geometry->features.geos_context;
  const int before = p->count;
  struct shape_list list = {0};
  for (int i = 0; i < count; i++) {
    GEOSGeometry *shape = area_inside(in, &areas[i], p);
    if (shape)
      shape_list_add(&list, shape);
  }
  GEOSGeometry *all = p->count == before ? shape_union(s, &list) : NULL;
  shape_list_destroy(s, &list);
  return all;
}

double areas_free_area(const struct geometry_context *in, const struct area *areas, int count,
                       struct diagnostics *p)
{
  const GEOSContextHandle_t geos = in->geometry->features.geos_context.geos;
  bool outside_solid;
  GEOSGeometry *all = areas_shape(in, areas, count, p);
  GEOSGeometry *walls = walls_shape(in->geometry, in->config->world.simplify, &outside_solid);
  GEOSGeometry *walkable = NULL;
  if (all && walls)
    walkable =
        outside_solid ? GEOSIntersection_r(geos, all, walls) : GEOSDifference_r(geos, all, walls);
  double size = -1;
  if (walkable && !GEOSArea_r(geos, walkable, &size))
    size = -1;
  GEOSGeometry *shapes[] = {all, walls, walkable};
  for (int k = 0; k < 3; k++)
    if (shapes[k])
      GEOSGeom_destroy_r(geos, shapes[k]);
  return size;
}

// Takes ownership of the line, which may be NULL.
static bool outline_of(const struct geometry_context *in, GEOSGeometry *line, struct outlines *out)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  double lo[2], hi[2];
  const bool good = line && GEOSGeomTypeId_r(s->geos, line) == GEOS_LINESTRING &&
                    shape_is_finite(s, line) && shape_bounds(s, line, lo, hi) &&
                    frame_holds(in->frame, lo[0], lo[1]) && frame_holds(in->frame, hi[0], hi[1]);
  if (good)
    shape_outlines(s, line, in->frame, false, out);
  if (line)
    GEOSGeom_destroy_r(s->geos, line);
  return good;
}

bool line_outline(const struct geometry_context *in, const char *wkt, struct location at,
                  const char *path, struct outlines *out, struct diagnostics *p)
{
  struct wkt_long_point bad;
  outlines_create(out);
  if (wkt_find_long_point(wkt, wkt + strlen(wkt), &bad)) {
    char prefix[60];
    snprintf(prefix, sizeof prefix, "%s: ", path);
    report_long_point(&bad, at, prefix, p);
    return false;
  }
  const struct geos_context *s = &in->geometry->features.geos_context;
  const bool good = outline_of(in, GEOSGeomFromWKT_r(s->geos, wkt), out);
  if (!good)
    diagnostics_error(p, at, "%s: a WKT LINESTRING inside the world is expected", path);
  return good;
}

bool points_outline(const struct geometry_context *in, const struct number_list *points,
                    struct location at, const char *path, struct outlines *out,
                    struct diagnostics *p)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  GEOSCoordSequence *sequence =
      GEOSCoordSeq_copyFromBuffer_r(s->geos, points->values, (unsigned)points->count, 0, 0);
  outlines_create(out);
  const bool good =
      outline_of(in, sequence ? GEOSGeom_createLineString_r(s->geos, sequence) : NULL, out);
  if (!good)
    diagnostics_error(p, at, "%s: the line lies outside world.extent", path);
  return good;
}

bool areas_outlines(const struct geometry_context *in, const struct area *areas, int count,
                    struct outlines *out, struct diagnostics *p)
{
  assert(count > 0);
  const int before = p->count;
  GEOSGeometry *all = areas_shape(in, areas, count, p);
  outlines_create(out);
  if (all) {
    polygons_outlines(in, all, out);
    GEOSGeom_destroy_r(in->geometry->features.geos_context.geos, all);
  }
  if (p->count == before && out->count == 0)
    diagnostics_error(p, origin_location(in->config, &areas[0].from, NULL), "%s: the area is empty",
                      areas[0].from.path);
  return p->count == before;
}
