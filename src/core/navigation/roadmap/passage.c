// The passages of a roadmap: the width of the gap beside each corner at which a path turns.
//
// A path reaches a corner along a wall and leaves it towards the next waypoint. The normals of
// these two directions enclose a wedge that opens outwards. The distance to the nearest wall in
// the wedge is the width of the gap: in a door, to the opposite jamb; if the path turns into an
// alley, to the opposite wall of the alley; if it goes on along the street, to the opposite side
// of the street. A line parallel to the path, at a constant distance from it, turns on the middle
// line of the wedge, farther from the corner than that distance (a mitre).
#include "base.h"
#include "box_tree_descent.h"
#include "integer_length.h"
#include "roadmap.h"

#include <assert.h>
#include <math.h>

#define MITRE   1.4142136 // the longest, of a right angle: nobody goes farther out to turn back
#define WIDENED 0.25      // tangent of the angle by which the wedge is wider on either side
#define TURN    (-0.5)    // least cosine of the angle between the ways

struct vector {
  double x, y;
};

struct wall_list {
  const struct wall **walls;
  int64_t count, capacity;
};

struct wedge { // from a corner
  struct point at;
  struct vector first, last; // from `first` counter-clockwise to `last`
};

static double det_of(struct vector a, struct vector b)
{
  return a.x * b.y - a.y * b.x;
}

static struct vector vector_from(struct point from, struct point to)
{
  return (struct vector){(double)to.x - from.x, (double)to.y - from.y};
}

static struct vector unit_of(struct vector v)
{
  const double length = sqrt(v.x * v.x + v.y * v.y);
  return (struct vector){v.x / length, v.y / length};
}

// Limits [*from, *to] to where before + t (after - before) >= 0.
static void range_limit(double before, double after, double *from, double *to)
{
  if (before < 0 && after < 0) {
    *from = 1;
    *to = 0;
  } else if (before < 0) {
    const double t = before / (before - after);
    *from = t > *from ? t : *from;
  } else if (after < 0) {
    const double t = before / (before - after);
    *to = t < *to ? t : *to;
  }
}

// From the corner to the part of the wall in the wedge; HUGE_VAL: there is none.
static double distance_in_wedge(const struct wedge *g, const struct wall *w)
{
  const struct vector a = vector_from(g->at, w->a), b = vector_from(g->at, w->b);
  const struct vector e = {b.x - a.x, b.y - a.y};
  double from = 0, to = 1;
  range_limit(det_of(g->first, a), det_of(g->first, b), &from, &to);
  range_limit(det_of(a, g->last), det_of(b, g->last), &from, &to);
  if (from > to)
    return HUGE_VAL;
  const double foot = -(a.x * e.x + a.y * e.y) / (e.x * e.x + e.y * e.y);
  const double t = foot < from ? from : foot > to ? to : foot;
  const double x = a.x + t * e.x, y = a.y + t * e.y;
  return sqrt(x * x + y * y);
}

// How many times m lies between the corner and the wall.
static double distance_along(struct point at, struct vector m, const struct wall *w)
{
  const struct vector a = vector_from(at, w->a), e = vector_from(w->a, w->b);
  const double across = det_of(m, e);
  if (across == 0)
    return HUGE_VAL;
  const double t = det_of(a, m) / across, s = det_of(a, e) / across;
  return t >= 0 && t <= 1 && s > 0 ? s : HUGE_VAL;
}

// The same, to the bounds.
static double distance_to_bounds(struct point at, struct vector m, struct box b)
{
  const double x = m.x > 0   ? (b.hi.x - 1.0 - at.x) / m.x
                   : m.x < 0 ? (b.lo.x - at.x) / m.x
                             : HUGE_VAL;
  const double y = m.y > 0   ? (b.hi.y - 1.0 - at.y) / m.y
                   : m.y < 0 ? (b.lo.y - at.y) / m.y
                             : HUGE_VAL;
  return x < y ? x : y;
}

static void wall_list_append(struct wall_list *l, const struct wall *w)
{
  l->walls = memory_reserve(l->walls, l->count, &l->capacity, sizeof(struct wall *));
  l->walls[l->count++] = w;
}

static void leaf_append(struct wall_list *l, const struct obstacles *o, struct point at,
                        int64_t leaf)
{
  const int64_t last = (leaf + 1) * BOX_TREE_WIDTH, end = last < o->count ? last : o->count;
  for (int64_t k = leaf * BOX_TREE_WIDTH; k < end; k++) {
    const struct wall *w = &o->walls[o->order[k]];
    if (!same_point(w->a, at) && !same_point(w->b, at))
      wall_list_append(l, w);
  }
}

// The walls within reach, without the two that meet in the corner; a few more do no harm.
static void walls_find(const struct obstacles *o, struct point at, int64_t reach,
                       struct wall_list *l)
{
  struct box_tree_descent d;
  l->count = 0;
  box_tree_descent_begin(&d, &o->tree);
  while (!box_tree_descent_done(&d)) {
    const struct box_tree_level *t = &o->tree.level[d.level];
    const struct box box = {{t->lo_x[d.node], t->lo_y[d.node]}, {t->hi_x[d.node], t->hi_y[d.node]}};
    const bool near = length_to_box(at, box) <= reach;
    if (near && d.level > 0) {
      box_tree_descent_enter(&d);
      continue;
    }
    if (near)
      leaf_append(l, o, at, d.node);
    box_tree_descent_skip(&d);
  }
}

// Outwards: a quarter turn away from the solid.
static struct vector outwards(struct vector way, int bend)
{
  return (struct vector){bend * way.y, -bend * way.x};
}

// to, from: unit directions of the ways to the corner and from it.
static struct wedge wedge_of(struct point at, struct vector to, struct vector from, int bend)
{
  const struct vector n = outwards(to, bend), m = outwards(from, bend);
  const struct vector before = {n.x - WIDENED * to.x, n.y - WIDENED * to.y};
  const struct vector after = {m.x + WIDENED * from.x, m.y + WIDENED * from.y};
  return bend > 0 ? (struct wedge){at, before, after} : (struct wedge){at, after, before};
}

// The displacement of a line 1 beside both ways.
static struct vector mitre_of(struct vector to, struct vector from, int bend)
{
  const struct vector b = outwards((struct vector){to.x + from.x, to.y + from.y}, bend);
  const double length = sqrt(b.x * b.x + b.y * b.y), mitre = 2 / length;
  const double scale = (mitre < MITRE ? mitre : MITRE) / length;
  return (struct vector){scale * b.x, scale * b.y};
}

// Of a gap that is wider than the most, agents use less: they keep together around a corner in the
// open, as a way farther outside would only be longer.
static double width_used(const struct roadmap *r, double width)
{
  const double most = r->passage_most, margins = 2.0 * r->passage_margin;
  const double less = 2 * most - (width - margins);
  return fmin(width, fmax(less, 0.5 * most) + margins);
}

static struct passage passage_measure(const struct roadmap *r, int32_t destination, int32_t u,
                                      const struct wall_list *near, struct box bounds)
{
  const struct wall *walls = r->inflated.walls.walls, *w = &walls[r->corners[u]];
  const struct point at = r->nodes[u], end = walls[r->inflated.after[r->corners[u]]].b;
  struct point next;
  const int bend = roadmap_bend(r, destination, u, &next);
  if (bend == 0 || same_point(at, next))
    return (struct passage){0};
  const struct vector to = unit_of(vector_from(bend > 0 ? w->a : end, at));
  const struct vector from = unit_of(vector_from(at, next));
  if (to.x * from.x + to.y * from.y < TURN)
    return (struct passage){0};
  const struct wedge wedge = wedge_of(at, to, from, bend);
  const struct vector mitre = mitre_of(to, from, bend);
  double width = distance_to_bounds(at, mitre, bounds);
  for (int64_t k = 0; k < near->count; k++)
    width = fmin(width, fmin(distance_in_wedge(&wedge, near->walls[k]),
                             distance_along(at, mitre, near->walls[k])));
  width = width_used(r, width);
  if (width <= 2.0 * r->passage_margin)
    return (struct passage){0};
  return (struct passage){(float)(0.5 * width * mitre.x), (float)(0.5 * width * mitre.y),
                          (float)(bend * (1 - 2.0 * r->passage_margin / width))};
}

void roadmap_measure_passages(struct roadmap *r, struct box bounds, float margin, float most)
{
  assert(r->trees && margin >= 0 && most > 0);
  if (r->street_graph)
    return;
  r->passage_margin = margin;
  r->passage_most = most;
  const int64_t reach = (int64_t)(1.5f * (1.5f * most + 2 * margin)) + 1; // the longest mitre
  for (int32_t k = 0; k < r->destination_count; k++) {
    memory_destroy(r->trees[k].passages);
    r->trees[k].passages = memory_create((size_t)r->node_count, sizeof(struct passage));
  }
#pragma omp parallel
  {
    struct wall_list near = {0};
#pragma omp for schedule(dynamic, 16)
    for (int64_t u = 0; u < r->node_count; u++) {
      walls_find(&r->inflated.walls, r->nodes[u], reach, &near);
      for (int32_t k = 0; k < r->destination_count; k++)
        r->trees[k].passages[u] = passage_measure(r, k, (int32_t)u, &near, bounds);
    }
    memory_destroy(near.walls);
  }
}
