// Threads that wait take CPU time where they spin, and none where they sleep. A program of its own:
// OpenMP reads its environment when it is loaded, and here no variable may say how threads wait.
#include "base.h"
#include "thread_sleep.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORK  0.002 // s of CPU time, less than a thread spins
#define LOOPS 20
#define SPINS 0.3 // share; more beside other programs, where the first thread waits for its core

static double process_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// CPU time of the threads that wait for the first one, as a share of its own.
static double waiting_share(void)
{
  const double begin = process_seconds();
  for (int k = 0; k < LOOPS; k++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
      for (const double from = clock_cpu_seconds(); clock_cpu_seconds() < from + WORK;)
        ;
  }
  return (process_seconds() - begin) / (LOOPS * WORK) - 1;
}

static int failures;

static void expect(bool good, const char *what, double share)
{
  printf("%s: %.2f: %s\n", what, share, good ? "good" : "wrong");
  failures += !good;
}

static int skip(const char *why)
{
  printf("SKIPPED: %s\n", why);
  return 77;
}

int main(void)
{
#ifdef KMP_VERSION_MAJOR
  return skip("threads of LLVM's OpenMP leave their core to others while they spin");
#endif
  if (omp_get_num_procs() < 2)
    return skip("OpenMP's threads never spin on one core");
  omp_set_num_threads(2);
  const double spinning = waiting_share();
  for (int k = 0; k < 3; k++) {
    if (!thread_sleep_begin())
      return 1;
    thread_sleep_begin(); // once more: nothing
    const double asleep = waiting_share();
    expect(asleep < 0.1, "asleep", asleep);
    thread_sleep_end();
    thread_sleep_end();
    const double awake = waiting_share();
    expect(awake > SPINS, "awake", awake);
  }
  expect(spinning > SPINS, "from the start", spinning);
  setenv("OMP_WAIT_POLICY", "active", 1);
  expect(!thread_sleep_begin(), "the environment decides", 0);
  return failures > 0;
}
