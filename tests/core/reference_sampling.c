#include "directional.h"
#include "scalar_perception.h"
#include "steering.h"

_Static_assert(LANES == 1, "the reference has one lane");

struct plain_answer scalar_rvo(const struct plain_perception *p, const struct rvo_options *o,
                               uint64_t seed, int64_t step)
{
  struct perception s;
  mask bad;
  perception_of_plain(&s, p);
  const vec2 v = rvo_velocity(&s, o, draws_of(p, seed, step), &bad);
  return (struct plain_answer){v.x, v.y, bad};
}

struct plain_answer scalar_directional(const struct plain_perception *p,
                                       const struct directional_options *o)
{
  struct perception s;
  mask bad;
  perception_of_plain(&s, p);
  const vec2 v = directional_velocity(&s, o, &bad);
  return (struct plain_answer){v.x, v.y, bad};
}

struct plain_answer scalar_steering(const struct plain_perception *p,
                                    const struct steering_options *o, float preferred)
{
  struct perception s;
  perception_of_plain(&s, p);
  const vec2 v = steering_velocity(&s, o, preferred);
  return (struct plain_answer){v.x, v.y, false};
}

float scalar_disc_inv_horizon(float wx, float wy, float px, float py, float R)
{
  const struct disc_ahead d = disc_ahead_of((vec2){px, py}, R);
  return disc_inv_time(&d, (vec2){wx, wy});
}

float scalar_wall_inv_horizon(const struct plain_wall *w, float vx, float vy, float radius)
{
  const vec2 line = {w->bx - w->ax, w->by - w->ay};
  const vec2 along = times(1 / sqrtf(dot(line, line)), line);
  const struct wall_ahead ahead =
      wall_ahead_of((vec2){w->ax, w->ay}, (vec2){w->bx, w->by}, along, radius);
  return wall_inv_time(&ahead, (vec2){vx, vy});
}
