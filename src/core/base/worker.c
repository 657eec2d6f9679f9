#include "worker.h"

#include "message.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct job {
  enum exit_code (*work)(void *);
  void *context;
};

struct loop_progress {
  const struct worker_loop *loop;
  int64_t next; // piece
};

struct worker {
  pthread_t thread;
  bool has_thread;
  int threads;            // of the caller's loops
  pthread_mutex_t lock;   // of what follows
  pthread_cond_t changed; // any of it
  struct job queue[WORKER_QUEUE];
  int count;                     // of the queue; the first job may have begun
  bool ends;                     // there will be no more jobs
  bool waits;                    // the caller does nothing but jobs
  double from;                   // clock_seconds from when on the thread runs at any time
  bool has_turn;                 // the thread; the caller waits
  double until;                  // clock_seconds when the caller goes on
  struct loop_progress *offered; // to the caller; the thread waits until it is done
  enum exit_code code;
  struct worker *next;              // of all
  char messages[MESSAGE_COLLECTED]; // of the thread; the caller prints them with the code
};

static _Thread_local struct worker *own; // of a thread that does jobs
static struct worker *all;               // only their caller uses the list
static _Thread_local bool helps;         // the caller does a loop of a job

// ------------------------------------------------------------------------------------- loops

// Makes the next `pieces` of a loop, or as many as there are.
static void make_pieces(struct loop_progress *p, int64_t pieces, int threads)
{
  const struct worker_loop *l = p->loop;
  const int64_t first = p->next, left = l->count - first;
  const int64_t end = first + (pieces < left ? pieces : left);
  if (l->finish) {
#pragma omp parallel for schedule(dynamic, 1) ordered num_threads(threads) if (end - first > 1)
    for (int64_t k = first; k < end; k++) {
      l->make(l->context, k, omp_get_thread_num());
#pragma omp ordered
      l->finish(l->context, k, omp_get_thread_num());
    }
  } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (end - first > 1)
    for (int64_t k = first; k < end; k++)
      l->make(l->context, k, omp_get_thread_num());
  }
  p->next = end;
}

static bool is_done(const struct loop_progress *p)
{
  return p->next >= p->loop->count;
}

int worker_threads(void)
{
  return own ? own->threads : omp_get_max_threads();
}

// The caller does what is offered until the time is over. Holds the lock, but not meanwhile.
static void help(struct worker *w)
{
  struct loop_progress *p = w->offered;
  const int64_t pieces = isinf(w->until) ? p->loop->count : w->threads;
  pthread_mutex_unlock(&w->lock);
  helps = true;
  do
    make_pieces(p, pieces, w->threads);
  while (!is_done(p) && clock_seconds() < w->until);
  helps = false;
  pthread_mutex_lock(&w->lock);
  if (!is_done(p))
    return;
  w->offered = NULL;
  pthread_cond_broadcast(&w->changed);
}

bool worker_is_helped(void)
{
  return helps;
}

// --------------------------------------------------------------------------------- the thread

#ifdef __linux__
#define WAIT_CLOCK CLOCK_MONOTONIC // which nobody sets
#else
#define WAIT_CLOCK CLOCK_REALTIME // macOS has no other one for a condition
#endif

// Until somebody changes something or the time is over. Holds the lock, but not meanwhile.
static void wait_for_change(struct worker *w, double until)
{
  if (isinf(until)) {
    pthread_cond_wait(&w->changed, &w->lock);
    return;
  }
  struct timespec t;
  clock_gettime(WAIT_CLOCK, &t);
  const double left = 1e9 * fmax(until - clock_seconds(), 0) + (double)t.tv_nsec;
  t.tv_sec += (time_t)(left * 1e-9);
  t.tv_nsec = (long)fmod(left, 1e9);
  pthread_cond_timedwait(&w->changed, &w->lock, &t);
}

// The thread needs no turn. A caller that waits for jobs gives turns. Holds the lock.
static bool is_beside(const struct worker *w)
{
  return !w->waits && clock_seconds() >= w->from;
}

// Holds the lock.
static void end_turn(struct worker *w)
{
  w->has_turn = false;
  pthread_cond_broadcast(&w->changed);
}

// Holds the lock, but not meanwhile.
static void wait_for_turn(struct worker *w)
{
  while (!is_beside(w) && (w->offered || !w->has_turn))
    wait_for_change(w, w->waits ? INFINITY : w->from);
  w->offered = NULL; // what is left of it is done by the thread itself
}

void worker_yield(void)
{
  if (!own)
    return;
  pthread_mutex_lock(&own->lock);
  if (!own->has_turn || clock_seconds() >= own->until)
    end_turn(own);
  wait_for_turn(own);
  pthread_mutex_unlock(&own->lock);
}

void worker_loop(const struct worker_loop *loop)
{
  struct loop_progress p = {loop, 0};
  if (!own) {
    make_pieces(&p, loop->count, worker_threads());
    return;
  }
  pthread_mutex_lock(&own->lock);
  while (!is_done(&p)) {
    if (is_beside(own)) {
      pthread_mutex_unlock(&own->lock);
      make_pieces(&p, 1, 1);
      pthread_mutex_lock(&own->lock);
    } else {
      own->offered = &p;
      end_turn(own);
      wait_for_turn(own);
    }
  }
  pthread_mutex_unlock(&own->lock);
}

// Waits for a job. False: there will be none.
static bool job_next(struct worker *w, struct job *job)
{
  pthread_mutex_lock(&w->lock);
  while (w->count == 0 && !w->ends)
    pthread_cond_wait(&w->changed, &w->lock);
  const bool found = w->count > 0;
  if (found)
    wait_for_turn(w);
  *job = w->queue[0];
  pthread_mutex_unlock(&w->lock);
  return found;
}

static void job_finished(struct worker *w, enum exit_code code)
{
  pthread_mutex_lock(&w->lock);
  w->code = code > w->code ? code : w->code;
  w->count--;
  for (int i = 0; i < w->count; i++)
    w->queue[i] = w->queue[i + 1];
  end_turn(w);
  pthread_mutex_unlock(&w->lock);
}

// Beside the steps it only takes what they leave. At niceness 19, files wait for too long, and then
// the steps wait for them. Only Linux has a niceness for each thread: elsewhere it would be that of
// the steps, too.
#define NICENESS 10

static void yield_to_others(void)
{
#ifdef __linux__
  const int now = nice(NICENESS); // on top of that of the process
  (void)now;
#endif
}

// With OMP_PROC_BIND, OpenMP binds the caller to one of its places, a new thread begins there, and
// OpenMP binds that one to the first place. Both cores are busy with steps: the jobs may run in
// every place.
static void leave_place_of_caller(void)
{
#ifdef __linux__
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (int place = 0; place < omp_get_num_places(); place++) {
    const int count = omp_get_place_num_procs(place);
    int *number = memory_create((size_t)count, sizeof *number);
    omp_get_place_proc_ids(place, number);
    for (int i = 0; i < count; i++)
      CPU_SET((size_t)number[i], &cores); // ignores those beyond its size
    memory_destroy(number);
  }
  if (CPU_COUNT(&cores) > 0)
    pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
#endif
}

static void *worker_main(void *worker)
{
  struct worker *w = worker;
  struct job job;
  c_locale_begin();
  yield_to_others();
  omp_set_num_threads(1); // of its own loops
#pragma omp parallel      // the first region, where OpenMP binds a thread
  leave_place_of_caller();
  own = w;
  message_collect(w->messages, sizeof w->messages);
  while (job_next(w, &job))
    job_finished(w, job.work(job.context));
  return NULL;
}

// Signals that ask the program for something are for the main thread, whose system calls expect
// them. Those of a thread's own faults stay.
static void thread_start(struct worker *w)
{
  sigset_t asked, before;
  sigfillset(&asked);
  const int faults[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&asked, faults[i]);
  pthread_sigmask(SIG_BLOCK, &asked, &before);
  w->has_thread = pthread_create(&w->thread, NULL, worker_main, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// --------------------------------------------------------------------------------- the caller

static void condition_create(pthread_cond_t *condition)
{
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifdef __linux__
  pthread_condattr_setclock(&attributes, WAIT_CLOCK);
#endif
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

struct worker *worker_create(void)
{
  struct worker *w = memory_create(1, sizeof *w);
  w->code = EXIT_DONE;
  w->threads = omp_get_max_threads();
  pthread_mutex_init(&w->lock, NULL);
  condition_create(&w->changed);
  w->next = all;
  all = w;
  return w;
}

// Until no more than `most` jobs are unfinished or the time is over. The thread may still run then:
// the system may keep it waiting for a file. It stops where it yields or begins a loop. Holds the
// lock, but not meanwhile.
static void run_until(struct worker *w, int most, double until)
{
  w->until = until;
  w->waits = true;
  while (w->count > most && clock_seconds() < until) {
    if (w->offered) {
      help(w);
      continue;
    }
    w->has_turn = true;
    pthread_cond_broadcast(&w->changed);
    do
      wait_for_change(w, until);
    while (w->has_turn && clock_seconds() < until);
  }
  w->waits = w->has_turn = false;
  pthread_cond_broadcast(&w->changed); // a thread that runs beside takes back what it has offered
}

static void finish_jobs(struct worker *w, int most)
{
  pthread_mutex_lock(&w->lock);
  run_until(w, most, INFINITY);
  pthread_mutex_unlock(&w->lock);
}

void worker_add(struct worker *w, enum exit_code (*work)(void *), void *context)
{
  for (struct worker *other = all; other; other = other->next)
    finish_jobs(other, other == w ? WORKER_QUEUE - 1 : 0);
  if (!w->has_thread)
    thread_start(w);
  const enum exit_code code = w->has_thread ? EXIT_DONE : work(context);
  pthread_mutex_lock(&w->lock);
  if (w->has_thread)
    w->queue[w->count++] = (struct job){work, context};
  w->code = code > w->code ? code : w->code;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
}

void worker_run_beside(struct worker *w, double from)
{
  pthread_mutex_lock(&w->lock);
  if (from != w->from && w->count > 0)
    pthread_cond_broadcast(&w->changed);
  w->from = from;
  pthread_mutex_unlock(&w->lock);
}

void worker_take_turn(struct worker *w, double seconds)
{
  pthread_mutex_lock(&w->lock);
  if (w->count > 0 && seconds > 0 && !is_beside(w))
    run_until(w, 0, clock_seconds() + seconds);
  pthread_mutex_unlock(&w->lock);
}

enum exit_code worker_code(struct worker *w)
{
  pthread_mutex_lock(&w->lock);
  const enum exit_code code = w->code;
  pthread_mutex_unlock(&w->lock);
  message_print_collected(w->messages); // which came before the code
  return code;
}

enum exit_code worker_wait(struct worker *w)
{
  for (struct worker *other = all; other; other = other->next)
    finish_jobs(other, 0);
  return w ? worker_code(w) : EXIT_DONE;
}

void worker_destroy(struct worker *w)
{
  if (!w)
    return;
  struct worker **place = &all;
  while (*place != w)
    place = &(*place)->next;
  *place = w->next;
  finish_jobs(w, 0);
  pthread_mutex_lock(&w->lock);
  w->ends = true;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  if (w->has_thread)
    pthread_join(w->thread, NULL);
  message_print_collected(w->messages);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
  memory_destroy(w);
}
