// Who comes in the course of time: the people of the scenario's inlets. When they are due, and
// which places they look at, every rank knows; each rank says where its own agents stand in the
// way, and all come to the same answer.
#pragma once
#include "comm.h"
#include "neighbours.h"
#include "partition.h"
#include "scenario.h"
#include "state.h"

struct entry {     // of an inlet
  double next;     // s: when the next one is due
  int64_t drawn;   // gaps so far
  int64_t come;    // people in the world or gone again
  int64_t waiting; // people who are due and found no room yet
  int32_t timetable_at;
  double factor; // of the usual rate; 0: nobody comes
};

struct newcomer {
  int64_t id;
  struct point at;
  int32_t inlet;
};

struct newcomers { // the same on every rank
  int inlet_count;
  struct entry *entries; // [inlet_count]
  int64_t next_id;
  int64_t count, capacity;
  struct newcomer *list; // of this step
  struct disc *places;   // [capacity], scratch
  int64_t *blocked;      // [capacity], scratch
};

// Says which of the places somebody of this rank touches: neighbours_touch.
typedef void newcomers_look(void *people, const struct disc *places, int64_t count, float per_speed,
                            int64_t *touched);

void newcomers_create(struct newcomers *n, const struct scenario *s);
void newcomers_destroy(struct newcomers *n);
void newcomers_visit(struct newcomers *n, struct state *v); // what a checkpoint keeps
// From now on so many times as many come of that source of the config.
void newcomers_scale(struct newcomers *n, const struct scenario *s, int source, double factor,
                     double now);
bool newcomers_expected(const struct newcomers *n, const struct scenario *s); // will anybody come?

// Finds room for those who are due at the end of this step: who is there stays away from it until
// then. Collective, once the neighbours are built.
void newcomers_choose(struct newcomers *n, const struct scenario *s, const struct comm *comm,
                      newcomers_look *look, void *people, int64_t step);
// Puts those into the world whose place is this rank's; how many came on all ranks.
int64_t newcomers_enter(struct newcomers *n, const struct scenario *s,
                        const struct partition *partition, int32_t rank, int64_t step,
                        struct agents *a);
