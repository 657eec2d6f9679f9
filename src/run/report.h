// What a run writes besides snapshots: series.csv, log.jsonl, summary.json and the progress line.
// Rank 0 writes; the others take part where numbers are put together.
#pragma once
#include "tables.h"
#include <stdio.h>

struct report {
  struct append_file series, log;
  char *directory;
  bool quiet, terminal;
  double started, last_progress, last_log; // s, wall clock; started: less what was spent before
  int64_t last_log_step, agent_steps, logged_agent_steps;
  int threads;
  const struct tables *tables; // for the summary; NULL: none
  int64_t most_in_walls;       // agents inside obstacles at once, at any line of the series
};

// Collective. EXIT_IO after a message when a file cannot be written; the same on every rank.
// resuming: from a checkpoint, report_visit comes next.
enum exit_code report_create(struct report *r, const struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming);
void report_visit(struct report *r, const struct simulation *s, struct state *v);
bool report_resume(const struct report *r);                     // append_file_resume of its files
void report_step(struct report *r, const struct simulation *s); // counts, shows progress
enum exit_code report_series(struct report *r, struct simulation *s); // collective
// Collective; ends the run with summary.json and a few lines on standard output.
enum exit_code report_finish(struct report *r, struct simulation *s);
void report_destroy(struct report *r);

const char *report_version(void); // "0.2.0 (abc1234)"
