// A run: a simulation, its files and its checkpoints. `throng run`, `throng replay` and the library
// (library/throng.h) are its users.
#pragma once
#include "backend.h"
#include "comm.h"
#include "scenario.h"
#include "simulation.h"

struct run_options {
  const char *directory; // of the files; NULL: none are written, and the run cannot be resumed
  int64_t steps;         // < 0: the scenario's
  int threads;
  bool quiet;
  const char *restart;  // a checkpoint, or "auto": the newest good one; NULL: starts at step 0
  const char *replays;  // the directory of the run of which this replays a part; NULL: none
  int64_t replay_from;  // step from which on files are written
  uint64_t identity;    // fingerprint_hash of the scenario of that run
  double max_wall;      // s after program_start the run ends with a checkpoint; 0: no limit
  double program_start; // clock_seconds
};

struct run;

// The functions with an exit code are collective, and every rank returns the same. Other codes than
// EXIT_DONE come after a message.

// Creates the simulation in its first state or in that of a checkpoint, and begins the files. comm,
// scenario and the strings of options must outlive the run. Call run_destroy in any case.
enum exit_code run_create(struct run **run, const struct comm *comm, struct scenario *scenario,
                          const struct backend *backend, const struct run_options *options);
void run_destroy(struct run *r); // NULL: nothing

// Advances the run by that many steps, or less: to its end, or to a request to stop, after which
// there is a checkpoint and the code is EXIT_RESUMABLE; with files, no step may follow then.
enum exit_code run_advance(struct run *r, int64_t steps);
enum exit_code run_checkpoint(struct run *r); // of the present state. EXIT_BAD_INPUT: no directory
enum exit_code run_finish(struct run *r);     // after the last step: the last files, the summary
struct simulation *run_simulation(struct run *r);

// The directory of a run that the user gave none: the scenario's, or runs/NAME. The caller frees
// it.
char *run_default_directory(const struct scenario *s);
