// Whether a segment touches walls. Exact.
#pragma once
#include "box_tree_query.h"
#include "exact.h"
#include "obstacles_inside_kernel.h"

// Whether the segment p-q touches the wall, ends included.
INLINE bool wall_crossing(struct point p, struct point q, const struct wall *w)
{
  const int a = orientation(p, q, w->a), b = orientation(p, q, w->b);
  const int c = orientation(w->a, w->b, p), d = orientation(w->a, w->b, q);
  if (a * b < 0 && c * d < 0)
    return true;
  return (a == 0 && on_segment(p, q, w->a)) || (b == 0 && on_segment(p, q, w->b)) ||
         (c == 0 && on_segment(w->a, w->b, p)) || (d == 0 && on_segment(w->a, w->b, q));
}

INLINE bool box_overlaps_closed(struct box a, struct box b) // hi inside
{
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y;
}

HOST_DEVICE bool obstacles_crossing(struct point p, struct point q, const struct obstacles *o)
{
  const struct box box = segment_box(p, q);
  if (o->raster && ground_has_no_wall(o->raster, box)) // most steps of agents
    return false;
  const struct box_tree_query query = {box, 0, 0};
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, &o->tree, query);
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t i = box_tree_leaf_begin(leaf); i < box_tree_leaf_end(&o->tree, leaf); i++) {
      const struct wall *w = &o->walls[o->order[i]];
      if (box_overlaps_closed(box, segment_box(w->a, w->b)) && wall_crossing(p, q, w))
        return true;
    }
  return false;
}
