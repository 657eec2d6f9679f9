// The reports of a run: series.csv, log.jsonl, summary.json, the progress line and the summary on
// standard output. Rank 0 writes; all ranks take part in the reductions.
#pragma once
#include "series.h"
#include "step_times.h"
#include "tables.h"
#include "thread_waits.h"
#include <stdio.h>

struct report {
  struct series series;
  struct append_file log;
  char *directory;
  bool quiet, rewrites;                    // rewrites: the progress line
  double started, last_progress, last_log; // clock_seconds; started: minus the time before restart
  int64_t last_log_step, agent_steps, logged_agent_steps;
  struct step_times step_times;
  struct thread_waits thread_waits; // of this process
  int threads;
  uint64_t identity;           // of the scenario, for the summary: fingerprint_hash
  const struct tables *tables; // for the log and the summary
  int64_t most_in_walls;       // maximum over the rows of series.csv of agents inside obstacles
};

// EXIT_IO, after a message: a file cannot be written; equal on every rank. resuming: keeps the
// existing files; the caller then reads a checkpoint by report_visit. Collective.
enum exit_code report_create(struct report *r, const struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming);
void report_visit(struct report *r, const struct simulation *s, struct state *v);
bool report_resume(const struct report *r);                     // append_file_resume of its files
void report_step(struct report *r, const struct simulation *s); // counts and shows progress
// s that the last step took, with its files, but without a checkpoint.
void report_step_time(struct report *r, const struct simulation *s, double seconds);
// Begins the row of the present step in series.csv and logs it. Collective.
enum exit_code report_series(struct report *r, const struct simulation *s);
// Logs that the run stops early after this step, and by what; after the checkpoint, so that a run
// that continues forgets it. Collective.
void report_stop(struct report *r, const struct simulation *s, const char *reason);
// Completes that row, after the next step (series.h). Collective.
enum exit_code report_complete_series(struct report *r, const struct simulation *s);
// Writes summary.json and prints the summary, after simulation_count_overlaps. Collective.
enum exit_code report_finish(struct report *r, const struct simulation *s, uint64_t checksum);
void report_destroy(struct report *r);
