// A preferred velocity: an agent walks more slowly when others are near. Any avoidance method then
// avoids collisions.
#include "throng_plugin.h"

static vec2 calm(const struct perception *s, const float *p)
{
  real company = splat(0);
  for (int i = 0; i < s->agent_count; i++) {
    const struct neighbour *other = &s->agents[i];
    const mask near = other->valid & less(dot(other->p, other->p), splat(p[0] * p[0]));
    company = select_real(near, company + splat(1), company);
  }
  return times(splat(1) / (splat(1) + splat(p[1]) * company), s->preferred_velocity);
}

THRONG_PREFERENCE("calm", calm, {"radius", 2}, {"slowing", 0.1f})
