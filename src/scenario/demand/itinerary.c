#include "itinerary.h"

#include "demand_input.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define SLOTS_MAX 10000

int32_t cumulative_find(const double *bounds, int32_t count, double unit)
{
  assert(count > 0 && unit >= 0);
  int32_t k = 0;
  while (k + 1 < count && unit >= bounds[k])
    k++;
  return k;
}

// ------------------------------------------------------------------------------------- stops

// False: there are too many slots, or this one lies outside the world or in a wall.
static bool slot_add(struct stop *stop, const struct demand_input *in, double x, double y)
{
  if (stop->slot_count == SLOTS_MAX || !frame_holds(&in->world->frame, x, y))
    return false;
  const struct point at = frame_point(&in->world->frame, x, y);
  stop->slots[stop->slot_count++] = at;
  return box_holds(in->world->bounds, at) && !obstacles_solid(&in->world->obstacles, at);
}

// Places slots along the line, one spacing apart, from its head.
static bool queue_slots_create(struct stop *stop, const struct demand_input *in,
                               const struct destination_config *c)
{
  const double *at = c->queue.line.values;
  double ahead = 0; // m, from the start of the segment to the next slot
  bool good = true;
  for (int i = 0; i + 1 < c->queue.line.count; i++, at += 2) {
    const double dx = at[2] - at[0], dy = at[3] - at[1], length = sqrt(dx * dx + dy * dy);
    for (; good && ahead <= length && length > 0; ahead += c->queue.spacing)
      good = slot_add(stop, in, at[0] + dx * (ahead / length), at[1] + dy * (ahead / length));
    ahead -= length;
  }
  return good && stop->slot_count > 0;
}

static void queue_create(struct stop *stop, const struct demand_input *in,
                         const struct destination_config *c, struct diagnostics *p)
{
  if (c->queue.line.count < 2)
    return;
  stop->slots = memory_create(SLOTS_MAX, sizeof *stop->slots);
  if (!queue_slots_create(stop, in, c))
    diagnostics_error(
        p, origin_location(in->config, &c->from, "queue.line"), "%s.queue.line: %s", c->from.path,
        stop->slot_count == SLOTS_MAX ? "more than 10000 places"
                                      : "it leaves the world, enters a wall or has no length");
}

static void stop_create(struct stop *stop, const struct demand_input *in,
                        const struct destination_config *c, struct diagnostics *p)
{
  stop->stays = c->stay.kind != NOT_GIVEN || c->until_called;
  stop->until_called = c->until_called;
  stop->flow = c->flow.given ? c->flow.value * in->config->time.step : 0;
  queue_create(stop, in, c, p);
  if (stop->stays && stop->slot_count)
    diagnostics_error(p, origin_location(in->config, &c->from, "queue.line"),
                      "%s.queue: cannot be combined with stay or until_called", c->from.path);
  if (c->until_called && c->stay.kind != NOT_GIVEN)
    diagnostics_error(p, origin_location(in->config, &c->from, "stay"),
                      "%s.stay: cannot be combined with until_called", c->from.path);
  if (stop->stays)
    region_create(&stop->region, in, c->areas.areas, c->areas.count, p);
}

// -------------------------------------------------------------------------------------- legs

void leg_create(struct leg *leg, const struct config *c, const struct leg_config *from,
                const char *path, struct diagnostics *p)
{
  const struct shares *shares = &from->places;
  leg->choice = from->choice;
  leg->places = memory_create((size_t)shares->count, sizeof *leg->places);
  leg->bounds = memory_create((size_t)shares->count, sizeof *leg->bounds);
  double total = 0, below = 0;
  for (int i = 0; i < shares->count; i++)
    total += shares->shares[i].weight;
  for (int i = 0; i < shares->count; i++) {
    const struct share *share = &shares->shares[i];
    const bool key = from->choice == LEG_RANDOM; // the name is a key, not a value
    leg->places[i] = config_find_destination(c, share->name,
                                             key ? share->node->key_at : share->node->at, path, p);
    below += share->weight;
    leg->bounds[i] = below / total;
  }
  leg->count = shares->count;
}

void leg_destroy(struct leg *leg)
{
  memory_destroy(leg->places);
  memory_destroy(leg->bounds);
}

static void journey_create(struct itinerary *it, const struct config *c, int number,
                           struct diagnostics *p)
{
  const struct journey_config *j = &c->journeys.records[number];
  const int32_t first = it->leg_count;
  it->journeys[number] = first;
  for (int i = 0; i < j->via.count; i++) {
    char path[80];
    struct leg *leg = &it->legs[it->leg_count++];
    snprintf(path, sizeof path, "%s.via[%d]", j->from.path, i);
    leg_create(leg, c, &j->via.legs[i], path, p);
    leg->next = i + 1 < j->via.count ? it->leg_count : j->then == 1 ? first : -1;
    it->needs_stop_counts = it->needs_stop_counts || leg->choice == LEG_LEAST;
  }
}

// What has no effect: agents queue and stay on journeys only.
static void report_unvisited(const struct itinerary *it, const struct config *c, int number,
                             struct diagnostics *p)
{
  const struct destination_config *d = &c->destinations.records[number];
  const char *key = it->stops[number].slot_count ? "queue"
                    : d->until_called            ? "until_called"
                                                 : "stay";
  if (it->stops[number].slot_count || it->stops[number].stays)
    diagnostics_warning(p, origin_location(c, &d->from, key),
                        "%s.%s: it has no effect: no journey goes to \"%.80s\"", d->from.path, key,
                        d->name);
}

static void report_stops(const struct itinerary *it, const struct config *c, struct diagnostics *p)
{
  bool *visited = memory_create((size_t)it->stop_count, sizeof *visited);
  for (int i = 0; i < it->leg_count; i++)
    for (int k = 0; k < it->legs[i].count; k++)
      if (it->legs[i].places[k] >= 0)
        visited[it->legs[i].places[k]] = true;
  for (int i = 0; i < it->stop_count; i++)
    if (!visited[i])
      report_unvisited(it, c, i, p);
  memory_destroy(visited);
}

static void report_journeys(const struct config *c, struct diagnostics *p)
{
  bool *used = memory_create((size_t)c->journeys.count, sizeof *used);
  for (int i = 0; i < c->sources.count; i++) {
    const char *name = c->sources.records[i].journey;
    const int journey = name ? name_table_find(&c->names.journeys, name) : NAME_UNKNOWN;
    if (journey >= 0)
      used[journey] = true;
  }
  for (int i = 0; i < c->journeys.count; i++) {
    const struct journey_config *j = &c->journeys.records[i];
    if (!used[i])
      diagnostics_warning(p, origin_location(c, &j->from, "name"),
                          "%s: no source has the journey \"%.80s\"", j->from.path, j->name);
  }
  memory_destroy(used);
}

static int legs_count(const struct config *c)
{
  int count = 0;
  for (int i = 0; i < c->journeys.count; i++)
    count += c->journeys.records[i].via.count;
  return count;
}

void itinerary_create(struct itinerary *it, const struct demand_input *in, struct diagnostics *p)
{
  const struct config *c = in->config;
  *it = (struct itinerary){.stop_count = c->destinations.count, .journey_count = c->journeys.count};
  it->stops = memory_create((size_t)it->stop_count, sizeof *it->stops);
  it->legs = memory_create((size_t)legs_count(c), sizeof *it->legs);
  it->journeys = memory_create((size_t)it->journey_count, sizeof *it->journeys);
  for (int i = 0; i < it->stop_count; i++) {
    stop_create(&it->stops[i], in, &c->destinations.records[i], p);
    it->has_flow_limit = it->has_flow_limit || it->stops[i].flow > 0;
    it->has_queues = it->has_queues || it->stops[i].slot_count > 0;
  }
  for (int i = 0; i < it->journey_count; i++)
    journey_create(it, c, i, p);
  report_stops(it, c, p);
  report_journeys(c, p);
}

void itinerary_destroy(struct itinerary *it)
{
  for (int i = 0; i < it->stop_count; i++) {
    region_destroy(&it->stops[i].region);
    memory_destroy(it->stops[i].slots);
  }
  for (int i = 0; i < it->leg_count; i++)
    leg_destroy(&it->legs[i]);
  memory_destroy(it->stops);
  memory_destroy(it->legs);
  memory_destroy(it->journeys);
  *it = (struct itinerary){0};
}

static bool leg_is_valid(const struct itinerary *it, const struct leg *leg)
{
  bool good = leg->count > 0 && leg->next >= -1 && leg->next < it->leg_count;
  for (int32_t k = 0; good && k < leg->count; k++)
    good = leg->places[k] >= 0 && leg->places[k] < it->stop_count;
  return good;
}

bool itinerary_is_valid(const struct itinerary *it)
{
  bool good = it->stop_count >= 0 && it->leg_count >= 0 && it->journey_count >= 0;
  for (int32_t i = 0; good && i < it->leg_count; i++)
    good = leg_is_valid(it, &it->legs[i]);
  for (int32_t i = 0; good && i < it->journey_count; i++)
    good = it->journeys[i] >= 0 && it->journeys[i] < it->leg_count;
  return good;
}
