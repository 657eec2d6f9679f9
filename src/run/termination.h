// Requests to end a run early: SIGTERM, SIGINT, SIGUSR1, SIGXCPU (ulimit -t), --max-wall and a file
// named `stop` in the run directory. A signal may reach a single rank and clocks differ, so the
// ranks must agree: each contributes flags to the sums of a step, and all act on the total.
#pragma once
#include "base.h"

#define STOP_SIGNAL     ((int64_t)1) // per signalled rank: bits 0 to 31 of the sum count them
#define STOP_MAX_WALL   ((int64_t)1 << 32)
#define STOP_FILE       ((int64_t)1 << 33)
#define CHECKPOINT_WALL ((int64_t)1 << 34) // does not stop: a checkpoint is due
#define STOP_ANY        (CHECKPOINT_WALL - 1)

struct termination {
  bool polls;                 // rank 0 polls the clock and the stop file
  double program_start;       // clock_seconds
  double max_wall;            // s; 0: no limit
  double checkpoint_interval; // s of wall time between checkpoints; 0: none by wall time
  double last_checkpoint;     // clock_seconds
  double last_poll;           // clock_seconds; limits file access to once per second
  char *stop_file;            // path; NULL: none
};

// Installs the signal handlers: first of all in the program, so that a signal in its first moments
// counts, too. A second SIGTERM or SIGINT ends the program at once.
void termination_catch_signals(void);

// The caller has set program_start, max_wall and checkpoint_interval. directory: NULL: none.
void termination_create(struct termination *t, const char *directory, bool polls);
void termination_destroy(struct termination *t);
int64_t termination_flags(struct termination *t); // of this rank
// Describes the summed flags for the user. Deletes the stop file if it was the reason.
const char *termination_reason(const struct termination *t, int64_t flags_all);
