#include "comm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

static void end_all_ranks(enum exit_code code, const char *message)
{
  fprintf(stderr, "throng: %s\n", message);
  fflush(stderr);
  int running = 0, over = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running && !over)
    MPI_Abort(MPI_COMM_WORLD, code);
  exit((int)code);
}

void comm_begin(struct comm *c, int *argc, char ***argv)
{
  int provided;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided); // OpenMP threads never call MPI
  c->mpi = MPI_COMM_WORLD;
  MPI_Comm_rank(c->mpi, &c->rank);
  MPI_Comm_size(c->mpi, &c->size);
  fail_set_handler(end_all_ranks);
}

void comm_end(struct comm *c)
{
  (void)c;
  MPI_Finalize();
}

bool comm_is_gpu_aware(void)
{
  int reaches = 0;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  reaches = MPIX_Query_cuda_support();
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &reaches);
#endif
  return reaches != 0;
}

void comm_sum(const struct comm *c, int64_t *values, int64_t count)
{
  MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_INT64_T, MPI_SUM, c->mpi);
}

void comm_max(const struct comm *c, int64_t *values, int64_t count)
{
  MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_INT64_T, MPI_MAX, c->mpi);
}

void *comm_gather(const struct comm *c, const void *mine, int64_t bytes, int64_t *total)
{
  int *counts = memory_create(2 * (size_t)c->size, sizeof *counts), *starts = counts + c->size;
  const int own = (int)bytes;
  MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, c->mpi);
  *total = 0;
  for (int r = 0; r < c->size; r++) {
    starts[r] = (int)*total;
    *total += counts[r];
    require(*total <= INT_MAX, "more than 2 GiB to be gathered at once");
  }
  char *all = memory_create((size_t)*total, 1);
  MPI_Allgatherv(mine, own, MPI_BYTE, all, counts, starts, MPI_BYTE, c->mpi);
  memory_destroy(counts);
  return all;
}

void comm_broadcast(const struct comm *c, void *data, size_t bytes, int32_t from)
{
  const size_t most = (size_t)1 << 30; // MPI counts in int
  for (size_t at = 0; at < bytes; at += most)
    MPI_Bcast((char *)data + at, (int)(bytes - at < most ? bytes - at : most), MPI_BYTE, from,
              c->mpi);
}

enum exit_code comm_agree(const struct comm *c, enum exit_code mine)
{
  int64_t worst = mine;
  comm_max(c, &worst, 1);
  return (enum exit_code)worst;
}
