#include "restored.h"

#include "demand.h"
#include "headway.h"
#include "itinerary.h"
#include "side_preference.h"
#include "steps.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ID_MAX     0x1p62
#define BLOCK      256 // values of a column at a time
#define CHOICE_MAX (((HEADWAY_UNIT + 1) << 3) + 7)
#define RADIUS_MIN 1e-3

struct field_range { // of the values of a field of agents: inclusive
  const char *field;
  double least, most;
};

static double value_of(const struct agent_field *field, const char *bytes)
{
  float single;
  int32_t integer;
  int64_t large;
  memcpy(&single, bytes, sizeof single);
  memcpy(&integer, bytes, sizeof integer);
  if (field->is_float)
    return (double)single;
  if (field->size == sizeof integer)
    return integer;
  memcpy(&large, bytes, sizeof large);
  return (double)large;
}

static bool column_check(const struct agents *a, const struct agent_field *field,
                         const struct field_range *range, char *reason, size_t size)
{
  char block[BLOCK * sizeof(int64_t)];
  for (int64_t first = 0; first < a->count; first += BLOCK) {
    const int64_t count = a->count - first < BLOCK ? a->count - first : BLOCK;
    agents_column_read(a, field, first, count, block);
    for (int64_t i = 0; i < count; i++) {
      const double value = value_of(field, block + (size_t)i * field->size);
      if (value >= range->least && value <= range->most) // false for NaN
        continue;
      snprintf(reason, size, "agent %" PRId64 ": %s is %.9g, not within %.9g and %.9g",
               a->id[first + i], field->name, value, range->least, range->most);
      return false;
    }
  }
  return true;
}

static bool columns_check(const struct agents *a, const struct field_range *ranges, size_t count,
                          char *reason, size_t size)
{
  for (int f = 0; f < agent_field_count; f++)
    for (size_t k = 0; k < count; k++)
      if (strcmp(agent_fields[f].name, ranges[k].field) == 0 &&
          !column_check(a, &agent_fields[f], &ranges[k], reason, size))
        return false;
  return true;
}

static bool numbers_check(const struct scenario *s, const struct agents *a, char *reason,
                          size_t size)
{
  const struct avoidance *v = &s->avoidance;
  const double speed = (double)AGENT_SPEED_MAX, far = POSITION_LIMIT;
  const struct box world = s->world.bounds;
  const struct field_range ranges[] = {{"id", 0, ID_MAX},
                                       {"x", world.lo.x, world.hi.x},
                                       {"y", world.lo.y, world.hi.y},
                                       {"vx", -speed, speed},
                                       {"vy", -speed, speed},
                                       {"radius", RADIUS_MIN, (double)AGENT_RADIUS_MAX},
                                       {"yield", 0, 1e6},
                                       {"group", -1, ID_MAX},
                                       {"passing", -2 * SIDE_UNIT, 2 * SIDE_UNIT + 1},
                                       {"choice", 0, CHOICE_MAX},
                                       {"mark_x", -far, far},
                                       {"mark_y", -far, far},
                                       {"start_x", -far, far},
                                       {"start_y", -far, far},
                                       {"speed", 0, speed},
                                       {"max_speed", 0, speed},
                                       {"max_acceleration", 0, 1e6},
                                       {"horizon", 1e-3, 1e6},
                                       {"neighbour_distance", 0, (double)v->neighbour_distance},
                                       {"neighbours", 0, v->neighbours},
                                       {"goal_x", -far, far},
                                       {"goal_y", -far, far}};
  return columns_check(a, ranges, sizeof ranges / sizeof *ranges, reason, size);
}

// What names something of the scenario, or a time.
static bool references_check(const struct scenario *s, const struct agents *a, int64_t step,
                             char *reason, size_t size)
{
  const struct itinerary *it = demand_itinerary(scenario_demand(s));
  const struct field_range ranges[] = {{"destination", -1, s->world.arrival_count - 1},
                                       {"profile", 0, s->profile_count - 1},
                                       {"source", -1, s->source_count - 1},
                                       {"born", 0, (double)step},
                                       {"stage", -1, it->leg_count - 1},
                                       {"target", -1, it->stop_count - 1},
                                       {"doing", ACTIVITY_WALK, ACTIVITY_LEAVE},
                                       {"until", 0, INT32_MAX},
                                       {"held", 0, INT32_MAX},
                                       {"waited", 0, INT32_MAX}};
  return columns_check(a, ranges, sizeof ranges / sizeof *ranges, reason, size);
}

// What it does needs a stop, or a leg of its journey.
static bool activity_exists(const struct scenario *s, const struct agents *a, int64_t i)
{
  const struct itinerary *it = demand_itinerary(scenario_demand(s));
  const int32_t stop = agent_target(a, i);
  const bool under_way = stop >= 0 && agent_stage(a, i) >= 0;
  switch ((enum agent_activity)a->doing[i]) {
  case ACTIVITY_WALK:
  case ACTIVITY_REACT:
    return true;
  case ACTIVITY_STAY:
    return under_way;
  case ACTIVITY_QUEUE:
    return under_way && it->stops[stop].slot_count > 0;
  case ACTIVITY_LEAVE:
    return stop >= 0 && it->stops[stop].flow > 0;
  }
  return false;
}

bool restored_agents_check(const struct scenario *s, const struct agents *a, int64_t step,
                           char *reason, size_t size)
{
  if (!numbers_check(s, a, reason, size) || !references_check(s, a, step, reason, size))
    return false;
  for (int64_t i = 0; i < a->count; i++)
    if (!activity_exists(s, a, i)) {
      snprintf(reason, size, "agent %" PRId64 " is at a stop that does not exist", a->id[i]);
      return false;
    }
  return true;
}

bool restored_simulation_check(const struct simulation *s, int64_t step, char *reason, size_t size)
{
  int64_t count = s->agents.count, greatest = -1;
  for (int64_t i = 0; i < s->agents.count; i++)
    greatest = s->agents.id[i] > greatest ? s->agents.id[i] : greatest;
  comm_sum(s->comm, &count, 1);
  comm_max(s->comm, &greatest, 1);
  const struct step_totals *all = &s->all;
  const char *wrong = s->step != step                         ? "its step"
                      : s->last.agents != count               ? "the number of its agents"
                      : s->inflow_spawner.next_id <= greatest ? "the number of the next agent"
                      : count + all->arrived + all->removed != all->agents
                          ? "the numbers of those who arrived"
                          : NULL;
  if (wrong)
    snprintf(reason, size, "its state contradicts it: %s", wrong);
  return !wrong;
}

static bool waypoint_exists(const struct scenario *s, const struct agents *a, int64_t i)
{
  const struct roadmap *r = &s->world.roadmap;
  const int32_t destination = agent_destination(a, i);
  if (destination < 0 || r->destination_count == 0)
    return true;
  const int64_t waypoint = roadmap_aim_waypoint(agent_aim(a, i));
  return roadmap_aim_parts(agent_aim(a, i)) <= ROADMAP_PARTS && waypoint < r->node_count &&
         (int64_t)ROADMAP_EDGE - waypoint < r->destinations[destination].edges.count;
}

bool restored_waypoints_check(const struct simulation *s, char *reason, size_t size)
{
  const struct agents *a = &s->agents;
  for (int64_t i = 0; i < a->count; i++)
    if (!waypoint_exists(s->scenario, a, i)) {
      snprintf(reason, size, "agent %" PRId64 " aims at a waypoint that does not exist", a->id[i]);
      return false;
    }
  return true;
}
