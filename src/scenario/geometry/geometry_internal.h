// The struct behind geometry.h, shared by geometry.c and area.c.
#pragma once
#include "feature.h"
#include "geometry.h"

struct geometry_part { // the file, or one text of world.obstacles or world.walkable
  struct location at;
  char option[40];         // for messages
  bool walkable;           // role of its polygons, unless they have one of their own
  struct rectangle bounds; // m
};

struct geometry {
  struct feature_set features;
  char *path;                  // of the file; NULL: there is none
  int part_count;              // of parts with any shape
  struct geometry_part *parts; // [part_count]
  bool projected;
  double longitude, latitude; // degrees, of (0, 0) m
  char attribution[300];
};

// The obstacles as one shape or, if there are walkable features, the walkable ground without the
// obstacles (*outside_solid). NULL: GEOS failed.
GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid);
// Widens r by the bounding box of the shape.
void shape_include(const struct geometry *g, const GEOSGeometry *shape, struct rectangle *r);
