// Sources: whom they give, where these stand, and where they want to go.
#include "demand_internal.h"

#include "sampling.h"
#include <math.h>
#include <string.h>

double source_largest_radius(const struct config *c, const struct source *s)
{
  double largest = 0;
  for (int i = 0; i < s->config->profiles.count || i == 0; i++) {
    const double radius = c->profiles.records[s->profiles[i]].radius.hi;
    largest = radius > largest ? radius : largest;
  }
  return largest;
}

static int profile_find(const struct config *c, const struct source *s, const struct share *share,
                        struct diagnostics *p)
{
  const char *near = NULL;
  int best = 100;
  for (int i = 0; i < c->profiles.count; i++) {
    if (strcmp(share->name, c->profiles.records[i].name) == 0)
      return i;
    if (edit_is_close(share->name, c->profiles.records[i].name, &best))
      near = c->profiles.records[i].name;
  }
  const struct node *n = share->node;
  diagnostics_error(
      p, n->kind == NODE_SCALAR && n->key && strcmp(n->key, "profile") != 0 ? n->key_at : n->at,
      "%s.profile: \"%.80s\" is not a profile%s%s%s", s->config->from.path, share->name,
      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
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
    diagnostics_error(p, at, "%s.%s: (%.10g, %.10g) lies outside the world", s->config->from.path,
                      key, values[0], values[1]);
    return false;
  }
  *point = frame_point(&in->world->frame, values[0], values[1]);
  return true;
}

struct box outlines_box(const struct outlines *o)
{
  struct box box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < o->start[o->count]; i++) {
    const struct point q = o->points[i];
    box.lo.x = q.x < box.lo.x ? q.x : box.lo.x;
    box.lo.y = q.y < box.lo.y ? q.y : box.lo.y;
    box.hi.x = q.x > box.hi.x ? q.x : box.hi.x;
    box.hi.y = q.y > box.hi.y ? q.y : box.hi.y;
  }
  return box;
}

// Longer than any world: goals_check will say so.
static int32_t offset_length(const struct demand_input *in, double metres)
{
  const int32_t most = INT32_MAX;
  const double quanta = fabs(metres) / (double)frame_quantum(&in->world->frame);
  const int32_t length = quanta < most ? frame_length(&in->world->frame, fabs(metres)) : most;
  return metres < 0 ? -length : length;
}

// Quanta, > 0; more than any world's width is as good as that.
static int32_t spacing_length(const struct demand_input *in, double metres)
{
  const int32_t length = offset_length(in, metres), most = POSITION_LIMIT;
  return length < 1 ? 1 : length < most ? length : most;
}

static void destinations_resolve(struct source *s, const struct demand_input *in,
                                 struct diagnostics *p)
{
  const struct shares *shares = &s->config->destinations;
  const struct leg_config leg = {shares->count > 1 ? LEG_RANDOM : LEG_FIXED, *shares, NULL};
  char what[80];
  snprintf(what, sizeof what, "%s.destination", s->config->from.path);
  if (!s->od_flow) {
    leg_create(&s->destinations, in->config, &leg, what, p);
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
  const char *name = s->config->journey, *near = NULL;
  int best = 100;
  for (int i = 0; i < list->count && s->journey < 0; i++) {
    if (strcmp(name, list->records[i].name) == 0)
      s->journey = i;
    else if (edit_is_close(name, list->records[i].name, &best))
      near = list->records[i].name;
  }
  if (s->journey < 0)
    diagnostics_error(p, origin_location(in->config, &s->config->from, "journey"),
                      "%s.journey: \"%.80s\" is not a journey%s%s%s", s->config->from.path, name,
                      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

// To and fro between two points: nobody queues, stays or is let out on the way.
static void turn_back_check(const struct source *s, const struct config *c, struct diagnostics *p)
{
  bool limited = false;
  for (int i = 0; i < s->destinations.count; i++)
    limited = limited || (s->destinations.places[i] >= 0 &&
                          c->destinations.records[s->destinations.places[i]].flow.given);
  if (c->goal.on_arrival == ARRIVAL_TURN_BACK && (s->goal == GOAL_JOURNEY || limited))
    diagnostics_error(
        p, origin_location(c, &s->config->from, NULL),
        "%s: goal.on_arrival: turn_back is neither for journeys nor for destinations with a "
        "flow",
        s->config->from.path);
}

static enum goal_kind source_goal_kind(const struct source_config *c, bool od_flow)
{
  return c->destinations.count || od_flow ? GOAL_DESTINATION
         : c->journey                     ? GOAL_JOURNEY
         : c->goal.given                  ? GOAL_POINT
         : c->opposite.given              ? GOAL_OPPOSITE
         : c->offset.given                ? GOAL_OFFSET
                                          : GOAL_AREA;
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
  else if (s->goal == GOAL_POINT)
    goal_point(in, s, "goal", c->goal.values, &s->point, p);
  else if (s->goal == GOAL_OPPOSITE)
    goal_point(in, s, "opposite", c->opposite.values, &s->point, p);
  else if (s->goal == GOAL_OFFSET)
    s->point = (struct point){offset_length(in, c->offset.values[0]),
                              offset_length(in, c->offset.values[1])};
  else
    region_create(&s->goal_area, in, &c->goal_area, 1, p);
}

static void numbers_check(const struct source *s, const struct config *c, struct diagnostics *p)
{
  const struct source_config *config = s->config;
  const struct location at = origin_location(c, &config->from, NULL);
  const int given = config->count.given + config->density.given + config->spacing.given +
                    config->rate.given + (config->timetable.count > 0) + (s->od_flow != NULL);
  if (given != 1)
    diagnostics_error(p, at,
                      "%s: %s of count, density, spacing, rate, timetable and trips is expected",
                      config->from.path, given ? "only one" : "one");
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
  numbers_check(s, in->config, p);
  goal_resolve(s, in, p);
  turn_back_check(s, in->config, p);
  inflow_resolve(s, in, p);
}

// ------------------------------------------------------------------------------- placement

static void report_no_room(const struct demand_input *in, const struct source *s, int64_t wanted,
                           int64_t fit, struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const char *key = c->count.given ? "count" : c->spacing.given ? "spacing" : "density";
  diagnostics_error(p, origin_location(in->config, &c->from, key),
                    "%s: %lld people do not fit: at most %lld do (radius %.4g m)",
                    s->config->from.path, (long long)wanted, (long long)fit,
                    source_largest_radius(in->config, s));
}

static void stops_add(struct source *s, const struct leg *leg)
{
  const size_t count = (size_t)s->stop_count;
  s->stops = memory_grow(s->stops, count, count + (size_t)leg->count, sizeof *s->stops);
  for (int i = 0; i < leg->count; i++)
    s->stops[s->stop_count++] = leg->places[i];
}

void source_stops(struct source *s, const struct demand_input *in, const struct itinerary *it)
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

static const char *destination_name(const struct demand_input *in, int32_t destination)
{
  return in->config->destinations.records[destination].name;
}

// The first of its stops that no way leads to from any of so many places of its area.
#define REACHABILITY_SAMPLES 64

static int32_t unreachable_stop(const struct demand_input *in, const struct source *s,
                                const struct placement *of)
{
  for (int32_t k = 0; k < s->stop_count; k++) {
    bool reached = false;
    for (int64_t n = 0; n < REACHABILITY_SAMPLES && !reached; n++) {
      const struct random4 r = random_words(of->seed, n, of->number, RANDOM_SITE);
      const struct point q = region_point(&(struct region){.box = of->box}, r.word[0], r.word[1]);
      reached = world_reachable(in->world, s->stops[k], q);
    }
    if (!reached)
      return s->stops[k];
  }
  return s->stops[0];
}

static void report_unreachable_stop(const struct demand_input *in, const struct source *s,
                                    int32_t destination, struct diagnostics *p)
{
  diagnostics_error(p, origin_location(in->config, &s->config->from, "destination"),
                    "%s: unreachable destination: no way leads from its area to \"%s\"",
                    s->config->from.path, destination_name(in, destination));
}

static int64_t source_count(const struct source *s) // 0: by density or spacing
{
  return s->od_flow               ? s->od_flow->people
         : s->config->count.given ? (int64_t)s->config->count.value
                                  : 0;
}

static struct places circle_places(const struct demand_input *in, const struct source *s,
                                   const struct site_constraints *check, uint64_t seed, int number,
                                   struct diagnostics *p)
{
  const double *circle = s->config->area.numbers;
  const int64_t count = source_count(s);
  const int32_t jitter = frame_length(&in->world->frame, s->config->jitter);
  const double chord = 2.0 * source_largest_radius(in->config, s) +
                       4.0 * (double)frame_quantum(&in->world->frame) + 3.0 * s->config->jitter;
  struct places out = {.wanted = count};
  // As many as chords on the circle's line; a full turn is 4 quarters of pi / 2.
  const double most = floor(6.28318530717958647692 * circle[2] / chord);
  if ((double)count > most) {
    report_no_room(in, s, count, (int64_t)most, p);
    return out;
  }
  out.points = memory_create((size_t)count, sizeof *out.points);
  for (int64_t i = 0; i < count; i++) {
    double x, y;
    circle_point(i, count, &x, &y);
    x = circle[0] + circle[2] * x;
    y = circle[1] + circle[2] * y;
    if (!frame_holds(&in->world->frame, x, y))
      continue;
    const struct random4 r = random_words(seed, i, number, RANDOM_SITE);
    const struct point at = frame_point(&in->world->frame, x, y);
    const struct point q = {at.x + random_symmetric(r.word[1], jitter),
                            at.y + random_symmetric(r.word[2], jitter)};
    if (site_classify(check, q) == SITE_FREE)
      out.points[out.count++] = q;
  }
  if (out.count < count)
    diagnostics_error(
        p, origin_location(in->config, &s->config->area.from, NULL),
        "%s: %lld of the %lld places on the circle lie in walls, in others, outside the "
        "world or where no way leads from",
        s->config->from.path, (long long)(count - out.count), (long long)count);
  return out;
}

static bool spacing_check(const struct demand_input *in, const struct source *s,
                          struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const double quantum = (double)frame_quantum(&in->world->frame);
  const double least = 2 * source_largest_radius(in->config, s) + 2 * c->jitter + 8 * quantum;
  if (!c->spacing.given || c->spacing.value >= least)
    return true;
  diagnostics_error(
      p, origin_location(in->config, &c->from, "spacing"),
      "%s.spacing: %.10g m is too narrow for radius %.4g m and jitter %.4g m: at least "
      "%.4f m",
      c->from.path, c->spacing.value, source_largest_radius(in->config, s), c->jitter,
      ceil(least * 1e4) * 1e-4);
  return false;
}

static struct places area_places(const struct demand_input *in, const struct source *s,
                                 struct site_constraints check, uint64_t seed, int number,
                                 struct diagnostics *p)
{
  struct outlines outlines;
  struct obstacles area;
  struct places out = {0};
  if (!spacing_check(in, s, p))
    return out;
  if (!areas_outlines(in->geometry, in->config, &s->config->area, 1, &in->world->frame, in->extent,
                      &outlines, p)) {
    outlines_destroy(&outlines);
    return out;
  }
  obstacles_create(&area, &outlines, false);
  check.area = &area;
  const struct placement placement = {
      .check = check,
      .outlines = &outlines,
      .box = outlines_box(&outlines),
      .area = outlines_area(&outlines, frame_quantum(&in->world->frame)),
      .count = source_count(s),
      .density = s->config->density.value,
      .grid = s->config->layout == LAYOUT_GRID,
      .spacing = s->config->spacing.given ? spacing_length(in, s->config->spacing.value) : 0,
      .group_size = (int64_t)(s->config->group.mean + 0.5),
      .jitter = frame_length(&in->world->frame, s->config->jitter),
      .seed = seed,
      .number = number};
  out = places_find(&placement);
  if (out.count == 0 && out.unreached > 0)
    report_unreachable_stop(in, s, unreachable_stop(in, s, &placement), p);
  else if (out.count < out.wanted)
    report_no_room(in, s, out.wanted, out.count, p);
  obstacles_destroy(&area);
  outlines_destroy(&outlines);
  return out;
}

static void goals_check(const struct demand_input *in, const struct source *s,
                        const struct places *places, struct diagnostics *p)
{
  const bool mirrored = s->goal == GOAL_OPPOSITE;
  const int64_t factor = mirrored ? 2 : 1, sign = mirrored ? -1 : 1;
  for (int64_t i = 0; i < places->count; i++) {
    const int64_t x = factor * s->point.x + sign * places->points[i].x;
    const int64_t y = factor * s->point.y + sign * places->points[i].y;
    const struct box b = in->world->bounds;
    if (x < b.lo.x || x >= b.hi.x || y < b.lo.y || y >= b.hi.y) {
      diagnostics_error(
          p, origin_location(in->config, &s->config->from, mirrored ? "opposite" : "offset"),
          "%s.%s: goals lie outside world.extent", s->config->from.path,
          mirrored ? "opposite" : "offset");
      return;
    }
  }
}

static void report_unreachable_share(const struct demand_input *in, const struct source *s,
                                     struct diagnostics *p)
{
  if (s->unreached >= 1e-4) // less is a few corners
    diagnostics_warning(p, origin_location(in->config, &s->config->area.from, NULL),
                        "%s: %.2g %% of the area cannot reach \"%s\" and stays empty",
                        s->config->from.path, 100.0 * s->unreached,
                        destination_name(in, s->stops[0]));
}

void source_place(struct demand *d, struct source *s, const struct demand_input *in,
                  struct discs *occupied, struct diagnostics *p)
{
  const int before = p->count, number = (int)(s - d->sources);
  const int32_t radius = frame_length(&in->world->frame, source_largest_radius(in->config, s)) + 1;
  struct site_constraints check = {in->world, NULL, s->stop_count, s->stops, occupied, radius};
  struct places places = s->config->layout == LAYOUT_CIRCLE
                             ? circle_places(in, s, &check, d->seed, number, p)
                             : area_places(in, s, check, d->seed, number, p);
  if ((s->goal == GOAL_OPPOSITE || s->goal == GOAL_OFFSET) && p->count == before)
    goals_check(in, s, &places, p);
  if (p->count == before) {
    s->first = d->count;
    s->count = places.count;
    s->unreached = places.unreached;
    report_unreachable_share(in, s, p);
    if (occupied && number + 1 < d->source_count)
      for (int64_t i = 0; i < places.count; i++)
        discs_add(occupied, places.points[i], radius);
    const int64_t old = d->count - d->agent_table.count;
    if (old == 0) { // the one source of a large scene: no copy
      memory_destroy(d->places);
      d->places = places.points;
      places.points = NULL;
    } else {
      d->places =
          memory_grow(d->places, (size_t)old, (size_t)(old + places.count), sizeof *d->places);
      if (places.count)
        memcpy(d->places + old, places.points, (size_t)places.count * sizeof *d->places);
    }
    d->count += places.count;
  }
  memory_destroy(places.points);
}
