// When the people of a source come, and where.
#include "demand_internal.h"

#include "sampling.h"
#include "steps.h"
#include <math.h>

static void report_option(const struct demand_input *in, const struct source *s, const char *key,
                          const char *what, struct diagnostics *p)
{
  diagnostics_error(p, origin_location(in->config, &s->config->from, key), "%s.%s: %s",
                    s->config->from.path, key, what);
}

static void times_check(const struct source *s, const struct demand_input *in,
                        struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const double begin = c->begin.given ? c->begin.value : 0;
  if (c->end.given && !(c->end.value > begin))
    report_option(in, s, "end", "it is not after begin", p);
  if (c->begin.given && begin >= in->config->time.end)
    report_option(in, s, "begin", "the run is over by then", p);
  if (c->end.given && !c->count.given && !c->rate.given)
    report_option(in, s, "end", "needs count or rate", p);
  if (c->begin.given && !c->count.given && !c->rate.given)
    report_option(in, s, "begin", "needs count or rate", p);
  if (c->arrivals == ARRIVALS_RANDOM && !c->rate.given)
    report_option(in, s, "arrivals", "random needs a rate", p);
  if (s->od_flow && (c->begin.given || c->end.given))
    report_option(in, s, c->begin.given ? "begin" : "end", "the rows of trips say when they come",
                  p);
  if (s->has_inflow && c->layout != LAYOUT_RANDOM)
    report_option(in, s, "layout", "who comes later stands at random", p);
  if (s->has_inflow && c->group.hi > 1)
    report_option(in, s, "group", "who comes later walks alone", p);
  if (s->has_inflow && in->config->goal.on_arrival == ARRIVAL_TURN_BACK)
    report_option(in, s,
                  c->begin.given  ? "begin"
                  : c->rate.given ? "rate"
                                  : "timetable",
                  "goal.on_arrival: turn_back is for people who are there at the start", p);
}

static struct inflow inflow_from_od_flow(const struct od_flow *t)
{
  struct inflow inflow = {
      .begin = t->begin, .end = t->end >= 0 ? t->end : t->begin, .most = t->people};
  inflow.headway = (inflow.end - inflow.begin) / (double)t->people;
  return inflow;
}

// Without an end people come as long as there is time: a longer run must not change what came
// before.
static struct inflow inflow_from_config(const struct source_config *c)
{
  struct inflow inflow = {.begin = c->begin.given ? c->begin.value : 0,
                          .end = c->end.given ? c->end.value : HUGE_VAL,
                          .random = c->arrivals == ARRIVALS_RANDOM,
                          .timetable_count = c->timetable.count,
                          .timetable = c->timetable.values};
  if (c->rate.given) {
    inflow.headway = 1.0 / c->rate.value;
    inflow.most = INT64_MAX / 4;
  } else if (c->count.given) {
    inflow.most = (int64_t)c->count.value;
    if (!c->end.given)
      inflow.end = inflow.begin;
    inflow.headway = (inflow.end - inflow.begin) / (double)inflow.most;
  } else {
    for (int i = 0; i < c->timetable.count; i++)
      inflow.most += (int64_t)c->timetable.values[2 * i + 1];
  }
  return inflow;
}

void inflow_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  const struct source_config *c = s->config;
  s->has_inflow = s->od_flow ? s->od_flow->begin > 0 || s->od_flow->end >= 0
                             : (c->begin.given && c->begin.value > 0) || c->end.given ||
                                   c->rate.given || c->timetable.count > 0;
  times_check(s, in, p);
  if (!s->has_inflow)
    return;
  s->inflow = s->od_flow ? inflow_from_od_flow(s->od_flow) : inflow_from_config(c);
  s->inflow.source = s->number;
  s->inflow.radius = frame_length(&in->world->frame, source_largest_radius(in->config, s)) + 1;
}

// ---------------------------------------------------------------------------------- entering

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

#define ENTRY_CHECK_TRIES 4096

void inflow_check(const struct demand *d, int inflow, const struct demand_input *in,
                  struct diagnostics *p)
{
  const struct source *s = d->inflows[inflow];
  struct point at;
  for (int64_t try = 0; try < ENTRY_CHECK_TRIES; try++)
    if (demand_entry_point(d, inflow, -1, try, &at))
      return;
  diagnostics_error(p, origin_location(in->config, &s->config->area.from, NULL),
                    "%s: nobody can come: no place of its area was found that is free of walls for "
                    "radius %.4g m and has a way to where they go",
                    s->config->from.path, source_largest_radius(in->config, s));
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
  // One may come again: a draw of its own for every time.
  const int64_t visit = (int64_t)random_words(d->seed, id, step, purpose).word[0] << 31 ^ id;
  const double duration = distribution_sample(of, d->seed, visit, purpose);
  return (int32_t)steps_at_least(duration, d->config->time.step);
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
