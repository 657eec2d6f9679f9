// The processes of one node that share the read-only data of the world. Large data that is the same
// for all of them is stored once, in shared memory, and each process computes a part of it.
//
// The functions are pointers so that core does without MPI: mpi/comm/node_memory.h provides them.
#pragma once
#include "base.h"

struct node_group {
  int32_t rank, size; // of this process within the group; 0 <= rank < size
  void *context;      // first argument of the functions below, which a group of one does not need
  bool (*logical_and)(void *context, bool mine);
  void *(*allocate)(void *context, size_t bytes);
  void (*release)(void *memory, size_t bytes);
};
extern const struct node_group node_group_self; // a group of one process

bool node_group_is_valid(const struct node_group *g);

// Logical AND of `mine` over the node. Collective; also a barrier for shared memory: afterwards
// each process sees what the others wrote before the call.
bool node_group_all(const struct node_group *g, bool mine);
// Zeroed memory shared by the group. NULL on every process if the node cannot provide it, if the
// processes ask for different sizes, in a group of one, and for 0 bytes. Collective.
void *node_group_allocate(const struct node_group *g, size_t bytes);
void node_group_release(const struct node_group *g, void *memory, size_t bytes); // not collective
