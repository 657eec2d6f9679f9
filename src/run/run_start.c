// The beginning of a run: its directory, and the state of a checkpoint.
#include "run_internal.h"

#include "build_info.h"
#include "fingerprint.h"
#include "message.h"
#include "regular_file.h"
#include "restored.h"
#include "run_directory.h"
#include "utf8.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum exit_code restore_state(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  from->state.results_only = !r->has_output;
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

static enum exit_code report_damage(const struct run *r, const struct checkpoint *from, bool good,
                                    const char *reason)
{
  const int32_t reporter = comm_lowest_rank(r->comm, !good);
  if (r->comm->rank == reporter)
    message_print("the checkpoint of step %" PRId64 " is damaged: %s", from->step, reason);
  return reporter < r->comm->size ? EXIT_CORRUPT_DATA : EXIT_DONE;
}

static enum exit_code check_agents(const struct run *r, const struct scenario *s,
                                   const struct checkpoint *from)
{
  char reason[200] = "";
  const bool good = restored_agents_check(s, &from->agents, from->step, reason, sizeof reason);
  return report_damage(r, from, good, reason);
}

// The simulation becomes what it was at the checkpoint.
static enum exit_code restore(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  char reason[200] = "";
  enum exit_code code = restore_state(r, from);
  if (code != EXIT_DONE)
    return code;
  const bool good = restored_simulation_check(s, from->step, reason, sizeof reason);
  code = report_damage(r, from, good, reason);
  if (code != EXIT_DONE)
    return code;
  simulation_restore(s);
  code = report_damage(r, from, restored_waypoints_check(s, reason, sizeof reason), reason);
  if (code != EXIT_DONE)
    return code;
  const uint64_t checksum = simulation_checksum(s);
  if (checksum != from->checksum && s->comm->rank == 0)
    fail(EXIT_CORRUPT_DATA,
         "step %" PRId64 ": the restored state has checksum %016" PRIx64
         ", the checkpoint has %016" PRIx64,
         s->step, checksum, from->checksum);
  return code;
}

// ------------------------------------------------------------------------------------ files

// A new directory gets a copy of the checkpoint, which makes it resumable by itself.
static enum exit_code begin_elsewhere(struct run *r)
{
  const enum exit_code code = output_begin_elsewhere(&r->output, &r->simulation);
  return code == EXIT_DONE ? run_write_checkpoint(r) : code;
}

static enum exit_code resume(struct run *r, struct checkpoint *from)
{
  struct simulation *s = &r->simulation;
  enum exit_code code = restore(r, from);
  if (code == EXIT_DONE && r->has_output)
    code = r->other_directory ? begin_elsewhere(r) : output_resume(&r->output, s);
  if (code == EXIT_DONE && s->comm->rank == 0 && !r->options.quiet)
    printf("%s: continuing from step %" PRId64 " (%.1f s) with %" PRId64 " agents inside\n",
           printable(s->scenario->name).text, s->step, simulation_time(s), s->last.agents);
  return code;
}

// from: NULL: from the present state.
static enum exit_code begin_files(struct run *r, struct checkpoint *from)
{
  const bool resuming = from && !r->other_directory;
  struct simulation *s = &r->simulation;
  r->has_output = true;
  const enum exit_code code =
      output_create(&r->output, s, r->directory, r->options.threads, r->options.quiet, resuming);
  r->output.report.identity = fingerprint_hash(r->checkpoint_set.fingerprint);
  if (code != EXIT_DONE)
    return code;
  return from ? resume(r, from) : output_begin(&r->output, s);
}

// ----------------------------------------------------------------------------------- replay

// Steps without files up to the beginning of a replay. Stops early when asked to.
static enum exit_code approach(struct run *r, int64_t begin)
{
  const struct simulation *s = &r->simulation;
  while (s->step < begin && !simulation_is_over(s))
    if (run_step(r)) {
      run_report_stop(r);
      return EXIT_RESUMABLE;
    }
  if (s->step == begin)
    return EXIT_DONE;
  if (s->comm->rank == 0)
    message_print("the run was over after step %" PRId64 " (%.10g s), before the replay begins",
                  s->step, simulation_time(s));
  return EXIT_BAD_INPUT;
}

static enum exit_code begin_replay(struct run *r, struct checkpoint *from)
{
  enum exit_code code = from ? restore(r, from) : EXIT_DONE;
  if (code == EXIT_DONE)
    code = approach(r, r->options.replay_from);
  if (code != EXIT_DONE)
    return code;
  simulation_forget_measurements(&r->simulation);
  return begin_files(r, NULL);
}

// -------------------------------------------------------------------------------- directory

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

static void cache_roadmap(const struct run *r, const struct scenario *scenario)
{
  if (!scenario_cache_roadmap(scenario, r->directory))
    message_print("the roadmap could not be cached in %s: the next run builds it again",
                  r->directory);
}

// Anew for a run that continues: the file may have been lost or cut. Rank 0.
static enum exit_code write_map(const struct run *r, struct scenario *scenario)
{
  char *path = run_directory_file(r->directory, "map.geojson");
  char *unfinished = run_directory_file(r->directory, "map.geojson.tmp");
  FILE *file = regular_file_create(unfinished);
  bool good = file && scenario_write_map(scenario, file);
  if (file)
    good = fclose(file) == 0 && good;
  good = good && rename(unfinished, path) == 0;
  if (!good)
    message_print("%s: cannot be written: %s", path, strerror(errno));
  free(unfinished);
  free(path);
  return good ? EXIT_DONE : EXIT_IO;
}

enum exit_code run_start(struct run *r, struct scenario *scenario, const struct backend *backend,
                         struct checkpoint *from)
{
  const bool writes = r->directory && r->comm->rank == 0;
  enum exit_code code = writes ? prepare_directory(r, from && !r->replays) : EXIT_DONE;
  if (code == EXIT_DONE && writes && scenario->geometry)
    code = write_map(r, scenario);
  if ((code = comm_agree(r->comm, code)) != EXIT_DONE)
    return code;
  if (from && (code = check_agents(r, scenario, from)) != EXIT_DONE)
    return code;
  if (writes)
    cache_roadmap(r, scenario);
  r->has_simulation = true;
  simulation_create(&r->simulation, scenario, r->comm, backend, from ? &from->agents : NULL);
  scenario_forget_starts(scenario);
  if (r->replays)
    return begin_replay(r, from);
  if (r->directory)
    return begin_files(r, from);
  return from ? resume(r, from) : EXIT_DONE;
}
