#include "worker.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define JOBS 50

struct record { // of what the jobs did
  atomic_int count;
  int order[JOBS];
  pthread_t by;
};

struct note {
  struct record *in;
  int number;
  enum exit_code code;
  useconds_t pause;
};

static enum exit_code take_note(void *context)
{
  struct note *n = context;
  const enum exit_code code = n->code;
  usleep(n->pause);
  n->in->order[n->in->count] = n->number;
  n->in->by = pthread_self();
  n->in->count++;
  memory_destroy(n);
  return code;
}

static void add(struct worker *w, struct record *in, int number, enum exit_code code,
                useconds_t pause)
{
  struct note *n = memory_create(1, sizeof *n);
  *n = (struct note){in, number, code, pause};
  worker_add(w, take_note, n);
}

Test(worker, does_the_jobs_in_their_order_in_another_thread)
{
  struct record in = {0};
  struct worker *w = worker_create(false);
  for (int i = 0; i < JOBS; i++)
    add(w, &in, i, EXIT_DONE, 100);
  cr_assert_eq(worker_wait(w), EXIT_DONE);
  cr_assert_eq(in.count, JOBS);
  for (int i = 0; i < JOBS; i++)
    cr_assert_eq(in.order[i], i);
  cr_assert_not(pthread_equal(in.by, pthread_self()));
  worker_destroy(w);
}

Test(worker, holds_few_unfinished_jobs)
{
  struct record in = {0};
  struct worker *w = worker_create(false);
  for (int i = 0; i < 8; i++) {
    add(w, &in, i, EXIT_DONE, 2000);
    cr_assert_geq(in.count, i + 1 - WORKER_QUEUE);
  }
  worker_destroy(w);
}

Test(worker, keeps_the_greatest_code_and_does_the_rest)
{
  struct record in = {0};
  struct worker *w = worker_create(false);
  cr_assert_eq(worker_code(w), EXIT_DONE);
  add(w, &in, 0, EXIT_BAD_INPUT, 0);
  add(w, &in, 1, EXIT_IO, 0);
  add(w, &in, 2, EXIT_DONE, 0);
  cr_assert_eq(worker_wait(w), EXIT_IO);
  cr_assert_eq(worker_code(w), EXIT_IO);
  cr_assert_eq(in.count, 3);
  worker_destroy(w);
}

Test(worker, finishes_its_jobs_before_it_is_destroyed)
{
  struct record in = {0};
  struct worker *w = worker_create(false);
  add(w, &in, 0, EXIT_DONE, 20000);
  add(w, &in, 1, EXIT_DONE, 0);
  worker_destroy(w);
  cr_assert_eq(in.count, 2);
  worker_destroy(worker_create(false)); // without any job
  worker_destroy(NULL);
}

// What the thread has begun stays its own.
Test(worker, leaves_jobs_to_the_caller)
{
  for (int begun = 0; begun <= 2; begun++) {
    for (int held = 0; held <= 5; held++) {
      struct record in = {0};
      struct worker *w = worker_create(false);
      for (int i = 0; i < begun; i++)
        add(w, &in, i, EXIT_DONE, 3000);
      worker_leave(w);
      for (int i = 0; i < held; i++)
        add(w, &in, begun + i, i == 1 ? EXIT_IO : EXIT_DONE, 0);
      if (begun + held <= WORKER_QUEUE && held > 0 && begun == 0)
        cr_assert_eq(in.count, 0);
      if (held % 2)
        cr_assert_eq(worker_wait(w), held > 1 ? EXIT_IO : EXIT_DONE);
      if (held % 2)
        cr_assert(pthread_equal(in.by, pthread_self()));
      worker_destroy(w);
      cr_assert_eq(in.count, begun + held);
      for (int i = 0; i < begun + held; i++)
        cr_assert_eq(in.order[i], i);
    }
  }
}

// What it was given meanwhile is done by its thread, even if that had nothing to do before.
Test(worker, goes_on_after_a_hold)
{
  for (int begun = 0; begun <= 1; begun++) {
    struct record in = {0};
    struct worker *w = worker_create(false);
    for (int i = 0; i < begun; i++)
      add(w, &in, i, EXIT_DONE, 1000);
    worker_hold(w, true);
    add(w, &in, begun, EXIT_DONE, 0);
    worker_hold(w, false);
    cr_assert_eq(worker_wait(w), EXIT_DONE);
    cr_assert_not(pthread_equal(in.by, pthread_self()));
    add(w, &in, begun + 1, EXIT_DONE, 0);
    cr_assert_eq(worker_wait(w), EXIT_DONE);
    cr_assert_eq(in.count, begun + 2);
    cr_assert_not(pthread_equal(in.by, pthread_self()));
    for (int i = 0; i < begun + 2; i++)
      cr_assert_eq(in.order[i], i);
    worker_destroy(w);
  }
}

// A full queue lets the thread do one job, in its turn, and the hold goes on.
Test(worker, makes_room_while_it_is_held)
{
  struct record in = {0};
  struct worker *w = worker_create(true);
  worker_hold(w, true);
  for (int i = 0; i < WORKER_QUEUE + 2; i++) {
    add(w, &in, i, EXIT_DONE, 0);
    cr_assert_geq(in.count, i + 1 - WORKER_QUEUE);
  }
  cr_assert_not(pthread_equal(in.by, pthread_self()));
  worker_hold(w, false);
  cr_assert_eq(worker_wait(w), EXIT_DONE);
  for (int i = 0; i < WORKER_QUEUE + 2; i++)
    cr_assert_eq(in.order[i], i);
  worker_destroy(w);
}

// A worker that shares the cores delays each job. A caller that waits for the job ends the delay.
Test(worker, begins_a_job_a_while_after_it_was_given)
{
  for (int how = 0; how < 3; how++) {
    struct record in = {0};
    struct worker *w = worker_create(how < 2);
    const double start = clock_seconds();
    add(w, &in, 0, EXIT_DONE, 0);
    if (how == 0)
      while (in.count == 0)
        usleep(100);
    else
      worker_wait(w);
    const double seconds = clock_seconds() - start;
    cr_assert(how == 0 ? seconds >= 0.0099 : seconds < 0.0099, "%d: %g s", how, seconds);
    worker_destroy(w);
  }
}

#define PIECES 10

struct pauses {
  double seconds; // of all
  atomic_bool done;
};

static enum exit_code work_and_pause(void *context)
{
  struct pauses *p = context;
  for (int i = 0; i < PIECES; i++) {
    const double begin = clock_cpu_seconds();
    while (clock_cpu_seconds() < begin + 0.002)
      ;
    const double start = clock_seconds();
    worker_pause();
    p->seconds += clock_seconds() - start;
  }
  p->done = true;
  return EXIT_DONE;
}

static double pauses_of(bool shares_cores, bool waits)
{
  struct pauses p = {0};
  struct worker *w = worker_create(shares_cores);
  worker_add(w, work_and_pause, &p);
  if (waits)
    worker_wait(w);
  while (!p.done)
    usleep(1000);
  worker_destroy(w);
  return p.seconds;
}

// Three times as long as it works.
Test(worker, pauses_where_it_shares_the_cores)
{
  const double most = PIECES * 3 * 0.002;
  cr_assert_geq(pauses_of(true, false), 0.99 * most);
  cr_assert_lt(pauses_of(true, true), 0.9 * most);
  cr_assert_lt(pauses_of(false, false), 0.9 * most);
  worker_pause(); // of nobody
}
