// The zones of a scenario.
#pragma once
#include "demand_input.h"
#include "environment.h"
#include <stdio.h>

// Adds the zones to the environment and to the world, including its navigation grid if it exists
// already; fields must come later. False if there were errors.
bool build_zones(const struct demand_input *in, struct environment *environment,
                 struct world *world, struct diagnostics *p);

void zones_describe(const struct config *c, FILE *out); // for `throng check`
