// Equirectangular projection of longitude and latitude around a centre, with WGS84 radii.
#pragma once
#include "shape.h"

struct projection {
  double longitude, latitude; // degrees, of (0, 0) m
  double east, north;         // m per degree
};

struct projection projection_create(double longitude, double latitude);
// Transforms all shapes of a list from degrees to metres.
void shape_list_project(const struct geos_context *s, struct shape_list *list,
                        struct projection projection);
