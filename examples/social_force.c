// A social force model as an avoidance method (Helbing, Molnar 1995, without their field of view):
// agents relax to the velocity they prefer and are pushed away by neighbours and walls, the more
// the closer. The exponential decay is replaced by 1 / (1 + d / B)^2, which needs no libm.
#include "throng_plugin.h"

enum { TIME, STRENGTH, RANGE };

// A push of p[STRENGTH] m/s^2 at contact away from what lies at `towards`, `gap` m ahead.
static vec2 push(vec2 towards, real gap, mask valid, const float *p)
{
  const real decay = splat(1) + max_real(gap, splat(0)) / splat(p[RANGE]);
  const real distance = square_root(max_real(dot(towards, towards), splat(1e-6f)));
  const real strength = splat(-p[STRENGTH]) / (decay * decay * distance);
  return times(select_real(valid, strength, splat(0)), towards);
}

static vec2 social_force(const struct perception *s, const float *p)
{
  vec2 force = times(splat(1 / p[TIME]), minus(s->preferred_velocity, s->velocity));
  for (int i = 0; i < s->agent_count; i++) {
    const struct neighbour *other = &s->agents[i];
    const real gap = square_root(dot(other->p, other->p)) - other->R;
    force = add(force, push(other->p, gap, other->valid, p));
  }
  for (int i = 0; i < s->wall_count; i++) {
    const struct perceived_wall *wall = &s->walls[i];
    const vec2 length = minus(wall->b, wall->a);
    const real along = -dot(wall->a, length) / dot(length, length);
    const vec2 nearest = add(wall->a, times(max_real(splat(0), min_real(splat(1), along)), length));
    const real gap = square_root(dot(nearest, nearest)) - s->radius;
    force = add(force, push(nearest, gap, wall->valid, p));
  }
  return add(s->velocity, times(splat(s->step), force));
}

THRONG_METHOD("social force", social_force, {"time", 0.5f}, {"strength", 5}, {"range", 0.3f})
