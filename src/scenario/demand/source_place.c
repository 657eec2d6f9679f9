// Places the agents of a source that are present at the start.
#include "demand_internal.h"

#include "circle.h"
#include "sampling.h"
#include "shape.h"
#include <math.h>
#include <string.h>

static void report_no_room(const struct demand_input *in, const struct source *s, int64_t wanted,
                           int64_t fit, struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const char *key = c->count.given ? "count" : c->spacing.given ? "spacing" : "density";
  diagnostics_error(p, origin_location(in->config, &c->from, key),
                    "%s: %lld agents do not fit; there is room for %lld (radius %.4g m)",
                    s->config->from.path, (long long)wanted, (long long)fit,
                    source_largest_radius(in->config, s));
}

static const char *destination_name(const struct demand_input *in, int32_t destination)
{
  return in->config->destinations.records[destination].name;
}

#define REACHABILITY_SAMPLES 64

// The first stop without a route from any of REACHABILITY_SAMPLES random points of the area.
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
                    "%s: unreachable destination: no route leads from its area to \"%s\"",
                    s->config->from.path, destination_name(in, destination));
}

static int64_t source_count(const struct source *s) // 0: given by density or spacing
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
  // Neighbours are a chord apart; 2 pi radius / chord of them fit on the circumference.
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
        "%s: %lld of the %lld places on the circle lie in walls, on other agents, outside the "
        "world or where no route starts",
        s->config->from.path, (long long)(count - out.count), (long long)count);
  return out;
}

// Quanta, > 0; saturates beyond the size of any world.
static int32_t spacing_length(const struct demand_input *in, double metres)
{
  const int32_t most = POSITION_LIMIT;
  const double quanta = metres / (double)frame_quantum(&in->world->frame);
  const int32_t length = quanta < most ? frame_length(&in->world->frame, metres) : most;
  return length < 1 ? 1 : length < most ? length : most;
}

static bool check_spacing(const struct demand_input *in, const struct source *s,
                          struct diagnostics *p)
{
  const struct source_config *c = s->config;
  const double quantum = (double)frame_quantum(&in->world->frame);
  const double least = 2 * source_largest_radius(in->config, s) + 2 * c->jitter + 8 * quantum;
  if (!c->spacing.given || c->spacing.value >= least)
    return true;
  diagnostics_error(
      p, origin_location(in->config, &c->from, "spacing"),
      "%s.spacing: %.10g m is too small for radius %.4g m and jitter %.4g m; at least "
      "%.4f m is needed",
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
  if (!check_spacing(in, s, p))
    return out;
  if (!demand_outlines(in, &s->config->area, 1, &outlines, p)) {
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

static void report_unreachable_share(const struct demand_input *in, const struct source *s,
                                     struct diagnostics *p)
{
  if (s->unreached >= 1e-4) // below that, it is a few corners
    diagnostics_warning(p, origin_location(in->config, &s->config->area.from, NULL),
                        "%s: %.2g %% of the area cannot reach \"%s\" and stays empty",
                        s->config->from.path, 100.0 * s->unreached,
                        destination_name(in, s->stops[0]));
}

static void places_append(struct demand *d, struct places *places)
{
  const int64_t old = d->count - d->agent_table.count, all = old + places->count;
  if (old == 0) { // saves copying the starts of a large scenario with one source
    memory_destroy(d->places);
    d->places = places->points;
    d->place_capacity = all;
    places->points = NULL;
  } else {
    if (all > d->place_capacity) {
      d->place_capacity = all + old / 2; // many sources: few copies
      d->places = memory_grow(d->places, (size_t)old, (size_t)d->place_capacity, sizeof *d->places);
    }
    if (places->count)
      memcpy(d->places + old, places->points, (size_t)places->count * sizeof *d->places);
  }
  d->count += places->count;
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
    source_check_relative_goals(s, in, places.points, places.count, p);
  if (p->count == before) {
    s->first = d->count;
    s->count = places.count;
    s->unreached = places.unreached;
    report_unreachable_share(in, s, p);
    if (occupied && number + 1 < d->source_count)
      for (int64_t i = 0; i < places.count; i++)
        discs_add(occupied, places.points[i], radius);
    places_append(d, &places);
  }
  memory_destroy(places.points);
}
