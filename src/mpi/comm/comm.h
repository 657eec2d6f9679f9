// The ranks of a job, and the collective operations that throng uses. The room mpi/ holds every MPI
// call of the program; other rooms see struct comm and these functions.
#pragma once
#include "base.h"
#include <mpi.h>

struct comm {
  MPI_Comm mpi;
  int32_t rank, size;
};

// Starts MPI, unless it has been, for OpenMP programs whose main thread alone calls it. fail() then
// aborts all ranks by comm_abort.
void comm_begin(struct comm *c, int *argc, char ***argv);
void comm_end(struct comm *c);                                  // ends MPI. Collective
__attribute__((noreturn)) void comm_abort(enum exit_code code); // ends the program on all ranks
struct comm comm_of(MPI_Comm mpi);
// The same ranks, whose messages mix with nobody else's; comm_part_destroy frees it. Collective.
struct comm comm_duplicate(MPI_Comm mpi);
struct comm comm_self(void); // this process alone: rank 0 of 1
bool comm_is_valid(const struct comm *c);
bool comm_is_gpu_aware(void);                 // MPI accepts pointers to CUDA device memory
int32_t comm_node_size(const struct comm *c); // ranks on this machine. Collective

// Makes `part` of the ranks with is_member, in the same order. The others get false and must not
// use it. Collective; members call comm_part_destroy.
bool comm_part_create(struct comm *part, const struct comm *all, bool is_member);
// Divides the ranks into parts, in the same order; returns this rank's. part: its number, >= 0.
// Collective; comm_part_destroy frees it.
struct comm comm_split(const struct comm *all, int32_t part);
void comm_part_destroy(struct comm *part);

// Reductions over the ranks, in place. Integers only: the result does not depend on the order of
// summation. Collective. With one rank they and comm_broadcast make no call of MPI, so that any
// thread may make them.
void comm_sum(const struct comm *c, int64_t *values, int64_t count);
void comm_max(const struct comm *c, int64_t *values, int64_t count);
void comm_min(const struct comm *c, int64_t *values, int64_t count);
uint64_t comm_sum_wrapping(const struct comm *c, uint64_t own);      // modulo 2^64: checksums
int64_t comm_prefix_sum(const struct comm *c, int64_t own);          // of the ranks below this one
bool comm_all(const struct comm *c, bool own);                       // logical AND
int32_t comm_lowest_rank(const struct comm *c, bool own);            // with own true; else c->size
enum exit_code comm_agree(const struct comm *c, enum exit_code own); // the greatest code

// Sums on rank 0, in place and in messages of bounded size; the values of other ranks are undefined
// afterwards. Collective.
void comm_reduce_i64(const struct comm *c, int64_t *values, int64_t count);

void comm_barrier(const struct comm *c);
void comm_barrier_sleeping(const struct comm *c); // polls every 2 ms: leaves the cores to others

// Concatenates the bytes of all ranks in rank order. The caller frees the result by memory_destroy.
// comm_gather gives it to every rank, comm_gather_root to rank 0: *total is 0 and the result NULL
// on the others, and on rank 0 where there are no bytes. Collective.
void *comm_gather(const struct comm *c, const void *own, int64_t bytes, int64_t *total);
void *comm_gather_root(const struct comm *c, const void *own, int64_t bytes, int64_t *total);
void comm_gather_i64(const struct comm *c, int64_t own, int64_t *values); // values[c->size]
// Copies the data of rank `root` to all ranks. Collective.
void comm_broadcast(const struct comm *c, void *data, size_t bytes, int32_t root);
// Blocking messages of any size between two ranks. The receiver knows the number of bytes; without
// any, nothing is sent.
void comm_send(const struct comm *c, const void *data, size_t bytes, int32_t to);
void comm_receive(const struct comm *c, void *data, size_t bytes, int32_t from);
