// Does anything hide one end of a segment from the other? Exact, and only what the segment itself
// may meet is visited, not all of its box: for segments of hundreds of metres.
#pragma once
#include "cut.h"
#include "grown.h"
#include "tree_descent.h"

#include <math.h>

// ------------------------------------------------------------------------------ one wall

// Does one who leaves v towards v + (x, y) step into the solid at once? The outline turns from
// a -> v to v -> n there, with the solid on its left.
INLINE bool corner_entered(struct point a, struct point v, struct point n, int64_t x, int64_t y)
{
  const bool first = ((int64_t)v.x - a.x) * y > ((int64_t)v.y - a.y) * x;
  const bool second = ((int64_t)n.x - v.x) * y > ((int64_t)n.y - v.y) * x;
  return turn(a, v, n) > 0 ? first && second : first || second;
}

INLINE bool corner_hides(const struct grown *g, int64_t i, struct point p, struct point q)
{
  const struct wall *w = &g->walls.walls[i];
  const struct point n = g->walls.walls[g->after[i]].b;
  const int64_t x = (int64_t)q.x - p.x, y = (int64_t)q.y - p.y;
  return (!same_point(w->b, q) && corner_entered(w->a, w->b, n, x, y)) ||
         (!same_point(w->b, p) && corner_entered(w->a, w->b, n, -x, -y));
}

// Through the wall, from it into the solid, or through the corner at its end.
INLINE bool grown_wall_hides(const struct grown *g, int64_t i, struct point p, struct point q)
{
  const struct wall *w = &g->walls.walls[i];
  const int a = turn(p, q, w->a), b = turn(p, q, w->b);
  if (b == 0)
    return within_segment(p, q, w->b) && corner_hides(g, i, p, q);
  if (a * b >= 0)
    return false;
  const int c = turn(w->a, w->b, p), d = turn(w->a, w->b, q);
  return c * d < 0 || (c == 0 && d > 0) || (d == 0 && c > 0);
}

// ------------------------------------------------------------------------------ the walk

struct segment {
  struct point p, q;
  struct box box;            // hi inside
  double x, y;               // q - p
  const struct grown *grown; // NULL: any touch of a wall counts
  const struct obstacles *walls;
};

// May the segment meet the box? Rounding is on the side of yes.
INLINE bool segment_near(const struct segment *s, const struct tree_level *l, int64_t i)
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

ONE_TEXT bool leaf_hides(const struct segment *s, int64_t leaf)
{
  const struct obstacles *o = s->walls;
  const int64_t last = (leaf + 1) * TREE_WIDTH, end = last < o->count ? last : o->count;
  for (int64_t k = leaf * TREE_WIDTH; k < end; k++)
    if (segment_near(s, &o->boxes, k) &&
        (s->grown ? grown_wall_hides(s->grown, o->order[k], s->p, s->q)
                  : segment_meets_wall(s->p, s->q, &o->walls[o->order[k]])))
      return true;
  return false;
}

// By walls o; with g, which they are of then, their outlines may be walked along (grown_hides).
ONE_TEXT bool segment_hidden(const struct obstacles *o, const struct grown *g, struct point p,
                             struct point q)
{
  const struct segment s = {p, q, piece_box(p, q), (double)q.x - p.x, (double)q.y - p.y, g, o};
  struct descent d;
  descent_begin(&d, &o->tree);
  while (!descent_over(&d)) {
    const bool near = segment_near(&s, &o->tree.level[d.level], d.node);
    if (near && d.level > 0) {
      descent_into(&d);
      continue;
    }
    if (near && leaf_hides(&s, d.node))
      return true;
    descent_past(&d);
  }
  return false;
}
