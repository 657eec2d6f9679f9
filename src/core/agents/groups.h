// Group cohesion: a member ahead of the others slows down, and members are drawn together sideways.
//
// In Moussaid, Perozo, Garnier, Helbing, Theraulaz 2010 (PLoS ONE 5(4), e10047) a member is drawn
// to the group's centre once it is farther from it than a threshold. Here the two directions
// differ: a member that is ahead waits by slowing down, at most to half its speed, and none walks
// faster than it prefers. Members perceive each other through sums of integers, so the result does
// not depend on the order of the agents.
#pragma once
#include "agents.h"

#define GROUP_RANGE    10.0f // m: range within which members perceive each other
#define GROUP_SIZE_MAX 16    // members

struct groups { // the members of each group: a hash table, rebuilt in every step
  int64_t capacity;
  uint32_t buckets; // a power of two
  int32_t *start;   // [buckets + 2]; bucket b is members[start[b] .. start[b + 1])
  int32_t *members; // [capacity] indices of agents
};

// Changes the preferred velocities of the owned agents that belong to a group. The ghosts must be
// present: they may be members. `g` starts zeroed and is reused.
void groups_apply(struct groups *g, const struct frame *frame, struct agents *a);
void groups_destroy(struct groups *g);
