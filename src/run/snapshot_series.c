#include "snapshot_series.h"

#include "build_info.h"
#include "message.h"
#include "run_directory.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void snapshot_series_destroy(struct snapshot_series *series)
{
  memory_destroy(series->entries);
  *series = (struct snapshot_series){0};
}

static bool is_sorted(const struct snapshot_series *series)
{
  for (int64_t i = 1; i < series->count; i++)
    if (series->entries[i].step < series->entries[i - 1].step)
      return false;
  return true;
}

bool snapshot_series_is_valid(const struct snapshot_series *series)
{
  return is_sorted(series) && series->directory && series->every >= 0 &&
         series->count <= series->capacity;
}

static void reserve(struct snapshot_series *series, int64_t count)
{
  if (count <= series->capacity)
    return;
  const int64_t capacity = 2 * count + 16;
  series->entries = memory_grow(series->entries, (size_t)series->count, (size_t)capacity,
                                sizeof *series->entries);
  series->capacity = capacity;
}

#define LISTING_PERIOD 1 // s: each time all snapshots so far are listed

static bool write_xdmf(struct snapshot_series *series, const struct outlines *walls)
{
  char *path = run_directory_file(series->directory, "snapshots.xdmf");
  const bool good =
      snapshots_write_xdmf(path, series->entries, series->count, "walls.vtkhdf", walls);
  free(path);
  series->listed_count = series->count;
  series->listed_time = clock_seconds();
  return good;
}

static bool add_entry(struct snapshot_series *series, const struct snapshot_entry *entry,
                      const struct outlines *walls)
{
  reserve(series, series->count + 1);
  series->entries[series->count++] = *entry;
  assert(snapshot_series_is_valid(series));
  const bool is_due = series->count == 1 || clock_seconds() - series->listed_time >= LISTING_PERIOD;
  return !is_due || write_xdmf(series, walls);
}

enum exit_code snapshot_series_list(struct snapshot_series *series, const struct simulation *s)
{
  const bool lists = s->comm->rank == 0 && series->listed_count < series->count;
  const bool good = !lists || write_xdmf(series, &s->scenario->walls);
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

struct snapshot_job {
  struct snapshot_series *series;
  struct snapshot *snapshot;
  struct snapshot_entry entry;
  const struct outlines *walls;
  bool lists; // this rank lists it
};

// Writes the snapshot and lists it. Returns what this rank knows of failures.
static enum exit_code snapshot_job_do(void *context)
{
  struct snapshot_job *job = context;
  char name[64];
  snapshot_file_name(job->entry.step, name, sizeof name);
  char *path = run_directory_file(job->series->directory, name);
  const enum snapshot_result result = snapshot_end(job->snapshot, path);
  free(path);
  bool is_listed = true;
  if (result == SNAPSHOT_WRITTEN && job->lists)
    is_listed = add_entry(job->series, &job->entry, job->walls);
  memory_destroy(job);
  return result == SNAPSHOT_FAILED || !is_listed ? EXIT_IO : EXIT_DONE;
}

static struct snapshot_job *snapshot_job_create(struct snapshot_series *series,
                                                struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  const struct output_options *output = &scenario->output;
  const struct snapshot_metadata metadata = {
      .step = s->step,
      .time = simulation_time(s),
      .name = scenario->name,
      .attribution = scenario->attribution[0] ? scenario->attribution : NULL,
      .frame = &scenario->world.frame,
      .projection = scenario_projection(scenario),
      .scenario_text = scenario->text,
      .version = build_info_full(),
      .checksum = simulation_checksum(s),
      .f64 = output->f64,
      .compression = output->compression,
      .selection = output->selection};
  struct snapshot_job *job = memory_create(1, sizeof *job);
  *job = (struct snapshot_job){.series = series,
                               .walls = &scenario->walls,
                               .lists = s->comm->rank == 0,
                               .snapshot =
                                   snapshot_begin(s->comm, &metadata, &s->partition, &s->agents)};
  job->entry = (struct snapshot_entry){s->step, metadata.time, snapshot_agent_count(job->snapshot),
                                       output->selection.fields, output->f64};
  return job;
}

enum exit_code snapshot_series_write(struct snapshot_series *series, struct simulation *s,
                                     struct worker *writer)
{
  const double start = clock_seconds();
  struct snapshot_job *job = snapshot_job_create(series, s);
  enum exit_code code = EXIT_DONE;
  if (writer && snapshot_agent_count(job->snapshot) <= SNAPSHOT_COPIED_MAX) {
    snapshot_detach(job->snapshot);
    worker_add(writer, snapshot_job_do, job);
  } else {
    code = worker_wait(writer); // one thread at a time calls HDF5
    const enum exit_code written = comm_agree(s->comm, snapshot_job_do(job));
    code = code != EXIT_DONE ? code : written;
  }
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return code;
}

enum exit_code snapshot_series_write_walls(const struct snapshot_series *series,
                                           const struct simulation *s)
{
  char *path = run_directory_file(series->directory, "walls.vtkhdf");
  const enum snapshot_result result =
      snapshot_write_walls(s->comm, path, &s->scenario->world.frame, &s->scenario->walls);
  free(path);
  return result == SNAPSHOT_FAILED ? EXIT_IO : EXIT_DONE;
}

void snapshot_series_visit(struct snapshot_series *series, struct state *v)
{
  const int64_t count = state_length(v, "snapshots.count", series->count, 1);
  reserve(series, count + 1);
  series->count = v->comm->rank == 0 ? count : 0;
  struct snapshot_entry *e = series->entries;
  state_field(v, STATE_ROOT, STATE_COUNT, e, step, "snapshots.step", series->count);
  state_field(v, STATE_ROOT, STATE_FINITE, e, time, "snapshots.time", series->count);
  state_field(v, STATE_ROOT, STATE_COUNT, e, agent_count, "snapshots.agents", series->count);
  state_field(v, STATE_ROOT, ((struct state_range){0, (1 << SELECT_FIELDS) - 1}), e, fields,
              "snapshots.fields", series->count);
  state_field(v, STATE_ROOT, STATE_ANY, e, f64, "snapshots.f64", series->count);
  state_require(v, "snapshots.step", is_sorted(series));
}

// The result needs no snapshots, so the run continues.
static void report_missing(const struct snapshot_series *series)
{
  char name[64], first[64] = "";
  int64_t missing = 0;
  for (int64_t i = 0; i < series->count; i++) {
    snapshot_file_name(series->entries[i].step, name, sizeof name);
    char *path = run_directory_file(series->directory, name);
    if (access(path, F_OK) != 0 && missing++ == 0)
      memcpy(first, name, sizeof first);
    free(path);
  }
  if (missing)
    message_print("%s: %" PRId64 " of %" PRId64 " snapshots are missing, the first is %s",
                  series->directory, missing, series->count, first);
}

bool snapshot_series_resume(struct snapshot_series *series, const struct simulation *s)
{
  report_missing(series);
  // An unlisted snapshot of the checkpoint's own step is the last state of a shorter run.
  const bool is_listed = series->count > 0 && series->entries[series->count - 1].step == s->step;
  run_directory_remove_after(series->directory, "snapshot", is_listed ? s->step : s->step - 1);
  return series->count == 0 || write_xdmf(series, &s->scenario->walls);
}
