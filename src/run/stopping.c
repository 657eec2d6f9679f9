#include "stopping.h"

#include "directory.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t heard, heard_term, heard_int;

static void hear(int number)
{
  volatile sig_atomic_t *before = number == SIGTERM ? &heard_term : &heard_int;
  heard = 1;
  if (number == SIGUSR1)
    return;
  if (*before) {
    signal(number, SIG_DFL);
    raise(number); // comes when this function is over
  }
  *before = 1;
}

static void listen(int number)
{
  struct sigaction action = {.sa_handler = hear, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void stopping_create(struct stopping *s, const char *directory, bool watching)
{
  s->watching = watching;
  s->last = clock_seconds();
  s->file = directory_file(directory, "stop");
  listen(SIGTERM);
  listen(SIGINT);
  listen(SIGUSR1);
}

void stopping_destroy(struct stopping *s)
{
  free(s->file);
  *s = (struct stopping){0};
}

static bool file_is_there(struct stopping *s, double now)
{
  if (now - s->looked < 1)
    return false;
  s->looked = now;
  return access(s->file, F_OK) == 0;
}

int64_t stopping_word(struct stopping *s)
{
  int64_t word = heard ? STOP_SIGNAL : 0;
  if (!s->watching)
    return word;
  const double now = clock_seconds();
  if (s->max_wall > 0 && now - s->since >= s->max_wall)
    word += STOP_MAX_WALL;
  if (file_is_there(s, now))
    word += STOP_FILE;
  if (s->checkpoints > 0 && now - s->last >= s->checkpoints)
    word += CHECKPOINT_WALL;
  return word;
}

const char *stopping_reason(const struct stopping *s, int64_t words)
{
  if (s->watching && (words & STOP_FILE))
    unlink(s->file);
  return words & STOP_FILE ? "the file `stop`" : words & STOP_MAX_WALL ? "--max-wall" : "a signal";
}
