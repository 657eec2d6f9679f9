#include "termination.h"

#include "message.h"
#include "run_directory.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t signal_received, sigterm_received, sigint_received;

static void on_signal(int number)
{
  volatile sig_atomic_t *before = number == SIGTERM ? &sigterm_received : &sigint_received;
  signal_received = 1;
  if (number == SIGUSR1 || number == SIGXCPU) // SIGXCPU comes every second until SIGKILL does
    return;
  if (*before) {
    message_end_progress();
    signal(number, SIG_DFL);
    raise(number); // delivered when the handler returns
  }
  *before = 1;
}

static void install_handler(int number)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void termination_catch_signals(void)
{
  install_handler(SIGTERM);
  install_handler(SIGINT);
  install_handler(SIGUSR1);
  install_handler(SIGXCPU);
}

void termination_create(struct termination *t, const char *directory, bool polls)
{
  t->polls = polls;
  t->last_checkpoint = clock_seconds();
  t->stop_file = directory ? run_directory_file(directory, "stop") : NULL;
}

void termination_destroy(struct termination *t)
{
  free(t->stop_file);
  *t = (struct termination){0};
}

static bool stop_file_exists(struct termination *t, double now)
{
  if (!t->stop_file || now - t->last_poll < 1)
    return false;
  t->last_poll = now;
  return access(t->stop_file, F_OK) == 0;
}

int64_t termination_flags(struct termination *t)
{
  int64_t flags = signal_received ? STOP_SIGNAL : 0;
  if (!t->polls)
    return flags;
  const double now = clock_seconds();
  if (t->max_wall > 0 && now - t->program_start >= t->max_wall)
    flags += STOP_MAX_WALL;
  if (stop_file_exists(t, now))
    flags += STOP_FILE;
  if (t->checkpoint_interval > 0 && now - t->last_checkpoint >= t->checkpoint_interval)
    flags += CHECKPOINT_WALL;
  return flags;
}

const char *termination_reason(const struct termination *t, int64_t flags_all)
{
  if (t->polls && (flags_all & STOP_FILE))
    unlink(t->stop_file);
  return flags_all & STOP_FILE       ? "the file `stop`"
         : flags_all & STOP_MAX_WALL ? "--max-wall"
                                     : "a signal";
}
