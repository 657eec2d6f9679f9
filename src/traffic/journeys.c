#include "journeys.h"

#include "config.h"
#include "demand.h"
#include "draw.h"
#include "random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene { // what the functions below share
  struct journeys *j;
  const struct scenario *s;
  const struct demand *demand;
  const struct itinerary *it;
  const struct comm *comm;
  int64_t step;
  struct agents *a;
  uint8_t *gone;
  struct concern concern;
};

void journeys_create(struct journeys *j, const struct scenario *s)
{
  const struct itinerary *it = demand_itinerary(scenario_demand(s));
  *j = (struct journeys){.stop_count = it->stop_count};
  j->shared = it->queueing || it->limited || it->counted;
  j->wanted = j->shared || it->journey_count > 0;
  j->queues = memory_create((size_t)it->stop_count, sizeof *j->queues);
  j->credit = memory_create((size_t)it->stop_count, sizeof *j->credit);
  j->heading = memory_create((size_t)it->stop_count, sizeof *j->heading);
  j->first = memory_create((size_t)it->stop_count, sizeof(struct request *));
  j->first_count = memory_create((size_t)it->stop_count, sizeof *j->first_count);
  j->called = memory_create((size_t)it->stop_count, sizeof *j->called);
  for (int32_t i = 0; i < it->stop_count; i++) {
    j->queues[i].busy_until = -1;
    j->credit[i] = 1;
    j->first[i] = memory_create((size_t)ceil(it->stops[i].flow) + 1, sizeof **j->first);
  }
}

void journeys_destroy(struct journeys *j)
{
  memory_destroy(j->queues);
  memory_destroy(j->credit);
  memory_destroy(j->heading);
  memory_destroy(j->called);
  for (int32_t i = 0; i < j->stop_count; i++)
    memory_destroy(j->first[i]);
  memory_destroy(j->first);
  memory_destroy(j->first_count);
  memory_destroy(j->requests);
  *j = (struct journeys){0};
}

void journeys_visit(struct journeys *j, struct state *v)
{
  state_field(v, STATE_SAME, j->queues, issued, "journeys.issued", j->stop_count);
  state_field(v, STATE_SAME, j->queues, served, "journeys.served", j->stop_count);
  state_field(v, STATE_SAME, j->queues, busy_until, "journeys.busy_until", j->stop_count);
  state_array(v, STATE_SAME, "journeys.credit", j->credit, j->stop_count);
}

// ------------------------------------------------------------------------------------ going on

static void request_add(struct journeys *j, struct request one)
{
  if (j->count == j->capacity) {
    const int64_t more = 2 * j->capacity + 256;
    j->requests = memory_grow(j->requests, (size_t)j->count, (size_t)more, sizeof *j->requests);
    j->capacity = more;
  }
  j->requests[j->count++] = one;
}

static void ask(const struct scene *c, int64_t i, enum request_kind kind, int32_t what, int64_t key)
{
  request_add(c->j, (struct request){kind, what, key, c->a->id[i], c->comm->rank, (int32_t)i});
}

static bool asks_before(struct request a, struct request b)
{
  return a.key != b.key ? a.key < b.key : a.id < b.id;
}

// Of all who want to leave by a stop, only so many as may are worth telling of: those who have
// waited longest. They are kept in order in the stop's own list.
static void ask_to_leave(const struct scene *c, int64_t i)
{
  const int32_t stop = c->a->target[i];
  struct request *list = c->j->first[stop];
  const int32_t room = (int32_t)c->j->credit[stop];
  int32_t *count = &c->j->first_count[stop], at;
  const struct request one = {REQUEST_LEAVE, stop,          c->a->until[i],
                              c->a->id[i],   c->comm->rank, (int32_t)i};
  if (room == 0 || (*count == room && !asks_before(one, list[room - 1])))
    return;
  *count += *count < room;
  for (at = *count - 1; at > 0 && asks_before(one, list[at - 1]); at--)
    list[at] = list[at - 1];
  list[at] = one;
}

static void stand_here(struct agents *a, int64_t i)
{
  a->goal_x[i] = a->x[i];
  a->goal_y[i] = a->y[i];
  a->destination[i] = -1;
}

// Out of the world, as fast as the stop lets people out.
static void leave(const struct scene *c, int64_t i)
{
  struct agents *a = c->a;
  const int32_t stop = a->target[i];
  a->stage[i] = -1;
  if (stop < 0 || !(c->it->stops[stop].flow > 0)) {
    c->gone[i] = 1;
    return;
  }
  stand_here(a, i);
  a->doing[i] = DOING_LEAVE;
  a->until[i] = (int32_t)c->step;
  ask_to_leave(c, i);
}

static int64_t distance2(struct agents *a, int64_t i)
{
  const int64_t dx = (int64_t)a->goal_x[i] - a->x[i], dy = (int64_t)a->goal_y[i] - a->y[i];
  return dx * dx + dy * dy;
}

// The place of a leg with the least travel time, or, straight, the least way; ties: the first.
static int32_t nearest_stop(const struct scene *c, const struct leg *leg, int64_t i)
{
  int64_t least = INT64_MAX;
  int32_t best = leg->places[0];
  for (int32_t k = 0; k < leg->count; k++) {
    const struct world *w = &c->s->world;
    int64_t cost;
    if (world_leads(w)) {
      cost = world_remaining(w, leg->places[k], (struct point){c->a->x[i], c->a->y[i]});
    } else {
      demand_send(c->demand, leg->places[k], c->a, i);
      cost = distance2(c->a, i);
    }
    if (cost < least) {
      least = cost;
      best = leg->places[k];
    }
  }
  return best;
}

static void choose(const struct scene *c, int64_t i)
{
  struct agents *a = c->a;
  const struct leg *leg = &c->it->legs[a->stage[i]];
  int32_t stop = leg->places[0];
  if (leg->choice == LEG_LEAST) {
    stand_here(a, i);
    ask(c, i, REQUEST_CHOOSE, a->stage[i], 0);
    return;
  }
  if (leg->choice == LEG_RANDOM) {
    const int64_t who = a->group[i] >= 0 ? a->group[i] : a->id[i]; // a group keeps together
    const struct random4 r =
        random_words(c->s->seed, who, a->group[i] >= 0 ? a->stage[i] : c->step, RANDOM_LEG);
    stop = leg->places[bounds_find(leg->bounds, leg->count, (double)r.word[0] * 0x1p-32)];
  } else if (leg->choice == LEG_NEAREST) {
    stop = nearest_stop(c, leg, i);
  }
  demand_send(c->demand, stop, a, i);
}

static void go_on(const struct scene *c, int64_t i)
{
  const int32_t next = c->it->legs[c->a->stage[i]].next;
  c->a->doing[i] = DOING_WALK;
  if (next < 0) {
    leave(c, i);
    return;
  }
  c->a->stage[i] = next;
  choose(c, i);
}

// ------------------------------------------------------------------------------------- arriving

static void stay(const struct scene *c, int64_t i)
{
  struct agents *a = c->a;
  const struct point spot = demand_spot(c->demand, a->target[i], a->id[i], c->step);
  const int64_t until = c->it->stops[a->target[i]].until_called
                            ? STEP_LIMIT
                            : c->step + demand_stay(c->demand, a->target[i], a->id[i], c->step);
  a->goal_x[i] = spot.x;
  a->goal_y[i] = spot.y;
  a->destination[i] = -1;
  a->doing[i] = DOING_STAY;
  a->until[i] = (int32_t)(until < STEP_LIMIT ? until : STEP_LIMIT);
}

static void arrive(const struct scene *c, int64_t i)
{
  const int32_t stop = c->a->target[i];
  c->gone[i] = 0;
  if (c->a->stage[i] < 0)
    leave(c, i);
  else if (stop < 0) // sets out
    choose(c, i);
  else if (c->it->stops[stop].slot_count)
    ask(c, i, REQUEST_TICKET, stop, 0);
  else if (c->it->stops[stop].stays)
    stay(c, i);
  else
    go_on(c, i);
}

static bool stands_at(const struct scene *c, int64_t i, struct point slot)
{
  const double dx = (double)slot.x - c->a->x[i], dy = (double)slot.y - c->a->y[i];
  const double radius = (double)frame_length(&c->s->world.frame, (double)c->s->goal_radius);
  return dx * dx + dy * dy <= radius * radius;
}

static void queue_up(const struct scene *c, int64_t i)
{
  struct agents *a = c->a;
  const struct stop *stop = &c->it->stops[a->target[i]];
  const int64_t ahead = a->until[i] - c->j->queues[a->target[i]].served;
  if (ahead < 0) {
    go_on(c, i);
    return;
  }
  a->waited[i] += a->waited[i] < INT32_MAX;
  if (ahead >= stop->slot_count) // no place in the line yet: where one stands
    return;
  const struct point slot = stop->slots[ahead];
  a->goal_x[i] = slot.x;
  a->goal_y[i] = slot.y;
  a->destination[i] = -1;
  if (ahead == 0 && stands_at(c, i, slot))
    ask(c, i, REQUEST_SERVICE, a->target[i], 0);
}

// Another place of the leg than the one that one cannot get to, at random.
static void turn_to_another(const struct scene *c, int64_t i)
{
  const struct leg *leg = &c->it->legs[c->a->stage[i]];
  const int32_t here = c->a->target[i];
  uint32_t others = 0;
  for (int32_t n = 0; n < leg->count; n++)
    others += leg->places[n] != here;
  if (others == 0)
    return;
  uint32_t k =
      random_below(random_words(c->s->seed, c->a->id[i], c->step, RANDOM_LEG).word[0], others);
  for (int32_t n = 0; n < leg->count; n++)
    if (leg->places[n] != here && k-- == 0)
      demand_send(c->demand, leg->places[n], c->a, i);
}

// On the way: is there still a way, does it go on?
static void think_again(const struct scene *c, int64_t i)
{
  const struct point at = {c->a->x[i], c->a->y[i]};
  if (c->j->ways_changed && c->it->legs[c->a->stage[i]].count > 1 && world_leads(&c->s->world) &&
      !world_reaches(&c->s->world, c->a->target[i], at))
    choose(c, i);
  else if (patience_ends(&c->concern, c->a, i))
    turn_to_another(c, i);
}

static void agent_advance(const struct scene *c, int64_t i)
{
  if (!is_concerned(&c->concern, c->a, i, c->gone[i]))
    return;
  switch ((enum agent_doing)c->a->doing[i]) {
  case DOING_WALK:
    if (c->gone[i])
      arrive(c, i);
    else if (c->a->stage[i] >= 0 && c->a->target[i] >= 0)
      think_again(c, i);
    break;
  case DOING_REACT:
    break;
  case DOING_STAY:
    if (c->step >= c->a->until[i] || c->j->called[c->a->target[i]])
      go_on(c, i);
    break;
  case DOING_QUEUE:
    queue_up(c, i);
    break;
  case DOING_LEAVE:
    c->a->waited[i] += c->a->waited[i] < INT32_MAX;
    ask_to_leave(c, i);
    break;
  }
}

// ------------------------------------------------------------------------------------- answers

static int compare(int64_t a, int64_t b)
{
  return (a > b) - (a < b);
}

static int request_order(const void *a, const void *b)
{
  const struct request *p = a, *q = b;
  const int by[] = {compare(p->kind, q->kind), compare(p->what, q->what), compare(p->key, q->key)};
  for (int k = 0; k < 3; k++)
    if (by[k])
      return by[k];
  return compare(p->id, q->id);
}

static int32_t emptiest_stop(const struct journeys *j, const struct leg *leg)
{
  int32_t best = leg->places[0];
  for (int32_t k = 1; k < leg->count; k++)
    if (j->heading[leg->places[k]] < j->heading[best])
      best = leg->places[k];
  return best;
}

static void choice_answer(const struct scene *c, const struct request *r, bool mine)
{
  const int32_t stop = emptiest_stop(c->j, &c->it->legs[r->what]);
  c->j->heading[stop]++;
  if (mine)
    demand_send(c->demand, stop, c->a, r->item);
}

static void ticket_answer(const struct scene *c, const struct request *r, bool mine)
{
  const int64_t ticket = c->j->queues[r->what].issued++;
  if (!mine)
    return;
  c->a->doing[r->item] = DOING_QUEUE;
  c->a->until[r->item] = (int32_t)ticket;
  stand_here(c->a, r->item);
}

static void service_answer(const struct scene *c, const struct request *r)
{
  struct queue_state *queue = &c->j->queues[r->what];
  if (queue->busy_until < 0)
    queue->busy_until = c->step + demand_service(c->demand, r->what, r->id, c->step);
}

static void leave_answer(const struct scene *c, const struct request *r, bool mine)
{
  if (c->j->credit[r->what] < 1 || plan_is_shut(&c->s->plan, r->what))
    return;
  c->j->credit[r->what] -= 1;
  if (mine)
    c->gone[r->item] = 1;
}

static void answer(const struct scene *c, const struct request *r)
{
  const bool mine = r->rank == c->comm->rank;
  switch ((enum request_kind)r->kind) {
  case REQUEST_CHOOSE:
    choice_answer(c, r, mine);
    return;
  case REQUEST_TICKET:
    ticket_answer(c, r, mine);
    return;
  case REQUEST_SERVICE:
    service_answer(c, r);
    return;
  case REQUEST_LEAVE:
    leave_answer(c, r, mine);
    return;
  }
}

static void leavers_ask(const struct scene *c)
{
  for (int32_t k = 0; k < c->j->stop_count; k++)
    for (int32_t n = 0; n < c->j->first_count[k]; n++)
      request_add(c->j, c->j->first[k][n]);
}

static void answer_all(const struct scene *c)
{
  leavers_ask(c);
  int64_t bytes;
  struct request *all =
      comm_gather(c->comm, c->j->requests, c->j->count * (int64_t)sizeof *all, &bytes);
  const int64_t count = bytes / (int64_t)sizeof *all;
  if (count)
    qsort(all, (size_t)count, sizeof *all, request_order);
  for (int64_t k = 0; k < count; k++)
    answer(c, &all[k]);
  memory_destroy(all);
}

// ------------------------------------------------------------------------------------ the step

bool journeys_counted(const struct scenario *s)
{
  return demand_itinerary(scenario_demand(s))->counted;
}

void journeys_count(struct journeys *j, const struct agents *a)
{
  memset(j->heading, 0, (size_t)j->stop_count * sizeof *j->heading);
  for (int64_t i = 0; i < a->count; i++)
    if (a->target[i] >= 0)
      j->heading[a->target[i]]++;
}

static void stops_advance(const struct scene *c)
{
  for (int32_t k = 0; k < c->j->stop_count; k++) {
    struct queue_state *queue = &c->j->queues[k];
    const double flow = c->it->stops[k].flow, most = flow > 1 ? flow : 1;
    if (queue->busy_until >= 0 && c->step >= queue->busy_until) {
      queue->served++;
      queue->busy_until = -1;
    }
    c->j->credit[k] += flow;
    if (c->j->credit[k] > most)
      c->j->credit[k] = most; // nobody leaves on what was not used long ago
  }
}

static bool somebody_is_called(const struct journeys *j)
{
  for (int32_t k = 0; k < j->stop_count; k++)
    if (j->called[k])
      return true;
  return false;
}

struct concern journeys_concern(const struct journeys *j, const struct scenario *s, int64_t step)
{
  const double patience = ceil(s->patience / s->dt);
  return (struct concern){.journeys = j->wanted,
                          .changed = j->ways_changed,
                          .called = somebody_is_called(j),
                          .patience = s->re_route ? (int32_t)fmin(patience, 1e9) : 0,
                          .step = step};
}

void journeys_advance(struct journeys *j, const struct scenario *s, const struct comm *comm,
                      int64_t step, struct agents *a, uint8_t *gone)
{
  const struct demand *d = scenario_demand(s);
  const struct scene c = {j,    s, d,    demand_itinerary(d),         comm,
                          step, a, gone, journeys_concern(j, s, step)};
  j->count = 0;
  memset(j->first_count, 0, (size_t)j->stop_count * sizeof *j->first_count);
  if (j->shared)
    stops_advance(&c);
  if (c.it->counted)
    comm_sum(comm, j->heading, j->stop_count);
  for (int64_t i = 0; i < a->count; i++)
    agent_advance(&c, i);
  if (j->shared)
    answer_all(&c);
  j->ways_changed = false;
  memset(j->called, 0, (size_t)j->stop_count * sizeof *j->called);
}
