#include "thread_waits.h"

#include "base.h"
#include "thread_sleep.h"
#include "wait_choice.h"
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define PERIOD 0.05 // s of steps, after which the choice may change; to look costs 60 us

// Of the process, as the threads are. Times as in clock_seconds.
static struct {
  struct wait_choice choice;
  double begin;      // of the period; later by what was not in a step
  double step_ended; // 0: in a step
  int64_t steps;     // in the period; 0: it was before the first step
} team;

static _Thread_local double kept_before; // s

// For how long the calling thread has waited for a core since it began, s. 0: the system does not
// say.
static double seconds_kept(void)
{
  char text[100] = "", *rest;
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    return 0;
  strtoull(text, &rest, 10); // ns in which it ran
  return 1e-9 * (double)strtoull(rest, NULL, 10);
}

// Since the last call, by the thread that waited for longest.
static double kept_longest(void)
{
  double longest = 0;
#pragma omp parallel reduction(max : longest)
  {
    const double kept = seconds_kept();
    longest = kept - kept_before;
    kept_before = kept;
  }
  return longest;
}

static void begin_period(double now, int64_t steps)
{
  team.begin = now;
  team.step_ended = 0;
  team.steps = steps;
}

void thread_waits_begin(void)
{
  kept_longest();
  team.choice = (struct wait_choice){.sleeps = team.choice.sleeps};
  begin_period(clock_seconds(), 0);
}

static void apply_choice(void)
{
  if (team.choice.sleeps)
    team.choice.sleeps = thread_sleep_begin();
  else
    thread_sleep_end();
}

void thread_waits_begin_step(struct thread_waits *w)
{
  const double now = clock_seconds();
  if (team.step_ended > 0)
    team.begin += now - team.step_ended;
  team.step_ended = 0;
  const double seconds = now - team.begin;
  if (team.steps > 0 && seconds < PERIOD) {
    team.steps++;
    return;
  }
  const double kept = fmin(kept_longest(), seconds);
  if (team.steps > 0) {
    w->kept += kept;
    w->watched += seconds;
  }
  wait_choice_next(&team.choice, kept / seconds, team.steps > 0 ? seconds / (double)team.steps : 0,
                   now);
  apply_choice();
  begin_period(now, 1);
}

void thread_waits_end_step(void)
{
  team.step_ended = clock_seconds();
}

void thread_waits_end(void)
{
  team.choice.sleeps = team.choice.tries = false;
  thread_sleep_end();
}

// throng-bench crowd, one and two threads on two cores: 23 and 26 us for a step of 300 agents, 31
// and 24 for 400. Threads that sleep have to be woken: 170 and 184 us for 2,000, 347 for 4,000 with
// both.
#define FEW_SPINNING 384
#define FEW_SLEEPING 4000

int64_t thread_waits_few_agents(void)
{
  return team.choice.sleeps ? FEW_SLEEPING : FEW_SPINNING;
}
