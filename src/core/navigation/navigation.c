#include "navigation.h"

#include "preferred_velocity_kernel.h"

#define PREFETCH_AHEAD 12 // agents: so long does memory take

// Whoever looks round pays for many who do not: the roadmap's share is dealt out in small parts.
static void prefer_all_by_roadmap(const struct world *w, float dt, int64_t step, struct agents *a)
{
#pragma omp parallel for schedule(dynamic, 64) if (a->count > 256)
  for (int64_t i = 0; i < a->count; i++)
    preferred_velocity_set(w, dt, step, a, i);
}

void navigation_preferred_velocities(const struct world *w, float dt, int64_t step,
                                     struct agents *a)
{
  if (w->roadmap.destination_count > 0) {
    prefer_all_by_roadmap(w, dt, step, a);
    return;
  }
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++) {
    const int64_t later = i + PREFETCH_AHEAD;
    if (later < a->count && a->destination[later] >= 0)
      field_prefetch(&w->fields[a->destination[later]], (struct point){a->x[later], a->y[later]});
    preferred_velocity_set(w, dt, step, a, i);
  }
}

int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           uint8_t *gone)
{
  const int64_t radius = frame_length(&w->frame, goal_radius);
  int64_t count = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : count)
  for (int64_t i = 0; i < a->count; i++) {
    gone[i] = has_arrived(w, radius, a, i);
    count += gone[i];
  }
  return count;
}
