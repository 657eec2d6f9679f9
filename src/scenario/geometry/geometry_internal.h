// The struct behind geometry.h, shared by geometry.c and area.c.
#pragma once
#include "feature.h"
#include "geometry.h"

struct geometry {
  struct feature_set features;
  bool projected;
  double longitude, latitude; // degrees, of (0, 0) m
  char attribution[300];
};

// The obstacles as one shape or, if there are walkable features, the walkable ground without the
// obstacles (*outside_solid). NULL: GEOS failed.
GEOSGeometry *walls_shape(struct geometry *g, double tolerance, bool *outside_solid);
// Widens r by the bounding box of the shape.
void shape_include(const struct geometry *g, const GEOSGeometry *shape, struct rectangle *r);
