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

double inflow_due(const struct inflow *inflow, double time)
{
  double due = 0;
  for (int i = 0; i < inflow->timetable_count; i++)
    due += inflow->timetable[2 * i] < time ? inflow->timetable[2 * i + 1] : 0;
  if (inflow->timetable_count)
    return due;
  if (inflow->headway > 0)
    due = fmax(fmin(inflow->end, time) - inflow->begin, 0) / inflow->headway;
  return inflow->headway > 0 ? fmin(due, (double)inflow->most) : (double)inflow->most;
}

#define STANDING_MOST 6.0 // persons/m^2
#define CROSSING_MOST 2.0 // persons/(m s), of a wide exit
#define ABSURD_FACTOR 100

// No more people than that can come out of the box around the area in the time, even if nobody is
// in their way.
static double entering_limit(const struct source *s, const struct demand_input *in, double seconds)
{
  const double quantum = (double)frame_quantum(&in->world->frame);
  const double width = quantum * ((double)s->region.box.hi.x - s->region.box.lo.x);
  const double height = quantum * ((double)s->region.box.hi.y - s->region.box.lo.y);
  return STANDING_MOST * width * height + CROSSING_MOST * 2 * (width + height) * seconds + 1;
}

// Those who find no place wait, and each of them tries in every step. All flows of a source share
// its area: the first of them speaks for all.
static void check_amount(const struct demand *d, int first, const struct demand_input *in,
                         struct diagnostics *p)
{
  const struct source *s = d->inflows[first];
  const double end = in->config->time.end;
  double due = 0, begin = end;
  if (first > 0 && d->inflows[first - 1]->number == s->number)
    return;
  for (int i = first; i < d->inflow_count && d->inflows[i]->number == s->number; i++) {
    due += inflow_due(&d->inflows[i]->inflow, end);
    begin = fmin(begin, d->inflows[i]->inflow.begin);
  }
  const double limit = entering_limit(s, in, end - begin);
  const struct location at = origin_location(in->config, &s->config->area.from, NULL);
  if (due > ABSURD_FACTOR * limit)
    diagnostics_error(
        p, at,
        "%s: %.4g people are to enter before time.end, %.6g s; at most about %.3g can "
        "come out of this area",
        s->config->from.path, due, end, limit);
  else if (due > limit)
    diagnostics_warning(p, at,
                        "%s: %.4g people are to enter before time.end, %.6g s; at most about %.3g "
                        "can come out of this area, the others wait outside",
                        s->config->from.path, due, end, limit);
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
  check_amount(d, inflow, in, p);
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
