#include "navigation.h"

#include "field_look.h"
#include "roadmap_look.h"

#include <math.h>

static void prefer_towards(const struct world *w, float dt, struct agents *a, int64_t i,
                           struct point goal)
{
  const float quantum = frame_quantum(&w->frame);
  const float dx = (float)(goal.x - a->x[i]) * quantum;
  const float dy = (float)(goal.y - a->y[i]) * quantum;
  const float distance = sqrtf(dx * dx + dy * dy);
  const float in_one_step = distance / dt;
  const float speed = a->speed[i] < in_one_step ? a->speed[i] : in_one_step;
  const float scale = distance > 0 ? speed / distance : 0;
  a->prefer_x[i] = scale * dx;
  a->prefer_y[i] = scale * dy;
}

static void prefer_straight(const struct world *w, float dt, struct agents *a, int64_t i)
{
  prefer_towards(w, dt, a, i, (struct point){a->goal_x[i], a->goal_y[i]});
}

static void prefer_by_roadmap(const struct world *w, float dt, int64_t step, struct agents *a,
                              int64_t i)
{
  const struct roadmap *r = &w->roadmap;
  const struct point at = {a->x[i], a->y[i]};
  const uint64_t turn = (uint64_t)step + (uint64_t)a->id[i];
  const int32_t reach = (int32_t)(a->radius[i] / frame_quantum(&w->frame)); // below 2^23
  a->aim[i] = roadmap_follow(r, a->destination[i], at, a->aim[i], reach, turn);
  prefer_towards(w, dt, a, i, roadmap_ahead(r, a->destination[i], at, a->aim[i]));
}

static void prefer_along(const struct field *f, struct agents *a, int64_t i)
{
  float x, y;
  field_direction(f, (struct point){a->x[i], a->y[i]}, &x, &y);
  a->prefer_x[i] = a->speed[i] * x;
  a->prefer_y[i] = a->speed[i] * y;
}

// Does one still stand, not knowing where to go? It ends when its step has come.
static bool reacts(struct agents *a, int64_t i, int64_t step)
{
  if (a->doing[i] != DOING_REACT)
    return false;
  if (step < a->until[i])
    return true;
  a->doing[i] = DOING_WALK;
  return false;
}

static void prefer_to_stand(struct agents *a, int64_t i)
{
  a->prefer_x[i] = 0;
  a->prefer_y[i] = 0;
}

#define AHEAD 12 // agents: so long does memory take

// Whoever looks round pays for many who do not: the roadmap's share is dealt out in small parts.
static void prefer_all_by_roadmap(const struct world *w, float dt, int64_t step, struct agents *a)
{
#pragma omp parallel for schedule(dynamic, 64) if (a->count > 256)
  for (int64_t i = 0; i < a->count; i++)
    if (reacts(a, i, step))
      prefer_to_stand(a, i);
    else if (a->destination[i] < 0)
      prefer_straight(w, dt, a, i);
    else
      prefer_by_roadmap(w, dt, step, a, i);
}

void navigation_prefer(const struct world *w, float dt, int64_t step, struct agents *a)
{
  if (w->roadmap.target_count > 0) {
    prefer_all_by_roadmap(w, dt, step, a);
    return;
  }
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_FROM)
  for (int64_t i = 0; i < a->count; i++) {
    const int64_t later = i + AHEAD;
    if (later < a->count && a->destination[later] >= 0)
      field_expect(&w->fields[a->destination[later]], (struct point){a->x[later], a->y[later]});
    if (reacts(a, i, step))
      prefer_to_stand(a, i);
    else if (a->destination[i] < 0)
      prefer_straight(w, dt, a, i);
    else
      prefer_along(&w->fields[a->destination[i]], a, i);
  }
}

static bool at_goal(const struct agents *a, int64_t i, int64_t radius) // exact; quanta
{
  const int64_t dx = (int64_t)a->goal_x[i] - a->x[i], dy = (int64_t)a->goal_y[i] - a->y[i];
  const int64_t limit = INT32_MAX; // squares of less fit
  return dx > -limit && dx < limit && dy > -limit && dy < limit &&
         dx * dx + dy * dy <= radius * radius;
}

int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           uint8_t *gone)
{
  const int64_t radius = frame_length(&w->frame, goal_radius);
  int64_t count = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_FROM) reduction(+ : count)
  for (int64_t i = 0; i < a->count; i++) {
    const struct point at = {a->x[i], a->y[i]};
    gone[i] = a->doing[i] == DOING_WALK &&
              (a->destination[i] < 0         ? at_goal(a, i, radius)
               : w->roadmap.target_count > 0 ? roadmap_arrived(&w->roadmap, a->destination[i], at)
                                             : field_arrived(&w->fields[a->destination[i]], at));
    count += gone[i];
  }
  return count;
}
