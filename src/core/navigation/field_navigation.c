// The model of fields.
#include "field_kernel.h"
#include "field_velocities.h"

// At most AGENTS_PART agents.
static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a, int64_t first, int64_t end)
{
  field_velocities *const set = in->lanes == 1    ? field_velocities_1
                                : in->lanes == 8  ? field_velocities_8
                                : in->lanes == 16 ? field_velocities_16
                                                  : field_velocities_4;
  set(w, in, a, first, end);
}

static bool reachable(const struct world *w, int32_t destination, struct point p)
{
  return field_reachable(world_field(w, destination, 0), p);
}

static int64_t cost_to_go(const struct world *w, int32_t destination, struct point p)
{
  return field_time(world_field(w, destination, 0), p);
}

const struct navigation_model field_navigation = {.name = "field",
                                                  .uses_destinations = true,
                                                  .uses_grid = true,
                                                  .spreads = true,
                                                  .preferred_velocities = preferred_velocities,
                                                  .reachable = reachable,
                                                  .cost_to_go = cost_to_go};
