// What happens after the start: where agents of an inflow enter, and how long agents stay at stops.
#include "demand_internal.h"

#include "sampling.h"
#include "steps.h"
#include <math.h>

static bool stops_are_reachable(const struct demand *d, const struct source *s, struct point at)
{
  for (int32_t k = 0; k < s->stop_count; k++)
    if (!world_reachable(d->world, s->stops[k], at))
      return false;
  return true;
}

bool demand_entry_point(const struct demand *d, int inflow, int64_t step, int64_t try,
                        struct point *at)
{
  const struct source *s = d->inflows[inflow];
  const struct random4 r = random_words(d->seed, (int64_t)inflow << 32 | try, step, RANDOM_ENTRY);
  *at = region_point(&s->region, r.word[0], r.word[1]);
  return box_holds(d->world->bounds, *at) && obstacles_solid(&s->region.inside, *at) &&
         !obstacles_solid(&d->world->obstacles, *at) &&
         !obstacles_near(&d->world->obstacles, *at, s->inflow.radius) &&
         stops_are_reachable(d, s, *at);
}

#define ENTRY_CHECK_TRIES  4096
#define ENTRY_CHECK_POINTS 64 // whose goals are looked at

void inflow_check(const struct demand *d, int inflow, const struct demand_input *in,
                  struct diagnostics *p)
{
  const struct source *s = d->inflows[inflow];
  const bool relative = s->goal == GOAL_OPPOSITE || s->goal == GOAL_OFFSET;
  struct point at[ENTRY_CHECK_POINTS];
  int64_t count = 0;
  for (int64_t try = 0; try < ENTRY_CHECK_TRIES && count < (relative ? ENTRY_CHECK_POINTS : 1);
       try++)
    count += demand_entry_point(d, inflow, -1, try, &at[count]);
  if (count == 0)
    diagnostics_error(p, origin_location(in->config, &s->config->area.from, NULL),
                      "%s: no agent can enter: found no point of the area that has clearance for "
                      "radius %.4g m and routes to all destinations",
                      s->config->from.path, source_largest_radius(in->config, s));
  else if (relative)
    source_check_relative_goals(s, in, at, count, p);
}

int demand_inflow_count(const struct demand *d)
{
  return d->inflow_count;
}

const struct inflow *demand_inflow(const struct demand *d, int number)
{
  return &d->inflows[number]->inflow;
}

int64_t demand_next_id(const struct demand *d)
{
  return d->first_id + d->count - d->agent_table.count;
}

// ------------------------------------------------------------------------------------ staying

static int32_t duration_steps(const struct demand *d, const struct distribution *of, int64_t id,
                              int64_t step, enum random_purpose purpose)
{
  // An agent may visit a stop several times: each visit gets a draw of its own.
  const int64_t visit = (int64_t)random_words(d->seed, id, step, purpose).word[0] << 31 ^ id;
  const double duration = distribution_sample(of, d->seed, visit, purpose);
  return (int32_t)steps_at_least(duration, d->config->time.step);
}

struct point demand_stay_position(const struct demand *d, int32_t stop, int64_t id, int64_t step)
{
  const struct draw draw = {d->seed, id, step * FREE_POINT_TRIES, RANDOM_SPOT};
  return region_free_point(&d->itinerary.stops[stop].region, &d->world->obstacles, draw);
}

int32_t demand_stay_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step)
{
  return duration_steps(d, &d->config->destinations.records[stop].stay, id, step, RANDOM_STAY);
}

int32_t demand_service_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step)
{
  return duration_steps(d, &d->config->destinations.records[stop].queue.service, id, step,
                        RANDOM_SERVICE);
}

const struct itinerary *demand_itinerary(const struct demand *d)
{
  return &d->itinerary;
}
