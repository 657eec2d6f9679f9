// Writes a map as GeoJSON in metres: what `throng check MAP` draws, and map.geojson of a run
// (docs/formats.md).
#pragma once
#include "feature.h"
#include "geometry.h"
#include <stdio.h>

struct map_about {
  const char *title, *attribution;
  struct rectangle bbox;               // m; empty: not written
  const struct projection *projection; // NULL: none
};

struct map_file {
  const struct geos_context *geos_context;
  FILE *out;
  bool any; // features so far
};
void map_file_begin(struct map_file *m, const struct geos_context *s, FILE *out,
                    const struct map_about *about);
bool map_file_end(struct map_file *m); // false: out of disk space

enum map_geometry { MAP_POLYGON, MAP_LINE, MAP_POINT };
struct map_feature {
  const char *role, *name, *kind; // NULL: ""
  int index;                      // negative: none
  const char *more;               // further properties, ", \"key\": value"; NULL: none
  enum map_geometry geometry;     // other parts of the shapes are left out
  bool many;                      // a MultiPolygon even if it is one polygon
};
// One feature of shapes[count], which may be collections; none if they have no such parts.
void map_file_add(struct map_file *m, const struct map_feature *f,
                  const GEOSGeometry *const *shapes, int count);
// How many polygons, lines or points the shape has.
int64_t map_part_count(const struct geos_context *s, const GEOSGeometry *shape,
                       enum map_geometry geometry);

// All features of a list, with the names and kinds of the map, clipped to the rectangle; NULL: not
// clipped.
void map_file_add_list(struct map_file *m, const struct feature_set *set, int list,
                       const char *role, const struct rectangle *clip);
