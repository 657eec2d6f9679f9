#include "inflate.h"

#include "shape.h"
#include <assert.h>
#include <string.h>

#define MITRE_LIMIT 2.0 // times the clearance; sharper corners are cut off at this distance

static const struct frame identity_frame = {0, 0, 0};

// Coordinates of line l; those of a ring end with its first point.
static GEOSCoordSequence *line_sequence(const struct geos_context *s, const struct outlines *o,
                                        int64_t l)
{
  const int64_t first = o->start[l], count = o->start[l + 1] - first, end = count + o->closed[l];
  double *xy = memory_create(2 * (size_t)end, sizeof *xy);
  for (int64_t i = 0; i < end; i++) {
    xy[2 * i] = o->points[first + i % count].x;
    xy[2 * i + 1] = o->points[first + i % count].y;
  }
  GEOSCoordSequence *sequence = GEOSCoordSeq_copyFromBuffer_r(s->geos, xy, (unsigned)end, 0, 0);
  memory_destroy(xy);
  return sequence;
}

static bool is_outer(const struct outlines *o, int64_t l, bool outside_solid)
{
  const struct outlines ring = {1, (int64_t[]){0, o->start[l + 1] - o->start[l]},
                                o->points + o->start[l], (uint8_t[]){1}};
  return (outlines_area(&ring, 1.0) > 0) != outside_solid;
}

// The polygon whose outer ring is line l and whose holes follow it; *next: the line behind them.
static GEOSGeometry *polygon_at(const struct geos_context *s, const struct outlines *o,
                                bool outside_solid, int64_t l, int64_t *next)
{
  int64_t end = l + 1;
  while (end < o->count && o->closed[end] && !is_outer(o, end, outside_solid))
    end++;
  const size_t holes = (size_t)(end - l - 1);
  GEOSGeometry **rings = memory_create(holes, sizeof(GEOSGeometry *));
  for (size_t k = 0; k < holes; k++)
    rings[k] = GEOSGeom_createLinearRing_r(s->geos, line_sequence(s, o, l + 1 + (int64_t)k));
  GEOSGeometry *outer = GEOSGeom_createLinearRing_r(s->geos, line_sequence(s, o, l));
  GEOSGeometry *polygon = GEOSGeom_createPolygon_r(s->geos, outer, rings, (unsigned)holes);
  memory_destroy(rings);
  *next = end;
  return polygon;
}

static void shapes_from_outlines(const struct geos_context *s, const struct outlines *o,
                                 bool outside_solid, struct shape_list *polygons,
                                 struct shape_list *lines)
{
  for (int64_t l = 0, next; l < o->count; l = next) {
    next = l + 1;
    GEOSGeometry *shape = o->closed[l]
                              ? polygon_at(s, o, outside_solid, l, &next)
                              : GEOSGeom_createLineString_r(s->geos, line_sequence(s, o, l));
    if (shape)
      shape_list_add(o->closed[l] ? polygons : lines, shape);
  }
}

// The union of a list, inflated by a distance (deflated below 0). Takes ownership of the shapes.
static GEOSGeometry *shapes_inflated(const struct geos_context *s, struct shape_list *list,
                                     double by)
{
  GEOSGeometry *all =
      GEOSGeom_createCollection_r(s->geos, GEOS_GEOMETRYCOLLECTION, list->shapes, list->count);
  memory_destroy(list->shapes);
  *list = (struct shape_list){0};
  GEOSGeometry *inflated = all ? GEOSBufferWithStyle_r(s->geos, all, by, 2, GEOSBUF_CAP_SQUARE,
                                                       GEOSBUF_JOIN_MITRE, MITRE_LIMIT)
                               : NULL;
  if (all)
    GEOSGeom_destroy_r(s->geos, all);
  return inflated;
}

// Adds inflated lines to inflated solid polygons, or removes them from deflated walkable ones.
// Takes ownership of both shapes.
static GEOSGeometry *areas_and_lines_join(const struct geos_context *s, GEOSGeometry *areas,
                                          GEOSGeometry *lines, bool outside_solid)
{
  GEOSGeometry *all = NULL;
  if (areas && lines)
    all = outside_solid ? GEOSDifference_r(s->geos, areas, lines)
                        : GEOSUnion_r(s->geos, areas, lines);
  if (areas)
    GEOSGeom_destroy_r(s->geos, areas);
  if (lines)
    GEOSGeom_destroy_r(s->geos, lines);
  return all;
}

bool inflate_walls(const struct outlines *walls, bool outside_solid, int32_t clearance,
                   struct outlines *inflated, char *error, size_t size)
{
  assert(clearance >= 0);
  struct geos_context s;
  struct shape_list polygons = {0}, lines = {0};
  geos_context_create(&s);
  outlines_create(inflated);
  shapes_from_outlines(&s, walls, outside_solid, &polygons, &lines);
  const double by = clearance > 0 ? clearance : 1; // GEOS drops a line inflated by 0
  GEOSGeometry *areas = shapes_inflated(&s, &polygons, outside_solid ? -by : by);
  GEOSGeometry *all =
      areas_and_lines_join(&s, areas, shapes_inflated(&s, &lines, by), outside_solid);
  if (all) {
    shape_outlines(&s, all, &identity_frame, outside_solid, inflated);
    GEOSGeom_destroy_r(s.geos, all);
  }
  snprintf(error, size, "%s", s.error);
  geos_context_destroy(&s);
  return all != NULL;
}
