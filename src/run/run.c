#include "run.h"

#include "build_info.h"
#include "checkpoint_set.h"
#include "fingerprint.h"
#include "message.h"
#include "output.h"
#include "run_directory.h"
#include "run_lock.h"
#include "termination.h"
#include "utf8.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
  const char *directory;
  bool other_directory; // the checkpoint is of another directory: this one gets new files
  bool replays;         // a part of another run: no checkpoints
  struct simulation simulation;
  struct output output;
  struct checkpoint_set checkpoint_set;
  struct termination termination;
  struct run_lock *lock; // of the directory; rank 0
  bool quiet;
};

// ------------------------------------------------------------------------------ checkpoints

// The state of a checkpoint besides the agents; one order for writing and reading.
static void run_visit(struct run *r, struct state *v)
{
  simulation_visit(&r->simulation, v);
  if (!v->results_only)
    output_visit(&r->output, &r->simulation, v);
}

static enum exit_code write_checkpoint(struct run *r)
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

static void print_stopped(const struct run *r)
{
  const char *how = r->replays ? "start the replay again"
                               : "continue with the same command and "
                                 "--restart auto";
  const struct simulation *s = &r->simulation;
  const char *reason = termination_reason(&r->termination, s->stop_flags_all);
  if (s->comm->rank > 0 || r->quiet)
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
  if (!stops && (r->replays || !is_due))
    return EXIT_DONE;
  const enum exit_code code = r->replays ? EXIT_DONE : write_checkpoint(r);
  if (code != EXIT_DONE || !stops)
    return code;
  print_stopped(r);
  return EXIT_RESUMABLE;
}

// ------------------------------------------------------------------------- start and restart

static enum exit_code restore_state(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  from->state.results_only = r->replays;
  run_visit(r, &from->state);
  const bool complete = state_is_complete(&from->state);
  const bool same_version = strcmp(from->version, build_info_full()) == 0;
  if (!complete && s->comm->rank == 0)
    message_print("the checkpoint of step %" PRId64 " cannot be restored%s: %s", from->step,
                  same_version ? "" : ": only the throng that wrote it can continue from it",
                  from->state.fault);
  const enum exit_code code = complete       ? EXIT_DONE
                              : same_version ? EXIT_CORRUPT_DATA
                                             : EXIT_BAD_INPUT;
  return comm_agree(s->comm, code);
}

// The simulation becomes what it was at the checkpoint.
static enum exit_code restore(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  const enum exit_code code = restore_state(r, from);
  if (code != EXIT_DONE)
    return code;
  simulation_restore(s);
  const uint64_t checksum = simulation_checksum(s);
  if (checksum != from->checksum && s->comm->rank == 0)
    fail(EXIT_CORRUPT_DATA,
         "step %" PRId64 ": the restored state has checksum %016" PRIx64
         ", the checkpoint has %016" PRIx64,
         s->step, checksum, from->checksum);
  return code;
}

// A new directory gets a copy of the checkpoint, which makes it resumable by itself.
static enum exit_code begin_elsewhere(struct run *r)
{
  const enum exit_code code = output_begin_elsewhere(&r->output, &r->simulation);
  return code == EXIT_DONE ? write_checkpoint(r) : code;
}

static enum exit_code resume(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = restore(r, from);
  if (code == EXIT_DONE)
    code = r->other_directory ? begin_elsewhere(r) : output_resume(&r->output, s);
  if (code == EXIT_DONE && s->comm->rank == 0 && !r->quiet)
    printf("%s: continuing from step %" PRId64 " (%.1f s) with %" PRId64 " agents inside\n",
           printable(s->scenario->name).text, s->step, simulation_time(s), s->last.agents);
  return code;
}

// ---------------------------------------------------------------------------------- the run

static enum exit_code run_steps(struct run *r)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = EXIT_DONE;
  while (code == EXIT_DONE && !simulation_is_over(s)) {
    const double start = clock_seconds();
    s->stop_flags_own = termination_flags(&r->termination);
    simulation_step(s);
    report_step(&r->output.report, s);
    code = report_complete_series(&r->output.report, s);
    if (code == EXIT_DONE)
      code = output_add(&r->output, s);
    report_step_time(&r->output.report, s, clock_seconds() - start);
    if (code == EXIT_DONE)
      code = write_due_checkpoint(r);
  }
  return code;
}

// from: NULL: from the start.
static enum exit_code run_to_end(struct run *r, int threads, struct checkpoint *from)
{
  const bool resuming = from && !r->other_directory;
  struct simulation *s = &r->simulation;
  enum exit_code code = output_create(&r->output, s, r->directory, threads, r->quiet, resuming);
  r->output.report.identity = fingerprint_hash(r->checkpoint_set.fingerprint);
  if (code == EXIT_DONE)
    code = from ? resume(r, from) : output_begin(&r->output, s);
  if (code == EXIT_DONE)
    code = run_steps(r);
  return code == EXIT_DONE ? output_finish(&r->output, s) : code;
}

// Steps without files up to the beginning of a replay. Stops early when asked to.
static enum exit_code approach(struct run *r, int64_t begin)
{
  struct simulation *s = &r->simulation;
  while (s->step < begin && !simulation_is_over(s)) {
    s->stop_flags_own = termination_flags(&r->termination);
    simulation_step(s);
    if (s->stop_flags_all & STOP_ANY) {
      print_stopped(r);
      return EXIT_RESUMABLE;
    }
  }
  if (s->step == begin)
    return EXIT_DONE;
  if (s->comm->rank == 0)
    message_print("the run was over after step %" PRId64 " (%.10g s), before the replay begins",
                  s->step, simulation_time(s));
  return EXIT_BAD_INPUT;
}

static enum exit_code replay(struct run *r, const struct run_options *options,
                             struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = from ? restore(r, from) : EXIT_DONE;
  if (code == EXIT_DONE)
    code = approach(r, options->replay_from);
  if (code != EXIT_DONE)
    return code;
  simulation_forget_measurements(s);
  return run_to_end(r, options->threads, NULL);
}

// Creates and locks it. Rank 0.
static enum exit_code prepare_directory(struct run *r, bool resuming)
{
  const char *directory = r->directory;
  enum exit_code code = run_directory_create(directory) ? EXIT_DONE : EXIT_IO;
  if (code == EXIT_DONE)
    r->lock = run_lock_take(directory, &code);
  if (!r->lock)
    return code;
  if (resuming && r->other_directory)
    return run_directory_prepare_empty(directory) ? EXIT_DONE : EXIT_BAD_INPUT;
  if (resuming)
    run_directory_resume(directory);
  else if (!run_directory_prepare(directory))
    return EXIT_IO;
  return EXIT_DONE;
}

// from: the checkpoint to continue from; NULL: starts at step 0.
static enum exit_code run_from(struct run *r, struct scenario *scenario,
                               const struct backend *backend, const struct run_options *options,
                               struct checkpoint *from)
{
  const struct comm *c = r->checkpoint_set.comm;
  const char *directory = r->directory;
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = prepare_directory(r, from && !r->replays);
  if ((code = comm_agree(c, code)) != EXIT_DONE)
    return code;
  if (c->rank == 0 && !scenario_cache_roadmap(scenario, directory))
    message_print("the roadmap could not be cached in %s: the next run builds it again", directory);
  simulation_create(&r->simulation, scenario, c, backend, from ? &from->agents : NULL);
  scenario_forget_starts(scenario);
  code = r->replays ? replay(r, options, from) : run_to_end(r, options->threads, from);
  output_destroy(&r->output);
  simulation_destroy(&r->simulation);
  return code;
}

// The checkpoint before the part that is replayed, and whether this is still the scenario of the
// run.
static enum exit_code find_replayed(struct run *r, const struct run_options *options,
                                    struct checkpoint *from, bool *found)
{
  struct checkpoint_set *k = &r->checkpoint_set;
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

static enum exit_code run_in(const char *directory, const struct comm *c, struct scenario *scenario,
                             const struct backend *backend, const struct run_options *options)
{
  struct run r = {.directory = directory,
                  .replays = options->replays != NULL,
                  .termination = {.program_start = options->program_start,
                                  .max_wall = options->max_wall,
                                  .checkpoint_interval = scenario->output.checkpoint_wall},
                  .quiet = options->quiet};
  struct checkpoint from = {0};
  bool found = false;
  enum exit_code code = EXIT_DONE;
  termination_create(&r.termination, directory, c->rank == 0);
  checkpoint_set_create(&r.checkpoint_set, c, directory, scenario);
  if (options->replays)
    code = find_replayed(&r, options, &from, &found);
  else if (options->restart)
    code = checkpoint_set_find(&r.checkpoint_set, options->restart, &from, &found);
  r.other_directory = found && c->rank == 0 && !r.replays &&
                      strcmp(options->restart, "auto") != 0 &&
                      !run_directory_contains(directory, options->restart);
  comm_broadcast(c, &r.other_directory, sizeof r.other_directory, 0);
  if (code == EXIT_DONE)
    code = run_from(&r, scenario, backend, options, found ? &from : NULL);
  run_lock_release(r.lock);
  checkpoint_destroy(&from);
  checkpoint_set_destroy(&r.checkpoint_set);
  termination_destroy(&r.termination);
  return code;
}

enum exit_code run(const struct comm *c, struct scenario *scenario, const struct backend *backend,
                   const struct run_options *options)
{
  assert(comm_is_valid(c) && scenario && backend && options->threads >= 1);
  char *by_name = run_directory_file("runs", scenario->name);
  const char *directory = options->directory           ? options->directory
                          : scenario->output.directory ? scenario->output.directory
                                                       : by_name;
  if (options->steps >= 0)
    scenario->steps = options->steps;
  const enum exit_code code = run_in(directory, c, scenario, backend, options);
  free(by_name);
  return code;
}
