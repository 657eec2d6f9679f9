#include "preferred_velocity_kernel.h"

static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a)
{
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++)
    preferred_velocity_set(NAVIGATION_direct, w, in, a, i);
}

const struct navigation_model direct_navigation = {.name = "direct",
                                                   .preferred_velocities = preferred_velocities};
