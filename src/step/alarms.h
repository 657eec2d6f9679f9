// Alarms: cells that are too dense and agents that are blocked for long. Each is raised once until
// it clears.
#pragma once
#include "agents.h"
#include "record_list.h"
#include "scenario.h"

enum alarm_kind { ALARM_DENSITY, ALARM_JAM, ALARM_KINDS };
extern const char *const alarm_names[ALARM_KINDS];

struct alarm {
  int64_t step;
  int64_t kind, id; // number of the cell or id of the agent
  double x, y;      // m, input coordinates: centre of the cell or position of the agent
  double value;     // persons/m^2, or s blocked
};

struct alarms {
  const struct scenario *scenario;
  const struct comm *comm;
  int64_t every;              // steps between checks of the cells
  int32_t blocked_limit;      // blocked steps that raise an alarm; 0: none do
  struct record_list pending; // of struct alarm
  int32_t *cell_counts;       // [cells] 0 between checks; NULL: cells are not checked
  struct cell_list occupied;  // the cells whose count is not 0
  uint8_t *raised;            // [cells] on rank 0: the alarm has not cleared
  struct cell_list uncleared; // the cells that are raised
};

void alarms_create(struct alarms *w, const struct scenario *scenario, const struct comm *comm);
void alarms_destroy(struct alarms *w);
// Reads or writes what a checkpoint keeps; pending alarms go to rank 0. Collective.
void alarms_visit(struct alarms *w, struct state *v);
// Raises alarms for the agents of a that are blocked for long.
void alarms_check_blocked(struct alarms *w, const struct agents *a, int64_t step);
// Whether the cells are checked after so many steps, and checks them. Collective.
bool alarms_cells_due(const struct alarms *w, int64_t step);
void alarms_check_cells(struct alarms *w, const struct cell_source *source, int64_t step);

// Takes the pending alarms of all ranks, ordered by (step, kind, id). On rank 0 list[*count], which
// the caller frees with memory_destroy; elsewhere NULL and 0. Collective.
struct alarm *alarms_collect(struct alarms *w, int64_t *count);
