// The preferred velocity: how an agent would walk if no other agent were in the way.
#pragma once
#include "agents.h"
#include "kept_corners.h"
#include "world.h"

// Sets prefer_x, prefer_y (m/s) of the owned agents: by the world's navigation model towards their
// destination (the roadmap also sets their waypoint, `aim`), or straight to their goal where
// destination is -1; slower in the last step so as not to overshoot a point. Agents in their
// reaction time stand. Where agents show where they want to walk, also sets their facing. Zones
// then scale the velocities, and agents that have been blocked for long sidestep: deadlock.h.
void navigation_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                     struct agents *a);

// The agents that may have arrived if none has moved further than `moved` quanta since their
// preferred velocities were set: bits of blocks of KEPT_BLOCK agents. NULL: any may have.
const uint16_t *navigation_may_arrive(const struct world *w, const struct kept_corners *kept,
                                      float moved);
// The agents that stand on free ground without a wall near by, likewise. NULL: nobody knows.
const uint16_t *navigation_on_free_ground(const struct world *w, const struct kept_corners *kept,
                                          float moved);
// Marks those of the agents [first, end) that walk and have arrived: gone[i] = 1 where the agent's
// position is in the area of its destination or, where destination is -1,
// within goal_radius (m) of its goal; else 0. Returns their number. may_arrive: as
// navigation_may_arrive says; then `first` is a multiple of KEPT_BLOCK.
int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           int64_t first, int64_t end, const uint16_t *may_arrive, uint8_t *gone);
