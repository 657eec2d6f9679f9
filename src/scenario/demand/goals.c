// Goals of agents that walk straight to a point: inside the world, and where an agent can arrive.
#include "demand_internal.h"
#include <math.h>

static struct point segment_nearest(struct point a, struct point b, struct point p)
{
  const double bx = (double)b.x - a.x, by = (double)b.y - a.y;
  const double px = (double)p.x - a.x, py = (double)p.y - a.y;
  const double length2 = bx * bx + by * by, along = px * bx + py * by;
  if (along <= 0 || length2 <= 0)
    return a;
  if (along >= length2)
    return b;
  const double t = along / length2;
  return (struct point){a.x + (int32_t)lrint(t * bx), a.y + (int32_t)lrint(t * by)};
}

// Whether p is inside the closed outlines (even-odd rule). Exact.
static bool outlines_contain(const struct outlines *o, struct point p)
{
  bool inside = false;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++) {
      const struct point a = o->points[i];
      const struct point b = o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]];
      if ((a.y > p.y) == (b.y > p.y))
        continue;
      const int64_t left = ((int64_t)b.x - a.x) * ((int64_t)p.y - a.y);
      const int64_t right = ((int64_t)b.y - a.y) * ((int64_t)p.x - a.x);
      inside ^= b.y > a.y ? left > right : left < right;
    }
  return inside;
}

struct point outlines_nearest(const struct outlines *o, struct point p)
{
  if (outlines_contain(o, p))
    return p;
  struct point best = p;
  double least = HUGE_VAL;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++) {
      const struct point b = o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]];
      const struct point q = segment_nearest(o->points[i], b, p);
      const double x = (double)q.x - p.x, y = (double)q.y - p.y, d2 = x * x + y * y;
      if (d2 < least) {
        least = d2;
        best = q;
      }
    }
  return best;
}

static bool box_encloses(struct box b, int64_t x, int64_t y) // its border included
{
  return x >= b.lo.x && x <= b.hi.x && y >= b.lo.y && y <= b.hi.y;
}

enum goal_place goal_place(const struct demand_input *in, struct point goal)
{
  const struct world *w = in->world;
  if (!box_encloses(w->bounds, goal.x, goal.y))
    return GOAL_OUTSIDE;
  if (!obstacles_solid(&w->obstacles, goal))
    return GOAL_FREE;
  const int32_t radius = frame_length(&w->frame, in->config->goal.radius);
  return in->routes_change || obstacles_near(&w->obstacles, goal, radius) ? GOAL_INSIDE_NEAR
                                                                          : GOAL_INSIDE;
}

enum goal_place goal_place_at(const struct demand_input *in, double x, double y)
{
  const struct frame *frame = &in->world->frame;
  return frame_holds(frame, x, y) ? goal_place(in, frame_point(frame, x, y)) : GOAL_OUTSIDE;
}

#define REGION_TRIES 4096

bool region_has_goal(const struct demand_input *in, const struct region *r, int64_t number)
{
  bool any = false;
  for (int64_t try = 0; try < REGION_TRIES; try++) {
    const struct random4 random =
        random_words((uint64_t)in->config->seed, -1 - number, try, RANDOM_GOAL);
    const struct point q = region_point(r, random.word[0], random.word[1]);
    if (!obstacles_solid(&r->inside, q))
      continue;
    any = true;
    if (goal_place(in, q) < GOAL_INSIDE)
      return true;
  }
  return !any; // too thin for random points
}

bool outlines_have_goal(const struct demand_input *in, const struct outlines *o, int64_t number)
{
  for (int64_t i = 0; i < o->start[o->count]; i++)
    if (goal_place(in, o->points[i]) < GOAL_INSIDE)
      return true;
  struct region r = {.box = outlines_box(o)};
  obstacles_create(&r.inside, o, false);
  const bool any = region_has_goal(in, &r, number);
  region_destroy(&r);
  return any;
}

void source_check_goal(const struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  const double *goal = s->config->goal.values;
  const struct location at = origin_location(in->config, &s->config->from, "goal");
  const char *path = s->config->from.path;
  switch (goal_place_at(in, goal[0], goal[1])) {
  case GOAL_FREE:
    return;
  case GOAL_INSIDE_NEAR:
    diagnostics_warning(p, at, "%s.goal: (%.10g, %.10g) lies inside a wall", path, goal[0],
                        goal[1]);
    return;
  case GOAL_INSIDE:
    diagnostics_error(p, at,
                      "%s.goal: (%.10g, %.10g) lies inside a wall, with no free ground within "
                      "goal.radius (%.10g m)",
                      path, goal[0], goal[1], in->config->goal.radius);
    return;
  case GOAL_OUTSIDE:
    diagnostics_error(p, at, "%s.goal: (%.10g, %.10g) lies outside world.extent", path, goal[0],
                      goal[1]);
    return;
  }
}

void source_check_relative_goals(const struct source *s, const struct demand_input *in,
                                 const struct point *starts, int64_t count, struct diagnostics *p)
{
  const bool mirrored = s->goal == GOAL_OPPOSITE;
  const int64_t factor = mirrored ? 2 : 1, sign = mirrored ? -1 : 1;
  for (int64_t i = 0; i < count; i++) {
    const int64_t x = factor * s->point.x + sign * starts[i].x;
    const int64_t y = factor * s->point.y + sign * starts[i].y;
    if (!box_encloses(in->world->bounds, x, y)) {
      diagnostics_error(
          p, origin_location(in->config, &s->config->from, mirrored ? "opposite" : "offset"),
          "%s.%s: goals lie outside world.extent", s->config->from.path,
          mirrored ? "opposite" : "offset");
      return;
    }
  }
}
