// Walls: directed segments with solid ground on their left, made from outlines. An obstacle is a
// counter-clockwise outline; a hole in it (free ground) is a clockwise one. A walkable area is a
// clockwise outline with `outside_solid`. An open line becomes walls in both directions.
#pragma once
#include "box_tree.h"
#include "position.h"

// Closed or open lines of points; line l is points[start[l] .. start[l + 1]).
struct outlines {
  int64_t count;        // lines
  int64_t *start;       // [count + 1]
  struct point *points; // [start[count]]; a closed line does not repeat its first point
  uint8_t *closed;      // [count]
};

struct wall {
  struct point a, b;          // quanta; solid on the left of a -> b
  float ux, uy;               // unit direction a -> b
  float before_x, before_y;   // unit direction of the wall that ends in a
  float after_x, after_y;     // unit direction of the wall that begins in b
  uint8_t convex_a, convex_b; // the solid's corner there is convex, or an open line ends there
};

struct obstacles {
  int64_t count;
  struct wall *walls;           // [count], in the order of the outlines: the index is the wall's id
  bool outside_solid;           // ground outside every outline is solid
  struct box_tree tree;         // over the walls' boxes; its item k is wall order[k]
  int32_t *order;               // [count]
  struct box_tree_level boxes;  // [count], of the walls, in the order of the tree
  struct row_index *rows;       // walls by row of the plane; NULL without walls
  struct ground_raster *raster; // likewise: solid and free cells
};

bool outlines_is_valid(const struct outlines *lines); // each line has two points or more

void obstacles_create(struct obstacles *o, const struct outlines *lines, bool outside_solid);
void obstacles_destroy(struct obstacles *o);

// Whether p is strictly inside solid ground. Exact; a point on a wall is not inside.
bool obstacles_solid(const struct obstacles *o, struct point p);
// How many of the points (x[k], y[k]) are.
int64_t obstacles_count_solid(const struct obstacles *o, const int32_t *x, const int32_t *y,
                              int64_t count);

// Whether the segment p-q touches the wall, ends included. Exact.
bool wall_crossed(const struct wall *w, struct point p, struct point q);
// Whether the segment p-q touches any wall. Exact.
bool obstacles_crossed(const struct obstacles *o, struct point p, struct point q);
// Whether any wall is closer to p than distance (quanta). Exact.
bool obstacles_near(const struct obstacles *o, struct point p, int32_t distance);
