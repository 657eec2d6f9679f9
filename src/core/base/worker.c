#include "worker.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define NICENESS 10 // measured: at 19, files wait for too long, and then the steps wait for them

#define PIECE     0.0005 // s of CPU time: a job pauses after so much,
#define PAUSE     3      // times as long,
#define PIECE_MAX 0.1    // as if it had not been more than this
#define DELAY     0.01   // s: from the time when a job was given to its beginning

struct job {
  enum exit_code (*work)(void *);
  void *context;
};

struct worker {
  pthread_t thread;
  bool has_thread;
  pthread_mutex_t lock;   // of what follows
  pthread_cond_t changed; // a job was added or finished, or the worker ends
  struct job queue[WORKER_QUEUE];
  int count;                // of the queue
  bool is_busy;             // the thread does its first job
  bool ends, held, is_left; // is_left: held for good
  double ready;             // clock_seconds from when on the thread begins a job
  int waiting;              // for jobs
  enum exit_code code;
  bool shares_cores; // with the steps, which have them all
};

static _Thread_local struct worker *own; // of a thread that does jobs
static _Thread_local double resumed;     // CPU time, s: when it paused last

// Holds the lock.
static void drop_first(struct worker *w)
{
  w->count--;
  for (int i = 0; i < w->count; i++)
    w->queue[i] = w->queue[i + 1];
  pthread_cond_broadcast(&w->changed);
}

static void note_code(struct worker *w, enum exit_code code)
{
  pthread_mutex_lock(&w->lock);
  w->code = code > w->code ? code : w->code;
  pthread_mutex_unlock(&w->lock);
}

static void job_finished(struct worker *w, enum exit_code code)
{
  note_code(w, code);
  pthread_mutex_lock(&w->lock);
  w->is_busy = false;
  drop_first(w);
  pthread_mutex_unlock(&w->lock);
}

// Before it is done: a job that fails in the middle is not done again.
static struct job take_first(struct worker *w)
{
  pthread_mutex_lock(&w->lock);
  const struct job job = w->queue[0];
  drop_first(w);
  pthread_mutex_unlock(&w->lock);
  return job;
}

// On a machine whose cores are all busy, the steps come first. Only Linux has a niceness for each
// thread: elsewhere it would be that of the steps, too.
static void yield_to_others(void)
{
#ifdef __linux__
  const int now = nice(NICENESS); // on top of that of the process
  (void)now;
#endif
}

#ifdef __linux__
#define PAUSE_CLOCK CLOCK_MONOTONIC // which nobody sets
#else
#define PAUSE_CLOCK CLOCK_REALTIME // macOS has no other one for a condition
#endif

static struct timespec time_after(double seconds)
{
  struct timespec t;
  clock_gettime(PAUSE_CLOCK, &t);
  t.tv_nsec += (long)(1e9 * seconds);
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

// Unless somebody waits for jobs.
static void leave_cores(double seconds)
{
  const struct timespec until = time_after(seconds);
  int result = 0;
  pthread_mutex_lock(&own->lock);
  while (own->waiting == 0 && !own->ends && result != ETIMEDOUT)
    result = pthread_cond_timedwait(&own->changed, &own->lock, &until);
  pthread_mutex_unlock(&own->lock);
  resumed = clock_cpu_seconds();
}

void worker_pause(void)
{
  if (!own || !own->shares_cores)
    return;
  const double busy = clock_cpu_seconds() - resumed;
  if (busy >= PIECE)
    leave_cores(PAUSE * (busy < PIECE_MAX ? busy : PIECE_MAX));
}

// Until the job may begin, or something has changed. Holds the lock.
static void wait_for_change(struct worker *w)
{
  const double left = w->ready - clock_seconds();
  if (w->count > 0 && !w->held && left > 0) {
    const struct timespec until = time_after(left);
    pthread_cond_timedwait(&w->changed, &w->lock, &until);
  } else {
    pthread_cond_wait(&w->changed, &w->lock);
  }
}

static bool may_begin(const struct worker *w)
{
  return w->count > 0 && !w->held && (w->waiting > 0 || clock_seconds() >= w->ready);
}

// Waits for a job. False: there will be none.
static bool job_next(struct worker *w, struct job *job)
{
  pthread_mutex_lock(&w->lock);
  while (!may_begin(w) && !w->ends)
    wait_for_change(w);
  const bool found = w->count > 0;
  w->is_busy = found;
  *job = w->queue[0];
  pthread_mutex_unlock(&w->lock);
  return found;
}

static void *worker_main(void *worker)
{
  struct worker *w = worker;
  struct job job;
  yield_to_others();
  omp_set_num_threads(1); // of its own loops
  own = w;
  while (job_next(w, &job)) {
    resumed = clock_cpu_seconds();
    job_finished(w, job.work(job.context));
  }
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

struct worker *worker_create(bool shares_cores)
{
  struct worker *w = memory_create(1, sizeof *w);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifdef __linux__
  pthread_condattr_setclock(&attributes, PAUSE_CLOCK);
#endif
  w->code = EXIT_DONE;
  w->shares_cores = shares_cores;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  return w;
}

// Waits until no more than `most` jobs are unfinished. Holds the lock.
static void wait_for_jobs(struct worker *w, int most)
{
  w->waiting++;
  pthread_cond_broadcast(&w->changed);
  while (w->count > most)
    pthread_cond_wait(&w->changed, &w->lock);
  w->waiting--;
}

// Does the jobs that wait for the caller, after the one that the thread does.
static void do_held(struct worker *w)
{
  pthread_mutex_lock(&w->lock);
  const int count = w->count - w->is_busy;
  wait_for_jobs(w, count);
  pthread_mutex_unlock(&w->lock);
  for (int k = 0; k < count; k++) {
    const struct job job = take_first(w); // which no other thread does
    note_code(w, job.work(job.context));
  }
}

void worker_hold(struct worker *w, bool held)
{
  pthread_mutex_lock(&w->lock);
  w->held = held;
  if (!held && w->count > 0) // an idle thread sleeps on
    pthread_cond_broadcast(&w->changed);
  const bool is_left = !held && w->count > 0 && !w->has_thread;
  pthread_mutex_unlock(&w->lock);
  if (is_left)
    thread_start(w);
  if (is_left && !w->has_thread)
    do_held(w);
}

void worker_leave(struct worker *w)
{
  worker_hold(w, true);
  w->is_left = true;
}

static bool is_full(struct worker *w)
{
  pthread_mutex_lock(&w->lock);
  const bool full = w->count == WORKER_QUEUE;
  pthread_mutex_unlock(&w->lock);
  return full;
}

// Makes room in the queue of a worker that is held.
static void let_one_go(struct worker *w)
{
  worker_hold(w, false);
  pthread_mutex_lock(&w->lock);
  wait_for_jobs(w, WORKER_QUEUE - 1);
  pthread_mutex_unlock(&w->lock);
  worker_hold(w, true);
}

void worker_add(struct worker *w, enum exit_code (*work)(void *), void *context)
{
  if (w->held && is_full(w)) {
    if (w->is_left)
      do_held(w);
    else
      let_one_go(w);
  }
  if (!w->has_thread && !w->held)
    thread_start(w);
  pthread_mutex_lock(&w->lock);
  wait_for_jobs(w, WORKER_QUEUE - 1);
  w->queue[w->count++] = (struct job){work, context};
  w->ready = w->shares_cores ? clock_seconds() + DELAY : 0;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  if (!w->has_thread && !w->held)
    job_finished(w, work(context));
}

enum exit_code worker_code(struct worker *w)
{
  pthread_mutex_lock(&w->lock);
  const enum exit_code code = w->code;
  pthread_mutex_unlock(&w->lock);
  return code;
}

enum exit_code worker_wait(struct worker *w)
{
  if (w->held)
    do_held(w);
  pthread_mutex_lock(&w->lock);
  wait_for_jobs(w, 0);
  const enum exit_code code = w->code;
  pthread_mutex_unlock(&w->lock);
  return code;
}

void worker_destroy(struct worker *w)
{
  if (!w)
    return;
  if (w->held)
    do_held(w);
  pthread_mutex_lock(&w->lock);
  w->ends = true;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  if (w->has_thread)
    pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
  memory_destroy(w);
}
