// `throng run`: the loop over the steps and the files of a run's directory.
#pragma once
#include "backend.h"
#include "comm.h"
#include "scenario.h"

struct run_options {
  const char *directory; // NULL: the scenario's, or runs/<name>
  int64_t steps;         // < 0: the scenario's
  int threads;
  bool quiet;
  const char *restart;  // a checkpoint, or "auto": the newest good one; NULL: from the start
  double max_wall;      // s since then the run ends with a checkpoint; 0: without limit
  double program_start; // wall clock of the program's start, s
};

// Collective; every rank returns the same.
enum exit_code run(const struct comm *c, struct scenario *scenario, const struct backend *backend,
                   const struct run_options *options);
