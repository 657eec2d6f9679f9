#include "preferred_velocity_kernel.h"

static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a, int64_t first, int64_t end)
{
  for (int64_t i = first; i < end; i++)
    preferred_velocity_set(NAVIGATION_direct, w, in, a, i);
}

const struct navigation_model direct_navigation = {.name = "direct",
                                                   .preferred_velocities = preferred_velocities};
