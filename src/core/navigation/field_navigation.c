#include "preferred_velocity_kernel.h"

#define PREFETCH_AHEAD 12 // agents: covers the latency of memory

static void preferred_velocities(const struct world *w, float dt, int64_t step, struct agents *a)
{
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++) {
    const int64_t later = i + PREFETCH_AHEAD;
    if (later < a->count && a->destination[later] >= 0)
      field_prefetch(&w->fields[a->destination[later]], (struct point){a->x[later], a->y[later]});
    preferred_velocity_set(NAVIGATION_field, w, dt, step, a, i);
  }
}

static bool reachable(const struct world *w, int32_t destination, struct point p)
{
  return field_reachable(&w->fields[destination], p);
}

static int64_t cost_to_go(const struct world *w, int32_t destination, struct point p)
{
  return field_time(&w->fields[destination], p);
}

const struct navigation_model field_navigation = {.name = "field",
                                                  .uses_destinations = true,
                                                  .uses_grid = true,
                                                  .preferred_velocities = preferred_velocities,
                                                  .reachable = reachable,
                                                  .cost_to_go = cost_to_go};
