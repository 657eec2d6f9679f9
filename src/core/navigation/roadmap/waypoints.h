// An index of waypoints, points or segments of an outline, each with its cost to go: finds the
// lowest |p - waypoint| + cost to go without visiting all.
#pragma once
#include "box_tree.h"
#include "exact.h"
#include "integer_length.h"

#define WAYPOINTS_UNREACHED INT64_MAX // cost to go: there is no path

struct waypoints {
  int64_t count;
  struct segment *segments; // [count] the waypoints; a point is a segment of length 0
  int32_t *order;           // [count] the waypoint at each position of the tree
  struct box_tree tree;
};

// The directions x from a waypoint of the points whose shortest path bends there: a x x >= 0, x x b
// >= 0.
struct tangent_wedge {
  struct point a, b; // quanta; both (0, 0): any direction
};

// The cost to go of each waypoint, and the minimum below each node of the tree.
struct cost_to_go {
  int64_t *of; // [count] quanta; NULL: 0 everywhere
  int64_t *least[BOX_TREE_LEVELS_MAX];
  struct tangent_wedge *tangent_wedges; // [count] NULL: any direction everywhere
};

void waypoints_create(struct waypoints *s, const struct segment *segments,
                      int64_t count); // copies the segments
void waypoints_destroy(struct waypoints *s);
void cost_to_go_refit(struct cost_to_go *r,
                      const struct waypoints *s); // updates the minima after `of` has changed
void cost_to_go_destroy(struct cost_to_go *r);

INLINE struct point waypoints_nearest_point(const struct waypoints *s, int32_t place,
                                            struct point p) // the closest point of the waypoint
{
  const struct segment *one = &s->segments[place];
  return same_point(one->a, one->b) ? one->a : length_foot(p, one->a, one->b);
}
