// Travel times that follow the crowd (Treuille, Cooper, Popovic 2006, eq. 4): a metre costs
// (length f + time + discomfort g) / f, where g is the density and f the share of their free speed
// that agents reach, by density and as measured.
#pragma once
#include "world_events.h"

// Solves the fields that follow the crowd for where agents are now; with all, because the grid or
// an exit has changed, the other fields, too. Collective.
void dynamic_travel_times_update(struct world_events *c, const struct world_events_input *in,
                                 bool all);

// Reads or writes the last counts of agents. Travel times follow from them, the grid and the open
// exits, which have not changed since: when they change, all fields are solved.
void dynamic_travel_times_visit(struct world_events *c, const struct scenario *s, struct state *v);
// Solves all fields from these counts. Collective.
void dynamic_travel_times_restore(struct world_events *c, const struct world_events_input *in);
