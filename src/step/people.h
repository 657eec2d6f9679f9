// A record of each agent that leaves the world.
#pragma once
#include "agents.h"
#include "record_list.h"
#include "scenario.h"

struct person {
  int64_t id;
  int64_t left;                    // steps made when it left; -1: it is still inside
  int32_t source, profile, target; // indices; source -1: agent table, target -1: a point
  int32_t exit;                    // area of the target that it reached; -1: none
  int32_t born;                    // step of entry
  int32_t start_x, start_y;        // as in AGENT_FIELDS
  int32_t x, y;                    // quanta: where it left, or stands
  int32_t waited;                  // blocked steps
  bool removed;                    // by a caller
};

struct people {
  const struct scenario *scenario;
  struct record_list left; // of struct person
};

void people_create(struct people *p, const struct scenario *scenario, const struct comm *comm);
void people_destroy(struct people *p);
// Reads or writes what a checkpoint keeps; records that wait go to rank 0. Collective.
void people_visit(struct people *p, struct state *v);
// Agent i leaves after so many steps. reached: its destination; else the caller removes it.
void people_add(struct people *p, const struct agents *a, int64_t i, int64_t left, bool reached);

// Takes the records of all ranks, ordered by (left, id). On rank 0 list[*count], which the caller
// frees with memory_destroy; elsewhere NULL and 0. Collective.
struct person *people_collect(struct people *p, int64_t *count);
// The same of the agents that are inside.
struct person *people_inside(const struct people *p, const struct agents *a, int64_t *count);
