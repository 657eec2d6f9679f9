#include "run.h"

#include "checkpoints.h"
#include "directory.h"
#include "report.h"
#include "simulation.h"
#include "snapshot.h"
#include "stopping.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct files { // the snapshots of a run so far, and its tables
  const char *directory;
  bool elsewhere; // goes on from a checkpoint of another directory: this one's files begin there
  int64_t every, series_every; // steps; 0: only first and last
  struct snapshot_entry *entries;
  int64_t count, capacity;
  struct tables tables;
};

struct run {
  struct simulation simulation;
  struct report report;
  struct files files;
  struct checkpoints checkpoints;
  struct stopping stopping;
  bool quiet;
};

static void entries_reserve(struct files *files, int64_t count)
{
  if (count <= files->capacity)
    return;
  const int64_t larger = 2 * count + 16;
  files->entries =
      memory_grow(files->entries, (size_t)files->count, (size_t)larger, sizeof *files->entries);
  files->capacity = larger;
}

static bool write_xdmf(const struct files *files, const struct simulation *s)
{
  char *path = directory_file(files->directory, "snapshots.xdmf");
  const bool good =
      snapshots_write_xdmf(path, files->entries, files->count, "walls.vtkhdf", &s->scenario->walls);
  free(path);
  return good;
}

static bool list_snapshot(struct files *files, const struct simulation *s, int64_t agents)
{
  const struct output_options *output = &s->scenario->output;
  entries_reserve(files, files->count + 1);
  files->entries[files->count++] = (struct snapshot_entry){s->step, simulation_time(s), agents,
                                                           output->selection.fields, output->f64};
  return write_xdmf(files, s);
}

static enum exit_code write_snapshot(struct files *files, struct simulation *s)
{
  char name[64];
  const double start = clock_seconds();
  const struct scenario *scenario = s->scenario;
  const struct snapshot_about about = {.step = s->step,
                                       .time = simulation_time(s),
                                       .name = scenario->name,
                                       .attribution =
                                           scenario->attribution[0] ? scenario->attribution : NULL,
                                       .frame = &scenario->world.frame,
                                       .scenario_text = scenario->text,
                                       .version = report_version(),
                                       .checksum = simulation_checksum(s),
                                       .f64 = scenario->output.f64,
                                       .compression = scenario->output.compression,
                                       .selection = scenario->output.selection};
  int64_t written = 0;
  snapshot_file_name(s->step, name, sizeof name);
  char *path = directory_file(files->directory, name);
  const enum snapshot_result result =
      snapshot_write(s->comm, path, &about, &s->partition, &s->agents, &written);
  free(path);
  bool listed = true;
  if (result == SNAPSHOT_WRITTEN && s->comm->rank == 0)
    listed = list_snapshot(files, s, written);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  // A skipped one was said aloud.
  return comm_agree(s->comm, result == SNAPSHOT_FAILED || !listed ? EXIT_IO : EXIT_DONE);
}

static enum exit_code write_walls(const struct files *files, const struct simulation *s)
{
  char *path = directory_file(files->directory, "walls.vtkhdf");
  const enum snapshot_result result =
      snapshot_write_walls(s->comm, path, &s->scenario->world.frame, &s->scenario->walls);
  free(path);
  return result == SNAPSHOT_FAILED ? EXIT_IO : EXIT_DONE;
}

static bool due(int64_t step, int64_t every)
{
  return every > 0 && step % every == 0;
}

static enum exit_code write_series(struct files *files, struct report *report, struct simulation *s)
{
  const enum exit_code code = report_series(report, s);
  return code == EXIT_DONE ? tables_series(&files->tables, s) : code;
}

static enum exit_code write_due_files(struct files *files, struct report *report,
                                      struct simulation *s)
{
  enum exit_code code = EXIT_DONE;
  if (due(s->step, files->series_every))
    code = write_series(files, report, s);
  if (code == EXIT_DONE)
    code = tables_field(&files->tables, s, false);
  if (code == EXIT_DONE && due(s->step, files->every))
    code = write_snapshot(files, s);
  return code;
}

// ------------------------------------------------------------------------------ checkpoints

static void files_visit(struct files *files, struct state *v)
{
  const int64_t count = state_length(v, "snapshots.count", files->count);
  entries_reserve(files, count + 1);
  files->count = v->comm->rank == 0 ? count : 0; // which alone lists them
  struct snapshot_entry *e = files->entries;
  state_field(v, STATE_FIRST, e, step, "snapshots.step", files->count);
  state_field(v, STATE_FIRST, e, time, "snapshots.time", files->count);
  state_field(v, STATE_FIRST, e, agent_count, "snapshots.agents", files->count);
  state_field(v, STATE_FIRST, e, fields, "snapshots.fields", files->count);
  state_field(v, STATE_FIRST, e, f64, "snapshots.f64", files->count);
}

// All that a checkpoint keeps besides the agents, in one order for writing and for reading.
static void run_visit(struct run *r, struct state *v)
{
  simulation_visit(&r->simulation, v);
  report_visit(&r->report, &r->simulation, v);
  tables_visit(&r->files.tables, &r->simulation, v);
  files_visit(&r->files, v);
}

static enum exit_code write_checkpoint(struct run *r)
{
  struct state state;
  const double start = clock_seconds();
  state_create(&state, r->simulation.comm);
  run_visit(r, &state);
  const enum exit_code code = checkpoints_write(&r->checkpoints, &r->simulation, &state);
  state_destroy(&state);
  r->stopping.last = clock_seconds();
  r->simulation.seconds[PHASE_OUTPUT] += r->stopping.last - start;
  return code;
}

static void say_stopped(const struct run *r)
{
  const struct simulation *s = &r->simulation;
  const char *reason = stopping_reason(&r->stopping, s->told);
  if (s->comm->rank == 0 && !r->quiet)
    printf("%s: stopped by %s after step %" PRId64 " (%.1f s) with %" PRId64
           " agents inside\n  go on with the same command and --restart auto\n",
           s->scenario->name, reason, s->step, simulation_time(s), s->last.agents);
}

// When one is due, or when the run has to end. EXIT_AGAIN: it does.
static enum exit_code keep(struct run *r)
{
  const struct simulation *s = &r->simulation;
  const bool ends = (s->told & STOP_ANY) && !simulation_is_over(s);
  if (!ends && !(s->told & CHECKPOINT_WALL) && !due(s->step, r->checkpoints.every))
    return EXIT_DONE;
  const enum exit_code code = write_checkpoint(r);
  if (code != EXIT_DONE || !ends)
    return code;
  say_stopped(r);
  return EXIT_AGAIN;
}

// ---------------------------------------------------------------------------------- the run

static enum exit_code begin(struct run *r)
{
  enum exit_code code = write_walls(&r->files, &r->simulation);
  if (code == EXIT_DONE)
    code = write_series(&r->files, &r->report, &r->simulation);
  if (code == EXIT_DONE)
    code = write_snapshot(&r->files, &r->simulation);
  return code;
}

// What the checkpoint does not know goes: what came later, and a file of its own step that only the
// end of that run asked for.
static void forget_later(const struct files *files, int64_t step)
{
  const bool listed = files->count > 0 && files->entries[files->count - 1].step == step;
  const bool field = tables_field_written(&files->tables, step);
  directory_forget_end(files->directory);
  directory_forget(files->directory, "snapshot", listed ? step : step - 1);
  directory_forget(files->directory, "density", field ? step : step - 1);
}

// The files from before the checkpoint. A new directory gets that checkpoint, too, at once: from
// then on it goes on by itself.
static enum exit_code take_files_up(struct run *r)
{
  struct files *files = &r->files;
  const struct simulation *s = &r->simulation;
  if (files->elsewhere) {
    files->count = 0;
    const enum exit_code code = write_walls(files, s);
    return code == EXIT_DONE ? write_checkpoint(r) : code;
  }
  if (s->comm->rank == 0)
    forget_later(files, s->step);
  const bool good = report_continue(&r->report) && tables_continue(&files->tables);
  const bool listed = s->comm->rank > 0 || files->count == 0 || write_xdmf(files, s);
  return comm_agree(s->comm, good && listed ? EXIT_DONE : EXIT_IO);
}

static enum exit_code go_on(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  run_visit(r, &from->state);
  const bool taken = state_is_taken(&from->state);
  const bool same_version = strcmp(from->version, report_version()) == 0;
  if (!taken && s->comm->rank == 0)
    fprintf(stderr, "throng: the checkpoint of step %" PRId64 " does not fit%s: %s\n", from->step,
            same_version ? "" : ": only the throng that wrote it can go on from it",
            from->state.fault);
  enum exit_code code = taken ? EXIT_DONE : same_version ? EXIT_DAMAGED : EXIT_BAD_INPUT;
  if ((code = comm_agree(s->comm, code)) != EXIT_DONE)
    return code;
  simulation_restore(s);
  const uint64_t checksum = simulation_checksum(s);
  if (checksum != from->checksum && s->comm->rank == 0)
    fail(EXIT_DAMAGED,
         "step %" PRId64 ": checksum %016" PRIx64 " instead of %016" PRIx64 " that was written",
         s->step, checksum, from->checksum);
  code = take_files_up(r);
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
    s->asked = stopping_word(&r->stopping);
    simulation_step(s);
    report_step(&r->report, s);
    code = write_due_files(&r->files, &r->report, s);
    if (code == EXIT_DONE)
      code = keep(r);
  }
  return code;
}

static enum exit_code finish(struct run *r)
{
  struct simulation *s = &r->simulation;
  struct files *files = &r->files;
  enum exit_code code = EXIT_DONE;
  if (!due(s->step, files->series_every) && s->step > 0)
    code = write_series(files, &r->report, s);
  if (code == EXIT_DONE)
    code = tables_field(&files->tables, s, true);
  if (code == EXIT_DONE && !due(s->step, files->every) && s->step > 0)
    code = write_snapshot(files, s);
  if (code == EXIT_DONE)
    code = tables_finish(&files->tables, s);
  r->report.tables = &files->tables;
  return code == EXIT_DONE ? report_finish(&r->report, s) : code;
}

static int64_t steps_of(double seconds, const struct scenario *scenario) // at least one
{
  const int64_t steps = llrint(fmin(seconds / scenario->dt, 1e15));
  return steps < 1 ? 1 : steps;
}

static enum exit_code run_all(struct run *r, int threads, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  const char *directory = r->files.directory;
  const bool going_on = from && !r->files.elsewhere;
  enum exit_code code = report_create(&r->report, s, directory, threads, r->quiet, going_on);
  if (code == EXIT_DONE)
    code = tables_create(&r->files.tables, s, directory, r->quiet, going_on);
  if (code == EXIT_DONE)
    code = from ? go_on(r, from) : begin(r);
  if (code == EXIT_DONE)
    code = run_steps(r);
  return code == EXIT_DONE ? finish(r) : code;
}

static enum exit_code open_directory(const struct files *files, bool going_on) // rank 0
{
  if (going_on && files->elsewhere)
    return directory_begin(files->directory) ? EXIT_DONE : EXIT_BAD_INPUT;
  return (going_on ? directory_continue : directory_prepare)(files->directory) ? EXIT_DONE
                                                                               : EXIT_IO;
}

static enum exit_code run_from(struct run *r, struct scenario *scenario,
                               const struct backend *backend, const struct run_options *options,
                               struct checkpoint *from)
{
  const struct comm *c = r->checkpoints.comm;
  const char *directory = r->files.directory;
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = open_directory(&r->files, from != NULL);
  if ((code = comm_agree(c, code)) != EXIT_DONE)
    return code;
  if (c->rank == 0 && !scenario_cache(scenario, directory))
    fprintf(stderr, "throng: the roadmap could not be kept in %s: the next run makes it anew\n",
            directory);
  simulation_create(&r->simulation, scenario, c, backend, from ? &from->agents : NULL);
  code = run_all(r, options->threads, from);
  tables_destroy(&r->files.tables);
  report_destroy(&r->report);
  simulation_destroy(&r->simulation);
  memory_destroy(r->files.entries);
  return code;
}

static enum exit_code run_in(const char *directory, const struct comm *c, struct scenario *scenario,
                             const struct backend *backend, const struct run_options *options)
{
  const struct output_options *output = &scenario->output;
  struct run r = {.files = {.directory = directory,
                            .every = output->snapshot_every > 0
                                         ? steps_of(output->snapshot_every, scenario)
                                         : 0,
                            .series_every = steps_of(output->series_every, scenario)},
                  .stopping = {.since = options->since,
                               .max_wall = options->max_wall,
                               .checkpoints = output->checkpoint_wall},
                  .quiet = options->quiet};
  struct checkpoint from = {0};
  bool found = false;
  enum exit_code code = EXIT_DONE;
  stopping_create(&r.stopping, directory, c->rank == 0);
  checkpoints_create(&r.checkpoints, c, directory, scenario);
  if (options->restart)
    code = checkpoints_find(&r.checkpoints, options->restart, &from, &found);
  r.files.elsewhere = found && c->rank == 0 && strcmp(options->restart, "auto") != 0 &&
                      !directory_holds(directory, options->restart);
  comm_broadcast(c, &r.files.elsewhere, sizeof r.files.elsewhere, 0);
  if (code == EXIT_DONE)
    code = run_from(&r, scenario, backend, options, found ? &from : NULL);
  checkpoint_destroy(&from);
  checkpoints_destroy(&r.checkpoints);
  stopping_destroy(&r.stopping);
  return code;
}

enum exit_code run(const struct comm *c, struct scenario *scenario, const struct backend *backend,
                   const struct run_options *options)
{
  char *by_name = directory_file("runs", scenario->name);
  const char *directory = options->directory           ? options->directory
                          : scenario->output.directory ? scenario->output.directory
                                                       : by_name;
  if (options->steps >= 0)
    scenario->steps = options->steps;
  const enum exit_code code = run_in(directory, c, scenario, backend, options);
  free(by_name);
  return code;
}
