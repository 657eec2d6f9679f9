// Walls: directed segments with solid ground on their left, made from closed outlines.
// An obstacle is a counter-clockwise outline, a hole in it (free ground) a clockwise one;
// a walkable area is a clockwise outline with `outside_solid`. Open lines are walls both ways.
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
  uint8_t convex_a, convex_b; // the solid's corner there is convex (or ends there)
};

struct obstacles {
  int64_t count;
  struct wall *walls;          // [count], in the order of the outlines: the index is the wall's id
  bool outside_solid;          // ground outside every outline is solid
  struct box_tree tree;        // over the walls' boxes, in an order of its own:
  int32_t *order;              // [count] the wall at a place of the tree
  struct box_tree_level boxes; // of the walls, by place of the tree
  struct row_index *rows;      // which walls cross a row of the plane
};

void obstacles_create(struct obstacles *o, const struct outlines *lines, bool outside_solid);
void obstacles_destroy(struct obstacles *o);

// Is p strictly inside solid ground? Exact; a point on a wall is not.
bool obstacles_solid(const struct obstacles *o, struct point p);

// Does the segment p-q touch the wall (ends included)? Exact.
bool wall_crossed(const struct wall *w, struct point p, struct point q);
// Does any wall touch the segment p-q? Exact.
bool obstacles_crossed(const struct obstacles *o, struct point p, struct point q);
// Is any wall closer to p than that (quanta)? Exact.
bool obstacles_near(const struct obstacles *o, struct point p, int32_t distance);
