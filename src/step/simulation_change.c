#include "simulation_change.h"

#include "preferred_velocity_kernel.h"
#include "step_parts.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The agents are about to change on the host. What the caller wrote before is looked at as well.
static void prepare_change(struct simulation *s)
{
  simulation_sync_to_host(s);
  if (s->device_crowd)
    s->device_current = false;
  s->agents.ghost_count = 0;
  s->observed.known = false;
}

// ------------------------------------------------------------------------------------- adding

// Agents that are wider or faster than anybody so far perceive and are perceived further.
static bool needs_wider_halo(struct simulation *s, int32_t *width)
{
  *width = simulation_halo_width(s);
  return *width > s->halo.width;
}

// Each agent goes to the rank that owns its position.
static void redistribute(struct simulation *s)
{
  int32_t width;
  int64_t strays = 0;
  const bool wider = needs_wider_halo(s, &width);
  for (int64_t i = 0; i < s->agents.count; i++)
    strays += partition_owner(&s->partition, (struct point){s->agents.x[i], s->agents.y[i]}) !=
              s->comm->rank;
  comm_max(s->comm, &strays, 1);
  const struct load_balance_input in = simulation_load_balance_input(s);
  if (wider)
    load_balance_widen(&s->load_balance, width, &in);
  else if (strays > 0)
    migrate_globally(s->comm, &s->partition, &s->agents);
  if (wider || strays > 0)
    neighbours_invalidate(&s->neighbours);
}

static bool find_problem(const struct simulation *s, const struct added_agent *added, int64_t count,
                         char *problem, size_t size)
{
  for (int64_t k = 0; k < count; k++) {
    const char *why = demand_added_problem(scenario_demand(s->scenario), &added[k]);
    if (!why)
      continue;
    snprintf(problem, size, "agent %lld of %lld, at (%.10g, %.10g), %s", (long long)k,
             (long long)count, added[k].x, added[k].y, why);
    return true;
  }
  return false;
}

bool simulation_add(struct simulation *s, const struct added_agent *added, int64_t count,
                    int64_t *first_id, char *problem, size_t size)
{
  const struct frame *frame = &s->scenario->world.frame;
  if (find_problem(s, added, count, problem, size))
    return false;
  prepare_change(s);
  *first_id = s->inflow_spawner.next_id;
  for (int64_t k = 0; k < count; k++)
    if (partition_owner(&s->partition, frame_point(frame, added[k].x, added[k].y)) == s->comm->rank)
      demand_append_added(scenario_demand(s->scenario), &added[k], *first_id + k, s->step,
                          &s->agents);
  s->inflow_spawner.next_id += count;
  s->last.agents += count;
  s->all.agents += count;
  s->steering.changes++;
  redistribute(s);
  return true;
}

// -------------------------------------------------------------------------- chosen by their id

struct chosen {
  int64_t id, index; // in the list of ids
};

static int compare_ids(const void *a, const void *b)
{
  const struct chosen *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static int compare_chosen(const void *a, const void *b)
{
  const struct chosen *x = a, *y = b;
  const int by_id = compare_ids(a, b);
  return by_id ? by_id : (x->index > y->index) - (x->index < y->index);
}

// list[*count] by id; of an id that is given several times, the last one.
static struct chosen *chosen_create(const int64_t *ids, int64_t *count)
{
  struct chosen *list = memory_create((size_t)*count, sizeof *list);
  int64_t kept = 0;
  for (int64_t k = 0; k < *count; k++)
    list[k] = (struct chosen){ids[k], k};
  qsort(list, (size_t)*count, sizeof *list, compare_chosen);
  for (int64_t k = 0; k < *count; k++)
    if (k + 1 == *count || list[k + 1].id != list[k].id)
      list[kept++] = list[k];
  *count = kept;
  return list;
}

// Marks the agents of this rank with such ids: gone[i] = 1. at[i], if given: index in ids. Returns
// their number on all ranks.
static int64_t mark_chosen(struct simulation *s, const int64_t *ids, int64_t count, int64_t *at)
{
  struct agents *a = &s->agents;
  int64_t found = 0;
  prepare_change(s);
  transitions_reserve(&s->transitions, a->count);
  struct chosen *list = chosen_create(ids, &count);
  for (int64_t i = 0; i < a->count; i++) {
    const struct chosen key = {a->id[i], 0};
    const struct chosen *one = bsearch(&key, list, (size_t)count, sizeof *list, compare_ids);
    s->transitions.gone[i] = one != NULL;
    if (at && one)
      at[i] = one->index;
    found += one != NULL;
  }
  memory_destroy(list);
  comm_sum(s->comm, &found, 1);
  return found;
}

int64_t simulation_remove(struct simulation *s, const int64_t *ids, int64_t count)
{
  const int64_t removed = mark_chosen(s, ids, count, NULL);
  const uint8_t *gone = s->transitions.gone;
  journeys_leave_queues(&s->journeys, s->comm, &s->agents, gone);
  for (int64_t i = 0; i < s->agents.count; i++)
    if (gone[i]) {
      s->departure_hash += agents_departure_hash(s->agents.id[i], s->step);
      measurements_record_removal(&s->measurements, &s->agents, i, s->step);
    }
  agents_remove_ordered(&s->agents, &s->neighbours.border_layer, s->transitions.gone);
  s->last.agents -= removed;
  s->all.removed += removed;
  if (removed > 0)
    s->last_departure = s->step;
  s->steering.changes++;
  return removed;
}

static void leave_journey(struct agents *a, int64_t i)
{
  agent_set_stage(a, i, -1);
  agent_set_target(a, i, -1);
  agent_set_aim(a, i, -1);
  agent_set_destination(a, i, -1);
  AGENT_SET(a, doing, i, ACTIVITY_WALK);
}

int64_t simulation_send_to_points(struct simulation *s, const int64_t *ids,
                                  const struct point *goals, int64_t count)
{
  struct agents *a = &s->agents;
  int64_t *at = memory_create((size_t)a->count, sizeof *at);
  const int64_t sent = mark_chosen(s, ids, count, at);
  journeys_leave_queues(&s->journeys, s->comm, a, s->transitions.gone);
  for (int64_t i = 0; i < a->count; i++)
    if (s->transitions.gone[i]) {
      leave_journey(a, i);
      a->goal_x[i] = goals[at[i]].x;
      a->goal_y[i] = goals[at[i]].y;
    }
  memory_destroy(at);
  s->steering.changes++;
  return sent;
}

int64_t simulation_send(struct simulation *s, const int64_t *ids, int64_t count,
                        int32_t destination)
{
  struct agents *a = &s->agents;
  const int64_t sent = mark_chosen(s, ids, count, NULL);
  journeys_leave_queues(&s->journeys, s->comm, a, s->transitions.gone);
  for (int64_t i = 0; i < a->count; i++)
    if (s->transitions.gone[i]) {
      leave_journey(a, i);
      demand_set_destination(scenario_demand(s->scenario), destination, a, i);
    }
  s->steering.changes++;
  return sent;
}

// ------------------------------------------------------------------------------------ columns

void simulation_watch(struct simulation *s)
{
  if (!s->steering.watched)
    return;
  simulation_sync_to_host(s); // columns of a device: as a caller would see them
  s->steering.checksum = agents_checksum(&s->agents);
}

void simulation_hand_out(struct simulation *s)
{
  simulation_sync_to_host(s);
  if (s->steering.watched)
    return;
  s->steering.watched = true;
  s->agents.keeps_old = true; // a caller may hold a pointer to memory that a column has left
  simulation_watch(s);
}

static bool is_within(float value, float least, float most) // false for NaN
{
  return value >= least && value <= most;
}

static const char *agent_problem(const struct simulation *s, int64_t i)
{
  const struct agents *a = &s->agents;
  const struct avoidance *avoidance = &s->scenario->avoidance;
  const struct world *w = &s->scenario->world;
  const float most = AGENT_SPEED_MAX;
  const struct point at = {a->x[i], a->y[i]};
  if (!box_holds(w->bounds, at))
    return "is outside the world";
  if (obstacles_solid(&w->obstacles, at))
    return "is inside a wall";
  if (!box_holds(w->bounds, (struct point){a->goal_x[i], a->goal_y[i]}))
    return "has a goal outside the world";
  if (!is_within(a->vx[i], -most, most) || !is_within(a->vy[i], -most, most))
    return "has an impossible velocity";
  if (!is_within(a->radius[i], 1e-3f, AGENT_RADIUS_MAX))
    return "has an impossible radius";
  if (!is_within(a->speed[i], 0, most) || !is_within(a->max_speed[i], a->speed[i], most))
    return "has an impossible speed: 0 <= speed <= max_speed <= 64 m/s is expected";
  if (!is_within(a->max_acceleration[i], 0, 1e6f) || !is_within(a->yield[i], 0, 1e6f))
    return "has an impossible max_acceleration or yield";
  if (!is_within(a->horizon[i], 1e-3f, 1e6f) ||
      !is_within(a->neighbour_distance[i], 0, avoidance->neighbour_distance))
    return "has an impossible horizon, or a neighbour_distance above the scenario's greatest";
  return NULL;
}

bool simulation_accept(struct simulation *s, char *problem, size_t size)
{
  int64_t written = 0;
  if (s->steering.watched)
    written = agents_checksum(&s->agents) != s->steering.checksum;
  comm_max(s->comm, &written, 1);
  if (!written)
    return true;
  const char *why = NULL;
  int64_t i = 0;
  prepare_change(s);
  while (i < s->agents.count && !(why = agent_problem(s, i)))
    i++;
  char text[200] = "";
  if (why)
    snprintf(text, sizeof text, "agent %lld %s", (long long)s->agents.id[i], why);
  const int32_t reporter = comm_lowest_rank(s->comm, why != NULL);
  if (reporter < s->comm->size) {
    comm_broadcast(s->comm, text, sizeof text, reporter);
    snprintf(problem, size, "%s", text);
    return false;
  }
  s->steering.changes++;
  redistribute(s);
  simulation_watch(s);
  return true;
}

void simulation_steer(struct simulation *s)
{
  struct agents *a = &s->agents;
  const float most = AGENT_SPEED_MAX;
  const size_t bytes = (size_t)a->count * sizeof(float);
  // Scratch until the velocities are chosen: what navigation prefers.
  memcpy(a->next_vx, a->prefer_x, bytes);
  memcpy(a->next_vy, a->prefer_y, bytes);
  s->steering.preferred(s->steering.context);
  for (int64_t i = 0; i < a->count; i++) {
    if (a->prefer_x[i] == a->next_vx[i] && a->prefer_y[i] == a->next_vy[i])
      continue;
    if (!is_within(a->prefer_x[i], -most, most) || !is_within(a->prefer_y[i], -most, most))
      a->prefer_x[i] = a->prefer_y[i] = 0;
    if (s->scenario->world.facings)
      facing_set(a, i);
  }
}

// ------------------------------------------------------------------------------------ nearest

struct near {
  float d2; // quanta^2, as the search compares them; HUGE_VALF: none
  int64_t id;
  double distance; // m
};

static int compare_near(const void *a, const void *b)
{
  const struct near *x = a, *y = b;
  return x->d2 != y->d2 ? (x->d2 > y->d2) - (x->d2 < y->d2) : (x->id > y->id) - (x->id < y->id);
}

// The nearest agents of this rank to a point: own[k], the rest of which is far away.
static void find_near(const struct simulation *s, struct point at, int k, float range2,
                      struct near *own)
{
  const double quantum = (double)frame_quantum(&s->scenario->world.frame);
  struct nearest_list list = {.room = k};
  neighbours_search_reference(&s->neighbours, &s->agents, at, -1, range2, &list);
  for (int e = 0; e < k; e++) {
    if (e >= list.count) {
      own[e] = (struct near){HUGE_VALF, -1, HUGE_VAL};
      continue;
    }
    const int32_t i = list.list[e].item;
    const double x = quantum * ((double)s->agents.x[i] - at.x);
    const double y = quantum * ((double)s->agents.y[i] - at.y);
    own[e] = (struct near){list.list[e].d2, s->agents.id[i], sqrt(x * x + y * y)};
  }
}

void simulation_nearest(struct simulation *s, const struct point *points, int64_t count, int k,
                        double range, int64_t *ids, double *distances)
{
  assert(k > 0 && k <= NEIGHBOURS_MAX);
  const size_t each = (size_t)count * (size_t)k;
  const double quanta = range / (double)frame_quantum(&s->scenario->world.frame);
  const float range2 = (float)fmin(quanta * quanta, 3e38);
  struct near *own = memory_create(each, sizeof *own);
  struct near *row = memory_create((size_t)k * (size_t)s->comm->size, sizeof *row);
  int64_t bytes;
  simulation_sync_to_host(s);
  neighbours_build_own(&s->neighbours, &s->scenario->world.frame, &s->agents);
#pragma omp parallel for schedule(dynamic, 64) if (count > 64)
  for (int64_t p = 0; p < count; p++)
    find_near(s, points[p], k, range2, own + p * k);
  struct near *all = comm_gather(s->comm, own, (int64_t)(each * sizeof *own), &bytes);
  for (int64_t p = 0; p < count; p++) {
    for (int32_t r = 0; r < s->comm->size; r++)
      memcpy(row + r * k, all + (size_t)r * each + p * k, (size_t)k * sizeof *row);
    qsort(row, (size_t)k * (size_t)s->comm->size, sizeof *row, compare_near);
    for (int e = 0; e < k; e++) {
      ids[p * k + e] = row[e].id;
      distances[p * k + e] = row[e].distance;
    }
  }
  memory_destroy(all);
  memory_destroy(row);
  memory_destroy(own);
}
