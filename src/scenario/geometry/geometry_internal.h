// What the readers of geometry files and the geometry share.
#pragma once
#include "geometry.h"
#include "shape.h"

enum role { ROLE_OBSTACLE, ROLE_WALKABLE, ROLE_AREA };

struct geometry {
  struct geos_context geos_context;
  struct shape_list solid, walkable, lines;
  struct shape_list areas; // named polygons
  char **area_names;       // [areas.capacity]
  int64_t points_ignored, repaired;
  bool projected;
  double longitude, latitude; // degrees, of (0, 0) m
  char attribution[300];      // whom the file asks to name, or ""
};

// Its lines from degrees to metres east and north of there.
void geometry_project_lines(struct geometry *g, double longitude, double latitude);

struct feature { // one shape of an input
  enum role role;
  char name[80];
  int64_t number; // from 1; 0: it is the only one
  bool degrees;   // its coordinates
  bool repair;
  struct location at;
};

// Checks the shape, which it takes, and sorts its parts into g.
void feature_add(struct geometry *g, GEOSGeometry *shape, const struct feature *f,
                 struct diagnostics *p);

// The shape itself when it is valid, or what could be made of it, or NULL and a problem. Takes it.
GEOSGeometry *shape_make_valid(struct geometry *g, GEOSGeometry *shape, const struct feature *f,
                               struct diagnostics *p);
// The obstacles as one shape, or the free ground as one when something is walkable. NULL: GEOS
// failed.
GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid);
void shape_include(const struct geometry *g, const GEOSGeometry *shape, struct rectangle *r);

// One WKT shape after the other.
void wkt_read(struct geometry *g, const char *text, struct feature f, struct diagnostics *p);

// GeoJSON. *degrees: are its coordinates longitude and latitude, by what it says itself.
bool geojson_in_degrees(const char *text, size_t length);
void geojson_attribution(const char *text, size_t length, char *out, size_t size); // or ""
void geojson_read(struct geometry *g, const char *text, size_t length, struct feature f,
                  struct diagnostics *p);
