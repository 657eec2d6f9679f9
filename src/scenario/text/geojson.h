// The features of a GeoJSON text: where each begins, its properties and the kind of its geometry.
// The coordinates are left to GEOS.
#pragma once
#include "json.h"

enum geojson_kind { GEOJSON_NONE, GEOJSON_POINT, GEOJSON_LINE, GEOJSON_POLYGON, GEOJSON_MIXED };

struct geojson_feature {
  int64_t number; // from 1
  struct location at;
  bool alone;                            // the text is one Feature or one geometry
  struct json_span properties, geometry; // NULLs: missing
};

struct geojson {
  const char *text;
  struct json list; // of features
  int64_t count;    // of features so far
  struct geojson_feature only;
  const char *located; // up to here the text is counted
  struct location at;  // of located
};

// Begins the iteration over a NUL-terminated text[length] of the file. False and an error if it is
// not GeoJSON.
bool geojson_begin(struct geojson *g, const char *text, size_t length, const char *file,
                   struct diagnostics *p);
bool geojson_next(struct geojson *g, struct geojson_feature *f); // false: there is none left

enum geojson_kind geojson_kind(const struct geojson_feature *f);
const char *geojson_kind_name(enum geojson_kind kind); // "polygon"

// A property as text: a string without quotes and escapes, anything else as written. NULL: it is
// missing, null or empty. Free with memory_destroy.
char *geojson_property(struct json_span properties, const char *key);
