// With OMP_PROC_BIND, OpenMP binds the main thread to one core when it is loaded: a worker's jobs
// still run on every core of the process. Not a Criterion program, whose tests are started by a
// program that OpenMP has already bound.
#include "worker.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int core_count(void) // of the calling thread
{
  cpu_set_t cores;
  pthread_getaffinity_np(pthread_self(), sizeof cores, &cores);
  return CPU_COUNT(&cores);
}

// OpenMP may bind a thread at its first region, too.
static enum exit_code count_cores(void *count)
{
#pragma omp parallel
  *(int *)count = core_count();
  return EXIT_DONE;
}

int main(void)
{
  const int process = omp_get_num_procs(), own = core_count();
  int job = 0;
  struct worker *w = worker_create();
  worker_add(w, count_cores, &job);
  worker_wait(w);
  worker_destroy(w);
  printf("main thread on %d of %d cores, the worker on %d\n", own, process, job);
  if (process == 1 || own == process) {
    puts("SKIPPED: the main thread is bound to no part of the cores, or there is one core");
    return 77;
  }
  return job == process ? 0 : 1;
}
