#include "spans.h"

#include "base.h"
#include <stdlib.h>

static void span_add(struct spans *s, int64_t lo, int64_t hi)
{
  s->list = memory_reserve(s->list, s->count, &s->capacity, sizeof *s->list);
  s->list[s->count++] = (struct span){lo, hi};
}

static int span_order(const void *a, const void *b)
{
  const struct span *p = a, *q = b;
  if (p->lo != q->lo)
    return p->lo < q->lo ? -1 : 1;
  return (p->hi > q->hi) - (p->hi < q->hi);
}

static int64_t clamp_to(int64_t value, int64_t low, int64_t high)
{
  return value < low ? low : value > high ? high : value;
}

// x of the edge at height y, exact to one quantum. The edge must reach y.
static int64_t edge_x(struct point a, struct point b, int64_t y)
{
  if (a.y == b.y)
    return a.x;
  return a.x + ((int64_t)b.x - a.x) * (y - a.y) / ((int64_t)b.y - a.y);
}

static void edge_add(struct spans *s, struct point a, struct point b, int64_t low, int64_t high)
{
  const int64_t bottom = a.y < b.y ? a.y : b.y, top = a.y < b.y ? b.y : a.y;
  if (top < low || bottom > high)
    return;
  int64_t x0 = edge_x(a, b, clamp_to(low, bottom, top));
  int64_t x1 = edge_x(a, b, clamp_to(high, bottom, top));
  if (a.y == b.y)
    x1 = b.x;
  span_add(s, (x0 < x1 ? x0 : x1) - 1, (x0 < x1 ? x1 : x0) + 1);
}

struct crossing {
  int64_t x;
  int turn; // change of the winding number to the right of it
};

static int crossing_order(const void *a, const void *b)
{
  const struct crossing *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

// Adds the inside of the outlines at exactly y.
static void crossings_add(struct spans *s, const struct outlines *area, int64_t y)
{
  struct crossing *all = memory_create((size_t)area->start[area->count], sizeof *all);
  int64_t count = 0, begin = 0;
  for (int64_t l = 0; l < area->count; l++)
    for (int64_t i = area->start[l]; i < area->start[l + 1]; i++) {
      const struct point a = area->points[i];
      const struct point b = area->points[i + 1 < area->start[l + 1] ? i + 1 : area->start[l]];
      if ((a.y <= y) != (b.y <= y))
        all[count++] = (struct crossing){edge_x(a, b, y), a.y <= y ? -1 : 1};
    }
  if (count)
    qsort(all, (size_t)count, sizeof *all, crossing_order);
  for (int64_t i = 0, winding = 0; i < count; i++) {
    if (winding == 0)
      begin = all[i].x;
    winding += all[i].turn;
    if (winding == 0)
      span_add(s, begin - 1, all[i].x + 1);
  }
  memory_destroy(all);
}

static void spans_merge(struct spans *s)
{
  if (s->count == 0)
    return;
  qsort(s->list, (size_t)s->count, sizeof *s->list, span_order);
  int64_t last_kept = 0;
  for (int64_t i = 1; i < s->count; i++) {
    struct span *last = &s->list[last_kept];
    if (s->list[i].lo > last->hi)
      s->list[++last_kept] = s->list[i];
    else if (s->list[i].hi > last->hi)
      last->hi = s->list[i].hi;
  }
  s->count = last_kept + 1;
}

// Complete because the vertical segment from a point inside to the row either crosses no outline,
// so that its end is inside, or crosses an edge within reach of the row.
void spans_find(struct spans *s, const struct outlines *area, int64_t y, int64_t reach)
{
  s->count = 0;
  crossings_add(s, area, y);
  for (int64_t l = 0; l < area->count; l++)
    for (int64_t i = area->start[l]; i < area->start[l + 1]; i++)
      edge_add(s, area->points[i],
               area->points[i + 1 < area->start[l + 1] ? i + 1 : area->start[l]], y - reach,
               y + reach);
  spans_merge(s);
}

void spans_destroy(struct spans *s)
{
  memory_destroy(s->list);
  *s = (struct spans){0};
}
