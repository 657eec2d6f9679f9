// Navigation along the roadmap: from waypoint to waypoint of a shortest path, by points of its own
// beside them for an agent that spreads.
#pragma once
#include "agents.h"
#include "direct_navigation_kernel.h"
#include "roadmap_kernel.h"
#include "spreading_side_kernel.h"
#include "world.h"
#include "zones_kernel.h"

// Its share fades while the agent slows down. In a queue, below half its speed, it heads for a part
// of the way from the corner to the middle of the gap, so that crowds close in on a door as along
// fields (spreading_section_kernel.h).
INLINE void roadmap_agent_set_line(const struct world *w, const struct navigation_input *in,
                                   const struct agents *a, int64_t i, float spread,
                                   struct roadmap_agent *l)
{
  const float free_speed = zones_speed_at(&w->zones, l->p) * a->speed[i];
  const float fade = spreading_fade(a, i, free_speed);
  l->queues = fade == 0.0f;
  l->share = l->queues ? in->queue[a->profile[i]] : spread * fade;
  l->side = l->queues ? 0.0f : SPREADING_SHARE * spreading_side(in, a, i);
}

INLINE struct roadmap_agent roadmap_agent_of(const struct world *w,
                                             const struct navigation_input *in,
                                             const struct agents *a, int64_t i)
{
  const struct roadmap *r = &w->roadmap;
  const float spread = in->spread && a->yield[i] > 0.0f ? in->spread[a->profile[i]] : 0.0f;
  const int32_t radius = (int32_t)(a->radius[i] / frame_quantum(&w->frame)); // below 2^23
  struct roadmap_agent l = {r,
                            agent_destination(a, i),
                            {a->x[i], a->y[i]},
                            radius > r->clearance ? radius : r->clearance,
                            (uint64_t)in->step + (uint64_t)a->id[i],
                            spread != 0.0f && r->trees[agent_destination(a, i)].passages,
                            false,
                            0.0f,
                            0.0f};
  // Who heads for the waypoint itself needs its line only when it looks around.
  if (l.spreads &&
      (roadmap_aim_parts(agent_aim(a, i)) > 0 || roadmap_check_due(&l, agent_aim(a, i))))
    roadmap_agent_set_line(w, in, a, i, spread, &l);
  return l;
}

// Updates what the agent aims at (a->aim) and returns where to steer for it.
INLINE struct point roadmap_steer(const struct world *w, const struct navigation_input *in,
                                  struct agents *a, int64_t i)
{
  const struct roadmap_agent l = roadmap_agent_of(w, in, a, i);
  agent_set_aim(a, i, roadmap_next_aim(&l, agent_aim(a, i)));
  return roadmap_steer_point(&l, agent_aim(a, i));
}

INLINE void prefer_by_roadmap(const struct world *w, const struct navigation_input *in,
                              struct agents *a, int64_t i)
{
  // One call for both cases: two would cost the GPU's kernel registers.
  const struct point goal = goal_of(a, i);
  prefer_point(w, in->dt, a, i, agent_destination(a, i) < 0 ? goal : roadmap_steer(w, in, a, i));
}
