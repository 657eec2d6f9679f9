// The walking models of the profiles.
#pragma once
#include "config.h"
#include "walking.h"
#include <stdio.h>

// Errors go to diagnostics; call density_speed_destroy and headway_options_destroy in any case.
void build_walking(struct density_speed *density_speed, struct headway_options *headway,
                   const struct config *c, struct diagnostics *diagnostics);
bool profile_walks_by_headway(const struct profile_config *profile);

void walking_describe(const struct config *c, FILE *out); // for `throng check`
