// What the files of journeys share.
#pragma once
#include "demand.h"
#include "journeys.h"

struct journeys_context { // of one step
  struct journeys *j;
  const struct scenario *s;
  const struct demand *demand;
  const struct itinerary *it;
  const struct comm *comm;
  int64_t step;
  struct agents *a;
  uint8_t *gone; // [a->count]
  struct transition_filter transition_filter;
};

// Makes agent i stand where it is: its goal is its position.
void journeys_stop_in_place(struct agents *a, int64_t i);

// Notes a request of agent i. what: the leg of a CHOOSE, else the stop. Local.
void journeys_request(const struct journeys_context *c, int64_t i, enum request_kind kind,
                      int32_t what);
// The same for an agent that wants to leave the world by its stop. Each stop keeps only as many as
// may leave in this step: those that have waited longest.
void journeys_request_exit(const struct journeys_context *c, int64_t i);

// Ends services that are over and lets the exits recover their flow.
void journeys_update_stops(const struct journeys_context *c);
// Gathers the requests of all ranks, puts them in one order and grants them alike on every rank.
// Collective.
void journeys_process_requests(const struct journeys_context *c);
