// Reads a geometry file: WKT or GeoJSON.
#pragma once
#include "crs.h"
#include "feature.h"

#define GEOMETRY_FILE_LIMIT ((size_t)1 << 30) // bytes

struct text_units {
  bool degrees;   // otherwise metres
  struct crs crs; // that the text states
};

// The crs, or that of GeoJSON if it states none and is in degrees.
struct crs text_crs(const struct text_units *units);

// Adds text[length] of a file: WKT, or a GeoJSON FeatureCollection, Feature or geometry. units: as
// in option world.units. f: default properties.
struct text_units geometry_text_read(struct feature_set *set, const char *text, size_t length,
                                     int units, struct feature f, struct diagnostics *p);

// Member `bbox` of a GeoJSON text, which is in degrees or in m. False: it has none, or an error.
// at: of the file; then that of the member.
bool geojson_bbox(const char *text, size_t length, bool degrees, double box[4], struct location *at,
                  struct diagnostics *p);

// Member `attribution` of a GeoJSON text, or "".
void geojson_attribution(const char *text, size_t length, char *out, size_t size);
