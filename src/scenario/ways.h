// How people find their way in a scenario: fields on a grid, a roadmap, or neither.
#pragma once
#include "demand.h"
#include "scenario.h"

// Makes the ground, the zones or the roadmap of the scenario's world, by the options of navigation.
// False when there are problems.
bool ways_make(struct scenario *s, const struct demand_input *in, struct problems *p);
// The fields, if there is a ground for them. Collective over the team.
void ways_solve(struct scenario *s, const struct team *team, struct problems *p);
