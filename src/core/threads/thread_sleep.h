// How OpenMP's threads wait for each other and for the next loop. They spin, which is fastest where
// each has a core of its own, or sleep, which leaves the core to somebody else.
#pragma once
#include <stdbool.h>

// From the next loop on, all threads of this process that OpenMP has made sleep. No result depends
// on it. The caller is in no loop. False: they go on as before, because the environment says how
// they wait (OMP_WAIT_POLICY or GOMP_SPINCOUNT), because the system has no threads left, or because
// this OpenMP needs no such change.
bool thread_sleep_begin(void);
void thread_sleep_end(void); // they spin again
