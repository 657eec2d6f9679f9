#include "worker.h"

#include "message.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define JOBS 50

static struct worker *create(bool beside)
{
  struct worker *w = worker_create();
  worker_run_beside(w, beside ? 0 : INFINITY);
  return w;
}

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

static void check_order(bool beside)
{
  struct record in = {0};
  struct worker *w = create(beside);
  for (int i = 0; i < JOBS; i++)
    add(w, &in, i, EXIT_DONE, 100);
  cr_assert_eq(worker_wait(w), EXIT_DONE);
  cr_assert_eq(in.count, JOBS);
  for (int i = 0; i < JOBS; i++)
    cr_assert_eq(in.order[i], i);
  cr_assert_not(pthread_equal(in.by, pthread_self()));
  worker_destroy(w);
}

Test(worker, does_the_jobs_in_their_order_in_another_thread)
{
  check_order(false);
  check_order(true);
}

static void check_queue(bool beside)
{
  struct record in = {0};
  struct worker *w = create(beside);
  for (int i = 0; i < 8; i++) {
    add(w, &in, i, EXIT_DONE, 2000);
    cr_assert_geq(in.count, i + 1 - WORKER_QUEUE);
  }
  worker_destroy(w);
}

Test(worker, holds_few_unfinished_jobs)
{
  check_queue(false);
  check_queue(true);
}

static void check_codes(bool beside)
{
  struct record in = {0};
  struct worker *w = create(beside);
  cr_assert_eq(worker_code(w), EXIT_DONE);
  add(w, &in, 0, EXIT_BAD_INPUT, 0);
  add(w, &in, 1, EXIT_IO, 0);
  add(w, &in, 2, EXIT_DONE, 0);
  cr_assert_eq(worker_wait(w), EXIT_IO);
  cr_assert_eq(worker_code(w), EXIT_IO);
  cr_assert_eq(in.count, 3);
  worker_destroy(w);
}

Test(worker, keeps_the_greatest_code_and_does_the_rest)
{
  check_codes(false);
  check_codes(true);
}

static enum exit_code say(void *context)
{
  message_print("%s", (const char *)context);
  return EXIT_IO;
}

// Messages of a job come with its code, once, from the caller's thread.
Test(worker, tells_what_jobs_print_with_their_code)
{
  for (int beside = 0; beside <= 1; beside++) {
    char text[1000] = "";
    char one[] = "one", other[] = "other";
    message_capture(text, sizeof text);
    struct worker *w = create(beside);
    worker_add(w, say, one);
    worker_add(w, say, other);
    usleep(10000);
    cr_assert_str_eq(text, "");
    cr_assert_eq(worker_wait(w), EXIT_IO);
    cr_assert_str_eq(text, "one\nother\n");
    cr_assert_eq(worker_code(w), EXIT_IO);
    cr_assert_str_eq(text, "one\nother\n");
    worker_add(w, say, one);
    worker_destroy(w);
    cr_assert_str_eq(text, "one\nother\none\n");
    message_capture(NULL, 0);
  }
}

static void check_end(bool beside)
{
  struct record in = {0};
  struct worker *w = create(beside);
  add(w, &in, 0, EXIT_DONE, 20000);
  add(w, &in, 1, EXIT_DONE, 0);
  worker_destroy(w);
  cr_assert_eq(in.count, 2);
  worker_destroy(create(beside)); // without any job
}

Test(worker, finishes_its_jobs_before_it_is_destroyed)
{
  check_end(false);
  check_end(true);
  worker_destroy(NULL);
}

// In turns, nothing of a job runs unless the caller spends time on it.
Test(worker, runs_in_turns)
{
  struct record in = {0};
  struct worker *w = create(false);
  add(w, &in, 0, EXIT_DONE, 0);
  add(w, &in, 1, EXIT_DONE, 0);
  worker_take_turn(w, 0);
  worker_take_turn(w, -1);
  usleep(20000);
  cr_assert_eq(in.count, 0);
  worker_take_turn(w, 100); // until both are done
  cr_assert_eq(in.count, 2);
  worker_take_turn(w, 100); // nothing to do
  worker_destroy(w);
}

struct gate {
  atomic_bool is_open, passed;
};

static enum exit_code pass_gate(void *context)
{
  struct gate *g = context;
  while (!g->is_open)
    usleep(100);
  g->passed = true;
  return EXIT_DONE;
}

// Beside the caller there are no turns. In turns, the caller goes on although a job is kept
// waiting.
Test(worker, never_keeps_the_caller_for_longer_than_a_turn)
{
  for (int beside = 0; beside <= 1; beside++) {
    struct gate gate = {0};
    struct worker *w = create(beside);
    worker_add(w, pass_gate, &gate);
    const double start = clock_seconds();
    worker_take_turn(w, beside ? 100 : 0.001);
    cr_assert_lt(clock_seconds() - start, 50);
    cr_assert_not(gate.passed);
    gate.is_open = true;
    worker_wait(w);
    cr_assert(gate.passed);
    worker_destroy(w);
  }
}

// The jobs of two workers, which may call HDF5, are never done at once.
Test(worker, waits_for_the_jobs_of_others)
{
  for (int how = 0; how < 4; how++) {
    struct record in = {0}, other_in = {0};
    struct worker *w = create(how & 1), *other = create(how & 2);
    add(w, &in, 0, EXIT_DONE, 5000);
    add(w, &in, 1, EXIT_IO, 5000);
    add(other, &other_in, 0, EXIT_DONE, 5000);
    cr_assert_eq(in.count, 2);
    cr_assert_eq(worker_wait(NULL), EXIT_DONE);
    cr_assert_eq(other_in.count, 1);
    cr_assert_eq(worker_code(w), EXIT_IO);
    cr_assert_eq(worker_code(other), EXIT_DONE);
    worker_destroy(w);
    add(other, &other_in, 1, EXIT_DONE, 0);
    worker_destroy(other);
    cr_assert_eq(other_in.count, 2);
    worker_wait(NULL); // no jobs
  }
}

// ------------------------------------------------------------------------------------- loops

#define PIECES      300
#define THREADS_MAX 4

struct loop_record {
  atomic_int made[PIECES], order[PIECES]; // order: of the pieces, by when they were finished
  atomic_int finished, total;             // total: pieces made
  atomic_bool has_thread[THREADS_MAX], bad;
  pthread_t caller;
  atomic_int by_caller;
  atomic_int closed; // pieces from this one on wait; 0: none
  double begun;      // clock_seconds when the first piece was begun
  useconds_t piece;
  bool finishes;
};

static void make(void *context, int64_t piece, int thread)
{
  struct loop_record *r = context;
  if (thread < 0 || thread >= worker_threads() || thread >= THREADS_MAX ||
      atomic_exchange(&r->has_thread[thread], true))
    r->bad = true;
  if (piece == 0)
    r->begun = clock_seconds();
  usleep(r->piece);
  while (r->closed && piece >= r->closed)
    usleep(100);
  r->made[piece]++;
  r->by_caller += pthread_equal(pthread_self(), r->caller) != 0;
  r->total++;
  r->has_thread[thread] = false;
}

static void finish(void *context, int64_t piece, int thread)
{
  struct loop_record *r = context;
  (void)thread;
  if (r->made[piece] != 1)
    r->bad = true;
  r->order[r->finished++] = (int)piece;
}

static enum exit_code loop(void *context)
{
  struct loop_record *r = context;
  worker_loop(&(struct worker_loop){PIECES, make, r->finishes ? finish : NULL, r});
  worker_loop(&(struct worker_loop){0, make, finish, r}); // an empty one
  return EXIT_DONE;
}

static void check_loop(struct loop_record *r)
{
  cr_assert_not(r->bad);
  cr_assert_eq(r->total, PIECES);
  for (int i = 0; i < PIECES; i++)
    cr_assert_eq(r->made[i], 1);
  cr_assert_eq(r->finished, r->finishes ? PIECES : 0);
  for (int i = 0; i < r->finished; i++)
    cr_assert_eq(r->order[i], i);
}

// Each piece is made once and finished in order, whichever threads run the loop and however often
// it is interrupted.
Test(worker, does_each_piece_of_a_loop_once)
{
  for (int how = 0; how < 24; how++) {
    struct loop_record r = {.caller = pthread_self(), .finishes = how % 2, .piece = 20};
    const bool beside = how / 2 % 2, turns = how / 4 % 2;
    omp_set_num_threads(how / 8 + 1);
    struct worker *w = create(beside);
    worker_add(w, loop, &r);
    for (int i = 0; turns && i < 100000 && r.total < PIECES; i++)
      worker_take_turn(w, 1e-4);
    worker_wait(w);
    check_loop(&r);
    if (!beside) // by the caller's threads alone
      cr_assert(omp_get_max_threads() > 1 || r.by_caller == PIECES);
    worker_destroy(w);
  }
}

Test(worker, does_a_loop_of_no_job)
{
  for (int threads = 1; threads <= THREADS_MAX; threads++) {
    omp_set_num_threads(threads);
    struct loop_record r = {.caller = pthread_self(), .finishes = true};
    cr_assert_eq(worker_threads(), threads);
    loop(&r);
    check_loop(&r);
  }
  worker_yield(); // of nobody
}

static void *open_later(void *context)
{
  struct loop_record *r = context;
  usleep(20000); // meanwhile the caller begins to wait
  r->closed = 0;
  return NULL;
}

// A caller that waits takes over the loop that the worker's thread has begun.
Test(worker, lets_a_caller_that_waits_help)
{
  struct loop_record r = {.caller = pthread_self(), .finishes = true, .closed = 3, .piece = 1000};
  omp_set_num_threads(2);
  struct worker *w = create(true);
  worker_add(w, loop, &r);
  while (r.total < 3)
    usleep(100);
  cr_assert_eq(r.by_caller, 0);
  pthread_t opener;
  pthread_create(&opener, NULL, open_later, &r);
  worker_wait(w);
  pthread_join(opener, NULL);
  cr_assert_gt(r.by_caller, 0);
  check_loop(&r);
  worker_destroy(w);
}

// A loop that was begun in turns goes on beside the caller, and the other way round.
Test(worker, changes_between_turns_and_running_beside)
{
  struct loop_record r = {.caller = pthread_self(), .finishes = true, .piece = 100};
  omp_set_num_threads(2);
  struct worker *w = create(false);
  worker_add(w, loop, &r);
  while (r.by_caller == 0)
    worker_take_turn(w, 1e-3);
  const int closed = r.total + 20;
  r.closed = closed;
  worker_run_beside(w, 0);
  while (r.total < closed)
    usleep(100);
  worker_run_beside(w, INFINITY);
  r.closed = 0;
  usleep(20000);
  cr_assert_leq(r.total, closed + 1); // the one that was being made
  const int by_caller = r.by_caller;
  worker_run_beside(w, 0);
  while (r.total < PIECES)
    usleep(100);
  cr_assert_eq(r.by_caller, by_caller);
  worker_destroy(w);
  check_loop(&r);
}

// A caller that is away for long leaves its cores to the jobs.
Test(worker, runs_beside_from_a_given_time)
{
  struct loop_record r = {.caller = pthread_self(), .finishes = true};
  struct worker *w = create(false);
  worker_add(w, loop, &r);
  const double from = clock_seconds() + 0.02;
  worker_run_beside(w, from);
  while (r.total < PIECES)
    usleep(100);
  worker_destroy(w);
  cr_assert_geq(r.begun, from);
  cr_assert_eq(r.by_caller, 0);
}

// Jobs beside the caller end although it only waited for room in the queue.
Test(worker, finishes_loops_that_the_caller_left)
{
  omp_set_num_threads(2);
  for (int n = 0; n < 20; n++) {
    struct loop_record r[5] = {0};
    struct worker *w = create(true);
    for (int i = 0; i < 5; i++) {
      r[i].caller = pthread_self();
      worker_add(w, loop, &r[i]);
    }
    while (r[4].total < PIECES)
      usleep(100);
    worker_destroy(w);
    for (int i = 0; i < 5; i++)
      check_loop(&r[i]);
  }
}

#define TURN 0.004 // s

// The caller goes on when its time is over and each of its threads has finished a piece.
Test(worker, takes_turns_of_about_the_wanted_length)
{
  struct loop_record r = {.caller = pthread_self(), .piece = 500};
  omp_set_num_threads(2);
  struct worker *w = create(false);
  worker_add(w, loop, &r);
  while (r.total < PIECES / 2) {
    const int before = r.total;
    const double start = clock_seconds();
    worker_take_turn(w, TURN);
    cr_assert_geq(clock_seconds() - start, TURN);
    cr_assert_leq(r.total - before, 2 * 8 + 2); // each takes at least 0.5 ms
  }
  worker_destroy(w);
  check_loop(&r);
}

#define YIELDS 10

struct yields {
  atomic_int begun, done;
  atomic_int open; // how many pieces may be done
};

static enum exit_code yield_often(void *context)
{
  struct yields *y = context;
  for (int i = 0; i < YIELDS; i++) {
    y->begun++;
    while (y->open <= i)
      usleep(100);
    y->done++;
    worker_yield();
  }
  return EXIT_DONE;
}

// A job outside of a loop stops where it yields, once its turn is over.
Test(worker, yields_when_its_turn_is_over)
{
  struct yields y = {0};
  struct worker *w = create(false);
  worker_add(w, yield_often, &y);
  while (y.begun == 0)
    worker_take_turn(w, 1e-3);
  y.open = YIELDS;
  usleep(20000);
  cr_assert_leq(y.done, 1);
  cr_assert_eq(worker_wait(w), EXIT_DONE);
  cr_assert_eq(y.done, YIELDS);
  worker_destroy(w);
}
