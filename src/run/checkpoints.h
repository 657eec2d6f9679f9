// The checkpoints of a run: checkpoint-STEP.h5 in its directory, the two newest of them.
#pragma once
#include "checkpoint_file.h"
#include "simulation.h"

struct checkpoints {
  const struct comm *comm;
  const char *directory;
  char *identity;        // of the scenario when it was read
  int64_t steps;         // after so many the run ends
  int64_t every;         // steps; 0: none
  int64_t newest, older; // steps of the two known to be good; -1: none
};

void checkpoints_create(struct checkpoints *k, const struct comm *comm, const char *directory,
                        const struct scenario *s);
void checkpoints_destroy(struct checkpoints *k);

// Writes one of the state, which was gathered; once it is complete all but the two newest go.
// EXIT_IO after a message. Collective.
enum exit_code checkpoints_write(struct checkpoints *k, struct simulation *s, struct state *state);

// The one to go on from. wanted: a file, or "auto", the newest good one of the directory; whatever
// is no good is told. *found false: there is none, begin at the start. EXIT_DAMAGED: none of them
// is good; EXIT_BAD_INPUT: of another world, or no such file. Collective.
enum exit_code checkpoints_find(struct checkpoints *k, const char *wanted, struct checkpoint *from,
                                bool *found);
