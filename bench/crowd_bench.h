// Time of a step of the standard crowd, on one rank.
#pragma once
#include "backend.h"
#include "guidance.h"

enum bench_phase { NAVIGATION, INDEX, NEIGHBOURS, AVOIDANCE, MOVE, BENCH_PHASES };
extern const char *const bench_phase_names[BENCH_PHASES];

#define GUARANTEED "clearpath-guaranteed" // a method by this name: ClearPath-1

struct crowd_bench {
  int64_t agents, steps, warmup;
  double density; // agents/m^2
  int threads;
  bool mixed, density_speed, headway, spread, pillars, groups;
  enum guidance guidance;
  const char *method, *backend;
};

struct crowd_result {                 // of the steps after the warm-up
  double seconds[BENCH_PHASES], wall; // s
  double median;                      // s per step
  double infeasible_share;            // of agent-steps
  int64_t overlaps;                   // pairs, summed over the steps
  double memory_per_agent;            // bytes: the peak of the process
  uint64_t checksum;
  const struct backend *backend;
};

// Ends the program with a message if the method is unknown or the backend cannot run here.
struct crowd_result crowd_bench_run(const struct crowd_bench *b);
double crowd_bench_nanoseconds(const struct crowd_bench *b, double seconds); // per agent-step
void crowd_bench_print_json(const struct crowd_bench *b, const struct crowd_result *r);
