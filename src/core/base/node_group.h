// The processes of one machine that hold one world together. What is large and the same for all of
// them lies in memory that they share, and each works out a part of it.
#pragma once
#include "base.h"

struct node_group {
  int32_t rank, size; // in the team
  void *context;
  bool (*logical_and)(void *context, bool mine);
  void *(*allocate)(void *context, size_t bytes);
  void (*release)(void *memory, size_t bytes);
};
extern const struct node_group node_group_self; // a team of one, without functions

// Do all say so? Nobody goes on before all have come, and who goes on sees what the others have
// written into shared memory. Collective.
bool node_group_all(const struct node_group *t, bool mine);
// Zeroed memory, one and the same for the whole team. NULL on all of them: the machine has no room
// for it, or they ask for different sizes; alone, and for 0 bytes. Collective.
void *node_group_allocate(const struct node_group *t, size_t bytes);
void node_group_release(const struct node_group *t, void *memory, size_t bytes); // not collective
