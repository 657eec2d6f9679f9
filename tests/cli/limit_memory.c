// Limits the memory of a program to what it has when MPI has started, and MEMORY_MB more. Loaded by
// LD_PRELOAD: a limit from outside would count libraries, whose size depends on the machine.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static rlim_t address_space(void) // bytes
{
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%lu", &pages) != 1)
    abort();
  fclose(f);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  const rlim_t most = address_space() + (rlim_t)atoll(getenv("MEMORY_MB")) * 1000000;
  if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0)
    abort();
  return result;
}
