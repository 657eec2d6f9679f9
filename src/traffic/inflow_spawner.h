// Agents that enter in the course of time, by the inflows of the scenario. Every rank knows when
// they are due and which positions they try; each rank tells where its own agents are in the way,
// so that all ranks take the same decision.
#pragma once
#include "comm.h"
#include "neighbours.h"
#include "partition.h"
#include "scenario.h"
#include "state.h"

struct inflow_state {
  double next;        // s: when the next agent is due
  int64_t gaps_drawn; // random headways so far
  int64_t entered;    // agents so far
  int64_t due;        // agents that are due and have found no room yet
  int32_t timetable_row;
  double rate_factor; // of the configured rate; 0: closed
};

struct spawned_agent {
  int64_t id;
  struct point at;
  int32_t inflow;
};

struct inflow_spawner { // the same on every rank
  int inflow_count;
  struct inflow_state *states; // [inflow_count]
  int64_t next_id;
  int64_t count, capacity;
  struct spawned_agent *candidates; // of this step; afterwards the accepted ones
  struct disc *discs;               // [capacity], scratch
  int64_t *occupied;                // [capacity], scratch
};

// Tells which discs an agent of this rank touches, occupied[count]: neighbours_probe.
typedef void inflow_probe(void *context, const struct disc *discs, int64_t count,
                          float quanta_per_speed, int64_t *occupied);

void inflow_spawner_create(struct inflow_spawner *n, const struct scenario *s);
void inflow_spawner_destroy(struct inflow_spawner *n);
void inflow_spawner_visit(struct inflow_spawner *n, struct state *v); // checkpoint
// Scales the rate of a source of the config from now on.
void inflow_spawner_scale(struct inflow_spawner *n, const struct scenario *s, int source,
                          double rate_factor, double now);
bool inflow_spawner_pending(const struct inflow_spawner *n,
                            const struct scenario *s); // more to come

// Finds free positions for the agents due at the end of this step. probe has to answer for
// positions that no agent can reach within the step. Collective; after the index of neighbours is
// built.
void inflow_spawner_place(struct inflow_spawner *n, const struct scenario *s,
                          const struct comm *comm, inflow_probe *probe, void *context,
                          int64_t step);
// Appends the placed agents whose positions this rank owns. Returns how many enter on all ranks.
int64_t inflow_spawner_insert(struct inflow_spawner *n, const struct scenario *s,
                              const struct partition *partition, int32_t rank, int64_t step,
                              struct agents *a);
