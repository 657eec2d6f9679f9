// Line-of-sight tests, exact. They visit only the walls near the segment, not those of its whole
// bounding box, so they suit segments of hundreds of metres.
#pragma once
#include "box_tree_descent.h"
#include "inflated.h"
#include "obstacles_crossing_kernel.h"

#include <math.h>

// ------------------------------------------------------------------------------ one wall

// Does a ray that leaves the corner v in direction (x, y) enter the solid at once? The outline
// turns from a -> v to v -> n, with the solid on its left.
INLINE bool corner_enters_solid(struct point a, struct point v, struct point n, int64_t x,
                                int64_t y)
{
  const bool first = ((int64_t)v.x - a.x) * y > ((int64_t)v.y - a.y) * x;
  const bool second = ((int64_t)n.x - v.x) * y > ((int64_t)n.y - v.y) * x;
  return orientation(a, v, n) > 0 ? first && second : first || second;
}

INLINE bool corner_blocks(const struct inflated *g, int64_t i, struct point p, struct point q)
{
  const struct wall *w = &g->walls.walls[i];
  const struct point n = g->walls.walls[g->after[i]].b;
  const int64_t x = (int64_t)q.x - p.x, y = (int64_t)q.y - p.y;
  return (!same_point(w->b, q) && corner_enters_solid(w->a, w->b, n, x, y)) ||
         (!same_point(w->b, p) && corner_enters_solid(w->a, w->b, n, -x, -y));
}

// Through the wall, from it into the solid, or through the corner at its end.
INLINE bool inflated_wall_blocks(const struct inflated *g, int64_t i, struct point p,
                                 struct point q)
{
  const struct wall *w = &g->walls.walls[i];
  const int a = orientation(p, q, w->a), b = orientation(p, q, w->b);
  if (b == 0)
    return on_segment(p, q, w->b) && corner_blocks(g, i, p, q);
  if (a * b >= 0)
    return false;
  const int c = orientation(w->a, w->b, p), d = orientation(w->a, w->b, q);
  return c * d < 0 || (c == 0 && d > 0) || (d == 0 && c > 0);
}

// ---------------------------------------------------------------------------- the search

struct sight_line {
  struct point p, q;
  struct box box;                  // hi inside
  double x, y;                     // q - p
  const struct inflated *inflated; // NULL: any contact with a wall counts
  const struct obstacles *walls;
};

// May the segment meet the box? Rounding errs towards yes.
INLINE bool sight_line_near(const struct sight_line *s, const struct box_tree_level *l, int64_t i)
{
  if (l->lo_x[i] > s->box.hi.x || s->box.lo.x > l->hi_x[i] || l->lo_y[i] > s->box.hi.y ||
      s->box.lo.y > l->hi_y[i])
    return false;
  const double width = (double)l->hi_x[i] - l->lo_x[i], height = (double)l->hi_y[i] - l->lo_y[i];
  const double x = l->lo_x[i] + 0.5 * width - s->p.x, y = l->lo_y[i] + 0.5 * height - s->p.y;
  const double u = s->x * y, v = s->y * x;
  return fabs(u - v) <= 0.5 * (fabs(s->x) * height + fabs(s->y) * width) * (1 + 1e-9) +
                            1e-12 * (fabs(u) + fabs(v)) + 1;
}

HOST_DEVICE bool leaf_blocks(const struct sight_line *s, int64_t leaf)
{
  const struct obstacles *o = s->walls;
  const int64_t last = (leaf + 1) * BOX_TREE_WIDTH, end = last < o->count ? last : o->count;
  for (int64_t k = leaf * BOX_TREE_WIDTH; k < end; k++)
    if (sight_line_near(s, &o->boxes, k) &&
        (s->inflated ? inflated_wall_blocks(s->inflated, o->order[k], s->p, s->q)
                     : wall_crossing(s->p, s->q, &o->walls[o->order[k]])))
      return true;
  return false;
}

// Do the walls o block the segment? With g, whose walls they are, it may follow outlines
// (inflated_blocks).
HOST_DEVICE bool segment_blocked(const struct obstacles *o, const struct inflated *g,
                                 struct point p, struct point q)
{
  const struct sight_line s = {p, q, segment_box(p, q), (double)q.x - p.x, (double)q.y - p.y, g, o};
  struct box_tree_descent d;
  box_tree_descent_begin(&d, &o->tree);
  while (!box_tree_descent_done(&d)) {
    const bool near = sight_line_near(&s, &o->tree.level[d.level], d.node);
    if (near && d.level > 0) {
      box_tree_descent_enter(&d);
      continue;
    }
    if (near && leaf_blocks(&s, d.node))
      return true;
    box_tree_descent_skip(&d);
  }
  return false;
}
