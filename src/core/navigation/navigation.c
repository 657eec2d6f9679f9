#include "navigation.h"

#include "deadlock.h"
#include "preferred_velocity_kernel.h"
#include <assert.h>

static void set_part(const struct world *w, const struct navigation_input *in, struct agents *a,
                     int64_t first)
{
  const int64_t end = agents_part_end(a, first);
  const struct deadlock_input deadlock = {in->seed, in->step, in->deadlock_timeout};
  navigation_models[w->navigation].preferred_velocities(w, in, a, first, end);
  zones_apply(&w->zones, a, first, end);
  deadlock_apply(a, first, end, &deadlock);
}

void navigation_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                     struct agents *a)
{
  assert(world_is_valid(w) && in->dt > 0);
  if (navigation_models[w->navigation].is_uneven) {
#pragma omp parallel for schedule(dynamic, 1) if (a->count > 4 * AGENTS_PART)
    for (int64_t first = 0; first < a->count; first += AGENTS_PART)
      set_part(w, in, a, first);
  } else {
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
    for (int64_t first = 0; first < a->count; first += AGENTS_PART)
      set_part(w, in, a, first);
  }
}

int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           int64_t first, int64_t end, uint8_t *gone)
{
  const int64_t radius = frame_length(&w->frame, goal_radius);
  int64_t count = 0;
  for (int64_t i = first; i < end; i++) {
    gone[i] = has_arrived(w, radius, a, i);
    count += gone[i];
  }
  return count;
}
