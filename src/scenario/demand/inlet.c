// When the people of a source come, and where.
#include "demand_internal.h"

#include "draw.h"
#include <math.h>

static void tell(const struct demand_input *in, const struct source *s, const char *key,
                 const char *what, struct problems *p)
{
  problem_add(p, origin_place(in->config, &s->config->from, key), "%s.%s: %s", s->config->from.path,
              key, what);
}

static void times_check(const struct source *s, const struct demand_input *in, struct problems *p)
{
  const struct source_config *c = s->config;
  const double begin = c->begin.given ? c->begin.value : 0;
  if (c->end.given && !(c->end.value > begin))
    tell(in, s, "end", "it is not after begin", p);
  if (c->begin.given && begin >= in->config->time.end)
    tell(in, s, "begin", "the run is over by then", p);
  if (c->end.given && !c->count.given && !c->rate.given)
    tell(in, s, "end", "needs count or rate", p);
  if (c->begin.given && !c->count.given && !c->rate.given)
    tell(in, s, "begin", "needs count or rate", p);
  if (c->arrivals == ARRIVALS_RANDOM && !c->rate.given)
    tell(in, s, "arrivals", "random needs a rate", p);
  if (s->trip && (c->begin.given || c->end.given))
    tell(in, s, c->begin.given ? "begin" : "end", "the rows of trips say when they come", p);
  if (s->later && c->layout != LAYOUT_RANDOM)
    tell(in, s, "layout", "who comes later stands at random", p);
  if (s->later && c->group.hi > 1)
    tell(in, s, "group", "who comes later walks alone", p);
  if (s->later && in->config->goal.on_arrival == ARRIVAL_TURN_BACK)
    tell(in, s,
         c->begin.given  ? "begin"
         : c->rate.given ? "rate"
                         : "timetable",
         "goal.on_arrival: turn_back is for people who are there at the start", p);
}

static struct inlet inlet_of_trip(const struct trip *t)
{
  struct inlet inlet = {
      .begin = t->begin, .end = t->end >= 0 ? t->end : t->begin, .most = t->people};
  inlet.gap = (inlet.end - inlet.begin) / (double)t->people;
  return inlet;
}

// Without an end people come as long as there is time: a longer run must not change what came
// before.
static struct inlet inlet_of(const struct source_config *c)
{
  struct inlet inlet = {.begin = c->begin.given ? c->begin.value : 0,
                        .end = c->end.given ? c->end.value : HUGE_VAL,
                        .random = c->arrivals == ARRIVALS_RANDOM,
                        .timetable_count = c->timetable.count,
                        .timetable = c->timetable.values};
  if (c->rate.given) {
    inlet.gap = 1.0 / c->rate.value;
    inlet.most = INT64_MAX / 4;
  } else if (c->count.given) {
    inlet.most = (int64_t)c->count.value;
    if (!c->end.given)
      inlet.end = inlet.begin;
    inlet.gap = (inlet.end - inlet.begin) / (double)inlet.most;
  } else {
    for (int i = 0; i < c->timetable.count; i++)
      inlet.most += (int64_t)c->timetable.values[2 * i + 1];
  }
  return inlet;
}

void inlet_resolve(struct source *s, const struct demand_input *in, struct problems *p)
{
  const struct source_config *c = s->config;
  s->later = s->trip ? s->trip->begin > 0 || s->trip->end >= 0
                     : (c->begin.given && c->begin.value > 0) || c->end.given || c->rate.given ||
                           c->timetable.count > 0;
  times_check(s, in, p);
  if (!s->later)
    return;
  s->inlet = s->trip ? inlet_of_trip(s->trip) : inlet_of(c);
  s->inlet.source = s->number;
  s->inlet.radius = frame_length(&in->world->frame, source_largest_radius(in->config, s)) + 1;
}

// ---------------------------------------------------------------------------------- entering

static bool place_leads_there(const struct demand *d, const struct source *s, struct point at)
{
  for (int32_t k = 0; k < s->stop_count; k++)
    if (!world_reaches(d->world, s->stops[k], at))
      return false;
  return true;
}

bool demand_entry(const struct demand *d, int inlet, int64_t step, int64_t try, struct point *at)
{
  const struct source *s = d->inlets[inlet];
  const struct random4 r = random_words(d->seed, (int64_t)inlet << 32 | try, step, RANDOM_ENTRY);
  *at = region_point(&s->region, r.word[0], r.word[1]);
  return box_holds(d->world->bounds, *at) && obstacles_solid(&s->region.inside, *at) &&
         !obstacles_solid(&d->world->obstacles, *at) &&
         !obstacles_near(&d->world->obstacles, *at, s->inlet.radius) &&
         place_leads_there(d, s, *at);
}

#define CHECK_TRIES 4096

void inlet_check(const struct demand *d, int inlet, const struct demand_input *in,
                 struct problems *p)
{
  const struct source *s = d->inlets[inlet];
  struct point at;
  for (int64_t try = 0; try < CHECK_TRIES; try++)
    if (demand_entry(d, inlet, -1, try, &at))
      return;
  problem_add(p, origin_place(in->config, &s->config->area.from, NULL),
              "%s: nobody can come: no place of its area was found that is free of walls for "
              "radius %.4g m and has a way to where they go",
              s->config->from.path, source_largest_radius(in->config, s));
}

int demand_inlet_count(const struct demand *d)
{
  return d->inlet_count;
}

const struct inlet *demand_inlet(const struct demand *d, int number)
{
  return &d->inlets[number]->inlet;
}

int64_t demand_next_id(const struct demand *d)
{
  return d->first_id + d->count - d->roster.count;
}

// ------------------------------------------------------------------------------------ staying

static int32_t steps_of(const struct demand *d, const struct distribution *of, int64_t id,
                        int64_t step, enum random_purpose purpose)
{
  // One may come again: a draw of its own for every time.
  const int64_t visit = (int64_t)random_words(d->seed, id, step, purpose).word[0] << 31 ^ id;
  const double steps = ceil(distribution_draw(of, d->seed, visit, purpose) / d->config->time.step);
  return steps < STEP_LIMIT ? (int32_t)steps : STEP_LIMIT;
}

int32_t demand_stay(const struct demand *d, int32_t place, int64_t id, int64_t step)
{
  return steps_of(d, &d->config->destinations.records[place].stay, id, step, RANDOM_STAY);
}

int32_t demand_service(const struct demand *d, int32_t place, int64_t id, int64_t step)
{
  return steps_of(d, &d->config->destinations.records[place].queue.service, id, step,
                  RANDOM_SERVICE);
}

const struct itinerary *demand_itinerary(const struct demand *d)
{
  return &d->itinerary;
}
