#include "preferred_velocity_kernel.h"

// An agent that searches for a waypoint costs as much as many that do not: threads share the agents
// in small parts.
static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a)
{
#pragma omp parallel for schedule(dynamic, 64) if (a->count > 256)
  for (int64_t i = 0; i < a->count; i++)
    preferred_velocity_set(NAVIGATION_roadmap, w, in, a, i);
}

static bool reachable(const struct world *w, int32_t destination, struct point p)
{
  return roadmap_reachable(&w->roadmap, destination, p);
}

static int64_t cost_to_go(const struct world *w, int32_t destination, struct point p)
{
  return roadmap_path_length(&w->roadmap, destination, p);
}

const struct navigation_model roadmap_navigation = {.name = "roadmap",
                                                    .uses_destinations = true,
                                                    .uses_graph = true,
                                                    .spreads = true,
                                                    .preferred_velocities = preferred_velocities,
                                                    .reachable = reachable,
                                                    .cost_to_go = cost_to_go};
