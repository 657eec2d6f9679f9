// What agents do where they arrive: they stay, queue, wait to leave, or start their next leg. What
// one rank cannot decide alone is a request (who is next, who may leave, which stop is the
// emptiest): requests are gathered, put in one order and granted alike on every rank.
#pragma once
#include "agents.h"
#include "comm.h"
#include "scenario.h"
#include "state.h"
#include "transitions.h"

enum request_kind { REQUEST_CHOOSE, REQUEST_TICKET, REQUEST_SERVICE, REQUEST_EXIT };

struct request {
  int32_t kind, what; // enum request_kind; the leg, or the stop
  int64_t key, id;    // granted in the order of (kind, what, key, id)
  int32_t rank;       // the rank that asks
  int32_t item;       // index of the agent on that rank
};

struct queue_state {
  int64_t issued, served; // tickets
  int64_t busy_until;     // step in which the service ends; -1: idle
  int32_t places;         // in its line; 0: there is no queue
};

struct journeys {
  bool active, needs_requests; // the scenario has journeys; and requests
  int32_t stop_count;
  struct queue_state *queues; // [stop_count] the same on every rank
  double *exit_credit;        // [stop_count] agents that may leave now; likewise
  int64_t *stop_occupancy;    // [stop_count] agents on their way to it or at it
  bool routes_changed;        // since the last step: a stop may be cut off
  bool *called;               // [stop_count] agents that wait there to be called go on in this step
  struct request **exit_requests; // [stop_count] this rank's agents that may leave next
  int32_t *exit_request_count;    // [stop_count] their number
  int64_t count, capacity;
  struct request *requests; // of this rank in this step
};

void journeys_create(struct journeys *j, const struct scenario *s);
void journeys_destroy(struct journeys *j);
// Reads or writes what a checkpoint keeps. The rest does not outlive a step.
void journeys_visit(struct journeys *j, struct state *v);

// Counts this rank's agents by stop, before journeys_advance, where the scenario needs it.
bool journeys_need_counts(const struct scenario *s);
void journeys_count(struct journeys *j, const struct agents *a);

// Agents leave their queues between two steps, leaving[i] != 0: those behind them move up.
// Collective.
void journeys_leave_queues(struct journeys *j, const struct comm *comm, struct agents *a,
                           const uint8_t *leaving);

// Selects the agents that may change activity in this step.
struct transition_filter journeys_transition_filter(const struct journeys *j,
                                                    const struct scenario *s, int64_t step);

// Advances the activities of the agents that are due. t: what transitions_find marked of `a` with
// the filter of journeys_transition_filter. Collective.
void journeys_advance(struct journeys *j, const struct scenario *s, const struct comm *comm,
                      int64_t step, struct agents *a, struct transitions *t);
