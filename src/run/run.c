#include "run.h"

#include "checkpoint_set.h"
#include "report.h"
#include "run_directory.h"
#include "simulation.h"
#include "snapshot.h"
#include "steps.h"
#include "termination.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output_files { // the snapshots of a run so far, and its tables
  const char *directory;
  bool other_directory; // goes on from a checkpoint of another directory: this one's files begin
                        // there
  int64_t every, series_every; // steps; 0: only first and last
  struct snapshot_entry *entries;
  int64_t count, capacity;
  struct tables tables;
};

struct run {
  struct simulation simulation;
  struct report report;
  struct output_files output_files;
  struct checkpoint_set checkpoint_set;
  struct termination termination;
  bool quiet;
};

static void entries_reserve(struct output_files *output_files, int64_t count)
{
  if (count <= output_files->capacity)
    return;
  const int64_t max_real = 2 * count + 16;
  output_files->entries = memory_grow(output_files->entries, (size_t)output_files->count,
                                      (size_t)max_real, sizeof *output_files->entries);
  output_files->capacity = max_real;
}

static bool write_xdmf(const struct output_files *output_files, const struct simulation *s)
{
  char *path = run_directory_file(output_files->directory, "snapshots.xdmf");
  const bool good = snapshots_write_xdmf(path, output_files->entries, output_files->count,
                                         "walls.vtkhdf", &s->scenario->walls);
  free(path);
  return good;
}

static bool register_snapshot(struct output_files *output_files, const struct simulation *s,
                              int64_t agents)
{
  const struct output_options *output = &s->scenario->output;
  entries_reserve(output_files, output_files->count + 1);
  output_files->entries[output_files->count++] = (struct snapshot_entry){
      s->step, simulation_time(s), agents, output->selection.fields, output->f64};
  return write_xdmf(output_files, s);
}

static enum exit_code write_snapshot(struct output_files *output_files, struct simulation *s)
{
  char name[64];
  const double start = clock_seconds();
  const struct scenario *scenario = s->scenario;
  const struct snapshot_metadata metadata = {
      .step = s->step,
      .time = simulation_time(s),
      .name = scenario->name,
      .attribution = scenario->attribution[0] ? scenario->attribution : NULL,
      .frame = &scenario->world.frame,
      .scenario_text = scenario->text,
      .version = report_version(),
      .checksum = simulation_checksum(s),
      .f64 = scenario->output.f64,
      .compression = scenario->output.compression,
      .selection = scenario->output.selection};
  int64_t written = 0;
  snapshot_file_name(s->step, name, sizeof name);
  char *path = run_directory_file(output_files->directory, name);
  const enum snapshot_result result =
      snapshot_write(s->comm, path, &metadata, &s->partition, &s->agents, &written);
  free(path);
  bool is_listed = true;
  if (result == SNAPSHOT_WRITTEN && s->comm->rank == 0)
    is_listed = register_snapshot(output_files, s, written);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  // A skipped one was said aloud.
  return comm_agree(s->comm, result == SNAPSHOT_FAILED || !is_listed ? EXIT_IO : EXIT_DONE);
}

static enum exit_code write_walls(const struct output_files *output_files,
                                  const struct simulation *s)
{
  char *path = run_directory_file(output_files->directory, "walls.vtkhdf");
  const enum snapshot_result result =
      snapshot_write_walls(s->comm, path, &s->scenario->world.frame, &s->scenario->walls);
  free(path);
  return result == SNAPSHOT_FAILED ? EXIT_IO : EXIT_DONE;
}

static bool due(int64_t step, int64_t every)
{
  return every > 0 && step % every == 0;
}

static enum exit_code write_series(struct output_files *output_files, struct report *report,
                                   struct simulation *s)
{
  const enum exit_code code = report_series(report, s);
  return code == EXIT_DONE ? tables_series(&output_files->tables, s) : code;
}

static enum exit_code write_due_files(struct output_files *output_files, struct report *report,
                                      struct simulation *s)
{
  enum exit_code code = EXIT_DONE;
  if (due(s->step, output_files->series_every))
    code = write_series(output_files, report, s);
  if (code == EXIT_DONE)
    code = tables_field(&output_files->tables, s, false);
  if (code == EXIT_DONE && due(s->step, output_files->every))
    code = write_snapshot(output_files, s);
  return code;
}

// ------------------------------------------------------------------------------ checkpoints

static void files_visit(struct output_files *output_files, struct state *v)
{
  const int64_t count = state_length(v, "snapshots.count", output_files->count);
  entries_reserve(output_files, count + 1);
  output_files->count = v->comm->rank == 0 ? count : 0; // which alone lists them
  struct snapshot_entry *e = output_files->entries;
  state_field(v, STATE_ROOT, e, step, "snapshots.step", output_files->count);
  state_field(v, STATE_ROOT, e, time, "snapshots.time", output_files->count);
  state_field(v, STATE_ROOT, e, agent_count, "snapshots.agents", output_files->count);
  state_field(v, STATE_ROOT, e, fields, "snapshots.fields", output_files->count);
  state_field(v, STATE_ROOT, e, f64, "snapshots.f64", output_files->count);
}

// All that a checkpoint keeps besides the agents, in one order for writing and for reading.
static void run_visit(struct run *r, struct state *v)
{
  simulation_visit(&r->simulation, v);
  report_visit(&r->report, &r->simulation, v);
  tables_visit(&r->output_files.tables, &r->simulation, v);
  files_visit(&r->output_files, v);
}

static enum exit_code write_checkpoint(struct run *r)
{
  struct state state;
  const double start = clock_seconds();
  state_create(&state, r->simulation.comm);
  run_visit(r, &state);
  const enum exit_code code = checkpoint_set_write(&r->checkpoint_set, &r->simulation, &state);
  state_destroy(&state);
  r->termination.last_checkpoint = clock_seconds();
  r->simulation.seconds[PHASE_OUTPUT] += r->termination.last_checkpoint - start;
  return code;
}

static void print_stopped(const struct run *r)
{
  const struct simulation *s = &r->simulation;
  const char *reason = termination_reason(&r->termination, s->stop_flags_all);
  if (s->comm->rank == 0 && !r->quiet)
    printf("%s: stopped by %s after step %" PRId64 " (%.1f s) with %" PRId64
           " agents inside\n  go on with the same command and --restart auto\n",
           s->scenario->name, reason, s->step, simulation_time(s), s->last.agents);
}

// When one is due, or when the run has to end. EXIT_RESUMABLE: it does.
static enum exit_code write_due_checkpoint(struct run *r)
{
  const struct simulation *s = &r->simulation;
  const bool ends = (s->stop_flags_all & STOP_ANY) && !simulation_is_over(s);
  if (!ends && !(s->stop_flags_all & CHECKPOINT_WALL) && !due(s->step, r->checkpoint_set.every))
    return EXIT_DONE;
  const enum exit_code code = write_checkpoint(r);
  if (code != EXIT_DONE || !ends)
    return code;
  print_stopped(r);
  return EXIT_RESUMABLE;
}

// ---------------------------------------------------------------------------------- the run

static enum exit_code start_output(struct run *r)
{
  enum exit_code code = write_walls(&r->output_files, &r->simulation);
  if (code == EXIT_DONE)
    code = write_series(&r->output_files, &r->report, &r->simulation);
  if (code == EXIT_DONE)
    code = write_snapshot(&r->output_files, &r->simulation);
  return code;
}

// What the checkpoint does not know goes: what came later, and a file of its own step that only the
// end of that run asked for.
static void remove_later_files(const struct output_files *output_files, int64_t step)
{
  const bool is_listed =
      output_files->count > 0 && output_files->entries[output_files->count - 1].step == step;
  const bool field = tables_field_written(&output_files->tables, step);
  run_directory_remove_final(output_files->directory);
  run_directory_remove_after(output_files->directory, "snapshot", is_listed ? step : step - 1);
  run_directory_remove_after(output_files->directory, "density", field ? step : step - 1);
}

// The files from before the checkpoint. A new directory gets that checkpoint, too, at once: from
// then on it goes on by itself.
static enum exit_code resume_files(struct run *r)
{
  struct output_files *output_files = &r->output_files;
  const struct simulation *s = &r->simulation;
  if (output_files->other_directory) {
    output_files->count = 0;
    const enum exit_code code = write_walls(output_files, s);
    return code == EXIT_DONE ? write_checkpoint(r) : code;
  }
  if (s->comm->rank == 0)
    remove_later_files(output_files, s->step);
  const bool good = report_resume(&r->report) && tables_resume(&output_files->tables);
  const bool is_listed =
      s->comm->rank > 0 || output_files->count == 0 || write_xdmf(output_files, s);
  return comm_agree(s->comm, good && is_listed ? EXIT_DONE : EXIT_IO);
}

static enum exit_code resume(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  run_visit(r, &from->state);
  const bool taken = state_is_complete(&from->state);
  const bool same_version = strcmp(from->version, report_version()) == 0;
  if (!taken && s->comm->rank == 0)
    fprintf(stderr, "throng: the checkpoint of step %" PRId64 " does not fit%s: %s\n", from->step,
            same_version ? "" : ": only the throng that wrote it can go on from it",
            from->state.fault);
  enum exit_code code = taken ? EXIT_DONE : same_version ? EXIT_CORRUPT_DATA : EXIT_BAD_INPUT;
  if ((code = comm_agree(s->comm, code)) != EXIT_DONE)
    return code;
  simulation_restore(s);
  const uint64_t checksum = simulation_checksum(s);
  if (checksum != from->checksum && s->comm->rank == 0)
    fail(EXIT_CORRUPT_DATA,
         "step %" PRId64 ": checksum %016" PRIx64 " instead of %016" PRIx64 " that was written",
         s->step, checksum, from->checksum);
  code = resume_files(r);
  if (code == EXIT_DONE && s->comm->rank == 0 && !r->quiet)
    printf("%s: going on from step %" PRId64 " (%.1f s) with %" PRId64 " agents inside\n",
           s->scenario->name, s->step, simulation_time(s), s->last.agents);
  return code;
}

static enum exit_code run_steps(struct run *r)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = EXIT_DONE;
  while (code == EXIT_DONE && !simulation_is_over(s)) {
    s->stop_flags_own = termination_flags(&r->termination);
    simulation_step(s);
    report_step(&r->report, s);
    code = write_due_files(&r->output_files, &r->report, s);
    if (code == EXIT_DONE)
      code = write_due_checkpoint(r);
  }
  return code;
}

static enum exit_code finish_output(struct run *r)
{
  struct simulation *s = &r->simulation;
  struct output_files *output_files = &r->output_files;
  enum exit_code code = EXIT_DONE;
  if (!due(s->step, output_files->series_every) && s->step > 0)
    code = write_series(output_files, &r->report, s);
  if (code == EXIT_DONE)
    code = tables_field(&output_files->tables, s, true);
  if (code == EXIT_DONE && !due(s->step, output_files->every) && s->step > 0)
    code = write_snapshot(output_files, s);
  if (code == EXIT_DONE)
    code = tables_finish(&output_files->tables, s);
  r->report.tables = &output_files->tables;
  return code == EXIT_DONE ? report_finish(&r->report, s) : code;
}

static enum exit_code run_with_output(struct run *r, int threads, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  const char *directory = r->output_files.directory;
  const bool resuming = from && !r->output_files.other_directory;
  enum exit_code code = report_create(&r->report, s, directory, threads, r->quiet, resuming);
  if (code == EXIT_DONE)
    code = tables_create(&r->output_files.tables, s, directory, r->quiet, resuming);
  if (code == EXIT_DONE)
    code = from ? resume(r, from) : start_output(r);
  if (code == EXIT_DONE)
    code = run_steps(r);
  return code == EXIT_DONE ? finish_output(r) : code;
}

static enum exit_code open_directory(const struct output_files *output_files,
                                     bool resuming) // rank 0
{
  if (resuming && output_files->other_directory)
    return run_directory_prepare_empty(output_files->directory) ? EXIT_DONE : EXIT_BAD_INPUT;
  return (resuming ? run_directory_resume : run_directory_prepare)(output_files->directory)
             ? EXIT_DONE
             : EXIT_IO;
}

static enum exit_code run_from(struct run *r, struct scenario *scenario,
                               const struct backend *backend, const struct run_options *options,
                               struct checkpoint *from)
{
  const struct comm *c = r->checkpoint_set.comm;
  const char *directory = r->output_files.directory;
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = open_directory(&r->output_files, from != NULL);
  if ((code = comm_agree(c, code)) != EXIT_DONE)
    return code;
  if (c->rank == 0 && !scenario_cache_roadmap(scenario, directory))
    fprintf(stderr, "throng: the roadmap could not be kept in %s: the next run makes it anew\n",
            directory);
  simulation_create(&r->simulation, scenario, c, backend, from ? &from->agents : NULL);
  code = run_with_output(r, options->threads, from);
  tables_destroy(&r->output_files.tables);
  report_destroy(&r->report);
  simulation_destroy(&r->simulation);
  memory_destroy(r->output_files.entries);
  return code;
}

static enum exit_code run_in(const char *directory, const struct comm *c, struct scenario *scenario,
                             const struct backend *backend, const struct run_options *options)
{
  const struct output_options *output = &scenario->output;
  struct run r = {
      .output_files = {.directory = directory,
                       .every = output->snapshot_every > 0
                                    ? steps_period(output->snapshot_every, scenario->dt)
                                    : 0,
                       .series_every = steps_period(output->series_every, scenario->dt)},
      .termination = {.program_start = options->program_start,
                      .max_wall = options->max_wall,
                      .checkpoint_interval = output->checkpoint_wall},
      .quiet = options->quiet};
  struct checkpoint from = {0};
  bool found = false;
  enum exit_code code = EXIT_DONE;
  termination_create(&r.termination, directory, c->rank == 0);
  checkpoint_set_create(&r.checkpoint_set, c, directory, scenario);
  if (options->restart)
    code = checkpoint_set_find(&r.checkpoint_set, options->restart, &from, &found);
  r.output_files.other_directory = found && c->rank == 0 && strcmp(options->restart, "auto") != 0 &&
                                   !run_directory_contains(directory, options->restart);
  comm_broadcast(c, &r.output_files.other_directory, sizeof r.output_files.other_directory, 0);
  if (code == EXIT_DONE)
    code = run_from(&r, scenario, backend, options, found ? &from : NULL);
  checkpoint_destroy(&from);
  checkpoint_set_destroy(&r.checkpoint_set);
  termination_destroy(&r.termination);
  return code;
}

enum exit_code run(const struct comm *c, struct scenario *scenario, const struct backend *backend,
                   const struct run_options *options)
{
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
