// Loaded into ranks by LD_PRELOAD (tools/test.sh). A rank of Open MPI that waits, and a thread of
// ours that waits for others in a field, call sched_yield again and again. With more ranks than
// cores that takes time from those that work. Here they sleep instead.
#include <sched.h>
#include <time.h>

int sched_yield(void)
{
  return nanosleep(&(const struct timespec){.tv_nsec = 20000}, NULL);
}
