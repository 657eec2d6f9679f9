// Sources: looks up the names in their options and checks how the options combine.
#include "demand_internal.h"

#include "suggestion.h"
#include <math.h>
#include <string.h>

static int profile_find(const struct config *c, const struct source *s, const struct share *share,
                        struct diagnostics *p)
{
  const int found = name_table_find(&c->names.profiles, share->name);
  if (found != NAME_UNKNOWN)
    return found;
  struct suggestion near = suggestion_create(share->name);
  for (int i = 0; i < c->profiles.count && diagnostics_shows_more(p); i++)
    suggestion_offer(&near, c->profiles.records[i].name);
  const struct node *n = share->node;
  const bool is_key = n->kind == NODE_SCALAR && n->key && strcmp(n->key, "profile") != 0;
  diagnostics_error(p, is_key ? n->key_at : n->at, "%s.profile: \"%.80s\" is not a profile%s",
                    s->config->from.path, share->name, near.text);
  return 0;
}

static void profiles_resolve(struct source *s, const struct config *c, struct diagnostics *p)
{
  const struct shares *shares = &s->config->profiles;
  s->profiles = memory_create((size_t)shares->count + 1, sizeof *s->profiles);
  s->bounds = memory_create((size_t)shares->count + 1, sizeof *s->bounds);
  double total = 0, below = 0;
  for (int i = 0; i < shares->count; i++)
    total += shares->shares[i].weight;
  for (int i = 0; i < shares->count; i++) {
    s->profiles[i] = profile_find(c, s, &shares->shares[i], p);
    below += shares->shares[i].weight;
    s->bounds[i] = below / total;
  }
}

static bool goal_point(const struct demand_input *in, const struct source *s, const char *key,
                       const double *values, struct point *point, struct diagnostics *p)
{
  const struct location at = origin_location(in->config, &s->config->from, key);
  if (!frame_holds(&in->world->frame, values[0], values[1])) {
    diagnostics_error(p, at, "%s.%s: (%.10g, %.10g) lies outside world.extent",
                      s->config->from.path, key, values[0], values[1]);
    return false;
  }
  *point = frame_point(&in->world->frame, values[0], values[1]);
  return true;
}

// Saturates beyond the size of any world; source_check_relative_goals reports goals outside it.
static int32_t offset_length(const struct demand_input *in, double metres)
{
  const int32_t most = INT32_MAX;
  const double quanta = fabs(metres) / (double)frame_quantum(&in->world->frame);
  const int32_t length = quanta < most ? frame_length(&in->world->frame, fabs(metres)) : most;
  return metres < 0 ? -length : length;
}

static void destinations_resolve(struct source *s, const struct demand_input *in,
                                 struct diagnostics *p)
{
  const struct shares *shares = &s->config->destinations;
  const struct leg_config leg = {shares->count > 1 ? LEG_RANDOM : LEG_FIXED, *shares, NULL};
  char option[80];
  snprintf(option, sizeof option, "%s.destination", s->config->from.path);
  if (!s->od_flow) {
    leg_create(&s->destinations, in->config, &leg, option, p);
    return;
  }
  s->destinations = (struct leg){.count = 1,
                                 .places = memory_create(1, sizeof *s->destinations.places),
                                 .bounds = memory_create(1, sizeof *s->destinations.bounds)};
  s->destinations.places[0] = s->od_flow->destination;
  s->destinations.bounds[0] = 1;
}

static void journey_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  const struct journey_list *list = &in->config->journeys;
  s->journey = name_table_find(&in->config->names.journeys, s->config->journey);
  if (s->journey >= 0)
    return;
  struct suggestion near = suggestion_create(s->config->journey);
  for (int i = 0; i < list->count && diagnostics_shows_more(p); i++)
    suggestion_offer(&near, list->records[i].name);
  diagnostics_error(p, origin_location(in->config, &s->config->from, "journey"),
                    "%s.journey: \"%.80s\" is not a journey%s", s->config->from.path,
                    s->config->journey, near.text);
}

// Agents that turn back walk to and fro between two points: they cannot stay, queue or leave.
static void check_turn_back(const struct source *s, const struct config *c, struct diagnostics *p)
{
  bool limited = false;
  for (int i = 0; i < s->destinations.count; i++)
    limited = limited || (s->destinations.places[i] >= 0 &&
                          c->destinations.records[s->destinations.places[i]].flow.given);
  if (c->goal.on_arrival == ARRIVAL_TURN_BACK && (s->goal == GOAL_JOURNEY || limited))
    diagnostics_error(
        p, origin_location(c, &s->config->from, NULL),
        "%s: goal.on_arrival: turn_back does not work with journeys or with destinations that "
        "have a flow",
        s->config->from.path);
}

static enum goal_kind source_goal_kind(const struct source_config *c, bool has_od_flow)
{
  return c->destinations.count || has_od_flow ? GOAL_DESTINATION
         : c->journey                         ? GOAL_JOURNEY
         : c->goal.given                      ? GOAL_POINT
         : c->opposite.given                  ? GOAL_OPPOSITE
         : c->offset.given                    ? GOAL_OFFSET
                                              : GOAL_AREA;
}

static void goal_area_resolve(struct source *s, const struct demand_input *in,
                              struct diagnostics *p)
{
  const struct area *area = &s->config->goal_area;
  if (region_create(&s->goal_area, in, area, 1, p) &&
      !region_has_goal(in, &s->goal_area, s->number))
    diagnostics_error(p, origin_location(in->config, &area->from, NULL),
                      "%s: found no free ground in it: it lies inside walls", area->from.path);
}

static void goal_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const int given = (c->destinations.count > 0 || s->od_flow) + (c->journey != NULL) +
                    c->goal.given + c->opposite.given + (c->goal_area.kind != AREA_NONE) +
                    c->offset.given;
  s->journey = -1;
  s->goal = source_goal_kind(c, s->od_flow != NULL);
  if (given != 1)
    diagnostics_error(
        p, origin_location(in->config, &c->from, NULL),
        "%s: %s of destination, journey, goal, goal_area, opposite and offset is expected",
        c->from.path, given ? "only one" : "one");
  else if (s->goal == GOAL_DESTINATION)
    destinations_resolve(s, in, p);
  else if (s->goal == GOAL_JOURNEY)
    journey_resolve(s, in, p);
  else if (s->goal == GOAL_POINT && goal_point(in, s, "goal", c->goal.values, &s->point, p))
    source_check_goal(s, in, p);
  else if (s->goal == GOAL_OPPOSITE)
    goal_point(in, s, "opposite", c->opposite.values, &s->point, p);
  else if (s->goal == GOAL_OFFSET)
    s->point = (struct point){offset_length(in, c->offset.values[0]),
                              offset_length(in, c->offset.values[1])};
  else if (s->goal == GOAL_AREA)
    goal_area_resolve(s, in, p);
}

bool source_is_of_trips(const struct source_config *c)
{
  const bool number = c->count.given || c->density.given || c->spacing.given || c->rate.given ||
                      c->timetable.count > 0;
  const bool goal = c->destinations.count > 0 || c->journey || c->goal.given || c->opposite.given ||
                    c->goal_area.kind != AREA_NONE || c->offset.given;
  return !number && !goal;
}

static void check_numbers(const struct source *s, const struct config *c, struct diagnostics *p)
{
  const struct source_config *config = s->config;
  const struct location at = origin_location(c, &config->from, NULL);
  const int given = config->count.given + config->density.given + config->spacing.given +
                    config->rate.given + (config->timetable.count > 0) + (s->od_flow != NULL);
  char none[160] = "";
  if (given == 0 && c->od_matrix)
    snprintf(none, sizeof none, "; no people of trips are from \"%.80s\"", config->name);
  if (given != 1)
    diagnostics_error(p, at,
                      "%s: %s of count, density, spacing, rate, timetable and trips is expected%s",
                      config->from.path, given ? "only one" : "one", none);
  if (config->spacing.given && config->layout != LAYOUT_GRID)
    diagnostics_error(p, origin_location(c, &config->from, "spacing"),
                      "%s.spacing: needs layout: grid", config->from.path);
  if (config->jitter > 0 && config->layout == LAYOUT_RANDOM)
    diagnostics_error(p, origin_location(c, &config->from, "jitter"),
                      "%s.jitter: needs layout: circle or grid", config->from.path);
  if (config->layout == LAYOUT_CIRCLE && config->area.kind != AREA_CIRCLE)
    diagnostics_error(p, origin_location(c, &config->from, "layout"),
                      "%s.layout: circle needs an area {circle: [x, y, radius]}",
                      config->from.path);
  else if (config->layout == LAYOUT_CIRCLE && !config->count.given)
    diagnostics_error(p, at, "%s.layout: circle needs a count", config->from.path);
}

void source_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p)
{
  profiles_resolve(s, in->config, p);
  check_numbers(s, in->config, p);
  goal_resolve(s, in, p);
  check_turn_back(s, in->config, p);
  source_resolve_inflow(s, in, p);
}

// ------------------------------------------------------------------------------------- stops

static void stops_add(struct source *s, const struct leg *leg)
{
  const size_t count = (size_t)s->stop_count;
  s->stops = memory_grow(s->stops, count, count + (size_t)leg->count, sizeof *s->stops);
  for (int i = 0; i < leg->count; i++)
    s->stops[s->stop_count++] = leg->places[i];
}

void source_find_stops(struct source *s, const struct demand_input *in, const struct itinerary *it)
{
  if (!world_has_routes(in->world) || in->routes_change)
    return;
  if (s->journey < 0) {
    stops_add(s, &s->destinations);
    return;
  }
  const int32_t first = it->journeys[s->journey];
  int32_t leg = first;
  do {
    stops_add(s, &it->legs[leg]);
    leg = it->legs[leg].next;
  } while (leg > first);
}
