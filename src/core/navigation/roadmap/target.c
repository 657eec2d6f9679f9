#include "target.h"

#include "base.h"
#include "length.h"
#include <stdlib.h>

#define SPARE 4 // quanta that a piece keeps off a wall: its end is rounded, and must stay in sight

struct piece_list {
  struct piece *list;
  int64_t count, capacity;
};

static void piece_add(struct piece_list *all, struct piece piece)
{
  if (same_point(piece.a, piece.b)) // its ends were rounded to one place: no way leads inside
    return;
  if (all->count == all->capacity) {
    const int64_t more = 2 * all->capacity + 64;
    all->list = memory_grow(all->list, (size_t)all->count, (size_t)more, sizeof *all->list);
    all->capacity = more;
  }
  all->list[all->count++] = piece;
}

struct cuts { // where walls cross one edge, as shares of it
  double *at;
  int64_t count, capacity;
};

static void cut_add(struct cuts *cuts, double at)
{
  if (cuts->count == cuts->capacity) {
    const int64_t more = 2 * cuts->capacity + 16;
    cuts->at = memory_grow(cuts->at, (size_t)cuts->count, (size_t)more, sizeof *cuts->at);
    cuts->capacity = more;
  }
  cuts->at[cuts->count++] = at;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Where the wall meets the edge. One that runs along it cuts at its ends.
static void wall_cuts(const struct wall *w, struct piece e, struct cuts *cuts)
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

static void cuts_find(const struct obstacles *o, struct piece e, struct cuts *cuts)
{
  cuts->count = 0;
  const struct box box = piece_box(e.a, e.b);
  for (int64_t i = 0; i < o->count; i++) {
    const struct wall *w = &o->walls[i];
    const struct box b = piece_box(w->a, w->b);
    if (b.lo.x <= box.hi.x && box.lo.x <= b.hi.x && b.lo.y <= box.hi.y && box.lo.y <= b.hi.y &&
        wall_touched(w, e.a, e.b))
      wall_cuts(w, e, cuts);
  }
  cut_add(cuts, 0);
  cut_add(cuts, 1);
  qsort(cuts->at, (size_t)cuts->count, sizeof *cuts->at, ascending);
}

static struct point share_of(struct piece e, double at)
{
  return (struct point){(int32_t)floor(e.a.x + at * ((double)e.b.x - e.a.x) + 0.5),
                        (int32_t)floor(e.a.y + at * ((double)e.b.y - e.a.y) + 0.5)};
}

// The pieces between the cuts whose middle is free.
static void edge_pieces(const struct obstacles *o, struct box bounds, struct piece e,
                        struct cuts *cuts, struct piece_list *all)
{
  const double spare = SPARE / ((double)length_between(e.a, e.b) + 1);
  cuts_find(o, e, cuts);
  for (int64_t i = 0; i + 1 < cuts->count; i++) {
    const double from = cuts->at[i] + (cuts->count > 2 ? spare : 0);
    const double to = cuts->at[i + 1] - (cuts->count > 2 ? spare : 0);
    const struct point middle = share_of(e, 0.5 * (from + to));
    if (from >= 0 && to <= 1 && from < to && box_holds(bounds, middle) &&
        !obstacles_solid(o, middle))
      piece_add(all, (struct piece){share_of(e, from), share_of(e, to)});
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

void target_create(struct target *t, const struct outlines *area, const struct obstacles *blocked,
                   struct box bounds)
{
  struct piece_list all = {0};
  struct cuts cuts = {0};
  obstacles_create(&t->area, area, false);
  t->box = points_box(area);
  for (int64_t i = 0; i < t->area.count; i++)
    edge_pieces(blocked, bounds, (struct piece){t->area.walls[i].a, t->area.walls[i].b}, &cuts,
                &all);
  sites_create(&t->edges, all.list, all.count);
  memory_destroy(cuts.at);
  memory_destroy(all.list);
}

void target_destroy(struct target *t)
{
  obstacles_destroy(&t->area);
  sites_destroy(&t->edges);
  *t = (struct target){0};
}
