// Navigation along the roadmap: from waypoint to waypoint of a shortest path.
#pragma once
#include "agents.h"
#include "direct_navigation_kernel.h"
#include "roadmap_kernel.h"
#include "world.h"

// Updates the agent's waypoint (a->aim) and returns where to steer for it.
INLINE struct point waypoint_position(const struct world *w, int64_t step, struct agents *a,
                                      int64_t i)
{
  const struct roadmap *r = &w->roadmap;
  const struct point at = {a->x[i], a->y[i]};
  const uint64_t phase = (uint64_t)step + (uint64_t)a->id[i];
  const int32_t reach = (int32_t)(a->radius[i] / frame_quantum(&w->frame)); // below 2^23
  a->aim[i] = roadmap_next_waypoint(r, a->destination[i], at, a->aim[i], reach, phase);
  return roadmap_steer_point(r, a->destination[i], at, a->aim[i]);
}

INLINE void prefer_by_roadmap(const struct world *w, const struct navigation_input *in,
                              struct agents *a, int64_t i)
{
  // One call for both cases: two would cost the GPU's kernel registers.
  const struct point goal = goal_of(a, i);
  prefer_point(w, in->dt, a, i,
               a->destination[i] < 0 ? goal : waypoint_position(w, in->step, a, i));
}

// The agent itself is in the destination.
INLINE bool arrived_by_roadmap(const struct world *w, const struct agents *a, int64_t i)
{
  return roadmap_arrived(&w->roadmap, a->destination[i], (struct point){a->x[i], a->y[i]});
}
