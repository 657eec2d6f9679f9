#include "destination.h"

#include "base.h"
#include "integer_length.h"
#include <stdlib.h>

#define WALL_MARGIN 4 // quanta between a segment and a wall: rounded ends must stay visible

struct segment_list {
  struct segment *list;
  int64_t count, capacity;
};

static void segment_list_append(struct segment_list *all, struct segment segment)
{
  if (same_point(segment.a, segment.b)) // both ends rounded to one point: no way leads inside
    return;
  all->list = memory_reserve(all->list, all->count, &all->capacity, sizeof *all->list);
  all->list[all->count++] = segment;
}

struct cuts { // crossings of walls with one edge, as fractions of its length
  double *at;
  int64_t count, capacity;
};

static void cut_add(struct cuts *cuts, double at)
{
  cuts->at = memory_reserve(cuts->at, cuts->count, &cuts->capacity, sizeof *cuts->at);
  cuts->at[cuts->count++] = at;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Where the wall crosses the edge. A collinear wall cuts at its ends.
static void wall_cuts(const struct wall *w, struct segment e, struct cuts *cuts)
{
  const double x = (double)e.b.x - e.a.x, y = (double)e.b.y - e.a.y;
  const double u = (double)w->b.x - w->a.x, v = (double)w->b.y - w->a.y;
  const double dx = (double)w->a.x - e.a.x, dy = (double)w->a.y - e.a.y;
  const double across = x * v - y * u;
  if (across != 0) {
    cut_add(cuts, (dx * v - dy * u) / across);
    return;
  }
  cut_add(cuts, (dx * x + dy * y) / (x * x + y * y));
  cut_add(cuts, ((dx + u) * x + (dy + v) * y) / (x * x + y * y));
}

static void cuts_find(const struct obstacles *o, struct segment e, struct cuts *cuts)
{
  cuts->count = 0;
  const struct box box = segment_box(e.a, e.b);
  for (int64_t i = 0; i < o->count; i++) {
    const struct wall *w = &o->walls[i];
    const struct box b = segment_box(w->a, w->b);
    if (b.lo.x <= box.hi.x && box.lo.x <= b.hi.x && b.lo.y <= box.hi.y && box.lo.y <= b.hi.y &&
        wall_crossed(w, e.a, e.b))
      wall_cuts(w, e, cuts);
  }
  cut_add(cuts, 0);
  cut_add(cuts, 1);
  qsort(cuts->at, (size_t)cuts->count, sizeof *cuts->at, ascending);
}

static struct point share_of(struct segment e, double at)
{
  return (struct point){(int32_t)floor(e.a.x + at * ((double)e.b.x - e.a.x) + 0.5),
                        (int32_t)floor(e.a.y + at * ((double)e.b.y - e.a.y) + 0.5)};
}

// The segments between the cuts whose midpoint is free.
static void edge_segments(const struct obstacles *o, struct box bounds, struct segment e,
                          struct cuts *cuts, struct segment_list *all)
{
  const double spare = WALL_MARGIN / ((double)length_between(e.a, e.b) + 1);
  cuts_find(o, e, cuts);
  for (int64_t i = 0; i + 1 < cuts->count; i++) {
    const double from = cuts->at[i] + (cuts->count > 2 ? spare : 0);
    const double to = cuts->at[i + 1] - (cuts->count > 2 ? spare : 0);
    const struct point middle = share_of(e, 0.5 * (from + to));
    if (from >= 0 && to <= 1 && from < to && box_holds(bounds, middle) &&
        !obstacles_solid(o, middle))
      segment_list_append(all, (struct segment){share_of(e, from), share_of(e, to)});
  }
}

static struct box points_box(const struct outlines *o)
{
  struct box box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < o->start[o->count]; i++) {
    const struct point q = o->points[i];
    box = box_union(box, (struct box){q, {q.x + 1, q.y + 1}});
  }
  return box;
}

void destination_create(struct destination *t, const struct outlines *area,
                        const struct obstacles *blocked, struct box bounds)
{
  struct segment_list all = {0};
  struct cuts cuts = {0};
  obstacles_create(&t->area, area, false);
  t->box = points_box(area);
  for (int64_t i = 0; i < t->area.count; i++)
    edge_segments(blocked, bounds, (struct segment){t->area.walls[i].a, t->area.walls[i].b}, &cuts,
                  &all);
  waypoints_create(&t->edges, all.list, all.count);
  memory_destroy(cuts.at);
  memory_destroy(all.list);
}

void destination_destroy(struct destination *t)
{
  obstacles_destroy(&t->area);
  waypoints_destroy(&t->edges);
  *t = (struct destination){0};
}
