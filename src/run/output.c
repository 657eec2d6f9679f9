#include "output.h"

#include "run_directory.h"
#include "steps.h"
#include <math.h>
#include <omp.h>

static bool is_due(int64_t step, int64_t every)
{
  return every > 0 && step % every == 0;
}

enum exit_code output_create(struct output *output, struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming)
{
  const struct output_options *options = &s->scenario->output;
  const double dt = s->scenario->dt;
  *output = (struct output){.directory = directory,
                            .turns.all_cores =
                                !s->device_crowd && omp_get_max_threads() >= omp_get_num_procs(),
                            .writer = s->comm->size == 1 ? worker_create() : NULL,
                            .series_every = steps_period(options->series_every, dt)};
  output->snapshots.directory = directory;
  if (options->snapshot_every > 0)
    output->snapshots.every = steps_period(options->snapshot_every, dt);
  recording_create(&output->recording, s, directory);
  output->beside = !output->turns.all_cores;
  const enum exit_code code =
      report_create(&output->report, s, directory, threads, quiet, resuming);
  output->report.tables = &output->tables;
  return code == EXIT_DONE ? tables_create(&output->tables, s, directory, quiet, resuming) : code;
}

void output_destroy(struct output *output)
{
  worker_destroy(output->writer); // after its last file
  recording_destroy(&output->recording);
  tables_destroy(&output->tables);
  report_destroy(&output->report);
  snapshot_series_destroy(&output->snapshots);
}

static enum exit_code write_series(struct output *output, struct simulation *s)
{
  const enum exit_code code = tables_series(&output->tables, s); // its alarms are in the log
  return code == EXIT_DONE ? report_series(&output->report, s) : code;
}

enum exit_code output_begin(struct output *output, struct simulation *s)
{
  // What creates files itself comes before what a thread writes: one thread at a time calls HDF5.
  enum exit_code code = snapshot_series_write_walls(&output->snapshots, s);
  if (code == EXIT_DONE)
    code = recording_begin(&output->recording, s, output->writer);
  if (code == EXIT_DONE)
    code = write_series(output, s);
  if (code == EXIT_DONE)
    code = snapshot_series_write(&output->snapshots, s, output->writer);
  return code;
}

enum exit_code output_begin_elsewhere(struct output *output, struct simulation *s)
{
  output->snapshots.count = 0;
  const enum exit_code code = snapshot_series_write_walls(&output->snapshots, s);
  return code == EXIT_DONE ? recording_begin(&output->recording, s, output->writer) : code;
}

bool output_series_due(const struct output *output, int64_t step)
{
  return is_due(step, output->series_every);
}

enum exit_code output_add(struct output *output, struct simulation *s)
{
  enum exit_code code = EXIT_DONE;
  if (output_series_due(output, s->step))
    code = write_series(output, s);
  if (code == EXIT_DONE)
    code = tables_field(&output->tables, s, false, output->writer);
  if (code == EXIT_DONE && is_due(s->step, output->snapshots.every))
    code = snapshot_series_write(&output->snapshots, s, output->writer);
  if (code == EXIT_DONE)
    code = recording_add(&output->recording, s, output->writer);
  return code == EXIT_DONE && output->writer ? worker_code(output->writer) : code;
}

#define AWAY 0.01 // s: a caller that is away for so long leaves its cores

enum exit_code output_write_pending(struct output *output, struct simulation *s, double seconds)
{
  const struct file_turn turn = file_turns_next(&output->turns, seconds);
  if (!output->writer)
    return EXIT_DONE;
  const double start = clock_seconds();
  output->beside = turn.beside;
  worker_run_beside(output->writer, turn.beside ? 0 : INFINITY);
  worker_take_turn(output->writer, turn.seconds);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return worker_code(output->writer);
}

void output_call_begins(struct output *output)
{
  if (output->writer)
    worker_run_beside(output->writer, output->beside ? 0 : INFINITY);
}

void output_call_ends(struct output *output)
{
  if (output->writer)
    worker_run_beside(output->writer, output->beside ? 0 : clock_seconds() + AWAY);
}

static enum exit_code wait_for_files(struct output *output)
{
  return worker_wait(output->writer);
}

// All files so far are complete and on the disk.
static enum exit_code keep_files(struct output *output, const struct simulation *s)
{
  enum exit_code code = wait_for_files(output);
  if (code == EXIT_DONE)
    code = snapshot_series_list(&output->snapshots, s);
  if (code == EXIT_DONE)
    code = comm_agree(s->comm,
                      s->comm->rank > 0 || run_directory_sync(output->directory, &output->synced)
                          ? EXIT_DONE
                          : EXIT_IO);
  return code;
}

enum exit_code output_finish(struct output *output, struct simulation *s)
{
  enum exit_code code = EXIT_DONE;
  if (!output_series_due(output, s->step) && s->step > 0)
    code = write_series(output, s);
  if (code == EXIT_DONE)
    code = wait_for_files(output);
  if (code == EXIT_DONE)
    code = tables_field(&output->tables, s, true, NULL);
  // Not beside anything: it needs no copy of the agents.
  if (code == EXIT_DONE && !is_due(s->step, output->snapshots.every) && s->step > 0)
    code = snapshot_series_write(&output->snapshots, s, NULL);
  if (code != EXIT_DONE)
    return code;
  code = tables_totals(&output->tables, s);
  if (code == EXIT_DONE)
    code = recording_end(&output->recording, s);
  if (code != EXIT_DONE)
    return code;
  const uint64_t checksum = simulation_checksum(s);
  simulation_count_overlaps(s); // of the last state
  code = report_complete_series(&output->report, s);
  if (code == EXIT_DONE)
    code = tables_finish(&output->tables, s);
  if (code == EXIT_DONE)
    code = report_finish(&output->report, s, checksum);
  return code == EXIT_DONE ? keep_files(output, s) : code;
}

enum exit_code output_stop(struct output *output, struct simulation *s)
{
  enum exit_code code = wait_for_files(output);
  if (code == EXIT_DONE)
    code = tables_totals(&output->tables, s);
  return code == EXIT_DONE ? recording_end(&output->recording, s) : code;
}

// --------------------------------------------------------------------------------- checkpoints

enum exit_code output_keep(struct output *output, const struct simulation *s)
{
  const enum exit_code code = keep_files(output, s);
  return code == EXIT_DONE ? recording_save(&output->recording) : code;
}

void output_visit(struct output *output, struct simulation *s, struct state *v)
{
  report_visit(&output->report, s, v);
  tables_visit(&output->tables, s, v);
  snapshot_series_visit(&output->snapshots, v);
  recording_visit(&output->recording, v);
}

// Deletes what was written after the checkpoint. Rank 0.
static bool rewind_files(struct output *output, const struct simulation *s)
{
  const bool is_written = tables_field_written(&output->tables, s->step);
  run_directory_remove_final(output->directory);
  run_directory_remove_after(output->directory, "density", is_written ? s->step : s->step - 1);
  return snapshot_series_resume(&output->snapshots, s);
}

enum exit_code output_resume(struct output *output, struct simulation *s)
{
  enum exit_code code = recording_check(&output->recording, s->comm); // before anything changes
  if (code != EXIT_DONE)
    return code;
  const bool rewound = s->comm->rank > 0 || rewind_files(output, s);
  const bool resumed = report_resume(&output->report) && tables_resume(&output->tables);
  code = comm_agree(s->comm, rewound && resumed ? EXIT_DONE : EXIT_IO);
  if (code == EXIT_DONE)
    code = recording_resume(&output->recording);
  // Anew, since the file may have been lost or cut.
  return code == EXIT_DONE ? snapshot_series_write_walls(&output->snapshots, s) : code;
}
