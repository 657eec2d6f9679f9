// series.csv: what happened in some steps, and the state after each of them.
//
// The overlaps of a state are counted by the search for neighbours, which is a part of the next
// step. So a row is begun after its step and completed after the next one; in between it is kept,
// also in checkpoints. After the last step simulation_count_overlaps takes the place of the search.
#pragma once
#include "append_file.h"
#include "simulation.h"

struct series_row {
  bool begun;
  int64_t step, arrived;   // arrived: up to that step
  double time;             // s
  struct step_totals last; // of that step
  double mean_speed, net_speed, imbalance;
  int64_t agents_in_walls;
};

struct series { // on rank 0: the file; on every rank: the row
  struct append_file file;
  struct series_row row;
};

bool series_open(struct series *t, const char *directory, bool resuming); // rank 0; false: errno
void series_visit(struct series *t, struct state *v);
void series_begin_row(struct series *t, const struct simulation *s, const struct observables *o);
// Writes the row that was begun, if there is one. Returns whether rank 0 could; else errno is set.
// Collective.
bool series_complete_row(struct series *t, const struct simulation *s);
