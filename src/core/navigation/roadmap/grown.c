#include "grown.h"

#include "base.h"
#include "segment_hidden.h"

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

// ------------------------------------------------------------------------------ a segment

bool grown_hides(const struct grown *g, struct point p, struct point q)
{
  return segment_hidden(&g->walls, g, p, q);
}

bool segment_cut(const struct obstacles *o, struct point p, struct point q)
{
  return segment_hidden(o, NULL, p, q);
}
