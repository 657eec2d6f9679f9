// The ranks of this machine as a node_group: POSIX shared memory, synchronised through MPI.
#pragma once
#include "comm.h"
#include "node_group.h"

struct node_memory {
  struct node_group node_group;
  MPI_Comm mpi; // of the ranks on this machine
};

void node_memory_create(struct node_memory *m, const struct comm *c); // collective
void node_memory_destroy(struct node_memory *m);                      // collective
