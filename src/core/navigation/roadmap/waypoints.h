// An index of places one may head for, points or straight pieces of an outline, each with the way
// that remains from it: the least |p - place| + remaining first, without looking at all of them.
#pragma once
#include "box_tree.h"
#include "exact.h"
#include "integer_length.h"

#define WAYPOINTS_UNREACHED INT64_MAX // remaining: no way leads from there

struct waypoints {
  int64_t count;
  struct segment *segments; // [count] the places; a point is a piece of no length
  int32_t *order;           // [count] the place at each seat of the tree
  struct box_tree tree;
};

// The directions x, from a place, of those whose shortest way bends there: a x x >= 0, x x b >= 0.
struct tangent_wedge {
  struct point a, b; // quanta; both (0, 0): from anywhere
};

// What remains from each place, and the least below each node of the tree.
struct cost_to_go {
  int64_t *of; // [count] quanta; NULL: nothing remains from any
  int64_t *least[BOX_TREE_LEVELS_MAX];
  struct tangent_wedge *tangent_wedges; // [count] who has reason to head there; NULL: everybody
};

void waypoints_create(struct waypoints *s, const struct segment *segments,
                      int64_t count); // copies the pieces
void waypoints_destroy(struct waypoints *s);
void cost_to_go_refit(struct cost_to_go *r,
                      const struct waypoints *s); // after `of` was set: the rest
void cost_to_go_destroy(struct cost_to_go *r);

INLINE struct point waypoints_nearest_point(const struct waypoints *s, int32_t place,
                                            struct point p) // nearest
{
  const struct segment *one = &s->segments[place];
  return same_point(one->a, one->b) ? one->a : length_foot(p, one->a, one->b);
}
