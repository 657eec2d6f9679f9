#include "itinerary.h"

#include "demand_internal.h"
#include "sampling.h"
#include <math.h>
#include <string.h>

#define SLOTS_MAX 10000

// ----------------------------------------------------------------------------------- regions

bool region_create(struct region *r, const struct demand_input *in, const struct area *areas,
                   int count, struct diagnostics *p)
{
  struct outlines outlines;
  const bool good = areas_outlines(in->geometry, in->config, areas, count, &in->world->frame,
                                   in->extent, &outlines, p);
  if (good) {
    r->box = outlines_box(&outlines);
    obstacles_create(&r->inside, &outlines, false);
  }
  outlines_destroy(&outlines);
  return good;
}

void region_destroy(struct region *r)
{
  obstacles_destroy(&r->inside);
}

struct point region_point(const struct region *r, uint32_t word_x, uint32_t word_y)
{
  const int64_t width = (int64_t)r->box.hi.x - r->box.lo.x;
  const int64_t height = (int64_t)r->box.hi.y - r->box.lo.y;
  return (struct point){
      (int32_t)(r->box.lo.x + (int64_t)((uint64_t)word_x * (uint64_t)width >> 32)),
      (int32_t)(r->box.lo.y + (int64_t)((uint64_t)word_y * (uint64_t)height >> 32))};
}

int32_t cumulative_find(const double *bounds, int32_t count, double unit)
{
  int32_t k = 0;
  while (k + 1 < count && unit >= bounds[k])
    k++;
  return k;
}

// ------------------------------------------------------------------------------------ places

static bool slot_add(struct stop *stop, const struct demand_input *in, double x, double y)
{
  if (stop->slot_count == SLOTS_MAX || !frame_holds(&in->world->frame, x, y))
    return false;
  const struct point at = frame_point(&in->world->frame, x, y);
  stop->slots[stop->slot_count++] = at;
  return box_holds(in->world->bounds, at) && !obstacles_solid(&in->world->obstacles, at);
}

// Places along the line, one spacing from each other, from its head.
static bool queue_slots_create(struct stop *stop, const struct demand_input *in,
                               const struct destination_config *c)
{
  const double *at = c->queue.line.values;
  double ahead = 0; // m from the piece's beginning to the next place
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
                                      : "it leads outside the world, into a wall, or nowhere");
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
                      "%s.queue: one stays or queues, not both", c->from.path);
  if (c->until_called && c->stay.kind != NOT_GIVEN)
    diagnostics_error(p, origin_location(in->config, &c->from, "stay"),
                      "%s.stay: one stays for a time or until called, not both", c->from.path);
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
