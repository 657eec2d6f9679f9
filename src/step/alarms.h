// What a planner should be told at once: cells that are too full, people who do not get on. Each
// is told once until it clears. Alarms wait on their ranks and come together when rank 0 writes.
#pragma once
#include "agents.h"
#include "comm.h"
#include "scenario.h"
#include "state.h"

enum alarm_kind { ALARM_DENSITY, ALARM_JAM, ALARM_KINDS };
extern const char *const alarm_names[ALARM_KINDS];

struct alarm {
  int64_t step;
  int64_t kind, id; // of the cell or of the agent
  double x, y;      // m, input coordinates: the cell's middle, or where the agent is
  double value;     // persons/m^2, or s held up
};

struct alarms {
  const struct scenario *scenario;
  const struct comm *comm;
  int64_t every;         // steps between looks at the cells
  int32_t blocked_limit; // steps held up
  struct alarm *pending;
  int64_t count, capacity;
  int32_t *cell_counts; // [cells], of this moment; NULL: no look at cells
  uint8_t *raised;      // [cells], rank 0
};

void alarms_create(struct alarms *w, const struct scenario *scenario, const struct comm *comm);
void alarms_destroy(struct alarms *w);
// What a checkpoint keeps; those that wait come together on rank 0. Collective.
void alarms_visit(struct alarms *w, struct state *v);
void alarms_check(struct alarms *w, const struct agents *a, int64_t step); // collective
// Its two parts: those held up so long, among these; cells, by everybody, where they are looked at.
void alarms_check_blocked(struct alarms *w, const struct agents *a, int64_t step);
bool alarms_cells_due(const struct alarms *w, int64_t step);

// All that wait, of all ranks, in the order (step, kind, id): on rank 0 list[*count] (free it with
// memory_destroy), elsewhere NULL and 0. Collective.
struct alarm *alarms_collect(struct alarms *w, int64_t *count);
