// How the threads of this process wait for each other in the loops of steps (wait_choice.h), and
// for how long they wait for cores.
#pragma once
#include <stdint.h>

struct thread_waits { // of a run, s
  double kept;        // in which a thread waited for a core, and others for that thread
  double watched;     // in steps
};

void thread_waits_begin(void); // before the loops that come before the first step
// Around every step, by the thread that makes them. The first one changes how threads wait if that
// is due, and adds to w what has been found out. Where the system does not say how long threads
// wait for cores (Linux does), nothing changes.
void thread_waits_begin_step(struct thread_waits *w);
void thread_waits_end_step(void);
void thread_waits_end(void); // after the last step

// So many agents or fewer are sooner done by one thread.
int64_t thread_waits_few_agents(void);
