// Who may end a run early: SIGTERM, SIGINT, SIGUSR1, --max-wall and a file named `stop` in the
// run's directory. A signal may reach one rank alone and a clock may differ from the next, so each
// rank puts what it knows into one word, the words travel with the sums of a step, and all ranks
// act on what came out.
#pragma once
#include "base.h"

#define STOP_SIGNAL     ((int64_t)1) // of each rank that one has reached; below 2^32 ranks
#define STOP_MAX_WALL   ((int64_t)1 << 32)
#define STOP_FILE       ((int64_t)1 << 33)
#define CHECKPOINT_WALL ((int64_t)1 << 34) // no end: time for another checkpoint
#define STOP_ANY        (CHECKPOINT_WALL - 1)

struct termination {
  bool polls;                 // rank 0 looks at the clock and for the file, the others do not
  double program_start;       // wall clock of the program's start, s
  double max_wall;            // s; 0: without limit
  double checkpoint_interval; // s of wall time from one to the next; 0: none
  double last_checkpoint;     // wall clock of the last one
  double last_poll;           // for the file: at most once a second
  char *stop_file;            // free
};

// Signals are heard from now on. A second SIGTERM or SIGINT ends the program at once.
void termination_create(struct termination *s, const char *directory, bool polls);
void termination_destroy(struct termination *s);
int64_t termination_flags(struct termination *s); // of this rank, now
// Why, for people: of the words of all ranks. Removes the file if that was it.
const char *termination_reason(const struct termination *s, int64_t flags);
