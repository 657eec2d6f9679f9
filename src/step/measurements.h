// What one rank counts while it steps: crossings, fields, travel times, alarms, and the audit.
#pragma once
#include "alarms.h"
#include "audit.h"
#include "box_tree.h"
#include "state.h"
#include "travel_times.h"

struct measurements {
  const struct scenario *scenario;
  const struct comm *comm;
  int64_t *crossed;          // [2 * lines] forward and backward over each, by this rank so far
  struct measure_sum *cells; // [cells] of this rank since the last file; NULL: no fields
  int64_t sample;            // steps between looks at the cells
  int64_t samples;           // since the last file
  struct travel_times travel_times; // of those who arrived on this rank
  struct alarms alarms;
  struct audit audit;
  int64_t audit_totals[AUDIT_KINDS]; // by the audit, summed over ranks and steps
  int64_t last_arrival; // steps made when somebody last arrived, on any rank; 0: nobody
};

void measurements_create(struct measurements *m, const struct scenario *scenario,
                         const struct comm *comm);
void measurements_destroy(struct measurements *m);
void measurements_visit(struct measurements *m,
                        struct state *v); // what a checkpoint keeps. Collective

// The parts of a step. step: the number of the step that is made; tree: over the agents as they
// stood when it began.
void measurements_check_velocities(struct measurements *m, struct agents *a, int64_t step);
// Before the move, where the step saw an overlap. crowd: as it stands.
void measurements_record_overlap(struct measurements *m, const struct neighbours *neighbours,
                                 const struct agents *a, int64_t step);
void measurements_record_moves(struct measurements *m, const struct box_tree *tree,
                               const struct agents *a, int64_t step);
void measurements_record_departure(struct measurements *m, const struct agents *a, int64_t i,
                                   int64_t step);
// After it; step: the number of steps made. Collective.
void measurements_sample(struct measurements *m, const struct agents *a, int64_t step);
bool measurements_need_all_agents(const struct measurements *m,
                                  int64_t step); // else held people are enough
// counts[AUDIT_KINDS]: of the step, summed over the ranks. Ends the run with EXIT_INTERNAL_ERROR
// when the state makes no sense any more. Collective.
void measurements_check_audit(struct measurements *m, const int64_t *counts);

// The first offender of all ranks; step INT64_MAX: there is none. Collective.
struct violation measurements_first_offender(const struct measurements *m);
struct violation measurements_first_overlap(const struct measurements *m);
// "agent 7 has gone through a wall at (1.000, 2.000) m in step 12"
void offender_text(const struct violation *one, const struct frame *frame, char *text, size_t size);
