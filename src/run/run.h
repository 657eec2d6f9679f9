// `throng run` and `throng replay`: the time loop and the files of the run directory.
#pragma once
#include "backend.h"
#include "comm.h"
#include "scenario.h"

struct run_options {
  const char *directory; // NULL: the scenario's, or runs/<name>
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

// Runs the scenario to its end or until a stop request. Collective; every rank returns the same.
enum exit_code run(const struct comm *c, struct scenario *scenario, const struct backend *backend,
                   const struct run_options *options);
