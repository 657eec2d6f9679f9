// What the files of a run share.
#pragma once
#include "run.h"

#include "checkpoint_set.h"
#include "output.h"
#include "run_lock.h"
#include "termination.h"

struct run {
  const struct comm *comm;
  struct run_options options;
  const char *directory; // NULL: no files, no checkpoints
  bool other_directory;  // the checkpoint is of another directory: this one gets new files
  bool replays;          // a part of another run: no checkpoints
  bool finished;         // the last files are written: no step may follow
  bool has_simulation, has_output; // what is there to be destroyed
  struct simulation simulation;
  struct output output;
  struct checkpoint_set checkpoint_set;
  struct termination termination;
  struct run_lock *lock; // of the directory; rank 0
};

// Makes the directory, the simulation and its files. from: the checkpoint to continue from; NULL:
// starts at step 0. Collective.
enum exit_code run_start(struct run *r, struct scenario *scenario, const struct backend *backend,
                         struct checkpoint *from);

// The state of a checkpoint besides the agents; one order for writing and reading. Collective.
void run_visit(struct run *r, struct state *v);
enum exit_code run_write_checkpoint(struct run *r);
// A step, and whether the ranks were asked to stop.
bool run_step(struct run *r);
void run_report_stop(struct run *r);
