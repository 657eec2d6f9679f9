// Requests of journeys: what one rank cannot decide alone (who is next, who may leave, which stop
// is the emptiest). Gathered, sorted by (kind, what, key, id) and granted alike on every rank.
#include "journeys_internal.h"

#include <stdlib.h>

static void request_add(struct journeys *j, struct request one)
{
  j->requests = memory_reserve(j->requests, j->count, &j->capacity, sizeof *j->requests);
  j->requests[j->count++] = one;
}

void journeys_request(const struct journeys_context *c, int64_t i, enum request_kind kind,
                      int32_t what)
{
  request_add(c->j, (struct request){kind, what, 0, c->a->id[i], c->comm->rank, (int32_t)i});
}

static bool request_before(struct request a, struct request b)
{
  return a.key != b.key ? a.key < b.key : a.id < b.id;
}

void journeys_request_exit(const struct journeys_context *c, int64_t i)
{
  const int32_t stop = agent_target(c->a, i);
  struct request *list = c->j->exit_requests[stop];
  const int32_t free_exits = (int32_t)c->j->exit_credit[stop];
  int32_t *count = &c->j->exit_request_count[stop], at;
  const struct request one = {REQUEST_EXIT, stop,          c->a->until[i],
                              c->a->id[i],  c->comm->rank, (int32_t)i};
  if (free_exits == 0 || (*count == free_exits && !request_before(one, list[free_exits - 1])))
    return;
  *count += *count < free_exits;
  for (at = *count - 1; at > 0 && request_before(one, list[at - 1]); at--)
    list[at] = list[at - 1];
  list[at] = one;
}

void journeys_stop_in_place(struct agents *a, int64_t i)
{
  a->goal_x[i] = a->x[i];
  a->goal_y[i] = a->y[i];
  agent_set_destination(a, i, -1);
}

static int compare_int64(int64_t a, int64_t b)
{
  return (a > b) - (a < b);
}

static int request_order(const void *a, const void *b)
{
  const struct request *p = a, *q = b;
  const int by[] = {compare_int64(p->kind, q->kind), compare_int64(p->what, q->what),
                    compare_int64(p->key, q->key)};
  for (int k = 0; k < 3; k++)
    if (by[k])
      return by[k];
  return compare_int64(p->id, q->id);
}

static int32_t least_occupied_stop(const struct journeys *j, const struct leg *leg)
{
  int32_t best = leg->places[0];
  for (int32_t k = 1; k < leg->count; k++)
    if (j->stop_occupancy[leg->places[k]] < j->stop_occupancy[best])
      best = leg->places[k];
  return best;
}

static void grant_choice(const struct journeys_context *c, const struct request *r, bool is_mine)
{
  const int32_t stop = least_occupied_stop(c->j, &c->it->legs[r->what]);
  c->j->stop_occupancy[stop]++;
  if (is_mine)
    demand_set_destination(c->demand, stop, c->a, r->item);
}

static void grant_ticket(const struct journeys_context *c, const struct request *r, bool is_mine)
{
  const int64_t ticket = c->j->queues[r->what].issued++;
  if (!is_mine)
    return;
  c->a->doing[r->item] = ACTIVITY_QUEUE;
  c->a->until[r->item] = (int32_t)ticket;
  journeys_stop_in_place(c->a, r->item);
}

static void start_service(const struct journeys_context *c, const struct request *r)
{
  struct queue_state *queue = &c->j->queues[r->what];
  if (queue->busy_until < 0)
    queue->busy_until = c->step + demand_service_steps(c->demand, r->what, r->id, c->step);
}

static void grant_exit(const struct journeys_context *c, const struct request *r, bool is_mine)
{
  if (c->j->exit_credit[r->what] < 1 || environment_is_closed(&c->s->environment, r->what))
    return;
  c->j->exit_credit[r->what] -= 1;
  if (is_mine)
    c->gone[r->item] = 1;
}

static void process_request(const struct journeys_context *c, const struct request *r)
{
  const bool is_mine = r->rank == c->comm->rank;
  switch ((enum request_kind)r->kind) {
  case REQUEST_CHOOSE:
    grant_choice(c, r, is_mine);
    return;
  case REQUEST_TICKET:
    grant_ticket(c, r, is_mine);
    return;
  case REQUEST_SERVICE:
    start_service(c, r);
    return;
  case REQUEST_EXIT:
    grant_exit(c, r, is_mine);
    return;
  }
}

static void submit_exit_requests(const struct journeys_context *c)
{
  for (int32_t k = 0; k < c->j->stop_count; k++)
    for (int32_t n = 0; n < c->j->exit_request_count[k]; n++)
      request_add(c->j, c->j->exit_requests[k][n]);
}

void journeys_process_requests(const struct journeys_context *c)
{
  submit_exit_requests(c);
  int64_t bytes;
  struct request *all =
      comm_gather(c->comm, c->j->requests, c->j->count * (int64_t)sizeof *all, &bytes);
  const int64_t count = bytes / (int64_t)sizeof *all;
  if (count)
    qsort(all, (size_t)count, sizeof *all, request_order);
  for (int64_t k = 0; k < count; k++)
    process_request(c, &all[k]);
  memory_destroy(all);
}

void journeys_update_stops(const struct journeys_context *c)
{
  for (int32_t k = 0; k < c->j->stop_count; k++) {
    struct queue_state *queue = &c->j->queues[k];
    const double flow = c->it->stops[k].flow, limit = flow > 1 ? flow : 1;
    if (queue->busy_until >= 0 && c->step >= queue->busy_until) {
      queue->served++;
      queue->busy_until = -1;
    }
    c->j->exit_credit[k] += flow;
    if (c->j->exit_credit[k] > limit)
      c->j->exit_credit[k] = limit; // unused flow does not add up
  }
}
