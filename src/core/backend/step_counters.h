// What a step counts. One line of the table makes the member of struct next_velocity_counts, its
// sum over threads, over the GPU's tally and over the ranks, and the member of struct step_totals.
//
// where: SEARCH    counted by the search for neighbours, in every backend
//        VELOCITY  counted while a velocity is computed, in every backend
//        STEP      counted by the step itself (simulation.c)
//
// Counts are integers, so their sums do not depend on the order. Checkpoints hold the totals in the
// order of the table: append new counters at its end.
#pragma once
#include "position.h"

// clang-format off
#define STEP_COUNTERS(X)                                                                           \
  X(overlaps, SEARCH)              /* overlapping neighbours; each pair is seen from both sides */ \
  X(full_neighbourhoods, VELOCITY) /* agents that may have more neighbours than they perceive */   \
  X(infeasible, VELOCITY)          /* agents whose method found no permitted velocity */           \
  X(wall_stops, VELOCITY)          /* agents held because their step would have touched a wall */  \
  X(kept_inside, STEP)             /* agents whose step would have left the world */               \
  X(ghosts, STEP)                  /* mirrors sent to other ranks */                               \
  X(relaxed, VELOCITY)             /* ClearPath-1: agents that fell back on ClearPath-2 */         \
  X(in_contact, SEARCH)            /* agents that overlap another one */
// clang-format on

// BACKEND_##where(statement): the statement, for counters that a backend counts; likewise
// VELOCITY_.
#define BACKEND_SEARCH(statement)   statement
#define BACKEND_VELOCITY(statement) statement
#define BACKEND_STEP(statement)
#define VELOCITY_SEARCH(statement)
#define VELOCITY_VELOCITY(statement) statement
#define VELOCITY_STEP(statement)

struct deepest_overlap { // ordered by (depth, least id)
  float depth;           // m; 0: none
  int64_t id;            // of the agent
  struct point at;       // where it is, quanta
};

INLINE bool deepest_overlap_beats(const struct deepest_overlap *a, const struct deepest_overlap *b)
{
  return a->depth > b->depth || (a->depth == b->depth && a->depth > 0 && a->id < b->id);
}

struct next_velocity_counts { // of one rank and one step
#define X(name, where) int64_t name;
  STEP_COUNTERS(X)
#undef X
  struct deepest_overlap deepest; // id and at are not set by a device: find_deepest
};

// Adds the counters; the deeper overlap stays.
static inline void next_velocity_counts_add(struct next_velocity_counts *sum,
                                            const struct next_velocity_counts *c)
{
#define X(name, where) sum->name += c->name;
  STEP_COUNTERS(X)
#undef X
  if (deepest_overlap_beats(&c->deepest, &sum->deepest))
    sum->deepest = c->deepest;
}
