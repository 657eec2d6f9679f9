#include "termination.h"

#include "run_directory.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t signal_received, sigterm_received, sigint_received;

static void on_signal(int number)
{
  volatile sig_atomic_t *before = number == SIGTERM ? &sigterm_received : &sigint_received;
  signal_received = 1;
  if (number == SIGUSR1)
    return;
  if (*before) {
    signal(number, SIG_DFL);
    raise(number); // comes when this function is over
  }
  *before = 1;
}

static void install_handler(int number)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void termination_create(struct termination *s, const char *directory, bool polls)
{
  s->polls = polls;
  s->last_checkpoint = clock_seconds();
  s->stop_file = run_directory_file(directory, "stop");
  install_handler(SIGTERM);
  install_handler(SIGINT);
  install_handler(SIGUSR1);
}

void termination_destroy(struct termination *s)
{
  free(s->stop_file);
  *s = (struct termination){0};
}

static bool stop_file_exists(struct termination *s, double now)
{
  if (now - s->last_poll < 1)
    return false;
  s->last_poll = now;
  return access(s->stop_file, F_OK) == 0;
}

int64_t termination_flags(struct termination *s)
{
  int64_t flags = signal_received ? STOP_SIGNAL : 0;
  if (!s->polls)
    return flags;
  const double now = clock_seconds();
  if (s->max_wall > 0 && now - s->program_start >= s->max_wall)
    flags += STOP_MAX_WALL;
  if (stop_file_exists(s, now))
    flags += STOP_FILE;
  if (s->checkpoint_interval > 0 && now - s->last_checkpoint >= s->checkpoint_interval)
    flags += CHECKPOINT_WALL;
  return flags;
}

const char *termination_reason(const struct termination *s, int64_t flags)
{
  if (s->polls && (flags & STOP_FILE))
    unlink(s->stop_file);
  return flags & STOP_FILE ? "the file `stop`" : flags & STOP_MAX_WALL ? "--max-wall" : "a signal";
}
