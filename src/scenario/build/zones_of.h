// The zones of a scenario: into the world, and in words.
#pragma once
#include "demand.h"
#include "plan.h"
#include <stdio.h>

// Adds them to the world: to its ground, when that is made already, before any field. False when
// there are problems.
bool zones_make(const struct demand_input *in, struct plan *plan, struct world *world,
                struct problems *p);

void zones_describe(const struct config *c, FILE *out);
