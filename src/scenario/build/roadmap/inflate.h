// Walls inflated by a clearance: the obstacles of a point-shaped agent.
#pragma once
#include "obstacles.h"
#include <stddef.h>

// Outlines of everything closer to a wall than the clearance (quanta). Corners are mitred up to
// twice the clearance, so that a right angle becomes a single vertex at sqrt(2) times the
// clearance. A function of integers only, so that a roadmap can be cached. Creates inflated in any
// case. False: GEOS failed; its message is in error[size].
bool inflate_walls(const struct outlines *walls, bool outside_solid, int32_t clearance,
                   struct outlines *inflated, char *error, size_t size);
