// The snapshots of a run: snapshot-STEP.vtkhdf, the walls file, and snapshots.xdmf, which lists
// them.
#pragma once
#include "simulation.h"
#include "snapshot.h"
#include "worker.h"

struct snapshot_series {
  const char *directory;
  int64_t every;                  // steps; 0: only the first and the last state
  struct snapshot_entry *entries; // [count] written so far; rank 0 only. A worker's while it writes
  int64_t count, capacity;
  int64_t listed_count; // in snapshots.xdmf
  double listed_time;   // when that was written, s
};

void snapshot_series_destroy(struct snapshot_series *series);
bool snapshot_series_is_valid(const struct snapshot_series *series); // sorted by step

// Collective. EXIT_IO, after a message: a file cannot be written; equal on every rank. A snapshot
// skipped for lack of space is no error.
enum exit_code snapshot_series_write_walls(const struct snapshot_series *series,
                                           const struct simulation *s);
// writer: writes the file while the run goes on, and has the code of a failure; needs one rank.
// NULL: the file is complete on return.
enum exit_code snapshot_series_write(struct snapshot_series *series, struct simulation *s,
                                     struct worker *writer);

// snapshots.xdmf is written at most once a second; this lists what is missing there. No snapshot
// may be under way. Collective.
enum exit_code snapshot_series_list(struct snapshot_series *series, const struct simulation *s);

void snapshot_series_visit(struct snapshot_series *series, struct state *v);
// After reading a checkpoint of the current step: deletes later snapshots and rewrites
// snapshots.xdmf. Rank 0. False after a message.
bool snapshot_series_resume(struct snapshot_series *series, const struct simulation *s);
