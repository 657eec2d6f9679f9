#include "navigation.h"

#include "preferred_velocity_kernel.h"
#include <assert.h>

#define X(name) extern const struct navigation_model name##_navigation;
NAVIGATION_MODELS(X)
#undef X

const struct navigation_model *const navigation_models[NAVIGATION_COUNT] = {
#define X(name) &name##_navigation,
    NAVIGATION_MODELS(X)
#undef X
};

void navigation_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                     struct agents *a)
{
  assert(world_is_valid(w) && in->dt > 0);
  navigation_models[w->navigation]->preferred_velocities(w, in, a);
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
