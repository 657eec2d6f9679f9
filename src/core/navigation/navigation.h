// The preferred velocity: where people would walk if nobody were in the way.
#pragma once
#include "agents.h"
#include "world.h"

// Sets prefer_x, prefer_y of the owned agents: along the field of their destination, or by the
// roadmap (then their aim, too), or straight to their goal when destination is -1, slower in the
// last step so as not to overshoot. Whoever reacts stands until its step has come.
void navigation_preferred_velocities(const struct world *w, float dt, int64_t step,
                                     struct agents *a);

// Marks who of those that walk has arrived: gone[i] = 1 where the agent's cell is in its
// destination (by the roadmap: the agent itself), or, walking straight, within goal_radius (m) of
// its goal. Returns how many.
int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           uint8_t *gone);
