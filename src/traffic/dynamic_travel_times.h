// Travel times for the crowd as it stands and walks now, in the manner of continuum crowds
// (Treuille, Cooper, Popovic 2006): a metre costs (length f + time + discomfort g) / f, with f the
// share of their speed that people can walk at, by density g and as they do walk.
#pragma once
#include "world_events.h"

// Solves all fields anew, those that follow the crowd for the crowd. all: the ground or an exit has
// changed; else only those that follow the crowd. Collective.
void dynamic_travel_times_update(struct world_events *c, const struct world_events_input *in,
                                 bool all);

// The people counted for it last are all that travel times follow from, besides the ground and the
// open exits, which have not changed since: whenever they do, all fields are solved.
void dynamic_travel_times_visit(struct world_events *c, const struct scenario *s, struct state *v);
// The same fields once more, from those counts. Collective.
void dynamic_travel_times_restore(struct world_events *c, const struct world_events_input *in);
