// What one rank measures while it steps: line crossings, density fields, travel times, alarms and
// the audit.
#pragma once
#include "alarms.h"
#include "audit.h"
#include "box_tree.h"
#include "cell_totals.h"
#include "net_speed.h"
#include "people.h"
#include "state.h"
#include "travel_times.h"

struct measurements {
  const struct scenario *scenario;
  const struct comm *comm;
  int64_t *crossed;          // [2 * lines] forward, backward: crossings on this rank so far
  struct measure_sum *cells; // [cells] sums on this rank since the last file; NULL: no fields
  int64_t sample;            // steps between samples of the cells
  int64_t samples;           // samples since the last file
  struct cell_totals totals; // of the whole run
  struct cell_count *shared; // [shared_capacity] scratch of a sample: cells shared with other ranks
  int64_t shared_capacity;
  struct travel_times travel_times; // of agents that arrived on this rank
  struct alarms alarms;
  struct people people; // that left, where each is listed
  struct audit audit;
  int64_t audit_totals[AUDIT_KINDS]; // violations, summed over ranks and steps
  int64_t net_window;                // steps of a window of the net speed
  struct net_speed net_speed;        // of the last window, on this rank; no agents: none yet
  int64_t last_arrival;              // steps made when an agent last arrived, on any rank; 0: never
};

void measurements_create(struct measurements *m, const struct scenario *scenario,
                         const struct comm *comm);
void measurements_destroy(struct measurements *m);
// Reads or writes what a checkpoint keeps. Collective.
void measurements_visit(struct measurements *m, struct state *v);

// The parts of a step. step: its number; tree: over the agents where they stood at its start.
// Before the move, when the step has counted overlaps: records the first one.
void measurements_record_overlap(struct measurements *m, const struct neighbours *neighbours,
                                 const struct agents *a, int64_t step);
// After the move: who has crossed which line. Needs the fastest speed of the audit.
void measurements_record_moves(struct measurements *m, const struct box_tree *tree,
                               const struct agents *a);
void measurements_record_departure(struct measurements *m, const struct agents *a, int64_t i,
                                   int64_t step);
// The caller has removed agent i after so many steps.
void measurements_record_removal(struct measurements *m, const struct agents *a, int64_t i,
                                 int64_t step);
// After the move: whether the cells are counted after so many steps, and counts them. own: the box
// of this rank, in which no other one has agents. Collective.
bool measurements_cells_due(const struct measurements *m, int64_t step);
void measurements_count_cells(struct measurements *m, const struct cell_source *source,
                              struct box own, int64_t step);
// Whether a window of the net speed ends at that step, and which.
bool measurements_window_ends(const struct measurements *m, int64_t step);
struct net_speed_window measurements_window(const struct measurements *m, int64_t step);
// counts[AUDIT_KINDS]: violations of the step, summed over the ranks. Ends the run with
// EXIT_INTERNAL_ERROR when an agent has escaped or is not finite. Collective.
void measurements_check_audit(struct measurements *m, const int64_t *counts);

// The first violation on any rank; step INT64_MAX: none. Collective.
struct violation measurements_first_offender(const struct measurements *m);
struct violation measurements_first_overlap(const struct measurements *m);
// "agent 7 has gone through a wall at (1.000, 2.000) m in step 12"
void offender_text(const struct violation *one, const struct frame *frame, char *text, size_t size);
