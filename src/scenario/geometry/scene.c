// What map.geojson of a run shows: the ground, and where people come from, go and are counted.
#include "geometry_internal.h"

#include "map_file.h"

struct scene {
  const struct geometry_context *in;
  struct map_file file;
  struct diagnostics quiet; // what is wrong was said when the world was built
};

static const struct geos_context *geos_of(const struct scene *s)
{
  return &s->in->geometry->features.geos_context;
}

// -------------------------------------------------------------------------------- polygons

// One shape, which may be NULL: nothing is inside the world. Takes ownership of it.
static void shape_add(struct scene *s, struct map_feature f, GEOSGeometry *shape)
{
  if (!shape)
    return;
  map_file_add(&s->file, &f, (const GEOSGeometry *const *)&shape, 1);
  GEOSGeom_destroy_r(geos_of(s)->geos, shape);
}

static struct map_feature areas_feature(const char *role, const char *name, int index)
{
  return (struct map_feature){
      .role = role, .name = name, .index = index, .geometry = MAP_POLYGON, .many = true};
}

// The areas are not merged: `areas` tells to which of them each polygon belongs.
static void destination_add(struct scene *s, const struct destination_config *d, int index)
{
  const struct area_list *list = &d->areas;
  GEOSGeometry **shapes = memory_create((size_t)list->count, sizeof(GEOSGeometry *));
  struct map_feature f = areas_feature("destination", d->name, index);
  struct text areas = {0};
  int count = 0;
  for (int i = 0; i < list->count; i++) {
    GEOSGeometry *shape = area_inside(s->in, &list->areas[i], &s->quiet);
    const int64_t parts = shape ? map_part_count(geos_of(s), shape, MAP_POLYGON) : 0;
    for (int64_t k = 0; k < parts; k++)
      text_add(&areas, "%s%d", areas.length ? ", " : ", \"areas\": [", i);
    if (shape)
      shapes[count++] = shape;
  }
  text_add(&areas, "]");
  f.more = areas.bytes;
  map_file_add(&s->file, &f, (const GEOSGeometry *const *)shapes, count);
  for (int i = 0; i < count; i++)
    GEOSGeom_destroy_r(geos_of(s)->geos, shapes[i]);
  memory_destroy(shapes);
  memory_destroy(areas.bytes);
}

static void areas_add(struct scene *s)
{
  const struct config *c = s->in->config;
  for (int i = 0; i < c->destinations.count; i++)
    destination_add(s, &c->destinations.records[i], i);
  for (int i = 0; i < c->sources.count; i++)
    if (c->sources.records[i].area.kind != AREA_NONE)
      shape_add(s, areas_feature("source", c->sources.records[i].name, i),
                areas_shape(s->in, &c->sources.records[i].area, 1, &s->quiet));
  for (int i = 0; i < c->zones.count; i++) {
    const struct zone_config *zone = &c->zones.records[i];
    shape_add(s, areas_feature("zone", zone->name, i),
              areas_shape(s->in, zone->areas.areas, zone->areas.count, &s->quiet));
  }
  for (int i = 0; i < c->measure.areas.count; i++) {
    const struct measured_config *area = &c->measure.areas.records[i];
    shape_add(s, areas_feature("area", area->name, i),
              areas_shape(s->in, area->areas.areas, area->areas.count, &s->quiet));
  }
}

// ----------------------------------------------------------------------------------- lines

// NULL: fewer than two points.
static GEOSGeometry *line_shape(const struct scene *s, const double *points, int count)
{
  const GEOSContextHandle_t geos = geos_of(s)->geos;
  GEOSCoordSequence *sequence =
      count > 1 ? GEOSCoordSeq_copyFromBuffer_r(geos, points, (unsigned)count, 0, 0) : NULL;
  return sequence ? GEOSGeom_createLineString_r(geos, sequence) : NULL;
}

static void measured_line_add(struct scene *s, const struct line_config *line, struct map_feature f)
{
  const double ends[] = {line->start.values[0], line->start.values[1], line->end.values[0],
                         line->end.values[1]};
  shape_add(s, f,
            line->wkt          ? GEOSGeomFromWKT_r(geos_of(s)->geos, line->wkt)
            : line->line.count ? line_shape(s, line->line.values, line->line.count)
                               : line_shape(s, ends, 2));
}

static void lines_add(struct scene *s)
{
  const struct config *c = s->in->config;
  for (int i = 0; i < c->doors.count; i++) {
    const struct door_config *door = &c->doors.records[i];
    const bool solid = door->area.kind != AREA_NONE;
    const struct map_feature f = {.role = "door",
                                  .name = door->name,
                                  .kind = door->closed ? "closed" : "open",
                                  .index = i,
                                  .geometry = solid ? MAP_POLYGON : MAP_LINE};
    shape_add(s, f,
              solid ? areas_shape(s->in, &door->area, 1, &s->quiet)
                    : line_shape(s, door->line.values, door->line.count));
  }
  for (int i = 0; i < c->measure.lines.count; i++)
    measured_line_add(s, &c->measure.lines.records[i],
                      (struct map_feature){.role = "line",
                                           .name = c->measure.lines.records[i].name,
                                           .index = i,
                                           .geometry = MAP_LINE});
  for (int i = 0; i < c->destinations.count; i++) {
    const struct destination_config *d = &c->destinations.records[i];
    shape_add(
        s, (struct map_feature){.role = "queue", .name = d->name, .index = i, .geometry = MAP_LINE},
        line_shape(s, d->queue.line.values, d->queue.line.count));
  }
}

// ------------------------------------------------------------------------------------ the whole

bool scene_write(const struct geometry_context *in, FILE *out)
{
  const struct geometry *g = in->geometry;
  const struct rectangle *r = in->extent;
  struct scene s = {.in = in};
  const struct map_about about = {.projection = geometry_projection(g),
                                  .title = in->config->name,
                                  .attribution = geometry_attribution(g),
                                  .bbox = *r};
  map_file_begin(&s.file, &g->features.geos_context, out, &about);
  shape_add(&s, (struct map_feature){.role = "ground", .index = -1, .geometry = MAP_POLYGON},
            shape_rectangle(&g->features.geos_context, r->lo, r->hi));
  for (int list = 0; list < FEATURE_AREAS; list++)
    map_file_add_list(&s.file, &g->features, list, feature_list_name(list), r);
  areas_add(&s);
  lines_add(&s);
  for (int list = FEATURE_BACKDROP; list < FEATURE_LISTS; list++)
    map_file_add_list(&s.file, &g->features, list, feature_list_name(list), r);
  diagnostics_destroy(&s.quiet);
  return map_file_end(&s.file);
}
