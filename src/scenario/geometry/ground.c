// The walkable ground: what is neither a wall nor an obstacle.
#include "geometry_internal.h"

#include <string.h>

#define WALL_THICKNESS  0.02 // m, of walls that are lines: a polygon has no lines
#define CORNER_SEGMENTS 8    // of a quarter circle; flat ends and mitred corners need none

static GEOSGeometry *without(const struct geos_context *s, GEOSGeometry *ground,
                             GEOSGeometry *solid)
{
  GEOSGeometry *rest = ground && solid ? GEOSDifference_r(s->geos, ground, solid) : NULL;
  if (ground)
    GEOSGeom_destroy_r(s->geos, ground);
  if (solid)
    GEOSGeom_destroy_r(s->geos, solid);
  return rest;
}

static GEOSGeometry *thick_lines(const struct geos_context *s, const struct shape_list *lines)
{
  GEOSGeometry *all = shape_union(s, lines);
  GEOSGeometry *thick =
      all ? GEOSBufferWithStyle_r(s->geos, all, 0.5 * WALL_THICKNESS, CORNER_SEGMENTS,
                                  GEOSBUF_CAP_FLAT, GEOSBUF_JOIN_MITRE, 5)
          : NULL;
  if (all)
    GEOSGeom_destroy_r(s->geos, all);
  return thick;
}

GEOSGeometry *ground_shape(const struct geometry_context *in, const struct rectangle *inside)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  bool outside_solid;
  GEOSGeometry *walls = walls_shape(in->geometry, in->config->world.simplify, &outside_solid);
  GEOSGeometry *ground = NULL;
  if (walls && outside_solid)
    ground = shape_clip(s, walls, inside->lo, inside->hi);
  else if (walls)
    ground = without(s, shape_rectangle(s, inside->lo, inside->hi), walls);
  return ground ? without(s, ground, thick_lines(s, &in->geometry->features.lines)) : NULL;
}

double shape_area(const struct geos_context *s, const GEOSGeometry *shape)
{
  double area = 0;
  return GEOSArea_r(s->geos, shape, &area) ? area : 0;
}

const GEOSGeometry *largest_polygon(const struct geos_context *s, const GEOSGeometry *ground,
                                    int *count)
{
  const GEOSGeometry *largest = NULL;
  *count = 0;
  for (int i = 0; i < GEOSGetNumGeometries_r(s->geos, ground); i++) {
    const GEOSGeometry *part = GEOSGetGeometryN_r(s->geos, ground, i);
    if (GEOSGeomTypeId_r(s->geos, part) != GEOS_POLYGON || GEOSisEmpty_r(s->geos, part))
      continue;
    ++*count;
    if (!largest || shape_area(s, part) > shape_area(s, largest))
      largest = part;
  }
  return largest;
}

static char *shape_wkt(const struct geos_context *s, const GEOSGeometry *shape)
{
  GEOSWKTWriter *writer = GEOSWKTWriter_create_r(s->geos);
  GEOSWKTWriter_setTrim_r(s->geos, writer, 1);
  GEOSWKTWriter_setRoundingPrecision_r(s->geos, writer, 6);
  char *written = GEOSWKTWriter_write_r(s->geos, writer, shape);
  char *text = written ? text_copy(written, strlen(written)) : NULL;
  GEOSFree_r(s->geos, written);
  GEOSWKTWriter_destroy_r(s->geos, writer);
  return text;
}

// Courtyards without a gate are normal, a hall that is cut in two is not.
#define SHARE_EXPECTED 0.999

static void warn_of_parts(const struct geos_context *s, const GEOSGeometry *ground,
                          const GEOSGeometry *largest, int count, struct location at,
                          struct diagnostics *p)
{
  const double share = shape_area(s, largest) / shape_area(s, ground);
  if (share < SHARE_EXPECTED)
    diagnostics_warning(p, at,
                        "output.trajectory: the walkable ground has %d separate parts; "
                        "wkt_geometry is the largest, %.3g %% of the area",
                        count, 100 * share);
}

char *geometry_walkable(const struct geometry_context *in, const struct rectangle *inside,
                        struct diagnostics *p)
{
  const struct geos_context *s = &in->geometry->features.geos_context;
  const struct location at =
      origin_location(in->config, &in->config->from, "output.trajectory.every");
  GEOSGeometry *ground = ground_shape(in, inside);
  int count = 0;
  const GEOSGeometry *largest = ground ? largest_polygon(s, ground, &count) : NULL;
  char *text = largest ? shape_wkt(s, largest) : NULL;
  if (!text)
    diagnostics_error(p, at, "output.trajectory: %s%s",
                      ground ? "there is no walkable ground" : "the walkable ground failed: ",
                      ground ? "" : s->error);
  else
    warn_of_parts(s, ground, largest, count, at, p);
  if (ground)
    GEOSGeom_destroy_r(s->geos, ground);
  return text;
}
