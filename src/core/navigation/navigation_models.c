// The table of the navigation models.
#include "navigation_model.h"

#include "preferred_velocity_kernel.h"

static void direct_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                        struct agents *a, int64_t first, int64_t end)
{
  PREFERRED_VELOCITIES_OF(direct, in->lanes)(w, in, a, first, end);
}

// ------------------------------------------------------------------------------------------ field

static void field_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                       struct agents *a, int64_t first, int64_t end)
{
  PREFERRED_VELOCITIES_OF(field, in->lanes)(w, in, a, first, end);
}

static bool has_field_route(const struct world *w, int32_t destination, struct point p)
{
  return field_reachable(world_field(w, destination, 0), p);
}

static int64_t field_cost(const struct world *w, int32_t destination, struct point p)
{
  return field_time(world_field(w, destination, 0), p);
}

// ---------------------------------------------------------------------------------------- roadmap

static void roadmap_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                         struct agents *a, int64_t first, int64_t end)
{
  for (int64_t i = first; i < end; i++)
    preferred_velocity_set(NAVIGATION_roadmap, w, in, a, i);
}

static bool has_roadmap_route(const struct world *w, int32_t destination, struct point p)
{
  return roadmap_reachable(&w->roadmap, destination, p);
}

static int64_t roadmap_cost(const struct world *w, int32_t destination, struct point p)
{
  return roadmap_path_length(&w->roadmap, destination, p);
}

// ----------------------------------------------------------------------------------------- models

const struct navigation_model navigation_models[NAVIGATION_COUNT] = {
    [NAVIGATION_direct] = {.name = "direct", .preferred_velocities = direct_preferred_velocities},
    [NAVIGATION_field] = {.name = "field",
                          .uses_destinations = true,
                          .uses_grid = true,
                          .spreads = true,
                          .preferred_velocities = field_preferred_velocities,
                          .reachable = has_field_route,
                          .cost_to_go = field_cost},
    [NAVIGATION_roadmap] = {.name = "roadmap",
                            .uses_destinations = true,
                            .uses_graph = true,
                            .spreads = true,
                            .is_uneven = true, // the search for a waypoint
                            .preferred_velocities = roadmap_preferred_velocities,
                            .reachable = has_roadmap_route,
                            .cost_to_go = roadmap_cost}};
