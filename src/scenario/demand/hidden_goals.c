// Warns of walls between agents and their goals where no way leads around them.
#include "demand_internal.h"

#define SAMPLES_MAX 1024 // agents and inflows that are looked at

struct hidden { // of the agents looked at
  int64_t count, hidden;
};

static void look(struct hidden *h, const struct demand *d, const struct agents *a)
{
  const int64_t i = a->count - 1;
  const struct point at = {a->x[i], a->y[i]};
  struct point goal = {a->goal_x[i], a->goal_y[i]};
  if (agent_stage(a, i) >= 0)
    goal = outlines_nearest(&d->destinations[d->itinerary.legs[agent_stage(a, i)].places[0]], at);
  h->count++;
  h->hidden += obstacles_crossed(&d->world->obstacles, at, goal);
}

static void look_at_starts(struct hidden *h, const struct demand *d, struct agents *a)
{
  const int64_t count = d->count, samples = count < SAMPLES_MAX ? count : SAMPLES_MAX;
  for (int64_t k = 0; k < samples; k++) {
    const int64_t number = (int64_t)((double)count * (double)k / (double)samples);
    demand_agents(d, number, number + 1, a);
    look(h, d, a);
  }
}

static void look_at_inflows(struct hidden *h, const struct demand *d, struct agents *a)
{
  struct point at;
  for (int k = 0; k < d->inflow_count && k < SAMPLES_MAX; k++)
    for (int64_t try = 0; try < 4096; try++)
      if (demand_entry_point(d, k, -1, try, &at)) {
        demand_append_arrival(d, k, demand_next_id(d), at, 0, a);
        look(h, d, a);
        break;
      }
}

void demand_check_goals_in_sight(const struct demand *d, const struct demand_input *in,
                                 struct diagnostics *p)
{
  struct hidden h = {0};
  struct agents a;
  if (world_has_routes(in->world) || in->world->obstacles.count == 0 || in->routes_change)
    return;
  agents_create(&a, 0);
  look_at_starts(&h, d, &a);
  look_at_inflows(&h, d, &a);
  agents_destroy(&a);
  if (h.hidden)
    diagnostics_warning(
        p, origin_location(in->config, &in->config->from, "navigation.model"),
        "navigation.model: direct leads straight on, but %.3g %% of the agents have a wall between "
        "them and their goal, and may never arrive; field and roadmap lead to destinations around "
        "walls",
        100.0 * (double)h.hidden / (double)h.count);
}
