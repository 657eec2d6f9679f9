#include "run.h"

#include "build_info.h"
#include "checkpoint_set.h"
#include "message.h"
#include "recording.h"
#include "report.h"
#include "run_directory.h"
#include "run_lock.h"
#include "snapshot_series.h"
#include "steps.h"
#include "termination.h"
#include "utf8.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {          // the files of a run besides its checkpoints
  struct worker *beside; // writes large files while the run goes on; NULL: several ranks, which
                         // write together
  const char *directory;
  bool other_directory; // the checkpoint is of another directory: this one gets new files
  int64_t series_every; // steps
  double synced;        // when the files were put on the disk last, s
  struct snapshot_series snapshots;
  struct recording recording;
  struct report report;
  struct tables tables;
};

struct run {
  struct simulation simulation;
  struct output output;
  struct checkpoint_set checkpoint_set;
  struct termination termination;
  struct run_lock *lock; // of the directory; rank 0
  bool quiet;
};

static bool is_due(int64_t step, int64_t every)
{
  return every > 0 && step % every == 0;
}

static enum exit_code write_series(struct output *output, struct simulation *s)
{
  const enum exit_code code = report_series(&output->report, s);
  return code == EXIT_DONE ? tables_series(&output->tables, s) : code;
}

static enum exit_code write_due_files(struct output *output, struct simulation *s)
{
  enum exit_code code = EXIT_DONE;
  if (is_due(s->step, output->series_every))
    code = write_series(output, s);
  if (code == EXIT_DONE)
    code = tables_field(&output->tables, s, false, output->beside);
  if (code == EXIT_DONE && is_due(s->step, output->snapshots.every))
    code = snapshot_series_write(&output->snapshots, s, output->beside);
  if (code == EXIT_DONE)
    code = recording_add(&output->recording, s, output->beside);
  return code == EXIT_DONE && output->beside ? worker_code(output->beside) : code;
}

static enum exit_code finish_files(struct output *output)
{
  return output->beside ? worker_wait(output->beside) : EXIT_DONE;
}

// The files so far, on the disk: at checkpoints and at the end.
static enum exit_code keep_files(struct output *output, const struct simulation *s)
{
  enum exit_code code = finish_files(output);
  if (code == EXIT_DONE)
    code = snapshot_series_list(&output->snapshots, s);
  if (code == EXIT_DONE)
    code = comm_agree(s->comm,
                      s->comm->rank > 0 || run_directory_sync(output->directory, &output->synced)
                          ? EXIT_DONE
                          : EXIT_IO);
  return code;
}

// ------------------------------------------------------------------------------ checkpoints

// The state of a checkpoint besides the agents; one order for writing and reading.
static void run_visit(struct run *r, struct state *v)
{
  simulation_visit(&r->simulation, v);
  report_visit(&r->output.report, &r->simulation, v);
  tables_visit(&r->output.tables, &r->simulation, v);
  snapshot_series_visit(&r->output.snapshots, v);
  recording_visit(&r->output.recording, v);
}

static enum exit_code write_checkpoint(struct run *r)
{
  struct state state;
  const double start = clock_seconds();
  enum exit_code code = keep_files(&r->output, &r->simulation); // it names the snapshots so far
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
  const struct simulation *s = &r->simulation;
  const char *reason = termination_reason(&r->termination, s->stop_flags_all);
  if (s->comm->rank > 0 || r->quiet)
    return;
  message_erase_progress();
  printf("%s: stopped by %s after step %" PRId64 " (%.1f s) with %" PRId64
         " agents inside\n  continue with the same command and --restart auto\n",
         printable(s->scenario->name).text, reason, s->step, simulation_time(s), s->last.agents);
}

// Writes a checkpoint if one is due or the run must stop. EXIT_RESUMABLE: it must stop.
static enum exit_code write_due_checkpoint(struct run *r)
{
  const struct simulation *s = &r->simulation;
  const bool stops = (s->stop_flags_all & STOP_ANY) && !simulation_is_over(s);
  if (!stops && !(s->stop_flags_all & CHECKPOINT_WALL) && !is_due(s->step, r->checkpoint_set.every))
    return EXIT_DONE;
  const enum exit_code code = write_checkpoint(r);
  if (code != EXIT_DONE || !stops)
    return code;
  print_stopped(r);
  return EXIT_RESUMABLE;
}

// ------------------------------------------------------------------------- start and restart

static enum exit_code start_output(struct run *r)
{
  // What creates files itself comes before what a thread writes: one thread at a time calls HDF5.
  enum exit_code code = snapshot_series_write_walls(&r->output.snapshots, &r->simulation);
  if (code == EXIT_DONE)
    code = recording_begin(&r->output.recording, &r->simulation, r->output.beside);
  if (code == EXIT_DONE)
    code = write_series(&r->output, &r->simulation);
  if (code == EXIT_DONE)
    code = snapshot_series_write(&r->output.snapshots, &r->simulation, r->output.beside);
  return code;
}

// Deletes what was written after the checkpoint. Rank 0.
static bool rewind_files(struct output *output, const struct simulation *s)
{
  const bool is_written = tables_field_written(&output->tables, s->step);
  run_directory_remove_final(output->directory);
  run_directory_remove_after(output->directory, "density", is_written ? s->step : s->step - 1);
  return snapshot_series_resume(&output->snapshots, s);
}

// A new directory gets a copy of the checkpoint, which makes it resumable by itself.
static enum exit_code start_other_directory(struct run *r)
{
  struct output *output = &r->output;
  output->snapshots.count = 0;
  enum exit_code code = snapshot_series_write_walls(&output->snapshots, &r->simulation);
  if (code == EXIT_DONE)
    code = recording_begin(&output->recording, &r->simulation, output->beside);
  return code == EXIT_DONE ? write_checkpoint(r) : code;
}

// Restores the files to the step of the checkpoint.
static enum exit_code resume_files(struct run *r)
{
  struct output *output = &r->output;
  struct simulation *s = &r->simulation;
  if (output->other_directory)
    return start_other_directory(r);
  const bool rewound = s->comm->rank > 0 || rewind_files(output, s);
  const bool resumed = report_resume(&output->report) && tables_resume(&output->tables);
  enum exit_code code = comm_agree(s->comm, rewound && resumed ? EXIT_DONE : EXIT_IO);
  if (code == EXIT_DONE)
    code = recording_resume(&output->recording);
  // Anew, since the file may have been lost or cut.
  return code == EXIT_DONE ? snapshot_series_write_walls(&output->snapshots, s) : code;
}

static enum exit_code restore_state(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
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

static enum exit_code resume(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = restore_state(r, from);
  if (code != EXIT_DONE)
    return code;
  simulation_restore(s);
  const uint64_t checksum = simulation_checksum(s);
  if (checksum != from->checksum && s->comm->rank == 0)
    fail(EXIT_CORRUPT_DATA,
         "step %" PRId64 ": the restored state has checksum %016" PRIx64
         ", the checkpoint has %016" PRIx64,
         s->step, checksum, from->checksum);
  code = resume_files(r);
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
      code = write_due_files(&r->output, s);
    report_step_time(&r->output.report, s, clock_seconds() - start);
    if (code == EXIT_DONE)
      code = write_due_checkpoint(r);
  }
  return code;
}

static enum exit_code finish_output(struct run *r)
{
  struct simulation *s = &r->simulation;
  struct output *output = &r->output;
  enum exit_code code = EXIT_DONE;
  if (!is_due(s->step, output->series_every) && s->step > 0)
    code = write_series(output, s);
  if (code == EXIT_DONE)
    code = tables_field(&output->tables, s, true, output->beside);
  if (code == EXIT_DONE)
    code = finish_files(output);
  // Not beside anything: it needs no copy of the agents.
  if (code == EXIT_DONE && !is_due(s->step, output->snapshots.every) && s->step > 0)
    code = snapshot_series_write(&output->snapshots, s, NULL);
  if (code != EXIT_DONE)
    return code;
  if ((code = recording_end(&output->recording, s)) != EXIT_DONE)
    return code;
  const uint64_t checksum = simulation_checksum(s);
  simulation_count_overlaps(s); // of the last state
  code = report_complete_series(&output->report, s);
  if (code == EXIT_DONE)
    code = tables_finish(&output->tables, s);
  output->report.tables = &output->tables;
  if (code == EXIT_DONE)
    code = report_finish(&output->report, s, checksum);
  return code == EXIT_DONE ? keep_files(output, s) : code;
}

static enum exit_code run_with_output(struct run *r, int threads, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  struct output *output = &r->output;
  const bool resuming = from && !output->other_directory;
  enum exit_code code =
      report_create(&output->report, s, output->directory, threads, r->quiet, resuming);
  if (code == EXIT_DONE)
    code = tables_create(&output->tables, s, output->directory, r->quiet, resuming);
  if (code == EXIT_DONE)
    code = from ? resume(r, from) : start_output(r);
  if (code == EXIT_DONE)
    code = run_steps(r);
  return code == EXIT_DONE ? finish_output(r) : code;
}

// Creates and locks it. Rank 0.
static enum exit_code prepare_directory(struct run *r, bool resuming)
{
  const char *directory = r->output.directory;
  enum exit_code code = run_directory_create(directory) ? EXIT_DONE : EXIT_IO;
  if (code == EXIT_DONE)
    r->lock = run_lock_take(directory, &code);
  if (!r->lock)
    return code;
  if (resuming && r->output.other_directory)
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
  const char *directory = r->output.directory;
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = prepare_directory(r, from != NULL);
  if ((code = comm_agree(c, code)) != EXIT_DONE)
    return code;
  if (c->rank == 0 && !scenario_cache_roadmap(scenario, directory))
    message_print("the roadmap could not be cached in %s: the next run builds it again", directory);
  simulation_create(&r->simulation, scenario, c, backend, from ? &from->agents : NULL);
  recording_create(&r->output.recording, &r->simulation, directory);
  r->output.beside = c->size == 1 ? worker_create() : NULL;
  code = run_with_output(r, options->threads, from);
  worker_destroy(r->output.beside); // after its last file
  recording_destroy(&r->output.recording);
  tables_destroy(&r->output.tables);
  report_destroy(&r->output.report);
  simulation_destroy(&r->simulation);
  snapshot_series_destroy(&r->output.snapshots);
  return code;
}

static struct run run_configured(const char *directory, const struct scenario *scenario,
                                 const struct run_options *options)
{
  const struct output_options *output = &scenario->output;
  const int64_t snapshot_every =
      output->snapshot_every > 0 ? steps_period(output->snapshot_every, scenario->dt) : 0;
  return (struct run){.output = {.directory = directory,
                                 .series_every = steps_period(output->series_every, scenario->dt),
                                 .snapshots = {.directory = directory, .every = snapshot_every}},
                      .termination = {.program_start = options->program_start,
                                      .max_wall = options->max_wall,
                                      .checkpoint_interval = output->checkpoint_wall},
                      .quiet = options->quiet};
}

static enum exit_code run_in(const char *directory, const struct comm *c, struct scenario *scenario,
                             const struct backend *backend, const struct run_options *options)
{
  struct run r = run_configured(directory, scenario, options);
  struct checkpoint from = {0};
  bool found = false;
  enum exit_code code = EXIT_DONE;
  termination_create(&r.termination, directory, c->rank == 0);
  checkpoint_set_create(&r.checkpoint_set, c, directory, scenario);
  if (options->restart)
    code = checkpoint_set_find(&r.checkpoint_set, options->restart, &from, &found);
  r.output.other_directory = found && c->rank == 0 && strcmp(options->restart, "auto") != 0 &&
                             !run_directory_contains(directory, options->restart);
  comm_broadcast(c, &r.output.other_directory, sizeof r.output.other_directory, 0);
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
