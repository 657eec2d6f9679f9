// The checkpoints of a run: checkpoint-STEP.h5 in its directory, the two newest of them.
#pragma once
#include "checkpoint_file.h"
#include "simulation.h"

struct checkpoint_set {
  const struct comm *comm;
  const char *directory;
  char *fingerprint;             // of the scenario when it was read
  int64_t steps;                 // after so many the run ends
  int64_t every;                 // steps; 0: none
  int64_t newest, second_newest; // steps of the two known to be good; -1: none
};

void checkpoint_set_create(struct checkpoint_set *k, const struct comm *comm, const char *directory,
                           const struct scenario *s);
void checkpoint_set_destroy(struct checkpoint_set *k);

// Writes one of the state, which was gathered; once it is complete all but the two newest go.
// EXIT_IO after a message. Collective.
enum exit_code checkpoint_set_write(struct checkpoint_set *k, struct simulation *s,
                                    struct state *state);

// The one to go on from. wanted: a file, or "auto", the newest good one of the directory; whatever
// is no good is told. *found false: there is none, begin at the start. EXIT_CORRUPT_DATA: none of
// them is good; EXIT_BAD_INPUT: of another world, or no such file. Collective.
enum exit_code checkpoint_set_find(struct checkpoint_set *k, const char *wanted,
                                   struct checkpoint *from, bool *found);
