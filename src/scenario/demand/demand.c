#include "demand_internal.h"

#include "draw.h"
#include <string.h>

double profiles_largest_radius(const struct config *c)
{
  double largest = 0;
  for (int i = 0; i < c->profiles.count; i++)
    largest =
        c->profiles.records[i].radius.hi > largest ? c->profiles.records[i].radius.hi : largest;
  return largest;
}

// -------------------------------------------------------------------------------- CSV agents

// What is wrong with how many agents, and with whom first.
struct offence {
  int64_t count;
  const struct roster_row *first; // in the order of lines
};

static void offence_add(struct offence *o, const struct roster_row *row)
{
  o->count++;
  if (!o->first || row->line < o->first->line)
    o->first = row;
}

static void offence_tell(const struct offence *o, const struct roster *r, const char *what,
                         bool warning, struct problems *p)
{
  if (!o->count)
    return;
  char more[60] = "";
  if (o->count > 1)
    snprintf(more, sizeof more, " (and %lld more)", (long long)(o->count - 1));
  const struct place at = {r->path, NULL, o->first->line, 1};
  (warning ? warning_add : problem_add)(p, at, "agent %lld %s%s", (long long)o->first->id, what,
                                        more);
}

double row_radius(const struct demand *d, const struct roster_row *row)
{
  return row->radius > 0 ? (double)row->radius
                         : distribution_draw(&d->config->profiles.records[0].radius, d->seed,
                                             row->id, RANDOM_RADIUS);
}

static void roster_check(struct demand *d, const struct demand_input *in, struct discs *taken,
                         struct problems *p)
{
  struct offence outside = {0}, inside = {0}, near = {0}, cut_off = {0}, over = {0}, idle = {0};
  const struct world *w = in->world;
  for (int64_t i = 0; i < d->roster.count; i++) {
    const struct roster_row *row = &d->roster.rows[i];
    const bool held = frame_holds(&w->frame, row->x, row->y) &&
                      (!row->has_goal || frame_holds(&w->frame, row->goal_x, row->goal_y));
    const struct point q =
        held ? frame_point(&w->frame, row->x, row->y) : (struct point){INT32_MAX, INT32_MAX};
    if (!held || !box_holds(w->bounds, q)) {
      offence_add(&outside, row);
      continue;
    }
    const int32_t radius = frame_length(&w->frame, row_radius(d, row));
    if (obstacles_solid(&w->obstacles, q) || obstacles_near(&w->obstacles, q, 1)) // or on one
      offence_add(&inside, row);
    else if (obstacles_near(&w->obstacles, q, radius))
      offence_add(&near, row);
    if (world_leads(w) && !in->changing && row->destination >= 0 &&
        !world_reaches(w, row->destination, q))
      offence_add(&cut_off, row);
    if (row->destination < 0 && !row->has_goal && in->config->destinations.count != 1)
      offence_add(&idle, row);
    if (discs_touch(taken, q, radius))
      offence_add(&over, row);
    discs_add(taken, q, radius);
  }
  offence_tell(&outside, &d->roster, "or its goal lies outside world.extent", false, p);
  offence_tell(&inside, &d->roster, "stands inside a wall", false, p);
  offence_tell(&cut_off, &d->roster, "cannot reach its destination", false, p);
  if (outside.count || inside.count || cut_off.count)
    return; // first things first
  offence_tell(&near, &d->roster, "touches a wall", true, p);
  offence_tell(&over, &d->roster, "overlaps another agent", true, p);
  offence_tell(&idle, &d->roster, "has neither goal nor destination and stays", true, p);
}

// --------------------------------------------------------------------------------- creation

bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct problems *p)
{
  const struct area_list *list = &in->config->destinations.records[number].areas;
  return areas_outlines(in->geometry, in->config, list->areas, list->count, &in->world->frame,
                        in->extent, out, p);
}

static void destinations_keep(struct demand *d, const struct demand_input *in, struct problems *p)
{
  const int count = d->config->destinations.count;
  d->destinations = memory_create((size_t)count, sizeof *d->destinations);
  for (int i = 0; i < count; i++)
    destination_outlines(in, i, &d->destinations[i], p);
}

static int32_t largest_radius(const struct demand *d)
{
  double largest = profiles_largest_radius(d->config);
  for (int64_t i = 0; i < d->roster.count; i++)
    if ((double)d->roster.rows[i].radius > largest)
      largest = (double)d->roster.rows[i].radius;
  return frame_length(&d->world->frame, largest) + 1;
}

// Places are told apart only where there is more than one party.
static void everybody_place(struct demand *d, const struct demand_input *in, struct problems *p)
{
  struct discs taken = {0};
  const bool several = d->roster.count > 0 || d->source_count > 1;
  if (several)
    discs_create(&taken, d->roster.count + 1024, largest_radius(d));
  if (d->roster.count)
    roster_check(d, in, &taken, p);
  for (int i = 0; i < d->source_count; i++)
    if (d->sources[i].later)
      d->sources[i].first = d->count;
    else
      source_place(d, &d->sources[i], in, several ? &taken : NULL, p);
  for (int i = 0; i < d->inlet_count; i++)
    inlet_check(d, i, in, p);
  discs_destroy(&taken);
}

// Where its people come: all trips of a source share one region.
static void region_find(struct source *s, const struct source *first, const struct demand_input *in,
                        struct problems *p)
{
  s->region_shared = s > first && s[-1].later && s[-1].number == s->number;
  if (s->region_shared)
    s->region = s[-1].region;
  else
    region_create(&s->region, in, &s->config->area, 1, p);
}

// One of each source of the config, or one of each of its trips.
static void sources_create(struct demand *d, const struct demand_input *in, struct problems *p)
{
  const struct config *c = d->config;
  const int64_t most = c->sources.count + d->trips.count;
  const struct trip *trip = d->trips.rows, *end = trip + d->trips.count;
  d->sources = memory_create((size_t)most, sizeof *d->sources);
  d->inlets = memory_create((size_t)most, sizeof(struct source *));
  for (int i = 0; i < c->sources.count; i++)
    do {
      struct source *s = &d->sources[d->source_count++];
      s->config = &c->sources.records[i];
      s->number = i;
      if (trip < end && trip->source == i)
        s->trip = trip++;
      source_resolve(s, in, p);
      if (s->later) {
        d->inlets[d->inlet_count++] = s;
        region_find(s, d->sources, in, p);
      }
    } while (trip < end && trip->source == i);
}

struct demand *demand_create(const struct demand_input *in, struct problems *p)
{
  const int before = p->count;
  const struct config *c = in->config;
  struct demand *d = memory_create(1, sizeof *d);
  *d = (struct demand){
      .config = c, .world = in->world, .seed = (uint64_t)c->seed, .roster = *in->roster};
  *in->roster = (struct roster){0};
  d->count = d->roster.count;
  if (d->count && c->sources.count &&
      d->roster.rows[d->count - 1].id > INT64_MAX - ((int64_t)1 << 40))
    problem_add(p, (struct place){d->roster.path, NULL, d->roster.rows[d->count - 1].line, 1},
                "id %lld leaves no room for the ids of sources",
                (long long)d->roster.rows[d->count - 1].id);
  else
    d->first_id = d->count && c->sources.count ? d->roster.rows[d->count - 1].id + 1 : 0;
  if (trips_read(&d->trips, c, p))
    sources_create(d, in, p);
  if (!world_leads(in->world))
    destinations_keep(d, in, p);
  itinerary_create(&d->itinerary, in, p);
  for (int i = 0; i < d->source_count && p->count == before; i++)
    source_stops(&d->sources[i], in, &d->itinerary);
  if (p->count == before)
    everybody_place(d, in, p);
  if (p->count == before && d->count == 0 && d->inlet_count == 0)
    problem_add(p, (struct place){c->path, NULL, 0, 0},
                "no agents: sources and agents give nobody");
  if (p->count == before)
    return d;
  demand_destroy(d);
  return NULL;
}

void demand_destroy(struct demand *d)
{
  if (!d)
    return;
  for (int i = 0; i < d->source_count; i++) {
    memory_destroy(d->sources[i].profiles);
    memory_destroy(d->sources[i].bounds);
    region_destroy(&d->sources[i].goal_area);
    if (!d->sources[i].region_shared)
      region_destroy(&d->sources[i].region);
    memory_destroy(d->sources[i].stops);
    leg_destroy(&d->sources[i].destinations);
  }
  for (int i = 0; d->destinations && i < d->config->destinations.count; i++)
    outlines_destroy(&d->destinations[i]);
  memory_destroy(d->destinations);
  itinerary_destroy(&d->itinerary);
  trips_destroy(&d->trips);
  memory_destroy(d->inlets);
  memory_destroy(d->sources);
  memory_destroy(d->places);
  roster_destroy(&d->roster);
  memory_destroy(d);
}

int64_t demand_count(const struct demand *d)
{
  return d->count;
}

size_t demand_bytes(const struct demand *d)
{
  return (size_t)(d->count - d->roster.count) * sizeof *d->places +
         (size_t)d->roster.count * sizeof *d->roster.rows;
}
