// Loaded into ranks by LD_PRELOAD (tools/test.sh): a rank of Open MPI that waits offers its core
// again and again, and so takes its share of the cores from those who work. Here it sleeps instead.
#include <sched.h>
#include <time.h>

int sched_yield(void)
{
  return nanosleep(&(const struct timespec){.tv_nsec = 20000}, NULL);
}
