// Equirectangular projection of longitude and latitude around a centre, with WGS84 radii.
#pragma once
#include "shape.h"
#include <stdio.h>

struct projection {
  double longitude, latitude; // degrees, of (0, 0) m
  double east, north;         // m per degree
};

struct projection projection_create(double longitude, double latitude);
void projection_apply(const struct projection *to, double *x, double *y);   // degrees to metres
void projection_reverse(const struct projection *to, double *x, double *y); // metres to degrees
// Prints the corners [lo, hi] (m) in degrees, and the projection, for `throng check`.
void projection_describe(const struct projection *to, const double lo[2], const double hi[2],
                         FILE *out);
// Transforms the shapes of a list behind the first ones from degrees to metres.
void shape_list_project(const struct geos_context *s, struct shape_list *list, unsigned first,
                        struct projection projection);
