// A thread beside the main one that does one job after the other, in the order in which they were
// given: a run writes files with it while it goes on. One thread gives the jobs and waits.
#pragma once
#include "base.h"

#define WORKER_QUEUE 2 // jobs that may be unfinished; each holds a copy of what it writes

struct worker;

// shares_cores: the steps compute on all cores. Then a job begins 10 ms after it was given, unless
// somebody waits for it: the step after one that writes files is often a long one, too, since the
// periods of several things end together.
struct worker *worker_create(bool shares_cores);
void worker_destroy(struct worker *w); // after the last job; NULL: nothing

// Gives it a job: work(context), which frees the context. Waits while the queue is full. Where the
// system has no thread left, the job is done at once.
void worker_add(struct worker *w, enum exit_code (*work)(void *), void *context);
// For a job, between two pieces of its work that take a millisecond or so: where it shares the
// cores with the steps, it sleeps for a while, so that no step becomes much longer, unless somebody
// waits for jobs. Elsewhere it does nothing.
void worker_pause(void);
// held: the thread begins no further job, for a caller that needs its cores until it has added
// several; if the queue is full meanwhile, the thread does one. A caller that waits does the jobs
// itself, with all its threads. Not held: the thread goes on.
void worker_hold(struct worker *w, bool held);
// The thread begins no further job. The caller does them, with all its threads, when it waits, when
// the queue is full and when the worker is destroyed: for files after which nothing is computed.
void worker_leave(struct worker *w);
// The greatest code of the finished jobs. worker_wait waits for all jobs first.
enum exit_code worker_code(struct worker *w);
enum exit_code worker_wait(struct worker *w);
