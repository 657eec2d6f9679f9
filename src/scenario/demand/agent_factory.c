// Creates agents: pure functions of (seed, id) and of their starts.
#include "demand_internal.h"

#include "preferred_velocity_kernel.h"
#include "sampling.h"
#include "steps.h"
#include <assert.h>

static struct point source_goal(const struct demand *d, const struct source *s, int64_t id,
                                struct point at)
{
  switch (s->goal) {
  case GOAL_DESTINATION: // route_to finds the goal
  case GOAL_JOURNEY:     // demand_set_destination does, at the first leg
    return at;
  case GOAL_AREA:
    return region_free_point(&s->goal_area, &d->world->obstacles,
                             (struct draw){d->seed, id, 0, RANDOM_GOAL});
  case GOAL_OPPOSITE:
    return position_clamped((struct point){2 * s->point.x - at.x, 2 * s->point.y - at.y},
                            d->world->bounds);
  case GOAL_OFFSET:
    return position_clamped((struct point){at.x + s->point.x, at.y + s->point.y}, d->world->bounds);
  case GOAL_POINT:
    break;
  }
  return s->point;
}

// Index of a profile.
static int sample_profile(const struct demand *d, const struct source *s, int64_t id)
{
  const int count = s->config->profiles.count;
  if (count <= 1)
    return s->profiles[0];
  const double unit = (double)random_words(d->seed, id, 0, RANDOM_PROFILE).word[0] * 0x1p-32;
  return s->profiles[cumulative_find(s->bounds, count, unit)];
}

// The row of an agent of a source: everything is sampled.
static const struct agent_row unspecified_row = {.radius = -1,
                                                 .speed = -1,
                                                 .horizon = -1,
                                                 .neighbour_distance = -1,
                                                 .max_acceleration = -1,
                                                 .yield = -1,
                                                 .neighbours = -1};

static float given_or_sampled(float given, const struct distribution *of, const struct demand *d,
                              int64_t id, enum random_purpose purpose)
{
  return given >= 0 ? given : (float)distribution_sample(of, d->seed, id, purpose);
}

static void set_reaction(const struct demand *d, const struct profile_config *of, int64_t id,
                         struct agents *a, int64_t i)
{
  const double reaction = distribution_sample(&of->reaction, d->seed, id, RANDOM_REACTION);
  const int64_t steps = steps_at_least(reaction, d->config->time.step);
  if (steps <= 0)
    return;
  a->doing[i] = ACTIVITY_REACT;
  a->until[i] = (int32_t)(a->born[i] + steps < STEP_LIMIT ? a->born[i] + steps : STEP_LIMIT);
}

static void set_max_speed(const struct demand *d, const struct profile_config *of, int64_t id,
                          struct agents *a, int64_t i)
{
  double most = MAX_SPEED_FACTOR * (double)a->speed[i];
  if (of->max_speed.kind != NOT_GIVEN)
    most = distribution_sample(&of->max_speed, d->seed, ~id, RANDOM_SPEED);
  a->max_speed[i] = (float)most > a->speed[i] ? (float)most : a->speed[i];
}

static void set_parameters(const struct demand *d, const struct agent_row *row, int profile,
                           int64_t id, struct agents *a, int64_t i)
{
  const struct profile_config *of = &d->config->profiles.records[profile];
  AGENT_SET(a, profile, i, profile);
  a->radius[i] = given_or_sampled(row->radius, &of->radius, d, id, RANDOM_RADIUS);
  a->speed[i] = given_or_sampled(row->speed, &of->speed, d, id, RANDOM_SPEED);
  set_max_speed(d, of, id, a, i);
  a->yield[i] = given_or_sampled(row->yield, &of->yield, d, id, RANDOM_YIELD);
  AGENT_SET(
      a, max_acceleration, i,
      given_or_sampled(row->max_acceleration, &of->max_acceleration, d, id, RANDOM_ACCELERATION));
  a->horizon[i] = given_or_sampled(row->horizon, &of->horizon, d, id, RANDOM_HORIZON);
  a->neighbour_distance[i] = given_or_sampled(row->neighbour_distance, &of->neighbour_distance, d,
                                              id, RANDOM_NEIGHBOUR_DISTANCE);
  a->neighbours[i] = row->neighbours > 0 ? row->neighbours
                                         : distribution_sample_integer(&of->neighbours, d->seed, id,
                                                                       RANDOM_NEIGHBOURS);
}

// ------------------------------------------------------------------------------------ routes

struct route {
  struct point start, goal;
  int32_t destination; // index of one; -1: straight to the goal
  int32_t target;      // index of the destination; -1: the goal is just a point
};

#define DEEPEST 1.0 // m: how far inside an area a goal lies at most

// The point of the areas of a destination to which agents walk straight: the nearest one, or a
// little behind it where the areas go on and no wall is in between.
static struct point destination_goal(const struct demand *d, struct point start,
                                     int32_t destination)
{
  const struct world *w = d->world;
  const struct point near = outlines_nearest(&d->destinations[destination], start);
  const int32_t deepest = frame_length(&w->frame, DEEPEST);
  struct point goal;
  if (same_point(near, start))
    return near;
  for (int32_t deep = deepest; deep > deepest / 32; deep /= 2)
    if (point_beyond(start, near, deep, w->bounds, &goal) &&
        obstacles_solid(&w->arrival_areas[destination].outlines, goal) &&
        !obstacles_crossed(&w->obstacles, near, goal))
      return goal;
  return near;
}

// destination -1: the agent stays at its start. Agents that turn back know two points only.
static struct route route_to(const struct demand *d, struct point start, int32_t destination)
{
  if (destination < 0)
    return (struct route){start, start, -1, -1};
  if (world_has_routes(d->world))
    return (struct route){start, start, destination, destination};
  if (d->config->goal.on_arrival == ARRIVAL_TURN_BACK)
    return (struct route){start, outlines_nearest(&d->destinations[destination], start), -1,
                          destination};
  return (struct route){start, destination_goal(d, start, destination), destination, destination};
}

static struct route table_route(const struct demand *d, const struct agent_row *row)
{
  const struct frame *frame = &d->world->frame;
  const struct point at = frame_point(frame, row->xy[0], row->xy[1]);
  if (row->has_goal)
    return (struct route){at, frame_point(frame, row->goal[0], row->goal[1]), -1, -1};
  const bool only_one = row->destination < 0 && d->config->destinations.count == 1;
  return route_to(d, at, only_one ? 0 : row->destination);
}

static struct route source_route(const struct demand *d, const struct source *s, int64_t id,
                                 struct point at)
{
  if (s->goal != GOAL_DESTINATION)
    return (struct route){at, source_goal(d, s, id, at), -1, -1};
  const double unit = (double)random_words(d->seed, id, 0, RANDOM_DESTINATION).word[0] * 0x1p-32;
  const struct leg *to = &s->destinations;
  return route_to(d, at, to->places[cumulative_find(to->bounds, to->count, unit)]);
}

// The source of agent k of all agents at the start.
static const struct source *source_at(const struct demand *d, int64_t k)
{
  int low = 0, high = d->source_count - 1; // finds the last source with first <= k
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (d->sources[middle].first <= k)
      low = middle;
    else
      high = middle - 1;
  }
  while (d->sources[low].count == 0) // an empty source has the `first` of the next one
    low--;
  return &d->sources[low];
}

// Id of agent k of all agents at the start; k must belong to a source.
static int64_t source_agent_id(const struct demand *d, int64_t k)
{
  return d->first_id + k - d->agent_table.count;
}

// Id of the first member of the group of agent k: draws that a group shares use it.
static int64_t group_leader_id(const struct demand *d, int64_t k)
{
  const struct source *s = source_at(d, k);
  return source_agent_id(d, s->first + group_of_member(d, s, k - s->first).first);
}

// Index among all agents at the start of the agent with that id.
static int64_t index_of_id(const struct demand *d, int64_t id)
{
  int64_t low = 0, high = d->agent_table.count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (d->agent_table.rows[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < d->agent_table.count ? low : id - d->first_id + d->agent_table.count;
}

struct point demand_turn_back_goal(const struct demand *d, int64_t id, struct point goal)
{
  const int64_t k = index_of_id(d, id);
  const struct route route = k < d->agent_table.count
                                 ? table_route(d, &d->agent_table.rows[k])
                                 : source_route(d, source_at(d, k), group_leader_id(d, k),
                                                d->places[k - d->agent_table.count]);
  return goal.x == route.start.x && goal.y == route.start.y ? route.goal : route.start;
}

// ---------------------------------------------------------------------------------- agents

static int64_t route_append(const struct demand *d, const struct route *route, int64_t id,
                            struct agents *a)
{
  const int64_t i = agents_append(a);
  a->id[i] = id;
  a->x[i] = route->start.x;
  a->y[i] = route->start.y;
  a->goal_x[i] = route->goal.x;
  a->goal_y[i] = route->goal.y;
  agent_set_destination(a, i, route->destination);
  agent_set_target(a, i, route->target);
  if (d->config->measure.people) {
    a->start_x[i] = route->start.x + 1;
    a->start_y[i] = route->start.y + 1;
  }
  return i;
}

static void table_agent_append(const struct demand *d, const struct agent_row *row,
                               struct agents *a)
{
  const struct route route = table_route(d, row);
  const int64_t i = route_append(d, &route, row->id, a);
  a->vx[i] = row->vx;
  a->vy[i] = row->vy;
  a->source[i] = -1;
  set_parameters(d, row, 0, row->id, a, i);
  set_reaction(d, &d->config->profiles.records[0], row->id, a, i);
}

// A group walks at the preferred speed of its slowest member.
static void set_group(const struct demand *d, const struct source *s, struct group g, int64_t id,
                      struct agents *a, int64_t i)
{
  const struct profile_config *of = &d->config->profiles.records[a->profile[i]];
  if (g.count <= 1)
    return;
  for (int32_t m = 0; m < g.count; m++) {
    const int64_t other = source_agent_id(d, s->first + g.first + m);
    const float speed = (float)distribution_sample(&of->speed, d->seed, other, RANDOM_SPEED);
    a->speed[i] = speed < a->speed[i] ? speed : a->speed[i];
  }
  set_max_speed(d, of, id, a, i);
  agent_set_group(a, i, source_agent_id(d, s->first + g.first));
}

struct source_agent {
  const struct source *source;
  int64_t number; // in the source, of an agent present at the start; -1: enters during the run
  int64_t id;
  struct point at;
  int64_t step; // of entry
};

static void source_agent_append(const struct demand *d, const struct source_agent *in,
                                struct agents *a)
{
  const struct source *s = in->source;
  const bool alone = in->number < 0;
  const struct group group = alone ? (struct group){0, 1} : group_of_member(d, s, in->number);
  // Members of a group share the draws of its first member.
  const int64_t leader = alone ? in->id : source_agent_id(d, s->first + group.first);
  const struct route route = source_route(d, s, leader, in->at);
  const int64_t i = route_append(d, &route, in->id, a);
  AGENT_SET(a, source, i, s->number);
  AGENT_SET(a, born, i, (int32_t)in->step);
  set_parameters(d, &unspecified_row, sample_profile(d, s, leader), in->id, a, i);
  set_reaction(d, &d->config->profiles.records[a->profile[i]], leader, a, i);
  set_group(d, s, group, in->id, a, i);
  if (s->journey >= 0)
    agent_set_stage(a, i, d->itinerary.journeys[s->journey]);
}

void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a)
{
  assert(first >= 0 && first <= end && end <= d->count);
  agents_reserve(a, a->count + end - first);
  for (int64_t k = first; k < end; k++) {
    if (k < d->agent_table.count) {
      table_agent_append(d, &d->agent_table.rows[k], a);
      continue;
    }
    const struct source *s = source_at(d, k);
    const struct source_agent agent = {s, k - s->first, source_agent_id(d, k),
                                       d->places[k - d->agent_table.count], 0};
    source_agent_append(d, &agent, a);
  }
}

void demand_append_arrival(const struct demand *d, int inflow, int64_t id, struct point at,
                           int64_t step, struct agents *a)
{
  assert(inflow >= 0 && inflow < d->inflow_count && id >= demand_next_id(d) && step >= 0);
  source_agent_append(d, &(struct source_agent){d->inflows[inflow], -1, id, at, step}, a);
}

// NULL: no row of trips is from it.
static const struct source *source_numbered(const struct demand *d, int number)
{
  for (int i = 0; i < d->source_count; i++)
    if (d->sources[i].number == number)
      return &d->sources[i];
  return NULL;
}

const char *demand_added_problem(const struct demand *d, const struct added_agent *in)
{
  const struct world *w = d->world;
  const struct frame *frame = &w->frame;
  if (in->source >= 0 && !source_numbered(d, in->source))
    return "is of a source without trips, which gives nobody a destination";
  if (!frame_holds(frame, in->x, in->y) || !box_holds(w->bounds, frame_point(frame, in->x, in->y)))
    return "lies outside world.extent";
  if (in->has_goal && (!frame_holds(frame, in->goal_x, in->goal_y) ||
                       !box_holds(w->bounds, frame_point(frame, in->goal_x, in->goal_y))))
    return "has a goal outside world.extent";
  const struct point at = frame_point(frame, in->x, in->y);
  if (obstacles_solid(&w->obstacles, at) || obstacles_near(&w->obstacles, at, 1)) // on its outline
    return "is inside a wall";
  if (world_has_routes(w) && in->destination >= 0 && !world_reachable(w, in->destination, at))
    return "cannot reach its destination";
  if (in->radius != -1 && !(in->radius >= 1e-3f && in->radius <= AGENT_RADIUS_MAX))
    return "has an impossible radius";
  if (in->speed != -1 &&
      !(in->speed >= 0 && in->speed <= AGENT_SPEED_MAX / (float)MAX_SPEED_FACTOR))
    return "has an impossible speed";
  return NULL;
}

static void own_agent_append(const struct demand *d, const struct added_agent *in, int64_t id,
                             int64_t step, struct agents *a)
{
  const struct frame *frame = &d->world->frame;
  const struct point at = frame_point(frame, in->x, in->y);
  struct route route = route_to(d, at, in->destination);
  if (in->has_goal)
    route.goal = frame_point(frame, in->goal_x, in->goal_y);
  const int64_t i = route_append(d, &route, id, a);
  const int profile = in->profile < 0 ? 0 : in->profile;
  AGENT_SET(a, source, i, -1);
  AGENT_SET(a, born, i, (int32_t)step);
  set_parameters(d, &unspecified_row, profile, id, a, i);
  set_reaction(d, &d->config->profiles.records[profile], id, a, i);
  if (in->journey >= 0)
    agent_set_stage(a, i, d->itinerary.journeys[in->journey]);
}

void demand_append_added(const struct demand *d, const struct added_agent *in, int64_t id,
                         int64_t step, struct agents *a)
{
  const struct frame *frame = &d->world->frame;
  const int64_t i = a->count;
  if (in->source >= 0) {
    const struct source *s = source_numbered(d, in->source);
    source_agent_append(
        d, &(struct source_agent){s, -1, id, frame_point(frame, in->x, in->y), step}, a);
  } else {
    own_agent_append(d, in, id, step, a);
  }
  if (in->radius > 0)
    a->radius[i] = in->radius;
  if (in->speed < 0)
    return;
  a->speed[i] = in->speed;
  set_max_speed(d, &d->config->profiles.records[a->profile[i]], id, a, i);
}

void demand_set_destination(const struct demand *d, int32_t stop, struct agents *a, int64_t i)
{
  const struct route route = route_to(d, (struct point){a->x[i], a->y[i]}, stop);
  a->goal_x[i] = route.goal.x;
  a->goal_y[i] = route.goal.y;
  agent_set_destination(a, i, route.destination);
  agent_set_target(a, i, stop);
  agent_set_aim(a, i, ROADMAP_NONE);
  a->doing[i] = ACTIVITY_WALK;
}
