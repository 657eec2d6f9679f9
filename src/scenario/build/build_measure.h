// What a scenario wants to be measured: its words into lines, areas and a grid in quanta.
#pragma once
#include "demand.h"
#include "measure.h"

// False when there are problems; measure_destroy it in any case. Needs the walls.
bool build_measure(struct measure *m, const struct demand_input *in, struct diagnostics *p);
size_t measure_bytes(const struct measure *m, const struct config *c); // of its sums, on each rank
