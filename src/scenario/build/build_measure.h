// Lines, areas and the grid to measure, from the options to quanta. Needs the walls.
#pragma once
#include "demand_input.h"
#include "measure.h"

// False if there were errors; call measure_destroy in any case.
bool build_measure(struct measure *m, const struct demand_input *in, struct diagnostics *p);
// Memory of its sums on each of so many ranks, if there are people everywhere.
double measure_bytes(const struct measure *m, const struct config *c, int ranks);
// Of the totals that rank 0 gathers at the end of the run, if there were people everywhere.
double measure_gathered_bytes(const struct measure *m, const struct config *c, int ranks);
