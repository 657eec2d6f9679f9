// What happens where people arrive: they stay, queue, wait to be let out, or go on. What one rank
// cannot know alone (who is next, who may leave, where the fewest are) is asked of all: requests
// are gathered, put in one order and answered alike on every rank.
#pragma once
#include "agents.h"
#include "comm.h"
#include "scenario.h"
#include "state.h"
#include "transition_filter.h"

enum request_kind { REQUEST_CHOOSE, REQUEST_TICKET, REQUEST_SERVICE, REQUEST_EXIT };

struct request {
  int32_t kind, what; // enum request_kind; the leg, or the stop
  int64_t key, id;    // answered in the order of kind, what, key, id
  int32_t rank;       // who asks,
  int32_t item;       // and for which of its agents
};

struct queue_state {
  int64_t issued, served; // tickets
  int64_t busy_until;     // step; -1: nobody is being served
};

struct journeys {
  bool active, needs_requests; // does anybody stay, queue or travel; are there requests
  int32_t stop_count;
  struct queue_state *queues;     // [stop_count] the same on every rank, like
  double *exit_credit;            // [stop_count] so many may leave now
  int64_t *stop_occupancy;        // [stop_count] so many are on the way to it or at it
  bool routes_changed;            // since the last step: what one was on the way to may be cut off
  bool *called;                   // [stop_count] who stays there until called goes on in this step
  struct request **exit_requests; // [stop_count] of this rank: who may leave next,
  int32_t *exit_request_count;    // and how many
  int64_t count, capacity;
  struct request *requests; // of this rank in this step
};

void journeys_create(struct journeys *j, const struct scenario *s);
void journeys_destroy(struct journeys *j);
// What a checkpoint keeps: the rest is counted anew or is over at the end of a step.
void journeys_visit(struct journeys *j, struct state *v);

// Before it, where wanted: how many of this rank are on the way to each stop or at it.
bool journeys_need_counts(const struct scenario *s);
void journeys_count(struct journeys *j, const struct agents *a);

// Who may be concerned in this step: the others may be left out of what follows.
struct transition_filter journeys_transition_filter(const struct journeys *j,
                                                    const struct scenario *s, int64_t step);

// gone[i]: agent i has arrived where it walked to. Afterwards: it leaves the world. Collective.
void journeys_advance(struct journeys *j, const struct scenario *s, const struct comm *comm,
                      int64_t step, struct agents *a, uint8_t *gone);
