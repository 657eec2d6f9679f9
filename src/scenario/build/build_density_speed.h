// Speed from density, from the options of the profiles.
#pragma once
#include "config.h"
#include "density_speed.h"

void build_density_speed(struct density_speed *p, const struct config *c,
                         struct diagnostics *diagnostics);
