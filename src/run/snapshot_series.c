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

bool snapshot_series_is_valid(const struct snapshot_series *series)
{
  for (int64_t i = 1; i < series->count; i++)
    if (series->entries[i].step < series->entries[i - 1].step)
      return false;
  return series->directory && series->every >= 0 && series->count <= series->capacity;
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

static bool write_xdmf(const struct snapshot_series *series, const struct simulation *s)
{
  char *path = run_directory_file(series->directory, "snapshots.xdmf");
  const bool good = snapshots_write_xdmf(path, series->entries, series->count, "walls.vtkhdf",
                                         &s->scenario->walls);
  free(path);
  return good;
}

static bool add_entry(struct snapshot_series *series, const struct simulation *s, int64_t agents)
{
  const struct output_options *output = &s->scenario->output;
  reserve(series, series->count + 1);
  series->entries[series->count++] = (struct snapshot_entry){s->step, simulation_time(s), agents,
                                                             output->selection.fields, output->f64};
  assert(snapshot_series_is_valid(series));
  return write_xdmf(series, s);
}

enum exit_code snapshot_series_write(struct snapshot_series *series, struct simulation *s)
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
      .version = build_info_full(),
      .checksum = simulation_checksum(s),
      .f64 = scenario->output.f64,
      .compression = scenario->output.compression,
      .selection = scenario->output.selection};
  int64_t written = 0;
  snapshot_file_name(s->step, name, sizeof name);
  char *path = run_directory_file(series->directory, name);
  const enum snapshot_result result =
      snapshot_write(s->comm, path, &metadata, &s->partition, &s->agents, &written);
  free(path);
  bool is_listed = true;
  if (result == SNAPSHOT_WRITTEN && s->comm->rank == 0)
    is_listed = add_entry(series, s, written);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return comm_agree(s->comm, result == SNAPSHOT_FAILED || !is_listed ? EXIT_IO : EXIT_DONE);
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
  const int64_t count = state_length(v, "snapshots.count", series->count);
  reserve(series, count + 1);
  series->count = v->comm->rank == 0 ? count : 0;
  struct snapshot_entry *e = series->entries;
  state_field(v, STATE_ROOT, e, step, "snapshots.step", series->count);
  state_field(v, STATE_ROOT, e, time, "snapshots.time", series->count);
  state_field(v, STATE_ROOT, e, agent_count, "snapshots.agents", series->count);
  state_field(v, STATE_ROOT, e, fields, "snapshots.fields", series->count);
  state_field(v, STATE_ROOT, e, f64, "snapshots.f64", series->count);
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

bool snapshot_series_resume(const struct snapshot_series *series, const struct simulation *s)
{
  report_missing(series);
  // An unlisted snapshot of the checkpoint's own step is the last state of a shorter run.
  const bool is_listed = series->count > 0 && series->entries[series->count - 1].step == s->step;
  run_directory_remove_after(series->directory, "snapshot", is_listed ? s->step : s->step - 1);
  return series->count == 0 || write_xdmf(series, s);
}
