// What the files of a run tell about it, while it runs or afterwards. Nothing is written, and
// neither MPI nor HDF5 is needed.
#pragma once
#include "base.h"
#include "run_lock.h"
#include <stdio.h>

enum run_state {
  RUN_STARTING, // before its first line in log.jsonl
  RUN_RUNNING,
  RUN_FINISHED,
  RUN_STOPPED, // early, with a checkpoint
  RUN_FAILED,  // it ended in order, but has neither a result nor a checkpoint of its end
  RUN_DEAD     // killed, or its machine is gone
};

struct run_status {
  const char *directory; // as given
  enum run_state state;
  struct run_lock_owner owner; // all empty without a lock
  char *name, *stopped;        // stopped: by what; NULL: unknown
  // NaN: unknown. memory in bytes, of the largest rank.
  double step, steps, time, end, wall, eta, inside, arrived, speed, factor, memory, ranks, threads;
  double agents;                        // everybody who was inside; of a run that finished
  double densest, densest_x, densest_y; // persons/m^2 at a place in m
  double alarms_density, alarms_jam;    // counts
  char last_alarm[160];                 // empty: none
  double checkpoint;                    // step of the newest
  double checkpoint_age, log_age;       // s since the files were written
  double interval;                      // s between the last two lines of the log
  int damaged;                          // lines at the end of the log that are not JSON
};

// EXIT_DONE, or a code after a message: this is no run (EXIT_BAD_INPUT), its files cannot be read
// (EXIT_IO), or tell nothing (EXIT_CORRUPT_DATA). Destroy it in any case.
enum exit_code run_status_read(struct run_status *s, const char *directory);
void run_status_destroy(struct run_status *s);

bool run_status_is_over(const struct run_status *s);
enum exit_code run_status_code(const struct run_status *s); // of a run that is over
bool run_status_is_quiet(const struct run_status *s);       // running, without a word for long
// Why it finished before its last step; NULL: it did not.
const char *run_status_ending(const struct run_status *s);

void run_status_print(const struct run_status *s, FILE *out); // a screen
void run_status_print_line(const struct run_status *s, int width,
                           FILE *out);                             // width: of the folder
void run_status_print_json(const struct run_status *s, FILE *out); // a line
