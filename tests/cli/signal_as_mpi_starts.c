// Loaded before MPI by LD_PRELOAD: raises SIGUSR1 where the program starts MPI.
#include <mpi.h>
#include <signal.h>

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  raise(SIGUSR1);
  return PMPI_Init_thread(argc, argv, required, provided);
}
