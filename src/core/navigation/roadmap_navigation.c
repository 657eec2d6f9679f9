#include "preferred_velocity_kernel.h"

static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a, int64_t first, int64_t end)
{
  for (int64_t i = first; i < end; i++)
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
                                                    .is_uneven = true, // the search for a waypoint
                                                    .preferred_velocities = preferred_velocities,
                                                    .reachable = reachable,
                                                    .cost_to_go = cost_to_go};
