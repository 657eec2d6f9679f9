#include "grown.h"

#include "base.h"
#include <math.h>

void grown_create(struct grown *g, const struct outlines *lines, bool outside_solid)
{
  *g = (struct grown){0};
  obstacles_create(&g->walls, lines, outside_solid);
  g->after = memory_create((size_t)g->walls.count, sizeof *g->after);
  for (int64_t l = 0; l < lines->count; l++)
    for (int64_t i = lines->start[l]; i < lines->start[l + 1]; i++)
      g->after[i] = (int32_t)(i + 1 < lines->start[l + 1] ? i + 1 : lines->start[l]);
}

void grown_destroy(struct grown *g)
{
  obstacles_destroy(&g->walls);
  memory_destroy(g->after);
  *g = (struct grown){0};
}

// ------------------------------------------------------------------------------ one wall

// Does one who leaves v towards v + (x, y) step into the solid at once? The outline turns from
// a -> v to v -> n there, with the solid on its left.
static bool corner_entered(struct point a, struct point v, struct point n, int64_t x, int64_t y)
{
  const bool first = ((int64_t)v.x - a.x) * y > ((int64_t)v.y - a.y) * x;
  const bool second = ((int64_t)n.x - v.x) * y > ((int64_t)n.y - v.y) * x;
  return turn(a, v, n) > 0 ? first && second : first || second;
}

static bool corner_hides(const struct grown *g, int64_t i, struct point p, struct point q)
{
  const struct wall *w = &g->walls.walls[i];
  const struct point n = g->walls.walls[g->after[i]].b;
  const int64_t x = (int64_t)q.x - p.x, y = (int64_t)q.y - p.y;
  return (!same_point(w->b, q) && corner_entered(w->a, w->b, n, x, y)) ||
         (!same_point(w->b, p) && corner_entered(w->a, w->b, n, -x, -y));
}

// Through the wall, from it into the solid, or through the corner at its end.
static bool wall_hides(const struct grown *g, int64_t i, struct point p, struct point q)
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

bool grown_convex(const struct grown *g, int64_t i)
{
  const struct wall *w = &g->walls.walls[i];
  return turn(w->a, w->b, g->walls.walls[g->after[i]].b) > 0;
}

bool grown_tangent(const struct grown *g, int64_t i, struct point p)
{
  const struct wall *w = &g->walls.walls[i];
  const struct point n = g->walls.walls[g->after[i]].b;
  const int64_t x = (int64_t)p.x - w->b.x, y = (int64_t)p.y - w->b.y;
  return !corner_entered(w->a, w->b, n, x, y) && !corner_entered(w->a, w->b, n, -x, -y);
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
static bool segment_near(const struct segment *s, const struct tree_level *l, int64_t i)
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

static bool leaf_hides(const struct segment *s, int64_t leaf)
{
  const struct obstacles *o = s->walls;
  const int64_t last = (leaf + 1) * TREE_WIDTH, end = last < o->count ? last : o->count;
  for (int64_t k = leaf * TREE_WIDTH; k < end; k++)
    if (segment_near(s, &o->boxes, k) &&
        (s->grown ? wall_hides(s->grown, o->order[k], s->p, s->q)
                  : wall_touched(&o->walls[o->order[k]], s->p, s->q)))
      return true;
  return false;
}

// The children [first, first + TREE_WIDTH) of a level.
static bool children_hide(const struct segment *s, int level, int64_t first)
{
  const struct tree_level *l = &s->walls->tree.level[level];
  const int64_t last = first + TREE_WIDTH, end = last < l->count ? last : l->count;
  for (int64_t i = first; i < end; i++)
    if (segment_near(s, l, i) &&
        (level == 0 ? leaf_hides(s, i) : children_hide(s, level - 1, i * TREE_WIDTH)))
      return true;
  return false;
}

static bool segment_hidden(const struct obstacles *o, const struct grown *g, struct point p,
                           struct point q)
{
  const struct segment s = {p, q, piece_box(p, q), (double)q.x - p.x, (double)q.y - p.y, g, o};
  return o->tree.level_count > 0 && children_hide(&s, o->tree.level_count - 1, 0);
}

bool grown_hides(const struct grown *g, struct point p, struct point q)
{
  return segment_hidden(&g->walls, g, p, q);
}

bool segment_cut(const struct obstacles *o, struct point p, struct point q)
{
  return segment_hidden(o, NULL, p, q);
}
