#include "shared_memory_space.h"

#include "base.h"
#include <signal.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SPACE_MIN 65536 // bytes

bool shared_memory_is_full(void)
{
  struct statvfs disk;
  return statvfs("/dev/shm", &disk) == 0 &&
         (double)disk.f_bavail * (double)disk.f_frsize < SPACE_MIN;
}

// Returning repeats the access, which then kills the process.
static void handle_bus_error(int number)
{
  static const char text[] = "throng: out of memory: shared memory (/dev/shm) is full, through "
                             "which the ranks of this machine exchange messages; make room there\n";
  if (!shared_memory_is_full()) {
    signal(number, SIG_DFL);
    return;
  }
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1); // printf is not safe here
  (void)written;
  _exit(EXIT_OUT_OF_MEMORY);
}

void shared_memory_catch_bus_errors(void)
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle_bus_error;
  sigaction(SIGBUS, &action, NULL);
}
