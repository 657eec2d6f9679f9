// The geometry of a scenario in metres: walls, walkable ground and areas from its file and from
// inline shapes, checked and projected.
#pragma once
#include "config.h"
#include "obstacles.h"
#include "position.h"
#include <stdio.h>

struct geometry;
struct projection;
struct text_units;

struct rectangle { // m; empty while lo > hi
  double lo[2], hi[2];
};
struct rectangle rectangle_empty(void);
void rectangle_include(struct rectangle *r, double x, double y);

// What turns shapes in metres into outlines in quanta.
struct geometry_context {
  struct geometry *geometry;
  const struct config *config;
  const struct frame *frame;
  const struct rectangle *extent; // shapes are clipped to it; the frame holds all of it
};

// labels: walls keep their properties, which scene_write needs. NULL and errors if the geometry
// cannot be used.
struct geometry *geometry_create(const struct config *c, bool labels, struct diagnostics *p);
void geometry_destroy(struct geometry *g);

// Gives metres to every option that is written in longitude and latitude, and points to every line
// or point that is a feature. False and errors where that cannot be done.
bool geometry_place(const struct geometry *g, struct config *c, struct diagnostics *p);

// Points of a table in longitude and latitude.
struct lonlat_points {
  const char *name;   // for messages
  struct location at; // of the table
  int64_t count;
  // Sets *xy to the point i, or to NULL if it has none, and returns its line.
  int (*of)(void *context, int64_t i, double **xy);
  void *context;
};
// Gives them metres. False and errors where that cannot be done.
bool geometry_place_points(const struct geometry *g, struct config *c, struct lonlat_points *points,
                           struct diagnostics *p);

// How degrees become metres here; NULL: nothing says where (0, 0) m is.
const struct projection *geometry_projection(const struct geometry *g);

// What `throng check` says about the files of places, and which features nothing refers to; NULL:
// nothing. Free with memory_destroy.
char *geometry_describe_places(const struct geometry *g, const struct config *c);

// What `throng check` says about the crs of the map or, without one, of the first file of places;
// NULL: nothing. Free with memory_destroy.
char *geometry_describe_crs(const struct geometry *g);
// Compares what another file says with that. An error if the two do not fit together.
void geometry_check_crs(struct geometry *g, const struct text_units *units, struct location at,
                        struct diagnostics *p);

const char *geometry_attribution(const struct geometry *g); // credit that the file asks for, or ""

// Widen r by all of the geometry, with the bbox of its file, or by one area. An area `border`
// depends on the extent and adds nothing. False and an error if the area is invalid.
void geometry_bounds(const struct geometry *g, struct rectangle *r);
bool area_bounds(struct geometry *g, const struct config *c, const struct area *area,
                 struct rectangle *r, struct diagnostics *p);

// Writes map.geojson of a run. False: out of disk space.
bool scene_write(const struct geometry_context *in, FILE *out);

// Warns of geometry that lies outside the extent. Error: all walkable ground does.
void geometry_check_extent(const struct geometry *g, const struct config *c,
                           const struct rectangle *extent, struct diagnostics *p);

// Walls inside in->extent; creates walls in any case. False and an error if GEOS fails.
bool geometry_walls(const struct geometry_context *in, struct outlines *walls, bool *outside_solid,
                    struct diagnostics *p);

// The walkable ground inside the rectangle as WKT, m: a polygon with holes, without doors. Walls
// that are lines are 2 cm thick. Of separate parts the largest, with a warning. Free
// with memory_destroy. NULL and an error if GEOS fails or nothing is walkable.
char *geometry_walkable(const struct geometry_context *in, const struct rectangle *inside,
                        struct diagnostics *p);

// Size of the union of areas[count] without walls, m^2. Negative if GEOS failed or on errors.
double areas_free_area(const struct geometry_context *in, const struct area *areas, int count,
                       struct diagnostics *p);

// Outlines of the union of areas[count]; creates out in any case. False and an error if one of the
// areas is invalid, or empty inside the extent.
bool areas_outlines(const struct geometry_context *in, const struct area *areas, int count,
                    struct outlines *out, struct diagnostics *p);

// Outline of a line through points[count], in m; creates out in any case. False and an error if it
// leaves the world. path: the option, for messages.
bool points_outline(const struct geometry_context *in, const struct number_list *points,
                    struct location at, const char *path, struct outlines *out,
                    struct diagnostics *p);
// Outline of a WKT LINESTRING, in m; creates out in any case. False and an error otherwise.
// path: the option, for messages.
bool line_outline(const struct geometry_context *in, const char *wkt, struct location at,
                  const char *path, struct outlines *out, struct diagnostics *p);
