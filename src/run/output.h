// The files of a run besides its checkpoints: reports, tables, snapshots, density fields, the
// trajectory.
#pragma once
#include "file_turns.h"
#include "recording.h"
#include "report.h"
#include "simulation.h"
#include "snapshot_series.h"
#include "tables.h"
#include "worker.h"

struct output {
  struct worker *writer; // writes large files while the run goes on; NULL: several ranks, which
                         // write together
  bool beside;           // files are written at any time; otherwise in turns with the steps
  struct file_turns turns;
  const char *directory;
  int64_t series_every; // steps
  double synced;        // when the files were put on the disk last, s
  struct snapshot_series snapshots;
  struct recording recording;
  struct report report;
  struct tables tables;
};

// The functions with an exit code are collective. EXIT_IO, after a message: a file cannot be
// written; equal on every rank.

// resuming: keeps the existing files; the caller then reads a checkpoint by output_visit. Call
// output_destroy in any case.
enum exit_code output_create(struct output *output, struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming);
void output_destroy(struct output *output); // after the last file is written

enum exit_code output_begin(struct output *output, struct simulation *s); // of the present state
// Of a run that continues from a checkpoint in another directory: without the present state.
enum exit_code output_begin_elsewhere(struct output *output, struct simulation *s);
// Whether a row of the series is written after that step.
bool output_series_due(const struct output *output, int64_t step);
enum exit_code output_add(struct output *output, struct simulation *s); // what is due in a step
// Continues to write unfinished files after a step. seconds: how long the step took.
enum exit_code output_write_pending(struct output *output, struct simulation *s, double seconds);
// The steps of a call need the cores. When a caller has been away for a while, files are written at
// any time.
void output_call_begins(struct output *output);
void output_call_ends(struct output *output);
// Before a checkpoint: all files so far are complete and on the disk.
enum exit_code output_keep(struct output *output, const struct simulation *s);
enum exit_code output_finish(struct output *output, struct simulation *s); // and the summary
// Of a run that stops before its end, and may go on from a checkpoint.
enum exit_code output_stop(struct output *output, struct simulation *s);

void output_visit(struct output *output, struct simulation *s, struct state *v);
// After reading a checkpoint of the current step: the files are what they were then.
enum exit_code output_resume(struct output *output, struct simulation *s);
