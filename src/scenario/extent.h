// The extent of the world.
#pragma once
#include "agent_table.h"
#include "geometry.h"

// world.extent or, without it, the rectangle around the geometry, the areas, goals and agents, and
// world.margin. Errors where areas are invalid or nothing determines it.
struct rectangle extent_find(const struct config *c, struct geometry *geometry,
                             const struct agent_table *agent_table, struct diagnostics *p);
