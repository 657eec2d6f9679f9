#include "roadmap_reference.h"

#include "base.h"
#include "integer_length.h"

void reference_paths_create(struct reference_paths *w, const struct roadmap *r, struct box bounds)
{
  const struct obstacles *o = &r->inflated.walls;
  *w = (struct reference_paths){.roadmap = r, .bounds = bounds};
  w->at = memory_create((size_t)o->count, sizeof *w->at);
  for (int64_t i = 0; i < o->count; i++)
    if (box_holds(bounds, o->walls[i].b) && !obstacles_solid(o, o->walls[i].b))
      w->at[w->count++] = o->walls[i].b;
  w->visible = memory_create((size_t)(w->count * w->count), 1);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t u = 0; u < w->count; u++)
    for (int64_t v = 0; v < w->count; v++)
      w->visible[u * w->count + v] = !inflated_blocks(&r->inflated, w->at[u], w->at[v]);
}

void reference_paths_destroy(struct reference_paths *w)
{
  memory_destroy(w->at);
  memory_destroy(w->visible);
}

static double apart(struct point p, struct point q)
{
  return hypot((double)q.x - p.x, (double)q.y - p.y);
}

// Straight to the nearest point of an edge in sight.
static double leg_length(const struct roadmap *r, int32_t destination, struct point p)
{
  const struct waypoints *edges = &r->destinations[destination].edges;
  double least = destination_holds(&r->destinations[destination], p) ? 0 : HUGE_VAL;
  for (int32_t e = 0; e < edges->count && least > 0; e++) {
    const struct point q = waypoints_nearest_point(edges, e, p);
    if (apart(p, q) < least && !inflated_blocks(&r->inflated, p, q))
      least = apart(p, q);
  }
  return least;
}

double *reference_paths_to(const struct reference_paths *w, int32_t destination)
{
  double *length = memory_create((size_t)w->count, sizeof *length);
  uint8_t *done = memory_create((size_t)w->count, 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t u = 0; u < w->count; u++)
    length[u] = leg_length(w->roadmap, destination, w->at[u]);
  for (;;) {
    int64_t u = -1;
    for (int64_t v = 0; v < w->count; v++)
      if (!done[v] && length[v] < HUGE_VAL && (u < 0 || length[v] < length[u]))
        u = v;
    if (u < 0)
      break;
    done[u] = 1;
    for (int64_t v = 0; v < w->count; v++)
      if (!done[v] && w->visible[u * w->count + v])
        length[v] = fmin(length[v], length[u] + apart(w->at[u], w->at[v]));
  }
  memory_destroy(done);
  return length;
}

double reference_path(const struct reference_paths *w, const double *to, int32_t destination,
                      struct point p)
{
  double least = leg_length(w->roadmap, destination, p);
  for (int64_t u = 0; u < w->count; u++) {
    const double length = apart(p, w->at[u]) + to[u];
    if (length < least && !inflated_blocks(&w->roadmap->inflated, p, w->at[u]))
      least = length;
  }
  return least;
}
