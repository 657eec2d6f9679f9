#include "demand_internal.h"

#include "shape.h"
#include <assert.h>
#include <math.h>

// ---------------------------------------------------------------------- agents of the table

// Faults that agents of the table may have.
enum violation_kind {
  OUTSIDE,
  INSIDE,
  FAR_GOAL,
  BURIED_GOAL,
  UNREACHED,
  ERRORS, // the following are warnings
  NEAR = ERRORS,
  OVERLAP,
  GOAL_IN_WALL,
  IDLE,
  VIOLATIONS
};

static const char *const violation_texts[VIOLATIONS] = {
    [OUTSIDE] = "lies outside world.extent",
    [INSIDE] = "is inside a wall",
    [FAR_GOAL] = "has a goal outside world.extent",
    [BURIED_GOAL] = "has a goal inside a wall, with no free ground within goal.radius",
    [UNREACHED] = "cannot reach its destination",
    [NEAR] = "touches a wall",
    [OVERLAP] = "overlaps another agent",
    [GOAL_IN_WALL] = "has a goal inside a wall",
    [IDLE] = "has neither goal nor destination and will not move"};

struct violation {
  int64_t count;
  const struct agent_row *first; // by line
};

static void violation_add(struct violation *o, const struct agent_row *row)
{
  o->count++;
  if (!o->first || row->line < o->first->line)
    o->first = row;
}

static void report_violation(const struct violation *o, const struct agent_table *r,
                             const char *what, bool warning, struct diagnostics *p)
{
  if (!o->count)
    return;
  char more[60] = "";
  if (o->count > 1)
    snprintf(more, sizeof more, " (and %lld more)", (long long)(o->count - 1));
  const struct location at = {r->path, NULL, o->first->line, 1};
  (warning ? diagnostics_warning : diagnostics_error)(p, at, "agent %lld %s%s",
                                                      (long long)o->first->id, what, more);
}

static void row_goal_check(const struct agent_row *row, const struct demand_input *in,
                           struct violation *found)
{
  static const int kinds[] = {
      [GOAL_INSIDE_NEAR] = GOAL_IN_WALL, [GOAL_INSIDE] = BURIED_GOAL, [GOAL_OUTSIDE] = FAR_GOAL};
  const enum goal_place place =
      row->has_goal ? goal_place_at(in, row->goal[0], row->goal[1]) : GOAL_FREE;
  if (place != GOAL_FREE)
    violation_add(&found[kinds[place]], row);
  else if (!row->has_goal && row->destination < 0 && in->config->destinations.count != 1)
    violation_add(&found[IDLE], row);
}

static void row_start_check(const struct demand *d, const struct agent_row *row,
                            const struct demand_input *in, struct discs *occupied,
                            struct violation *found)
{
  const struct world *w = in->world;
  const bool in_frame = frame_holds(&w->frame, row->xy[0], row->xy[1]);
  const struct point q = in_frame ? frame_point(&w->frame, row->xy[0], row->xy[1])
                                  : (struct point){INT32_MAX, INT32_MAX};
  if (!in_frame || !box_holds(w->bounds, q)) {
    violation_add(&found[OUTSIDE], row);
    return;
  }
  const int32_t radius = frame_length(&w->frame, agent_row_radius(d, row));
  if (obstacles_solid(&w->obstacles, q) || obstacles_near(&w->obstacles, q, 1)) // on its outline
    violation_add(&found[INSIDE], row);
  else if (obstacles_near(&w->obstacles, q, radius))
    violation_add(&found[NEAR], row);
  if (world_has_routes(w) && !in->routes_change && row->destination >= 0 &&
      !world_reachable(w, row->destination, q))
    violation_add(&found[UNREACHED], row);
  if (discs_touch(occupied, q, radius))
    violation_add(&found[OVERLAP], row);
  discs_add(occupied, q, radius);
}

static void agent_table_check(struct demand *d, const struct demand_input *in,
                              struct discs *occupied, struct diagnostics *p)
{
  struct violation found[VIOLATIONS] = {0};
  const int before = p->count;
  for (int64_t i = 0; i < d->agent_table.count; i++) {
    row_start_check(d, &d->agent_table.rows[i], in, occupied, found);
    row_goal_check(&d->agent_table.rows[i], in, found);
  }
  for (int k = 0; k < VIOLATIONS; k++)
    if (k < ERRORS || p->count == before) // warnings would only repeat the errors
      report_violation(&found[k], &d->agent_table, violation_texts[k], k >= ERRORS, p);
}

// --------------------------------------------------------------------------------- creation

bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct diagnostics *p)
{
  const struct area_list *list = &in->config->destinations.records[number].areas;
  return demand_outlines(in, list->areas, list->count, out, p);
}

static void destinations_keep(struct demand *d, const struct demand_input *in,
                              struct diagnostics *p)
{
  const int count = d->config->destinations.count;
  d->destinations = memory_create((size_t)count, sizeof *d->destinations);
  for (int i = 0; i < count; i++)
    if (destination_outlines(in, i, &d->destinations[i], p) &&
        !outlines_have_goal(in, &d->destinations[i], i))
      diagnostics_error(
          p, origin_location(in->config, &in->config->destinations.records[i].from, NULL),
          "destinations[%d]: unreachable destination: \"%s\" lies entirely inside walls", i,
          in->config->destinations.records[i].name);
}

void demand_maxima(const struct demand *d, double *radius, double *speed)
{
  *radius = profiles_largest_radius(d->config);
  *speed = 0;
  for (int i = 0; i < d->config->profiles.count; i++) {
    const struct profile_config *of = &d->config->profiles.records[i];
    *speed = fmax(*speed, fmax(MAX_SPEED_FACTOR * of->speed.hi, of->max_speed.hi));
  }
  for (int64_t i = 0; i < d->agent_table.count; i++) {
    *radius = fmax(*radius, (double)d->agent_table.rows[i].radius);
    *speed = fmax(*speed, MAX_SPEED_FACTOR * (double)d->agent_table.rows[i].speed);
  }
}

static int32_t largest_radius(const struct demand *d)
{
  double radius, speed;
  demand_maxima(d, &radius, &speed);
  return frame_length(&d->world->frame, radius) + 1;
}

// Starts of different sources and of the table must not overlap; those of one source never do.
static void agents_place(struct demand *d, const struct demand_input *in, struct diagnostics *p)
{
  struct discs occupied = {0};
  const bool several = d->agent_table.count > 0 || d->source_count > 1;
  if (several)
    discs_create(&occupied, d->agent_table.count + 1024, largest_radius(d));
  if (d->agent_table.count)
    agent_table_check(d, in, &occupied, p);
  for (int i = 0; i < d->source_count; i++)
    if (d->sources[i].has_inflow)
      d->sources[i].first = d->count;
    else
      source_place(d, &d->sources[i], in, several ? &occupied : NULL, p);
  for (int i = 0; i < d->inflow_count; i++)
    inflow_check(d, i, in, p);
  discs_destroy(&occupied);
}

// The area where its agents enter. All flows of a source share one region.
static void region_find(struct source *s, const struct source *first, const struct demand_input *in,
                        struct diagnostics *p)
{
  s->region_shared = s > first && s[-1].has_inflow && s[-1].number == s->number;
  if (s->region_shared)
    s->region = s[-1].region;
  else
    region_create(&s->region, in, &s->config->area, 1, p);
}

static void source_add(struct demand *d, int number, const struct od_flow *od_flow,
                       const struct demand_input *in, struct diagnostics *p)
{
  struct source *s = &d->sources[d->source_count++];
  s->config = &d->config->sources.records[number];
  s->number = number;
  s->od_flow = od_flow;
  source_resolve(s, in, p);
  if (s->has_inflow) {
    d->inflows[d->inflow_count++] = s;
    region_find(s, d->sources, in, p);
  }
}

// It may be so, as in a table of all pairs of zones.
static void report_no_trips(const struct demand *d, const struct source_config *c,
                            struct diagnostics *p)
{
  diagnostics_warning(p, origin_location(d->config, &c->from, NULL),
                      "%s: no people of trips are from \"%.80s\": nobody enters there",
                      c->from.path, c->name);
}

// Creates one source per source of the config or, if it has any, per flow of its OD matrix.
static void sources_create(struct demand *d, const struct demand_input *in, struct diagnostics *p)
{
  const struct od_matrix *od = &d->od_matrix; // sorted by source
  const int64_t most = d->config->sources.count + od->count;
  int64_t next = 0;
  d->sources = memory_create((size_t)most, sizeof *d->sources);
  d->inflows = memory_create((size_t)most, sizeof(struct source *));
  for (int i = 0; i < d->config->sources.count; i++) {
    const int64_t first = next;
    for (; next < od->count && od->rows[next].source == i; next++)
      source_add(d, i, &od->rows[next], in, p);
    const struct source_config *c = &d->config->sources.records[i];
    if (next == first && d->config->od_matrix && source_is_of_trips(c))
      report_no_trips(d, c, p);
    else if (next == first)
      source_add(d, i, NULL, in, p);
  }
}

static void ids_assign(struct demand *d, struct diagnostics *p)
{
  const struct agent_table *table = &d->agent_table;
  if (!table->count || !d->config->sources.count)
    return;
  const struct agent_row *last = &table->rows[table->count - 1];
  if (last->id > INT64_MAX - ((int64_t)1 << 40))
    diagnostics_error(p, (struct location){table->path, NULL, last->line, 1},
                      "id %lld leaves no room for the ids of sources", (long long)last->id);
  else
    d->first_id = last->id + 1;
}

struct demand *demand_create(const struct demand_input *in, struct diagnostics *p)
{
  assert(agent_table_is_valid(in->agent_table));
  const int before = p->count;
  const struct config *c = in->config;
  struct demand *d = memory_create(1, sizeof *d);
  *d = (struct demand){
      .config = c, .world = in->world, .seed = (uint64_t)c->seed, .agent_table = *in->agent_table};
  *in->agent_table = (struct agent_table){0};
  d->count = d->agent_table.count;
  ids_assign(d, p);
  if (od_matrix_read(&d->od_matrix, c, p))
    sources_create(d, in, p);
  if (!world_has_routes(in->world))
    destinations_keep(d, in, p);
  itinerary_create(&d->itinerary, in, p);
  assert(p->count > before || itinerary_is_valid(&d->itinerary));
  for (int i = 0; i < d->source_count && p->count == before; i++)
    source_find_stops(&d->sources[i], in, &d->itinerary);
  if (p->count == before)
    agents_place(d, in, p);
  if (p->count == before && d->count == 0 && d->inflow_count == 0)
    diagnostics_error(p, (struct location){c->path, NULL, 0, 0},
                      "no agents: sources and agents yield none");
  if (p->count == before) {
    demand_check_goals_in_sight(d, in, p);
    return d;
  }
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
  od_matrix_destroy(&d->od_matrix);
  memory_destroy(d->inflows);
  memory_destroy(d->sources);
  memory_destroy(d->places);
  agent_table_destroy(&d->agent_table);
  memory_destroy(d);
}

int64_t demand_count(const struct demand *d)
{
  return d->count;
}

void demand_forget_places(struct demand *d)
{
  memory_destroy(d->places);
  d->places = NULL;
}

size_t demand_bytes(const struct demand *d)
{
  return (size_t)(d->count - d->agent_table.count) * sizeof *d->places +
         (size_t)d->agent_table.count * sizeof *d->agent_table.rows;
}
