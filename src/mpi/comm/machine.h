// The ranks of this machine as a team: shared memory (POSIX), and MPI to meet.
#pragma once
#include "comm.h"
#include "team.h"

struct machine {
  struct team team;
  MPI_Comm mpi; // of the ranks on this machine
};

void machine_create(struct machine *m, const struct comm *c); // collective
void machine_destroy(struct machine *m);                      // collective
