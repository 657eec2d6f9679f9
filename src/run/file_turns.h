// When the files of a run are written: beside the steps, or in turns between them (worker.h). Where
// the steps take all cores, a turn fills what is missing to the time that a step may take, so that
// no step becomes much longer than others.
#pragma once
#include "base.h"

#define TURN_STEPS 8 // the last ones, of which the shortest counts

struct file_turns {
  bool all_cores;             // the loops of a step take them
  double seconds[TURN_STEPS]; // of the last steps, without the turns after them
  int64_t count;              // of steps so far
};

struct file_turn {
  bool beside;    // the files are written at any time
  double seconds; // otherwise: in a turn of this length; 0 or less: none
};

// seconds: how long the last step took. Returns how files are written until the next one.
struct file_turn file_turns_next(struct file_turns *t, double seconds);
