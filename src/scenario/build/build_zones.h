// The zones of a scenario: into the world, and in words.
#pragma once
#include "demand.h"
#include "environment.h"
#include <stdio.h>

// Adds them to the world: to its ground, when that is made already, before any field. False when
// there are problems.
bool build_zones(const struct demand_input *in, struct environment *environment,
                 struct world *world, struct diagnostics *p);

void zones_describe(const struct config *c, FILE *out);
