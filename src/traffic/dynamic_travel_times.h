// Travel times that follow the crowd (Treuille, Cooper, Popovic 2006, eq. 4): a metre costs
// (length f + time + discomfort g) / f, where g is the density and f the share of their free speed
// that agents reach, by density and as measured.
//
// Agents are counted once in a period. The new travel times are solved in parts while the agents
// still follow the old ones, and hold from a fixed step on: no step is much longer than the others,
// and the result depends neither on the machine nor on how much of the work a step does.
#pragma once
#include "world_events.h"

// NULL where travel times do not follow the crowd.
struct crowd_count *crowd_count_create(struct scenario *s, const struct comm *comm);
void crowd_count_destroy(struct crowd_count *q);

// Whether agents are counted before this step.
bool dynamic_travel_times_count_is_due(const struct world_events_input *in);
// Solves a part of the travel times, completes them or counts the agents, as is due. Collective.
void dynamic_travel_times_advance(struct world_events *c, const struct world_events_input *in);
// Solves all fields at once for where agents are now: the grid or an exit has changed. Collective.
void dynamic_travel_times_solve_all(struct world_events *c, const struct world_events_input *in);

// Reads or writes the counts of agents. Travel times follow from them, the grid and the open exits,
// which have not changed since: when they change, all fields are solved.
void dynamic_travel_times_visit(struct world_events *c, struct state *v);
// Solves all fields from these counts. Collective.
void dynamic_travel_times_restore(struct world_events *c, const struct world_events_input *in);
