// The preferred velocities of agents that follow fields, in vectors of each width.
#pragma once
#include "agents.h"
#include "world.h"

// As preferred_velocities of struct navigation_model.
typedef void field_velocities(const struct world *w, const struct navigation_input *in,
                              struct agents *a, int64_t first, int64_t end);
field_velocities field_velocities_1, field_velocities_4, field_velocities_8, field_velocities_16;
