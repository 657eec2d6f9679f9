#include "checkpoint_set.h"

#include "build_info.h"
#include "fingerprint.h"
#include "message.h"
#include "run_directory.h"
#include "steps.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Rank 0 alone reads the files of the scenario.
static char *shared_fingerprint(const struct comm *comm, const struct scenario *s)
{
  char *text = comm->rank == 0 ? scenario_fingerprint(s) : NULL;
  int64_t size = text ? (int64_t)strlen(text) + 1 : 0;
  comm_broadcast(comm, &size, sizeof size, 0);
  if (comm->rank > 0)
    text = memory_create((size_t)size, 1);
  comm_broadcast(comm, text, (size_t)size, 0);
  return text;
}

void checkpoint_set_create(struct checkpoint_set *k, const struct comm *comm, const char *directory,
                           const struct scenario *s)
{
  *k = (struct checkpoint_set){
      .comm = comm, .directory = directory, .newest = -1, .second_newest = -1};
  k->fingerprint = shared_fingerprint(comm, s);
  k->steps = s->steps;
  k->keep = s->output.checkpoint_keep;
  if (s->output.checkpoint_every > 0)
    k->every = steps_period(s->output.checkpoint_every, s->dt);
  assert(checkpoint_set_is_valid(k));
}

bool checkpoint_set_is_valid(const struct checkpoint_set *k)
{
  return k->comm && comm_is_valid(k->comm) && k->fingerprint && k->every >= 0 &&
         (k->newest < 0 || k->newest != k->second_newest);
}

void checkpoint_set_destroy(struct checkpoint_set *k)
{
  memory_destroy(k->fingerprint);
  *k = (struct checkpoint_set){0};
}

static char *path_in(const char *directory, int64_t step) // the caller frees it
{
  char name[64];
  snprintf(name, sizeof name, "checkpoint-%08" PRId64 ".h5", step);
  return run_directory_file(directory, name);
}

static char *checkpoint_path(const struct checkpoint_set *k, int64_t step) // the caller frees it
{
  return path_in(k->directory, step);
}

// --------------------------------------------------------------------------------- writing

// Also deletes later checkpoints, which a restart from an older one has abandoned, and those
// between the two newest good ones, which were not.
static void remove_obsolete(const struct checkpoint_set *k)
{
  int64_t count, kept = k->second_newest >= 0 ? 2 : 1;
  int64_t *steps = run_directory_list_steps(k->directory, "checkpoint", "h5", &count);
  for (int64_t i = 0; i < count; i++) { // descending
    const bool is_good = steps[i] == k->newest || steps[i] == k->second_newest;
    const bool is_older = steps[i] < k->second_newest && kept < k->keep;
    kept += is_older;
    char *path = checkpoint_path(k, steps[i]);
    if (!is_good && !is_older)
      unlink(path);
    free(path);
  }
  memory_destroy(steps);
}

// A directory under the name of a checkpoint would make every attempt fail.
static void move_directory_aside(const char *path)
{
  struct stat about;
  char *aside = NULL;
  if (lstat(path, &about) != 0 || !S_ISDIR(about.st_mode))
    return;
  if (asprintf(&aside, "%s.directory", path) < 0)
    memory_fail((double)strlen(path) + 11);
  if (rename(path, aside) == 0)
    message_print("%s: is a directory, which is moved to %s", path, aside);
  free(aside);
}

static void remember_good(struct checkpoint_set *k, int64_t step)
{
  k->second_newest = k->newest == step ? k->second_newest : k->newest;
  k->newest = step;
}

enum exit_code checkpoint_set_write(struct checkpoint_set *k, struct simulation *s,
                                    struct state *state)
{
  assert(checkpoint_set_is_valid(k));
  const struct scenario *c = s->scenario;
  const struct checkpoint checkpoint = {.step = s->step,
                                        .agent_count = s->last.agents,
                                        .time = simulation_time(s),
                                        .checksum = simulation_checksum(s),
                                        .name = c->name,
                                        .version = (char *)(uintptr_t)build_info_full(),
                                        .fingerprint = k->fingerprint,
                                        .text = c->text,
                                        .state = *state};
  char *path = checkpoint_path(k, s->step);
  if (k->comm->rank == 0)
    move_directory_aside(path);
  const enum exit_code code =
      checkpoint_write(k->comm, path, &checkpoint, &s->agents, c->output.compression);
  free(path);
  if (code != EXIT_DONE)
    return code;
  remember_good(k, s->step);
  if (k->comm->rank == 0)
    remove_obsolete(k);
  return EXIT_DONE;
}

// --------------------------------------------------------------------------------- reading

static void report_problem(const struct checkpoint_set *k, const char *path, const char *what)
{
  if (k->comm->rank == 0)
    message_print("%s: %s", path, what);
}

static void report_unreadable(const struct checkpoint_set *k, const char *path, int error)
{
  char text[200];
  snprintf(text, sizeof text, "cannot be read: %s", strerror(error));
  report_problem(k, path, text);
}

static enum exit_code check_compatible(const struct checkpoint_set *k, const char *path,
                                       const struct checkpoint *from)
{
  char difference[400], text[500];
  if (strcmp(from->version, build_info_full()) != 0) {
    snprintf(text, sizeof text, "written by throng %.80s; this throng, %s, continues it",
             from->version, build_info_full());
    report_problem(k, path, text);
  }
  if (fingerprint_differs(from->fingerprint, k->fingerprint, k->replays, difference,
                          sizeof difference))
    snprintf(text, sizeof text, "is of another scenario: %s", difference);
  else if (from->step > k->steps)
    snprintf(text, sizeof text, "is of step %" PRId64 ", but this run ends at step %" PRId64,
             from->step, k->steps);
  else
    return EXIT_DONE;
  report_problem(k, path, text);
  return EXIT_BAD_INPUT;
}

static enum exit_code try_read(struct checkpoint_set *k, const char *path, struct checkpoint *from)
{
  char fault[300];
  const enum exit_code code = checkpoint_read(k->comm, path, from, fault, sizeof fault);
  if (code == EXIT_DONE)
    return code;
  checkpoint_destroy(from);
  report_problem(k, path, fault);
  return code;
}

// The steps of the checkpoints in the directory, on every rank. *count < 0: it cannot be read, for
// the reason *error.
static int64_t *list_checkpoints(const struct checkpoint_set *k, const char *directory,
                                 int64_t *count, int *error)
{
  int64_t *steps = NULL;
  *count = 0;
  errno = 0;
  if (k->comm->rank == 0)
    steps = run_directory_list_steps(directory, "checkpoint", "h5", count);
  *error = *count < 0 ? errno : 0;
  comm_broadcast(k->comm, error, sizeof *error, 0);
  comm_broadcast(k->comm, count, sizeof *count, 0);
  if (*count < 0)
    return NULL;
  if (k->comm->rank > 0)
    steps = memory_create((size_t)*count, sizeof *steps);
  comm_broadcast(k->comm, steps, (size_t)*count * sizeof *steps, 0);
  return steps;
}

static enum exit_code report_none_good(const struct checkpoint_set *k, enum exit_code worst)
{
  report_problem(k, k->directory,
                 worst == EXIT_IO ? "none of its checkpoints is good, as far as they can be read"
                                  : "none of its checkpoints is good; without --restart a run "
                                    "starts from the beginning");
  return worst;
}

// The newest good one of the directory up to the step `latest`.
static enum exit_code find_newest(struct checkpoint_set *k, const char *directory, int64_t latest,
                                  struct checkpoint *from, bool *found)
{
  int64_t count;
  int error;
  int64_t *steps = list_checkpoints(k, directory, &count, &error);
  enum exit_code code = EXIT_DONE, worst = EXIT_DONE;
  for (int64_t i = 0; i < count && !*found; i++) {
    if (steps[i] > latest)
      continue;
    char *path = path_in(directory, steps[i]);
    const enum exit_code fault = try_read(k, path, from);
    worst = fault > worst ? fault : worst;
    *found = fault == EXIT_DONE;
    if (*found)
      code = check_compatible(k, path, from);
    free(path);
  }
  memory_destroy(steps);
  if (count < 0) {
    report_unreadable(k, directory, error);
    return EXIT_IO;
  }
  if (count == 0 && !k->replays)
    report_problem(k, directory, "has no checkpoint: starting from the beginning");
  return worst == EXIT_DONE || *found || k->replays ? code : report_none_good(k, worst);
}

static enum exit_code find_named(struct checkpoint_set *k, const char *path,
                                 struct checkpoint *from, bool *found)
{
  int missing = k->comm->rank == 0 && access(path, F_OK) != 0 ? errno : 0;
  comm_broadcast(k->comm, &missing, sizeof missing, 0);
  if (missing == EACCES) {
    report_unreadable(k, path, missing);
    return EXIT_IO;
  }
  if (missing) {
    report_problem(k, path, strerror(missing));
    return EXIT_BAD_INPUT;
  }
  const enum exit_code code = try_read(k, path, from);
  *found = code == EXIT_DONE;
  return *found ? check_compatible(k, path, from) : code;
}

enum exit_code checkpoint_set_find(struct checkpoint_set *k, const char *restart,
                                   struct checkpoint *from, bool *found)
{
  assert(checkpoint_set_is_valid(k));
  *found = false;
  const enum exit_code code = strcmp(restart, "auto") == 0
                                  ? find_newest(k, k->directory, INT64_MAX, from, found)
                                  : find_named(k, restart, from, found);
  if (*found)
    remember_good(k, from->step);
  return comm_agree(k->comm, code);
}

enum exit_code checkpoint_set_find_before(struct checkpoint_set *k, const char *directory,
                                          int64_t step, struct checkpoint *from, bool *found)
{
  assert(checkpoint_set_is_valid(k));
  *found = false;
  k->replays = true;
  const enum exit_code code = find_newest(k, directory, step, from, found);
  if (code == EXIT_DONE && !*found && step > 0)
    report_problem(k, directory,
                   "has no checkpoint before that time: the replay computes all steps from the "
                   "start (output.checkpoint_keep: all keeps every checkpoint)");
  return comm_agree(k->comm, code);
}
