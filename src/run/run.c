#include "run_internal.h"

#include "fingerprint.h"
#include "message.h"
#include "run_directory.h"
#include "thread_waits.h"
#include "utf8.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------ checkpoints

void run_visit(struct run *r, struct state *v)
{
  simulation_visit(&r->simulation, v);
  if (!v->results_only)
    output_visit(&r->output, &r->simulation, v);
}

enum exit_code run_write_checkpoint(struct run *r)
{
  struct state state;
  const double start = clock_seconds();
  enum exit_code code = output_keep(&r->output, &r->simulation); // it names the snapshots so far
  if (code != EXIT_DONE)
    return code;
  state_create(&state, r->simulation.comm);
  run_visit(r, &state);
  code = checkpoint_set_write(&r->checkpoint_set, &r->simulation, &state);
  state_destroy(&state);
  r->termination.last_checkpoint = clock_seconds();
  r->simulation.seconds[PHASE_OUTPUT] += r->termination.last_checkpoint - start;
  return code;
}

static enum exit_code refuse(const struct run *r, const char *why)
{
  if (r->comm->rank == 0)
    message_print("%s", why);
  return EXIT_BAD_INPUT;
}

enum exit_code run_checkpoint(struct run *r)
{
  if (!r->directory || r->replays)
    return refuse(r, "a checkpoint needs a directory of files, and no replay");
  return r->finished ? refuse(r, "the files are finished: no checkpoint may follow")
                     : run_write_checkpoint(r);
}

void run_report_stop(struct run *r)
{
  const char *how = r->replays ? "start the replay again"
                               : "continue with the same command and "
                                 "--restart auto";
  const struct simulation *s = &r->simulation;
  const char *reason = termination_reason(&r->termination, s->stop_flags_all);
  if (r->has_output)
    report_stop(&r->output.report, s, reason);
  if (s->comm->rank > 0 || r->options.quiet)
    return;
  message_erase_progress();
  printf("%s: stopped by %s after step %" PRId64 " (%.1f s) with %" PRId64 " agents inside\n  %s\n",
         printable(s->scenario->name).text, reason, s->step, simulation_time(s), s->last.agents,
         how);
}

// Writes a checkpoint if one is due or the run must stop. EXIT_RESUMABLE: it must stop.
static enum exit_code write_due_checkpoint(struct run *r)
{
  const struct simulation *s = &r->simulation;
  const bool stops = (s->stop_flags_all & STOP_ANY) && !simulation_is_over(s);
  const int64_t every = r->checkpoint_set.every;
  const bool is_due = (s->stop_flags_all & CHECKPOINT_WALL) || (every > 0 && s->step % every == 0);
  const bool writes = r->directory && !r->replays;
  if (!stops && (!writes || !is_due))
    return EXIT_DONE;
  enum exit_code code = writes ? run_write_checkpoint(r) : EXIT_DONE;
  if (code == EXIT_DONE && stops && r->has_output) {
    r->finished = true; // a restart takes back what follows
    code = output_stop(&r->output, &r->simulation);
  }
  if (code != EXIT_DONE || !stops)
    return code;
  run_report_stop(r);
  return EXIT_RESUMABLE;
}

// ------------------------------------------------------------------------------------ steps

bool run_step(struct run *r)
{
  struct simulation *s = &r->simulation;
  thread_waits_begin_step(&r->output.report.thread_waits);
  s->stop_flags_own = termination_flags(&r->termination);
  s->observed.wanted = r->has_output && output_series_due(&r->output, s->step + 1);
  simulation_step(s);
  thread_waits_end_step();
  return s->stop_flags_all & STOP_ANY;
}

// The files of a step that was made in so many seconds.
static enum exit_code write_step(struct run *r, double start)
{
  struct simulation *s = &r->simulation;
  report_step(&r->output.report, s);
  enum exit_code code = report_complete_series(&r->output.report, s);
  if (code == EXIT_DONE)
    code = output_add(&r->output, s);
  if (code == EXIT_DONE)
    code = output_write_pending(&r->output, s, clock_seconds() - start);
  report_step_time(&r->output.report, s, clock_seconds() - start);
  return code;
}

enum exit_code run_advance(struct run *r, int64_t steps)
{
  const struct simulation *s = &r->simulation;
  enum exit_code code = EXIT_DONE;
  if (r->finished && steps > 0 && !simulation_is_over(s))
    code = refuse(r, "the files are finished: no step may follow");
  if (r->has_output)
    output_call_begins(&r->output);
  if (code == EXIT_DONE && steps > 0) {
    thread_waits_begin_step(&r->output.report.thread_waits);
    simulation_prepare(&r->simulation);
    thread_waits_end_step();
  }
  for (; code == EXIT_DONE && steps > 0 && !simulation_is_over(s); steps--) {
    const double start = clock_seconds();
    run_step(r);
    if (r->has_output)
      code = write_step(r, start);
    if (code == EXIT_DONE)
      code = write_due_checkpoint(r);
  }
  if (r->has_output)
    output_call_ends(&r->output);
  return code;
}

enum exit_code run_finish(struct run *r)
{
  if (r->finished || !r->has_output)
    return EXIT_DONE;
  r->finished = true;
  return output_finish(&r->output, &r->simulation);
}

struct simulation *run_simulation(struct run *r)
{
  return &r->simulation;
}

// ---------------------------------------------------------------------------------- the run

// The checkpoint before the part that is replayed, and whether this is still the scenario of the
// run.
static enum exit_code find_replayed(struct run *r, struct checkpoint *from, bool *found)
{
  struct checkpoint_set *k = &r->checkpoint_set;
  const struct run_options *options = &r->options;
  const enum exit_code code =
      checkpoint_set_find_before(k, options->replays, options->replay_from, from, found);
  if (code != EXIT_DONE || fingerprint_hash(k->fingerprint) == options->identity)
    return code;
  if (k->comm->rank == 0)
    message_print("%s: its scenario, or a file that it names, is not what it was: the states would "
                  "not be those of the run",
                  options->replays);
  return EXIT_BAD_INPUT;
}

static enum exit_code find_checkpoint(struct run *r, struct checkpoint *from, bool *found)
{
  if (r->options.replays)
    return find_replayed(r, from, found);
  if (r->options.restart && !r->directory && strcmp(r->options.restart, "auto") == 0)
    return refuse(r, "--restart auto needs a directory of files");
  if (r->options.restart)
    return checkpoint_set_find(&r->checkpoint_set, r->options.restart, from, found);
  return EXIT_DONE;
}

static enum exit_code create(struct run *r, struct scenario *scenario,
                             const struct backend *backend)
{
  struct checkpoint from = {0};
  bool found = false;
  worker_wait(NULL); // the files of other simulations: one thread at a time calls HDF5
  enum exit_code code = find_checkpoint(r, &from, &found);
  r->other_directory = found && r->comm->rank == 0 && !r->replays && r->directory &&
                       strcmp(r->options.restart, "auto") != 0 &&
                       !run_directory_contains(r->directory, r->options.restart);
  comm_broadcast(r->comm, &r->other_directory, sizeof r->other_directory, 0);
  if (code == EXIT_DONE)
    code = run_start(r, scenario, backend, found ? &from : NULL);
  checkpoint_destroy(&from);
  return code;
}

enum exit_code run_create(struct run **run, const struct comm *comm, struct scenario *scenario,
                          const struct backend *backend, const struct run_options *options)
{
  assert(comm_is_valid(comm) && scenario && backend && options->threads >= 1);
  struct run *r = *run = memory_create(1, sizeof *r);
  *r = (struct run){.comm = comm,
                    .options = *options,
                    .directory = options->directory,
                    .replays = options->replays != NULL,
                    .termination = {.program_start = options->program_start,
                                    .max_wall = options->max_wall,
                                    .checkpoint_interval = scenario->output.checkpoint_wall}};
  if (options->steps >= 0)
    scenario->steps = options->steps;
  termination_create(&r->termination, r->directory, comm->rank == 0);
  checkpoint_set_create(&r->checkpoint_set, comm, r->directory, scenario);
  return create(r, scenario, backend);
}

void run_destroy(struct run *r)
{
  if (!r)
    return;
  if (r->has_output)
    output_destroy(&r->output);
  if (r->has_simulation)
    simulation_destroy(&r->simulation);
  thread_waits_end();
  run_lock_release(r->lock);
  checkpoint_set_destroy(&r->checkpoint_set);
  termination_destroy(&r->termination);
  memory_destroy(r);
}

char *run_default_directory(const struct scenario *s)
{
  if (!s->output.directory)
    return run_directory_file("runs", s->name);
  char *copy = strdup(s->output.directory);
  if (!copy)
    memory_fail((double)strlen(s->output.directory));
  return copy;
}
