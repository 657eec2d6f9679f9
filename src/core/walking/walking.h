// The walking models: what becomes of the preferred velocities of navigation before avoidance.
#pragma once
#include "density_speed.h"
#include "headway_options.h"

struct walking {
  const struct density_speed *density_speed; // NULL: density slows no agent
  const struct headway_options *headway;     // NULL: no agent walks by headway
};
