// What the scaling benchmark measures, and a model of the time of a step:
//   T = I n t_a + g (t_g + exchange) + 2 nb alpha + g b / beta + 2 log2(P) alpha
// of n agents per rank, g ghosts, nb neighbour ranks, b bytes per ghost and P ranks. I: imbalance,
// maximum over mean. alpha, beta: latency and bandwidth of the network. t_a, t_g: time per agent
// and per ghost, fitted to the CPU time of all rows, whether or not ranks share cores.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define SCALE_DENSITY 1.0 // agents/m^2

// Parts of a step.
enum scale_part {
  SCALE_COMPUTE,
  SCALE_GHOSTS,
  SCALE_WAITING,
  SCALE_MIGRATION,
  SCALE_BALANCE,
  SCALE_OUTPUT,
  SCALE_PARTS
};

struct scale_row {
  bool weak;
  int ranks, threads;
  int64_t agents;
  double step;                    // s, of the slowest rank
  double parts[SCALE_PARTS];      // s per step, mean over ranks; SCALE_COMPUTE: of CPU time;
                                  // SCALE_OUTPUT: one snapshot
  double ghosts, ghosts_expected; // per step, of all ranks
  double imbalance;               // computing time: maximum over mean
  double width;                   // of the halo, m
  bool own_cores;                 // no two threads share a core
};

struct scale_model {
  double t_a, t_g, alpha, beta, imbalance; // s, s, s, bytes/s, 1
  double exchange;                         // s: to send and receive a ghost, besides t_g
  double width, bytes;                     // of the halo, m; of a ghost
};

// Fits t_a and t_g to the rows of one thread.
void scale_model_fit(struct scale_model *m, const struct scale_row *rows, int count);
// With the error of each row of one thread.
void scale_model_print_check(const struct scale_model *m, const struct scale_row *rows, int count);
void scale_model_print(const struct scale_model *m); // with predictions for many cores
