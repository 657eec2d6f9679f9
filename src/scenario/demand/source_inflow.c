// The inflow of a source: when its agents enter.
#include "demand_internal.h"

#include <math.h>

static void report_option(const struct demand_input *in, const struct source *s, const char *key,
                          const char *what, struct diagnostics *p)
{
  diagnostics_error(p, origin_location(in->config, &s->config->from, key), "%s.%s: %s",
                    s->config->from.path, key, what);
}

static void check_times(const struct source *s, const struct demand_input *in,
                        struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const double begin = c->begin.given ? c->begin.value : 0;
  if (c->end.given && !(c->end.value > begin))
    report_option(in, s, "end", "must be later than begin", p);
  if (c->begin.given && begin >= in->config->time.end)
    report_option(in, s, "begin", "must be earlier than time.end", p);
  if (c->end.given && !c->count.given && !c->rate.given)
    report_option(in, s, "end", "needs count or rate", p);
  if (c->begin.given && !c->count.given && !c->rate.given)
    report_option(in, s, "begin", "needs count or rate", p);
  if (c->arrivals == ARRIVALS_RANDOM && !c->rate.given)
    report_option(in, s, "arrivals", "random needs a rate", p);
  if (s->od_flow && (c->begin.given || c->end.given))
    report_option(in, s, c->begin.given ? "begin" : "end",
                  "not allowed: the rows of trips give the times", p);
  if (s->has_inflow && c->layout != LAYOUT_RANDOM)
    report_option(in, s, "layout", "agents that enter during the run need layout: random", p);
  if (s->has_inflow && c->group.hi > 1)
    report_option(in, s, "group", "agents that enter during the run cannot form groups", p);
  if (s->has_inflow && in->config->goal.on_arrival == ARRIVAL_TURN_BACK)
    report_option(in, s,
                  c->begin.given  ? "begin"
                  : c->rate.given ? "rate"
                                  : "timetable",
                  "goal.on_arrival: turn_back needs agents that are present at the start", p);
}

static void report_late_times(const struct source *s, const struct demand_input *in,
                              struct diagnostics *p)
{
  const struct number_list *times = &s->config->timetable;
  const double end = in->config->time.end;
  double people = 0;
  int late = 0;
  for (int i = 0; i < times->count; i++)
    if (times->values[2 * i] >= end) {
      people += times->values[2 * i + 1];
      late++;
    }
  if (late)
    diagnostics_warning(
        p, origin_location(in->config, &s->config->from, "timetable"),
        "%s.timetable: %d of %d times are not before time.end, %.10g s: their %.10g "
        "people never enter",
        s->config->from.path, late, times->count, end, people);
}

static struct inflow inflow_from_od_flow(const struct od_flow *t)
{
  struct inflow inflow = {
      .begin = t->begin, .end = t->end >= 0 ? t->end : t->begin, .most = t->people};
  inflow.headway = (inflow.end - inflow.begin) / (double)t->people;
  return inflow;
}

// Without `end`, agents enter without limit: the length of a run must not change what happens
// before its end.
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

void source_resolve_inflow(struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  const struct source_config *c = s->config;
  s->has_inflow = s->od_flow ? s->od_flow->begin > 0 || s->od_flow->end >= 0
                             : (c->begin.given && c->begin.value > 0) || c->end.given ||
                                   c->rate.given || c->timetable.count > 0;
  check_times(s, in, p);
  report_late_times(s, in, p);
  if (!s->has_inflow)
    return;
  s->inflow = s->od_flow ? inflow_from_od_flow(s->od_flow) : inflow_from_config(c);
  s->inflow.source = s->number;
  s->inflow.radius = frame_length(&in->world->frame, source_largest_radius(in->config, s)) + 1;
}
