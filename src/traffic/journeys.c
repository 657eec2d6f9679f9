#include "journeys_internal.h"

#include "config.h"
#include "marks.h"
#include "random.h"
#include "sampling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void journeys_create(struct journeys *j, const struct scenario *s)
{
  const struct itinerary *it = demand_itinerary(scenario_demand(s));
  *j = (struct journeys){.stop_count = it->stop_count};
  j->needs_requests = it->has_queues || it->has_flow_limit || it->needs_stop_counts;
  j->active = j->needs_requests || it->journey_count > 0;
  j->queues = memory_create((size_t)it->stop_count, sizeof *j->queues);
  j->exit_credit = memory_create((size_t)it->stop_count, sizeof *j->exit_credit);
  j->stop_occupancy = memory_create((size_t)it->stop_count, sizeof *j->stop_occupancy);
  j->exit_requests = memory_create((size_t)it->stop_count, sizeof(struct request *));
  j->exit_request_count = memory_create((size_t)it->stop_count, sizeof *j->exit_request_count);
  j->called = memory_create((size_t)it->stop_count, sizeof *j->called);
  for (int32_t i = 0; i < it->stop_count; i++) {
    j->queues[i].busy_until = -1;
    j->queues[i].places = it->stops[i].slot_count;
    j->exit_credit[i] = 1;
    j->exit_requests[i] =
        memory_create((size_t)ceil(it->stops[i].flow) + 1, sizeof **j->exit_requests);
  }
}

void journeys_destroy(struct journeys *j)
{
  memory_destroy(j->queues);
  memory_destroy(j->exit_credit);
  memory_destroy(j->stop_occupancy);
  memory_destroy(j->called);
  for (int32_t i = 0; i < j->stop_count; i++)
    memory_destroy(j->exit_requests[i]);
  memory_destroy(j->exit_requests);
  memory_destroy(j->exit_request_count);
  memory_destroy(j->requests);
  *j = (struct journeys){0};
}

void journeys_visit(struct journeys *j, struct state *v)
{
  state_field(v, STATE_SAME, j->queues, issued, "journeys.issued", j->stop_count);
  state_field(v, STATE_SAME, j->queues, served, "journeys.served", j->stop_count);
  state_field(v, STATE_SAME, j->queues, busy_until, "journeys.busy_until", j->stop_count);
  state_array(v, STATE_SAME, "journeys.credit", j->exit_credit, j->stop_count);
}

// Makes the agent leave the world; where the flow of its stop is limited it waits for its turn.
static void leave_world(const struct journeys_context *c, int64_t i)
{
  struct agents *a = c->a;
  const int32_t stop = agent_target(a, i);
  agent_set_stage(a, i, -1);
  if (stop < 0 || !(c->it->stops[stop].flow > 0)) {
    c->gone[i] = 1;
    return;
  }
  journeys_stop_in_place(a, i);
  a->doing[i] = ACTIVITY_LEAVE;
  a->until[i] = (int32_t)c->step;
  journeys_request_exit(c, i);
}

static int64_t goal_distance2(struct agents *a, int64_t i)
{
  const int64_t dx = (int64_t)a->goal_x[i] - a->x[i], dy = (int64_t)a->goal_y[i] - a->y[i];
  return dx * dx + dy * dy;
}

// The stop of a leg with the least cost to go, or, without routes, the least distance; the first of
// equals.
static int32_t nearest_stop(const struct journeys_context *c, const struct leg *leg, int64_t i)
{
  int64_t least = INT64_MAX;
  int32_t best = leg->places[0];
  for (int32_t k = 0; k < leg->count; k++) {
    const struct world *w = &c->s->world;
    int64_t cost;
    if (world_has_routes(w)) {
      cost = world_cost_to_go(w, leg->places[k], (struct point){c->a->x[i], c->a->y[i]});
    } else {
      demand_set_destination(c->demand, leg->places[k], c->a, i);
      cost = goal_distance2(c->a, i);
    }
    if (cost < least) {
      least = cost;
      best = leg->places[k];
    }
  }
  return best;
}

static void choose_stop(const struct journeys_context *c, int64_t i)
{
  struct agents *a = c->a;
  const struct leg *leg = &c->it->legs[agent_stage(a, i)];
  int32_t stop = leg->places[0];
  if (leg->choice == LEG_LEAST) {
    journeys_stop_in_place(a, i);
    journeys_request(c, i, REQUEST_CHOOSE, agent_stage(a, i));
    return;
  }
  if (leg->choice == LEG_RANDOM) {
    const struct random4 r = // members of a group choose alike
        random_words(c->s->seed, agents_party(a, i),
                     agent_group(a, i) >= 0 ? agent_stage(a, i) : c->step, RANDOM_LEG);
    stop = leg->places[cumulative_find(leg->bounds, leg->count, (double)r.word[0] * 0x1p-32)];
  } else if (leg->choice == LEG_NEAREST) {
    stop = nearest_stop(c, leg, i);
  }
  demand_set_destination(c->demand, stop, a, i);
}

static void start_next_leg(const struct journeys_context *c, int64_t i)
{
  const int32_t next = c->it->legs[agent_stage(c->a, i)].next;
  c->a->doing[i] = ACTIVITY_WALK;
  if (next < 0) {
    leave_world(c, i);
    return;
  }
  agent_set_stage(c->a, i, next);
  choose_stop(c, i);
}

// ------------------------------------------------------------------------------ activities

static void start_stay(const struct journeys_context *c, int64_t i)
{
  struct agents *a = c->a;
  const struct point spot = demand_stay_position(c->demand, agent_target(a, i), a->id[i], c->step);
  const int64_t until =
      c->it->stops[agent_target(a, i)].until_called
          ? STEP_LIMIT
          : c->step + demand_stay_steps(c->demand, agent_target(a, i), a->id[i], c->step);
  a->goal_x[i] = spot.x;
  a->goal_y[i] = spot.y;
  agent_set_destination(a, i, -1);
  a->doing[i] = ACTIVITY_STAY;
  a->until[i] = (int32_t)(until < STEP_LIMIT ? until : STEP_LIMIT);
}

static void handle_arrival(const struct journeys_context *c, int64_t i)
{
  const int32_t stop = agent_target(c->a, i);
  c->gone[i] = 0;
  if (agent_stage(c->a, i) < 0)
    leave_world(c, i);
  else if (stop < 0) // the journey begins
    choose_stop(c, i);
  else if (c->it->stops[stop].slot_count)
    journeys_request(c, i, REQUEST_TICKET, stop);
  else if (c->it->stops[stop].stays)
    start_stay(c, i);
  else
    start_next_leg(c, i);
}

static bool is_at_slot(const struct journeys_context *c, int64_t i, struct point slot)
{
  const double dx = (double)slot.x - c->a->x[i], dy = (double)slot.y - c->a->y[i];
  const double radius = (double)frame_length(&c->s->world.frame, (double)c->s->goal_radius);
  return dx * dx + dy * dy <= radius * radius;
}

static void update_queue(const struct journeys_context *c, int64_t i)
{
  struct agents *a = c->a;
  const struct stop *stop = &c->it->stops[agent_target(a, i)];
  const int64_t ahead = a->until[i] - c->j->queues[agent_target(a, i)].served;
  if (ahead < 0) {
    start_next_leg(c, i);
    return;
  }
  a->waited[i] += a->waited[i] < INT32_MAX;
  if (ahead >= stop->slot_count) // the line is full: it waits where it is
    return;
  const struct point slot = stop->slots[ahead];
  a->goal_x[i] = slot.x;
  a->goal_y[i] = slot.y;
  agent_set_destination(a, i, -1);
  if (ahead == 0 && is_at_slot(c, i, slot))
    journeys_request(c, i, REQUEST_SERVICE, agent_target(a, i));
}

// Sends a blocked agent to another stop of its leg, at random.
static void switch_stop(const struct journeys_context *c, int64_t i)
{
  const struct leg *leg = &c->it->legs[agent_stage(c->a, i)];
  const int32_t current = agent_target(c->a, i);
  uint32_t others = 0;
  for (int32_t n = 0; n < leg->count; n++)
    others += leg->places[n] != current;
  if (others == 0)
    return;
  uint32_t k =
      random_below(random_words(c->s->seed, c->a->id[i], c->step, RANDOM_LEG).word[0], others);
  for (int32_t n = 0; n < leg->count; n++)
    if (leg->places[n] != current && k-- == 0)
      demand_set_destination(c->demand, leg->places[n], c->a, i);
}

// An agent under way chooses again when its stop is cut off or when it has been blocked for long.
static void reconsider_stop(const struct journeys_context *c, int64_t i)
{
  const struct point at = {c->a->x[i], c->a->y[i]};
  if (c->j->routes_changed && c->it->legs[agent_stage(c->a, i)].count > 1 &&
      world_has_routes(&c->s->world) && !world_reachable(&c->s->world, agent_target(c->a, i), at))
    choose_stop(c, i);
  else if (transition_filter_timeout(&c->transition_filter, c->a, i))
    switch_stop(c, i);
}

static void agent_advance(const struct journeys_context *c, int64_t i)
{
  switch ((enum agent_activity)c->a->doing[i]) {
  case ACTIVITY_WALK:
    if (c->gone[i])
      handle_arrival(c, i);
    else if (agent_stage(c->a, i) >= 0 && agent_target(c->a, i) >= 0)
      reconsider_stop(c, i);
    break;
  case ACTIVITY_REACT:
    break;
  case ACTIVITY_STAY:
    if (c->step >= c->a->until[i] || c->j->called[agent_target(c->a, i)])
      start_next_leg(c, i);
    break;
  case ACTIVITY_QUEUE:
    update_queue(c, i);
    break;
  case ACTIVITY_LEAVE:
    c->a->waited[i] += c->a->waited[i] < INT32_MAX;
    journeys_request_exit(c, i);
    break;
  }
}

// --------------------------------------------------------------------------- between the steps

struct left_place { // in a queue
  int32_t stop, ticket;
};

static bool is_in_queue(const struct journeys *j, const struct agents *a, int64_t i)
{
  return j->active && a->doing[i] == ACTIVITY_QUEUE &&
         a->until[i] >= j->queues[agent_target(a, i)].served;
}

// The places of this rank's agents that leave: list[*count].
static struct left_place *left_places(const struct journeys *j, const struct agents *a,
                                      const uint8_t *leaving, int64_t *count)
{
  struct left_place *list = memory_create((size_t)a->count, sizeof *list);
  *count = 0;
  for (int64_t i = 0; i < a->count; i++)
    if (leaving[i] && is_in_queue(j, a, i))
      list[(*count)++] = (struct left_place){agent_target(a, i), a->until[i]};
  return list;
}

static int place_compare(const void *a, const void *b)
{
  const struct left_place *x = a, *y = b;
  return x->stop != y->stop ? (x->stop > y->stop) - (x->stop < y->stop)
                            : (x->ticket > y->ticket) - (x->ticket < y->ticket);
}

static int64_t places_before(const struct left_place *list, int64_t count, struct left_place place)
{
  int64_t low = 0, high = count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (place_compare(&list[middle], &place) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void journeys_leave_queues(struct journeys *j, const struct comm *comm, struct agents *a,
                           const uint8_t *leaving)
{
  int64_t count, bytes;
  if (!j->active)
    return;
  struct left_place *own = left_places(j, a, leaving, &count);
  struct left_place *all = comm_gather(comm, own, count * (int64_t)sizeof *own, &bytes);
  count = bytes / (int64_t)sizeof *own;
  if (count > 0)
    qsort(all, (size_t)count, sizeof *all, place_compare);
  for (int64_t i = 0; i < a->count && count > 0; i++)
    if (is_in_queue(j, a, i) && !leaving[i]) {
      const struct left_place first = {agent_target(a, i), 0};
      const struct left_place own_place = {agent_target(a, i), a->until[i]};
      a->until[i] -=
          (int32_t)(places_before(all, count, own_place) - places_before(all, count, first));
    }
  for (int64_t k = 0; k < count; k++) {
    struct queue_state *queue = &j->queues[all[k].stop];
    queue->issued--;
    if (all[k].ticket == queue->served) // nobody is served any more
      queue->busy_until = -1;
  }
  memory_destroy(own);
  memory_destroy(all);
}

// ------------------------------------------------------------------------------------ the step

bool journeys_need_counts(const struct scenario *s)
{
  return demand_itinerary(scenario_demand(s))->needs_stop_counts;
}

void journeys_count(struct journeys *j, const struct agents *a)
{
  memset(j->stop_occupancy, 0, (size_t)j->stop_count * sizeof *j->stop_occupancy);
  int64_t *occupancy = j->stop_occupancy;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : occupancy[:j->stop_count])
  for (int64_t i = 0; i < a->count; i++)
    if (agent_target(a, i) >= 0)
      occupancy[agent_target(a, i)]++;
}

static bool any_called(const struct journeys *j)
{
  for (int32_t k = 0; k < j->stop_count; k++)
    if (j->called[k])
      return true;
  return false;
}

struct transition_filter journeys_transition_filter(const struct journeys *j,
                                                    const struct scenario *s, int64_t step)
{
  return (struct transition_filter){.journeys = j->active,
                                    .routes_changed = j->routes_changed,
                                    .stays_called = any_called(j),
                                    .deadlock_timeout = s->re_route ? s->deadlock_timeout : 0,
                                    .step = step};
}

void journeys_advance(struct journeys *j, const struct scenario *s, const struct comm *comm,
                      int64_t step, struct agents *a, struct transitions *t)
{
  const struct demand *d = scenario_demand(s);
  const struct journeys_context c = {
      j, s, d, demand_itinerary(d), comm, step, a, t->gone, journeys_transition_filter(j, s, step)};
  j->count = 0;
  memset(j->exit_request_count, 0, (size_t)j->stop_count * sizeof *j->exit_request_count);
  if (j->needs_requests)
    journeys_update_stops(&c);
  if (c.it->needs_stop_counts)
    comm_sum(comm, j->stop_occupancy, j->stop_count);
  for (int64_t i = 0; (i = marks_next(t->due, i, a->count)) < a->count; i++)
    agent_advance(&c, i);
  if (j->needs_requests)
    journeys_process_requests(&c);
  j->routes_changed = false;
  memset(j->called, 0, (size_t)j->stop_count * sizeof *j->called);
}
