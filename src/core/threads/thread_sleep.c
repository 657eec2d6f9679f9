#include "thread_sleep.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef KMP_VERSION_MAJOR // LLVM's OpenMP

// Its threads leave their core to others while they spin: runs take the same time as with threads
// that sleep.
bool thread_sleep_begin(void)
{
  return false;
}

void thread_sleep_end(void)
{
}

#else // GCC's OpenMP

static bool environment_decides(void)
{
  return getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT");
}

// It has no function for this. But while it has made more threads than the process has cores, each
// waits for 100 rounds only and then sleeps (libgomp's manual, GOMP_SPINCOUNT). A spare team, which
// does nothing, makes them more.
static struct {
  pthread_t leader;
  pid_t process; // of the leader: a fork has no such thread
  bool exists;
  int size, started; // threads, with the leader
  sem_t begun, ends;
} spare;

#define SPARE_MAX 256 // threads; with more cores than that beyond its own loops, a process spins

// Whether the system has so many threads: all exist at one time. OpenMP would end the program where
// one is missing.
static void *try_threads(void *count)
{
  const intptr_t others = (intptr_t)count - 1;
  pthread_t next;
  void *all = count;
  if (others == 0)
    return all;
  if (pthread_create(&next, NULL, try_threads, (void *)others) != 0)
    return NULL;
  pthread_join(next, &all);
  return all;
}

static void wait_for(sem_t *semaphore)
{
  while (sem_wait(semaphore) != 0) // a signal came
    ;
}

static void *lead_spare_team(void *unused)
{
  if (try_threads((void *)(intptr_t)spare.size)) {
    omp_set_dynamic(0);
#pragma omp parallel num_threads(spare.size)
#pragma omp atomic
    spare.started++; // the compiler leaves out an empty loop
  }
  sem_post(&spare.begun);
  wait_for(&spare.ends);
  return unused;
}

static bool has_spare_team(void)
{
  return spare.exists && spare.process == getpid();
}

// Signals are for the caller's threads.
static bool start_leader(void)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const bool started = pthread_create(&spare.leader, NULL, lead_spare_team, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool thread_sleep_begin(void)
{
  if (has_spare_team())
    return true;
  const int idle = omp_get_num_procs() - omp_get_max_threads(); // cores
  spare.size = idle > 0 ? idle + 2 : 2;
  if (environment_decides() || spare.size > SPARE_MAX)
    return false;
  spare.process = getpid();
  spare.started = 0;
  sem_init(&spare.begun, 0, 0);
  sem_init(&spare.ends, 0, 0);
  spare.exists = start_leader();
  if (!spare.exists)
    return false;
  wait_for(&spare.begun);
  if (spare.started < spare.size)
    thread_sleep_end();
  return spare.exists;
}

void thread_sleep_end(void)
{
  if (has_spare_team()) {
    sem_post(&spare.ends);
    pthread_join(spare.leader, NULL);
    sem_destroy(&spare.begun);
    sem_destroy(&spare.ends);
  }
  spare.exists = false;
}

#endif
