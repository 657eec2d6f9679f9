// Who comes in the course of time: the people of the scenario's inlets. When they are due, and
// which places they look at, every rank knows; each rank says where its own agents stand in the
// way, and all come to the same answer.
#pragma once
#include "comm.h"
#include "neighbours.h"
#include "partition.h"
#include "scenario.h"
#include "state.h"

struct inflow_state { // of an inlet
  double next;        // s: when the next one is due
  int64_t gaps_drawn; // gaps so far
  int64_t entered;    // people in the world or gone again
  int64_t due;        // people who are due and found no room yet
  int32_t timetable_row;
  double rate_factor; // of the usual rate; 0: nobody comes
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
  struct spawned_agent *candidates; // of this step
  struct disc *discs;               // [capacity], scratch
  int64_t *occupied;                // [capacity], scratch
};

// Says which of the places somebody of this rank touches: neighbours_probe.
typedef void inflow_probe(void *context, const struct disc *discs, int64_t count,
                          float quanta_per_speed, int64_t *occupied);

void inflow_spawner_create(struct inflow_spawner *n, const struct scenario *s);
void inflow_spawner_destroy(struct inflow_spawner *n);
void inflow_spawner_visit(struct inflow_spawner *n, struct state *v); // what a checkpoint keeps
// From now on so many times as many come of that source of the config.
void inflow_spawner_scale(struct inflow_spawner *n, const struct scenario *s, int source,
                          double rate_factor, double now);
bool inflow_spawner_pending(const struct inflow_spawner *n,
                            const struct scenario *s); // will anybody come?

// Finds room for those who are due at the end of this step: who is there stays away from it until
// then. Collective, once the neighbours are built.
void inflow_spawner_place(struct inflow_spawner *n, const struct scenario *s,
                          const struct comm *comm, inflow_probe *probe, void *context,
                          int64_t step);
// Puts those into the world whose place is this rank's; how many came on all ranks.
int64_t inflow_spawner_insert(struct inflow_spawner *n, const struct scenario *s,
                              const struct partition *partition, int32_t rank, int64_t step,
                              struct agents *a);
