// Does a way meet a wall? Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"
#include "tree_walk.h"

// Ends included.
INLINE bool segment_meets_wall(struct point p, struct point q, const struct wall *w)
{
  const int a = turn(p, q, w->a), b = turn(p, q, w->b);
  const int c = turn(w->a, w->b, p), d = turn(w->a, w->b, q);
  if (a * b < 0 && c * d < 0)
    return true;
  return (a == 0 && within_segment(p, q, w->a)) || (b == 0 && within_segment(p, q, w->b)) ||
         (c == 0 && within_segment(w->a, w->b, p)) || (d == 0 && within_segment(w->a, w->b, q));
}

INLINE bool boxes_meet(struct box a, struct box b) // hi inside
{
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y;
}

ONE_TEXT bool segment_meets_walls(struct point p, struct point q, const struct obstacles *o)
{
  const struct box box = piece_box(p, q);
  const struct tree_query query = {box, 0, 0};
  struct tree_walk walk;
  int64_t leaf;
  walk_begin(&walk, &o->tree, query);
  while (walk_next(&walk, &leaf))
    for (int64_t i = leaf_first(leaf); i < leaf_end(&o->tree, leaf); i++) {
      const struct wall *w = &o->walls[o->order[i]];
      if (boxes_meet(box, piece_box(w->a, w->b)) && segment_meets_wall(p, q, w))
        return true;
    }
  return false;
}
