// Jobs beside the main work, one after the other, in the order in which they were given: a run
// writes files with them while it goes on. One thread, the caller, gives the jobs and waits.
//
// Where the caller leaves a core free, a second thread does the jobs beside it. Where the caller's
// loops take all cores, such a thread would take one from a loop now and then, and all other
// threads would wait. There it runs in turns with the caller, whose threads do the loops of the
// jobs.
//
// The jobs of all workers of the process are done one at a time, since they call HDF5.
#pragma once
#include "base.h"

#define WORKER_QUEUE 2 // jobs that may be unfinished; each holds a copy of what it writes

struct worker;

struct worker *worker_create(void);    // its jobs run beside the caller
void worker_destroy(struct worker *w); // after the last job; NULL: nothing

// Gives it a job: work(context), which frees the context. Waits while the queue is full, and for
// all jobs of other workers. Where the
// system has no thread left, the job is done at once.
void worker_add(struct worker *w, enum exit_code (*work)(void *), void *context);
// Jobs run beside the caller from this time on, as in clock_seconds, and in turns before. 0: now;
// INFINITY: in turns.
void worker_run_beside(struct worker *w, double from);
// Gives the jobs a turn of about this length. Does nothing if they run beside the caller, or if
// there are none.
void worker_take_turn(struct worker *w, double seconds);
// The greatest code of the finished jobs. Prints what jobs have printed in the worker's thread.
enum exit_code worker_code(struct worker *w);
// Waits until the jobs of all workers are finished. NULL: EXIT_DONE.
enum exit_code worker_wait(struct worker *w);

// ------------------------------------------------------------------------- for the work of a job

// A loop over the pieces [0, count), each of which takes about a millisecond. thread: in [0,
// worker_threads()); no other piece has the same one at the time.
struct worker_loop {
  int64_t count;
  void (*make)(void *context, int64_t piece, int thread);   // several at once, in any order
  void (*finish)(void *context, int64_t piece, int thread); // one at a time, ascending; NULL: none
  void *context;
};

// Done by the threads of the caller in turns and while it waits, otherwise by that of the worker
// alone. Outside of a worker's jobs: by the threads that the calling thread's loops have.
void worker_loop(const struct worker_loop *loop);
int worker_threads(void);
// Between two pieces of other work: ends a turn whose time is over, and waits for the next one.
void worker_yield(void);
// Whether the caller is doing a loop of a job.
bool worker_is_helped(void);
