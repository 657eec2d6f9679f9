#include "process_limits.h"

#include "message.h"
#include <signal.h>
#include <sys/resource.h>

// A run needs up to 20 files. Below .16 MB of stack, MPI has too little; Python, below .1 MB.
#define FILES_MIN 32
#define STACK_MIN (512 << 10) // bytes

void process_limits_report_file_size(void)
{
  struct sigaction now;
  if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
    signal(SIGXFSZ, SIG_IGN);
}

static bool is_less(int resource, rlim_t least, unsigned long *granted)
{
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return false;
  *granted = (unsigned long)limit.rlim_cur;
  return limit.rlim_cur < least;
}

enum exit_code process_limits_check(void)
{
  unsigned long granted;
  if (is_less(RLIMIT_STACK, STACK_MIN, &granted)) {
    message_print("the stack of a process may have %lu kB (ulimit -s); at least %d kB are needed",
                  granted / 1024, STACK_MIN / 1024);
    return EXIT_OUT_OF_MEMORY;
  }
  if (is_less(RLIMIT_NOFILE, FILES_MIN, &granted)) {
    message_print("a process may have %lu files open (ulimit -n); at least %d are needed", granted,
                  FILES_MIN);
    return EXIT_IO;
  }
  return EXIT_DONE;
}
