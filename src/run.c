#include "run.h"

#include "directory.h"
#include "report.h"
#include "simulation.h"
#include "snapshot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct files { // the snapshots of a run so far, and its tables
  const char *directory;
  int64_t every, series_every; // steps; 0: only first and last
  struct snapshot_entry *entries;
  int64_t count, capacity;
  struct tables tables;
};

static bool list_snapshot(struct files *files, const struct simulation *s)
{
  if (files->count == files->capacity) {
    const int64_t larger = 2 * files->capacity + 16;
    files->entries =
        memory_grow(files->entries, (size_t)files->count, (size_t)larger, sizeof *files->entries);
    files->capacity = larger;
  }
  files->entries[files->count++] =
      (struct snapshot_entry){s->step, simulation_time(s), s->last.agents};
  char *path = directory_file(files->directory, "snapshots.xdmf");
  const bool good =
      snapshots_write_xdmf(path, files->entries, files->count, s->scenario->output.f64,
                           "walls.vtkhdf", &s->scenario->walls);
  free(path);
  return good;
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
                                       .compression = scenario->output.compression};
  snapshot_file_name(s->step, name, sizeof name);
  char *path = directory_file(files->directory, name);
  const enum snapshot_result result =
      snapshot_write(s->comm, path, &about, &s->partition, &s->agents);
  free(path);
  bool listed = true;
  if (result == SNAPSHOT_WRITTEN && s->comm->rank == 0)
    listed = list_snapshot(files, s);
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

static enum exit_code run_steps(struct files *files, struct report *report, struct simulation *s)
{
  enum exit_code code = write_walls(files, s);
  if (code == EXIT_DONE)
    code = write_series(files, report, s);
  if (code == EXIT_DONE)
    code = write_snapshot(files, s);
  while (code == EXIT_DONE && !simulation_is_over(s)) {
    simulation_step(s);
    report_step(report, s);
    code = write_due_files(files, report, s);
  }
  if (code == EXIT_DONE && !due(s->step, files->series_every) && s->step > 0)
    code = write_series(files, report, s);
  if (code == EXIT_DONE)
    code = tables_field(&files->tables, s, true);
  if (code == EXIT_DONE && !due(s->step, files->every) && s->step > 0)
    code = write_snapshot(files, s);
  return code;
}

static int64_t steps_of(double seconds, const struct scenario *scenario) // at least one
{
  const int64_t steps = llrint(fmin(seconds / scenario->dt, 1e15));
  return steps < 1 ? 1 : steps;
}

static enum exit_code run_in(const char *directory, const struct comm *c, struct scenario *scenario,
                             const struct backend *backend, const struct run_options *options)
{
  struct simulation simulation;
  struct report report;
  struct files files = {.directory = directory,
                        .every = scenario->output.snapshot_every > 0
                                     ? steps_of(scenario->output.snapshot_every, scenario)
                                     : 0,
                        .series_every = steps_of(scenario->output.series_every, scenario)};
  simulation_create(&simulation, scenario, c, backend);
  enum exit_code code =
      report_create(&report, &simulation, directory, options->threads, options->quiet);
  if (code == EXIT_DONE)
    code = tables_create(&files.tables, &simulation, directory, options->quiet);
  if (code == EXIT_DONE)
    code = run_steps(&files, &report, &simulation);
  if (code == EXIT_DONE)
    code = tables_finish(&files.tables, &simulation);
  report.tables = &files.tables;
  if (code == EXIT_DONE)
    code = report_finish(&report, &simulation);
  tables_destroy(&files.tables);
  report_destroy(&report);
  simulation_destroy(&simulation);
  memory_destroy(files.entries);
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
  const bool ready = c->rank > 0 || directory_prepare(directory);
  enum exit_code code = comm_agree(c, ready ? EXIT_DONE : EXIT_IO);
  if (code == EXIT_DONE && c->rank == 0 && !scenario_cache(scenario, directory))
    fprintf(stderr, "throng: the roadmap could not be kept in %s: the next run makes it anew\n",
            directory);
  if (code == EXIT_DONE)
    code = run_in(directory, c, scenario, backend, options);
  free(by_name);
  return code;
}
