// The struct behind geometry.h, shared by geometry.c and area.c.
#pragma once
#include "feature.h"
#include "feature_names.h"
#include "geometry.h"
#include "geometry_file.h"

struct geometry_part { // the file, or one text of world.obstacles or world.walkable
  struct location at;
  char option[40];         // for messages
  bool walkable;           // role of its polygons, unless they have one of their own
  struct rectangle bounds; // m
};

struct geometry {
  struct feature_set features; // of world.geometry and of texts of the scenario
  struct feature_set places;   // of world.places
  struct feature_names *names; // of both, once something is looked for by name
  struct shape_list joints;    // ground between walkable polygons, see joints.c
  bool map_is_places;          // world.geometry is one of these files
  char *path;                  // of world.geometry; NULL: there is none
  int part_count;              // of parts with any shape
  struct geometry_part *parts; // [part_count]
  struct rectangle box;        // m, member `bbox` of the file; empty: it has none
  struct text_units units;     // of world.geometry, else of the first file of places
  bool projected;
  struct projection projection; // if projected
  char attribution[300];
};

// Finds the joints between walkable polygons, and warns of each. at: of the ground.
void joints_create(struct geometry *g, struct location at, struct diagnostics *p);

// The obstacles as one shape or, if there are walkable features, the walkable ground without the
// obstacles (*outside_solid). NULL: GEOS failed.
GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid);
// The area clipped to the extent. NULL and an error if nothing is left.
GEOSGeometry *area_inside(const struct geometry_context *in, const struct area *area,
                          struct diagnostics *p);
// Union of the areas inside the extent. NULL on errors, or if GEOS failed.
GEOSGeometry *areas_shape(const struct geometry_context *in, const struct area *areas, int count,
                          struct diagnostics *p);
// All polygons that the query finds, as one shape. NULL and an error if there is none.
GEOSGeometry *feature_shape(struct geometry *g, const struct feature_query *query,
                            struct location at, const char *path, struct diagnostics *p);
// x, y of the only line or point that the query finds. NULL and an error if there is not one. Free
// with memory_destroy.
double *feature_points(const struct geometry *g, const struct feature_query *query,
                       enum geojson_kind kind, const char *path, int *count, struct diagnostics *p);
// Reads the files of places into g->places, in metres. Errors go to p.
void places_add(struct geometry *g, const struct config *c, struct diagnostics *p);

// The ground that is walkable inside the rectangle, in one or several polygons. NULL: GEOS failed.
GEOSGeometry *ground_shape(const struct geometry_context *in, const struct rectangle *inside);
double shape_area(const struct geos_context *s, const GEOSGeometry *shape); // m^2
// The largest polygon, of *count. NULL: there is none.
const GEOSGeometry *largest_polygon(const struct geos_context *s, const GEOSGeometry *ground,
                                    int *count);

// Widens r by the bounding box of the shape.
void shape_include(const struct geometry *g, const GEOSGeometry *shape, struct rectangle *r);
