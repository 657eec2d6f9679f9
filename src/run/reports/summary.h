// What a run ends with: summary.json, and the summary on standard output. Rank 0 writes both.
#pragma once
#include "step_times.h"
#include "tables.h"

struct contact { // overlaps as a planner reads them
  double share;  // of the time that people spend inside, in which they overlap somebody
  struct overlap_record deepest;
};
// agent_steps: of the whole run. Counts the agents in the state before the first step and after
// every step; who enters is counted from then on. Collective.
struct contact summary_contact(const struct simulation *s, int64_t agent_steps);

struct summary {
  const char *directory;
  const struct tables *tables; // NULL: none
  const struct step_times *step_times;
  int threads;              // of a rank
  double waiting_for_cores; // share of the time of the rank that did so for longest
  int64_t agent_steps;
  double wall; // s
  uint64_t checksum;
  uint64_t identity; // of the scenario: fingerprint_hash
  struct observables observables;
  struct contact contact;
};

// False after a message: the file cannot be written.
bool summary_write(const struct summary *m, const struct simulation *s);
void summary_print(const struct summary *m, const struct simulation *s);
