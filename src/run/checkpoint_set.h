// The checkpoints of a run: the newest checkpoint-STEP.h5 in its directory, two or more. If the
// newest is damaged, a restart falls back to the one before.
#pragma once
#include "checkpoint_file.h"
#include "simulation.h"

struct checkpoint_set {
  const struct comm *comm;
  const char *directory;         // NULL: none can be written, and none is the newest
  char *fingerprint;             // scenario_fingerprint
  int64_t steps;                 // last step of the run
  int64_t every;                 // steps; 0: none by step
  int64_t keep;                  // how many are kept
  bool replays;                  // set by checkpoint_set_find_before
  int64_t newest, second_newest; // steps of two good checkpoints; -1: none
};
bool checkpoint_set_is_valid(const struct checkpoint_set *k);

void checkpoint_set_create(struct checkpoint_set *k, const struct comm *comm, const char *directory,
                           const struct scenario *s);
void checkpoint_set_destroy(struct checkpoint_set *k);

// Writes a checkpoint with the gathered state; then deletes older ones. EXIT_IO after a
// message. Collective.
enum exit_code checkpoint_set_write(struct checkpoint_set *k, struct simulation *s,
                                    struct state *state);

// Reads the checkpoint to continue from. restart: a file, or "auto" for the newest good one of the
// directory; damaged ones are reported. *found false with EXIT_DONE: no checkpoint, start at step
// 0. EXIT_CORRUPT_DATA: none is good. EXIT_BAD_INPUT: no such file, or of another scenario.
// Collective.
enum exit_code checkpoint_set_find(struct checkpoint_set *k, const char *restart,
                                   struct checkpoint *from, bool *found);
// The same for a replay: the newest good one of another run's directory up to the step. None is no
// error. From then on the options of measure and alarms may differ from the checkpoint's.
enum exit_code checkpoint_set_find_before(struct checkpoint_set *k, const char *directory,
                                          int64_t step, struct checkpoint *from, bool *found);
