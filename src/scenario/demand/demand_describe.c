// The demand as `throng check` prints it: how many agents, when, from where, and to where.
#include "demand_internal.h"

#include "utf8.h"
#include <math.h>

static void feature_describe(const struct feature_query *q, FILE *out)
{
  const char *name = feature_query_value(q, "name");
  if (name) {
    fprintf(out, "\"%s\" of the map", printable(name).text);
    return;
  }
  fputs("features with", out);
  for (int i = 0; i < q->count; i++)
    fprintf(out, "%s %s \"%s\"", i ? "," : "", printable(q->conditions[i].key).text,
            printable(q->conditions[i].value).text);
}

static void area_describe(const struct area *area, FILE *out)
{
  const double *x = area->numbers;
  switch (area->kind) {
  case AREA_NONE:
    break;
  case AREA_RECTANGLE:
    fprintf(out, "the rectangle (%.6g, %.6g) to (%.6g, %.6g)", x[0], x[1], x[2], x[3]);
    break;
  case AREA_CIRCLE:
    fprintf(out, "the circle of %.6g m about (%.6g, %.6g)", x[2], x[0], x[1]);
    break;
  case AREA_POLYGON:
    fprintf(out, "a polygon with %lld vertices", (long long)area->polygon.count);
    break;
  case AREA_WKT:
    fprintf(out, "a WKT area");
    break;
  case AREA_BORDER:
    fprintf(out, "the border, %.6g m wide", x[0]);
    break;
  case AREA_FEATURE:
    feature_describe(&area->feature, out);
    break;
  }
}

static void shares_describe(const double *bounds, int count, int k, FILE *out)
{
  if (count > 1)
    fprintf(out, "%.3g %% ", 100 * (bounds[k] - (k ? bounds[k - 1] : 0)));
}

static void leg_describe(const struct demand *d, const struct leg *leg, FILE *out)
{
  static const char *const prefixes[] = {"", "", "the emptiest of ", "the nearest of "};
  fputs(prefixes[leg->choice], out);
  for (int i = 0; i < leg->count; i++) {
    fputs(i ? ", " : "", out);
    if (leg->choice == LEG_RANDOM)
      shares_describe(leg->bounds, leg->count, i, out);
    fprintf(out, "\"%s\"", printable(d->config->destinations.records[leg->places[i]].name).text);
  }
}

static void journey_describe(const struct demand *d, int journey, FILE *out)
{
  const struct itinerary *it = &d->itinerary;
  const int32_t first = it->journeys[journey];
  int32_t leg = first;
  do {
    fputs(leg == first ? "" : ", then ", out);
    leg_describe(d, &it->legs[leg], out);
    leg = it->legs[leg].next;
  } while (leg >= 0 && leg != first);
  if (leg == first)
    fputs(", and again from the first", out);
}

static void goal_describe(const struct demand *d, const struct source *s, FILE *out)
{
  const struct source_config *c = s->config;
  switch (s->goal) {
  case GOAL_DESTINATION:
    fputs(" to ", out);
    leg_describe(d, &s->destinations, out);
    break;
  case GOAL_JOURNEY:
    fprintf(out, " on the journey %s: ", printable(c->journey).text);
    journey_describe(d, s->journey, out);
    break;
  case GOAL_POINT:
    fprintf(out, " to (%.6g, %.6g)", c->goal.values[0], c->goal.values[1]);
    break;
  case GOAL_OPPOSITE:
    fprintf(out, " to the opposite side of (%.6g, %.6g)", c->opposite.values[0],
            c->opposite.values[1]);
    break;
  case GOAL_OFFSET:
    fprintf(out, " each to the point (%.6g, %.6g) m away", c->offset.values[0],
            c->offset.values[1]);
    break;
  case GOAL_AREA:
    fputs(" to random points of ", out);
    area_describe(&c->goal_area, out);
    break;
  }
}

// "400 at the start", "2 per second from 0 s to 600 s, 1200 in all".
static void inflow_describe(const struct source *s, FILE *out)
{
  const struct inflow *inflow = &s->inflow;
  if (!s->has_inflow)
    fprintf(out, "%lld at the start", (long long)s->count);
  else if (inflow->timetable_count)
    fprintf(out, "%lld at %d times from %.6g s to %.6g s", (long long)inflow->most,
            inflow->timetable_count, inflow->timetable[0],
            inflow->timetable[2 * (inflow->timetable_count - 1)]);
  else if (inflow->headway <= 0)
    fprintf(out, "%lld at %.6g s", (long long)inflow->most, inflow->begin);
  else if (!isfinite(inflow->end))
    fprintf(out, "about %.6g per second%s from %.6g s on", 1 / inflow->headway,
            inflow->random ? " at random" : "", inflow->begin);
  else
    fprintf(out, "%s%.6g per second%s from %.6g s to %.6g s, %.0f in all",
            inflow->most < INT64_MAX / 4 ? "" : "about ", 1 / inflow->headway,
            inflow->random ? " at random" : "", inflow->begin, inflow->end,
            (inflow->end - inflow->begin) / inflow->headway);
}

static void source_describe(const struct demand *d, const struct source *s, FILE *out)
{
  const struct source_config *c = s->config;
  fprintf(out, "  %-16s ", printable(c->name).text);
  inflow_describe(s, out);
  fputs(" from ", out);
  area_describe(&c->area, out);
  goal_describe(d, s, out);
  fputs("; ", out);
  for (int i = 0; i < c->profiles.count || i == 0; i++) {
    fputs(i ? ", " : "", out);
    shares_describe(s->bounds, c->profiles.count, i, out);
    fputs(printable(d->config->profiles.records[s->profiles[i]].name).text, out);
  }
  fputc('\n', out);
}

static void stop_describe(const struct demand *d, int number, FILE *out)
{
  const struct destination_config *c = &d->config->destinations.records[number];
  const struct stop *stop = &d->itinerary.stops[number];
  const struct printable name = printable(c->name);
  if (stop->until_called)
    fprintf(out, "  at %-13s agents stay until called\n", name.text);
  else if (stop->stays)
    fprintf(out, "  at %-13s agents stay %.4g s to %.4g s\n", name.text, c->stay.lo, c->stay.hi);
  if (stop->slot_count)
    fprintf(out, "  at %-13s a queue with %d places, served %.4g s to %.4g s each\n", name.text,
            stop->slot_count, c->queue.service.lo, c->queue.service.hi);
  if (stop->flow > 0)
    fprintf(out, "  at %-13s at most %.4g agents leave per second\n", name.text, c->flow.value);
}

void demand_describe(const struct demand *d, FILE *out)
{
  if (d->agent_table.count)
    fprintf(out, "  %-16s %lld, ids %lld to %lld\n", printable(d->config->agents).text,
            (long long)d->agent_table.count, (long long)d->agent_table.rows[0].id,
            (long long)d->agent_table.rows[d->agent_table.count - 1].id);
  for (int i = 0; i < d->source_count; i++)
    source_describe(d, &d->sources[i], out);
  for (int i = 0; i < d->config->destinations.count; i++)
    stop_describe(d, i, out);
}
