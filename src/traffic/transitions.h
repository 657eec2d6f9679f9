// The agents that may change what they do at the end of a step, marked while the agents are in the
// cache after their move. All others are left alone.
#pragma once
#include "agents.h"
#include "scenario.h"
#include "transition_filter.h"

struct transitions {
  uint8_t *gone; // [capacity] set by transitions_find: has arrived; by journeys: leaves the world
  uint8_t *due;  // [capacity] may change its activity
  int64_t capacity;
  int64_t arrived; // number of agents that have
};

void transitions_destroy(struct transitions *t);
void transitions_reserve(struct transitions *t, int64_t count); // marks of that many agents
// Marks the agents [first, end) and returns how many have arrived. may_arrive: navigation.h.
// Threads may share the agents.
int64_t transitions_find(struct transitions *t, const struct transition_filter *filter,
                         const struct scenario *s, const struct agents *a, int64_t first,
                         int64_t end, const uint16_t *may_arrive);
