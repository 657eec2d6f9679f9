// Goals of agents that walk straight to a point: inside the world, and where an agent can arrive.
#include "demand_internal.h"
#include <math.h>
#include <stdlib.h>

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

// ------------------------------------------------------------------------- meeting points

#define MEETING_DENSITY 2.0 // persons/m^2: people who wait for each other stand at 1 to 2

struct meeting {
  struct point at;
  double people;
};

static int by_place(const void *a, const void *b)
{
  const struct point p = ((const struct meeting *)a)->at, q = ((const struct meeting *)b)->at;
  return p.x != q.x ? (p.x > q.x) - (p.x < q.x) : (p.y > q.y) - (p.y < q.y);
}

static double source_people(const struct source *s, double end)
{
  return s->has_inflow ? inflow_due(&s->inflow, end) : (double)s->count;
}

// The most people with one goal.
static double most_people(struct meeting *all, int64_t count)
{
  double most = 0, here = 0;
  qsort(all, (size_t)count, sizeof *all, by_place);
  for (int64_t i = 0; i < count; i++) {
    here = i > 0 && by_place(&all[i - 1], &all[i]) == 0 ? here + all[i].people : all[i].people;
    most = fmax(most, here);
  }
  return most;
}

int32_t demand_meeting_reach(const struct demand *d)
{
  const struct frame *frame = &d->world->frame;
  struct meeting *all =
      memory_create((size_t)(d->source_count + d->agent_table.count), sizeof *all);
  int64_t count = 0;
  for (int i = 0; i < d->source_count; i++)
    if (d->sources[i].goal == GOAL_POINT)
      all[count++] =
          (struct meeting){d->sources[i].point, source_people(&d->sources[i], d->config->time.end)};
  for (int64_t i = 0; i < d->agent_table.count; i++) {
    const struct agent_row *row = &d->agent_table.rows[i];
    if (row->has_goal)
      all[count++] = (struct meeting){frame_point(frame, row->goal[0], row->goal[1]), 1};
  }
  const double people = fmax(most_people(all, count), 1);
  memory_destroy(all);
  return frame_length(frame, d->config->goal.radius + sqrt(people / (MEETING_DENSITY * M_PI)));
}

// --------------------------------------------------------------------- goals behind walls

#define SAMPLES_MAX 1024 // agents and inflows that are looked at

struct hidden { // of the agents looked at
  int64_t count, hidden;
};

// Is there a wall on the straight way to the goal, or on from stop to stop of a journey? Each leg
// leads to the first of its stops.
static bool way_is_hidden(const struct demand *d, const struct agents *a, int64_t i)
{
  const struct itinerary *it = &d->itinerary;
  struct point at = {a->x[i], a->y[i]};
  int32_t leg = agent_stage(a, i);
  if (leg < 0)
    return obstacles_crossed(&d->world->obstacles, at, (struct point){a->goal_x[i], a->goal_y[i]});
  for (int32_t k = 0; leg >= 0 && k < it->leg_count; k++, leg = it->legs[leg].next) { // some repeat
    const struct point stop = outlines_nearest(&d->destinations[it->legs[leg].places[0]], at);
    if (obstacles_crossed(&d->world->obstacles, at, stop))
      return true;
    at = stop;
  }
  return false;
}

static void look(struct hidden *h, const struct demand *d, const struct agents *a)
{
  h->count++;
  h->hidden += way_is_hidden(d, a, a->count - 1);
}

static void look_at_starts(struct hidden *h, const struct demand *d, struct agents *a)
{
  const int64_t count = d->count, samples = count < SAMPLES_MAX ? count : SAMPLES_MAX;
  for (int64_t k = 0; k < samples; k++) {
    const int64_t number = (int64_t)((double)count * (double)k / (double)samples);
    demand_agents(d, number, number + 1, a);
    look(h, d, a);
  }
}

static void look_at_inflows(struct hidden *h, const struct demand *d, struct agents *a)
{
  struct point at;
  for (int k = 0; k < d->inflow_count && k < SAMPLES_MAX; k++)
    for (int64_t try = 0; try < 4096; try++)
      if (demand_entry_point(d, k, -1, try, &at)) {
        demand_append_arrival(d, k, demand_next_id(d), at, 0, a);
        look(h, d, a);
        break;
      }
}

void demand_check_goals_in_sight(const struct demand *d, const struct demand_input *in,
                                 struct diagnostics *p)
{
  struct hidden h = {0};
  struct agents a;
  if (world_has_routes(in->world) || in->world->obstacles.count == 0 || in->routes_change)
    return;
  agents_create(&a, 0);
  look_at_starts(&h, d, &a);
  look_at_inflows(&h, d, &a);
  agents_destroy(&a);
  if (h.hidden)
    diagnostics_warning(
        p, origin_location(in->config, &in->config->from, "navigation.model"),
        "navigation.model: direct leads straight on, but %.3g %% of the agents have a wall between "
        "them and their goal, and may never arrive; field and roadmap lead to destinations around "
        "walls",
        100.0 * (double)h.hidden / (double)h.count);
}
