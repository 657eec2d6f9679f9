// Groups that keep together: who is ahead of the others slows down, and everybody is drawn to the
// others sideways.
//
// Moussaid, Perozo, Garnier, Helbing, Theraulaz 2010 (PLoS ONE 5(4), e10047) let the members of a
// group be drawn to its middle once they are further from it than a threshold. Here the two
// directions are told apart: nobody is pulled back, one waits by walking more slowly, down to half,
// and nobody is made to run. What the members see of each other are sums of integers, so no order
// shows.
#pragma once
#include "agents.h"

#define GROUP_RANGE    10.0f // m: as far as one knows where the others of one's group are
#define GROUP_SIZE_MAX 16    // people of a group

struct groups { // who belongs to which group: made anew in every step
  int64_t capacity;
  uint32_t buckets; // a power of two
  int32_t *start;   // [buckets + 1]
  int32_t *members; // [capacity] indices of agents, by bucket of their group
};

// Changes the wishes of the owned agents that have a group and want to walk. The ghosts are there.
void groups_apply(struct groups *g, const struct frame *frame, struct agents *a);
void groups_destroy(struct groups *g);
