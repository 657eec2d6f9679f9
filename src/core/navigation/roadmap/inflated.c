#include "inflated.h"

#include "base.h"
#include "sight_line_kernel.h"

void inflated_create(struct inflated *g, const struct outlines *lines, bool outside_solid)
{
  *g = (struct inflated){0};
  obstacles_create(&g->walls, lines, outside_solid);
  g->after = memory_create((size_t)g->walls.count, sizeof *g->after);
  for (int64_t l = 0; l < lines->count; l++)
    for (int64_t i = lines->start[l]; i < lines->start[l + 1]; i++)
      g->after[i] = (int32_t)(i + 1 < lines->start[l + 1] ? i + 1 : lines->start[l]);
}

void inflated_destroy(struct inflated *g)
{
  obstacles_destroy(&g->walls);
  memory_destroy(g->after);
  *g = (struct inflated){0};
}

// ------------------------------------------------------------------------------ one wall

bool inflated_convex(const struct inflated *g, int64_t i)
{
  const struct wall *w = &g->walls.walls[i];
  return orientation(w->a, w->b, g->walls.walls[g->after[i]].b) > 0;
}

bool inflated_tangent(const struct inflated *g, int64_t i, struct point p)
{
  const struct wall *w = &g->walls.walls[i];
  const struct point n = g->walls.walls[g->after[i]].b;
  const int64_t x = (int64_t)p.x - w->b.x, y = (int64_t)p.y - w->b.y;
  return !corner_enters_solid(w->a, w->b, n, x, y) && !corner_enters_solid(w->a, w->b, n, -x, -y);
}

// ------------------------------------------------------------------------------ a segment

bool inflated_blocks(const struct inflated *g, struct point p, struct point q)
{
  return segment_blocked(&g->walls, g, p, q);
}

bool segment_crosses(const struct obstacles *o, struct point p, struct point q)
{
  return segment_blocked(o, NULL, p, q);
}
