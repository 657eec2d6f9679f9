// Shapes in metres, by GEOS, and their outlines in quanta.
#pragma once
#include "diagnostics.h"
#include "obstacles.h"
#include "position.h"
#include <geos_c.h>

struct geos_context { // a GEOS handle and its last error message
  GEOSContextHandle_t geos;
  char error[240];
};

void geos_context_create(struct geos_context *s);
void geos_context_destroy(struct geos_context *s);
// The last error message, without the name of the exception that GEOS puts before it.
const char *geos_context_message(const struct geos_context *s);

// A growing list of shapes, which it owns.
struct shape_list {
  GEOSGeometry **shapes;
  unsigned count, capacity;
};
void shape_list_add(struct shape_list *list, GEOSGeometry *shape); // takes ownership
void shape_list_destroy(struct geos_context *s, struct shape_list *list);

// Bounding box. False: the shape is empty.
bool shape_bounds(const struct geos_context *s, const GEOSGeometry *shape, double lo[2],
                  double hi[2]);
bool shape_is_finite(const struct geos_context *s, const GEOSGeometry *shape); // every coordinate
GEOSGeometry *shape_rectangle(const struct geos_context *s, const double lo[2], const double hi[2]);
// A polygon with vertices x y x y ..., points[2 count]; NULL if GEOS refuses it.
GEOSGeometry *shape_polygon(const struct geos_context *s, const double *points, int64_t count);
// Union of all shapes of the list; an empty list gives an empty shape. NULL: GEOS failed.
GEOSGeometry *shape_union(const struct geos_context *s, const struct shape_list *list);
// The part inside the rectangle. Takes ownership of the shape. NULL: GEOS failed.
GEOSGeometry *shape_clip(const struct geos_context *s, GEOSGeometry *shape, const double lo[2],
                         const double hi[2]);

// Appends the polygons and lines of a shape as outlines in quanta; points are dropped, and so are
// rings that vanish by rounding. Rings of polygons that are solid inside run counter-clockwise
// outside and clockwise around holes; free_inside reverses them. The frame must hold all of the
// shape.
void shape_outlines(const struct geos_context *s, const GEOSGeometry *shape,
                    const struct frame *frame, bool free_inside, struct outlines *out);
void outlines_create(struct outlines *o); // empty
// Call nothing else that adds lines to `to`.
void outlines_append(struct outlines *to, const struct outlines *from);
void outlines_destroy(struct outlines *o);
double outlines_area(const struct outlines *o, double quantum); // m^2, signed, of closed outlines
