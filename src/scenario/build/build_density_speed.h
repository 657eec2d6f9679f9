// Speed as a function of density, from the options of the profiles.
#pragma once
#include "config.h"
#include "density_speed.h"

// Errors go to diagnostics; call density_speed_destroy in any case.
void build_density_speed(struct density_speed *p, const struct config *c,
                         struct diagnostics *diagnostics);
