// Navigation along the field of the agent's destination: the direction of least travel time.
#pragma once
#include "agents.h"
#include "direct_navigation_kernel.h"
#include "field_kernel.h"
#include "world.h"

INLINE void prefer_by_field(const struct world *w, const struct navigation_input *in,
                            struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  float x, y;
  if (agent_destination(a, i) < 0) {
    prefer_point(w, in->dt, a, i, goal_of(a, i));
    return;
  }
  field_direction(world_field_of(w, agent_destination(a, i), agents_party(a, i)), at, &x, &y);
  a->prefer_x[i] = a->speed[i] * x;
  a->prefer_y[i] = a->speed[i] * y;
}

// The agent's cell is in the destination.
INLINE bool arrived_by_field(const struct world *w, const struct agents *a, int64_t i)
{
  return field_arrived(world_field(w, agent_destination(a, i), 0),
                       (struct point){a->x[i], a->y[i]});
}
