// The ranks of a job. The only place that starts and ends MPI.
#pragma once
#include "base.h"
#include <mpi.h>

struct comm {
  MPI_Comm mpi;
  int32_t rank, size;
};

void comm_begin(struct comm *c, int *argc, char ***argv); // also makes fail() end every rank
void comm_end(struct comm *c);                            // collective
bool comm_is_gpu_aware(void); // messages may lie in the memory of a CUDA device

// Collective sums and maxima over the ranks, in place: integers, so the order does not show.
void comm_sum(const struct comm *c, int64_t *values, int64_t count);
void comm_max(const struct comm *c, int64_t *values, int64_t count);
// Everybody's bytes, one rank's after the other's: memory_destroy it. Collective.
void *comm_gather(const struct comm *c, const void *mine, int64_t bytes, int64_t *total);
// What rank `from` has there, to everybody. Collective.
void comm_broadcast(const struct comm *c, void *data, size_t bytes, int32_t from);
// The worst exit code of all ranks: everybody agrees on how it went. Collective.
enum exit_code comm_agree(const struct comm *c, enum exit_code mine);
