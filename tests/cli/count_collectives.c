// Loaded by LD_PRELOAD: counts the collective operations of rank 0. The last line that the program
// writes to stderr is "collectives REDUCTIONS OTHERS", where a reduction is an MPI_Allreduce.
#include <mpi.h>
#include <stdio.h>

static long reductions, others;

static void count(MPI_Comm comm, long *calls)
{
  int size;
  PMPI_Comm_size(comm, &size);
  *calls += size > 1;
}

int MPI_Allreduce(const void *own, void *all, int items, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
  count(c, &reductions);
  return PMPI_Allreduce(own, all, items, type, op, c);
}

// The name, its parameters, and the words of the call.
#define COUNTED(name, parameters, words)                                                           \
  int MPI_##name parameters                                                                        \
  {                                                                                                \
    count(c, &others);                                                                             \
    return PMPI_##name words;                                                                      \
  }
COUNTED(Reduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
        (a, b, n, t, op, root, c))
COUNTED(Bcast, (void *a, int n, MPI_Datatype t, int root, MPI_Comm c), (a, n, t, root, c))
COUNTED(Allgather,
        (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, u, c))
COUNTED(Allgatherv,
        (const void *a, int n, MPI_Datatype t, void *b, const int *m, const int *at, MPI_Datatype u,
         MPI_Comm c),
        (a, n, t, b, m, at, u, c))
COUNTED(Gather,
        (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int root,
         MPI_Comm c),
        (a, n, t, b, m, u, root, c))
COUNTED(Scan, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (a, b, n, t, op, c))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))

int MPI_Finalize(void)
{
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "collectives %ld %ld\n", reductions, others);
  return PMPI_Finalize();
}
