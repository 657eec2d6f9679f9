// Shapes in metres through GEOS, and from shapes the outlines in quanta that core knows.
#pragma once
#include "diagnostics.h"
#include "obstacles.h"
#include "position.h"
#include <geos_c.h>

struct geos_context { // one GEOS context and the last thing it complained about
  GEOSContextHandle_t geos;
  char error[240];
};

void geos_context_create(struct geos_context *s);
void geos_context_destroy(struct geos_context *s);

// A growing list of shapes that it owns.
struct shape_list {
  GEOSGeometry **shapes;
  unsigned count, capacity;
};
void shape_list_add(struct shape_list *list, GEOSGeometry *shape); // takes it
void shape_list_destroy(struct geos_context *s, struct shape_list *list);

bool shape_bounds(const struct geos_context *s, const GEOSGeometry *shape, double lo[2],
                  double hi[2]);
bool shape_is_finite(const struct geos_context *s, const GEOSGeometry *shape); // every coordinate
GEOSGeometry *shape_rectangle(const struct geos_context *s, const double lo[2], const double hi[2]);
// A closed ring of count points x y x y ...; NULL when GEOS refuses it.
GEOSGeometry *shape_polygon(const struct geos_context *s, const double *points, int64_t count);
// The union of all polygons of the list; an empty list gives an empty shape.
GEOSGeometry *shape_union(const struct geos_context *s, const struct shape_list *list);
// The part inside the rectangle; takes shape. NULL: GEOS failed.
GEOSGeometry *shape_clip(const struct geos_context *s, GEOSGeometry *shape, const double lo[2],
                         const double hi[2]);

// Appends a shape's polygons and lines as outlines on the frame's integers, without points and
// rings that vanish there. Polygons are solid inside (free_inside: solid outside), which gives
// the direction of their rings. Every coordinate must be held by the frame.
void shape_outlines(const struct geos_context *s, const GEOSGeometry *shape,
                    const struct frame *frame, bool free_inside, struct outlines *out);
void outlines_create(struct outlines *o); // empty
void outlines_destroy(struct outlines *o);
double outlines_area(const struct outlines *o, double quantum); // m^2, of closed ones, signed

// Corner i of n on the unit circle, the same bits everywhere, exactly mirrored: no libm.
void circle_point(int64_t i, int64_t n, double *x, double *y);
void quarter_turn(double t, double *sine, double *cosine); // of t quarters of a turn, in [0, 1]
