// The preferred velocities of agents that follow fields or walk straight to their goals, in vectors
// of each width.
#pragma once
#include "agents.h"
#include "kept_corners.h"
#include "world.h"

// As preferred_velocities of struct navigation_model.
typedef void preferred_velocities_function(const struct world *w, const struct navigation_input *in,
                                           struct agents *a, int64_t first, int64_t end);
preferred_velocities_function direct_velocities_1, direct_velocities_4, direct_velocities_8,
    direct_velocities_16;
preferred_velocities_function field_velocities_1, field_velocities_4, field_velocities_8,
    field_velocities_16;

// The function of a model for the vectors that the input asks for.
#define PREFERRED_VELOCITIES_OF(model, lanes)                                                      \
  ((lanes) == 1    ? model##_velocities_1                                                          \
   : (lanes) == 8  ? model##_velocities_8                                                          \
   : (lanes) == 16 ? model##_velocities_16                                                         \
                   : model##_velocities_4)
