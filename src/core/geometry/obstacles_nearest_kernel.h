// The point of the walls nearest to a point. Whole quanta: the same on every machine.
#pragma once
#include "box_tree_query.h"
#include "exact.h"
#include "integer_length.h"
#include "obstacles.h"

INLINE uint64_t squared_distance(struct point p, struct point q) // quanta^2
{
  const int64_t x = (int64_t)p.x - q.x, y = (int64_t)p.y - q.y;
  return (uint64_t)(x * x) + (uint64_t)(y * y);
}

// The wall that is nearest to a point, and its nearest point; -1: none is within reach (quanta). Of
// walls equally near, the first in the tree.
HOST_DEVICE int64_t obstacles_nearest_wall(const struct obstacles *o, struct point p, int32_t reach,
                                           struct point *nearest)
{
  const float far = 1.0001f * (float)reach + 2.0f; // the query rounds
  const struct box_tree_query query = {{p, p}, far * far, 0};
  uint64_t least = (uint64_t)reach * (uint64_t)reach + 1;
  struct box_tree_cursor cursor;
  int64_t leaf, wall = -1;
  *nearest = p;
  box_tree_query_begin(&cursor, &o->tree, query);
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t i = box_tree_leaf_begin(leaf); i < box_tree_leaf_end(&o->tree, leaf); i++) {
      const struct wall *w = &o->walls[o->order[i]];
      const struct point foot = length_foot(p, w->a, w->b);
      const uint64_t distance = squared_distance(p, foot);
      if (distance < least) {
        least = distance;
        *nearest = foot;
        wall = o->order[i];
      }
    }
  return wall;
}

// False: no wall is within reach.
INLINE bool obstacles_nearest(const struct obstacles *o, struct point p, int32_t reach,
                              struct point *nearest)
{
  return obstacles_nearest_wall(o, p, reach, nearest) >= 0;
}
