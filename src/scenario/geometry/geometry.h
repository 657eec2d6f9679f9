// The ground of a scenario in metres: its file and its inline shapes, read, checked, projected.
#pragma once
#include "config.h"
#include "obstacles.h"
#include "position.h"

struct geometry;

// A file named in a scenario lies beside it, unless its name begins with a slash.
char *path_resolve(const char *scenario, const char *file);

// NULL when there are problems.
struct geometry *geometry_create(const struct config *c, struct diagnostics *p);
void geometry_destroy(struct geometry *g);

// Metres east and north of (lon0, lat0), if its file was in degrees.
bool geometry_is_projected(const struct geometry *g, double *longitude, double *latitude);

const char *geometry_attribution(const struct geometry *g); // whom its file asks to name, or ""

struct rectangle { // m; empty while lo > hi
  double lo[2], hi[2];
};
struct rectangle rectangle_empty(void);
void rectangle_include(struct rectangle *r, double x, double y);

// Widens r by everything of the geometry, or by one area; an area `border` has no place of its
// own. False and a problem when the area makes no sense.
void geometry_bounds(const struct geometry *g, struct rectangle *r);
bool area_bounds(struct geometry *g, const struct config *c, const struct area *area,
                 struct rectangle *r, struct diagnostics *p);

// The walls inside the clip, which the frame holds. False and a problem when GEOS fails.
bool geometry_walls(struct geometry *g, const struct config *c, const struct frame *frame,
                    const struct rectangle *clip, struct outlines *walls, bool *outside_solid,
                    struct diagnostics *p);

// How much of the areas inside the extent, taken as one, is no wall, m^2; negative: GEOS failed.
double areas_free_area(struct geometry *g, const struct config *c, const struct area *areas,
                       int count, const struct rectangle *extent, struct diagnostics *p);
// The outline of a WKT line, m, on the frame's integers. False and a problem when it is none.
bool line_outline(struct geometry *g, const char *wkt, struct location at, const char *path,
                  const struct frame *frame, struct outlines *out, struct diagnostics *p);

// The areas inside the extent as one: where they overlap they are united. out is created in any
// case. False and a problem when nothing of one is there.
bool areas_outlines(struct geometry *g, const struct config *c, const struct area *areas, int count,
                    const struct frame *frame, const struct rectangle *extent, struct outlines *out,
                    struct diagnostics *p);
