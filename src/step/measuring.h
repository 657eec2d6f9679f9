// What one rank counts while it steps: crossings, fields, travel times, alarms, and the audit.
#pragma once
#include "alarms.h"
#include "audit.h"
#include "state.h"
#include "travel.h"
#include "tree.h"

struct measuring {
  const struct scenario *scenario;
  const struct comm *comm;
  int64_t *crossed;          // [2 * lines] forward and backward over each, by this rank so far
  struct measure_sum *cells; // [cells] of this rank since the last file; NULL: no fields
  int64_t sample;            // steps between looks at the cells
  int64_t samples;           // since the last file
  struct travel travel;      // of those who arrived on this rank
  struct alarms alarms;
  struct audit audit;
  int64_t found[AUDIT_KINDS]; // by the audit, summed over ranks and steps
  int64_t last_arrival;       // steps made when somebody last arrived, on any rank; 0: nobody
};

void measuring_create(struct measuring *m, const struct scenario *scenario,
                      const struct comm *comm);
void measuring_destroy(struct measuring *m);
void measuring_visit(struct measuring *m, struct state *v); // what a checkpoint keeps. Collective

// The parts of a step. step: the number of the step that is made; tree: over the agents as they
// stood when it began.
void measuring_choices(struct measuring *m, struct agents *a, int64_t step);
// Before the move, where the step saw an overlap. crowd: as it stands.
void measuring_overlap(struct measuring *m, const struct neighbours *crowd, const struct agents *a,
                       int64_t step);
void measuring_moves(struct measuring *m, const struct tree *tree, const struct agents *a,
                     int64_t step);
void measuring_leave(struct measuring *m, const struct agents *a, int64_t i, int64_t step);
// After it; step: the number of steps made. Collective.
void measuring_state(struct measuring *m, const struct agents *a, int64_t step);
bool measuring_wants_all(const struct measuring *m, int64_t step); // else held people are enough
// counts[AUDIT_KINDS]: of the step, summed over the ranks. Ends the run with EXIT_OUR_FAULT when
// the state makes no sense any more. Collective.
void measuring_judge(struct measuring *m, const int64_t *counts);

// The first offender of all ranks; step INT64_MAX: there is none. Collective.
struct offender measuring_first(const struct measuring *m);
struct offender measuring_first_overlap(const struct measuring *m);
// "agent 7 has gone through a wall at (1.000, 2.000) m in step 12"
void offender_text(const struct offender *one, const struct frame *frame, char *text, size_t size);
