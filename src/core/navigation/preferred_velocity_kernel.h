// The preferred velocity of one agent and whether it has arrived, by any navigation model.
#pragma once
#include "arrival_kernel.h"
#include "direct_navigation_kernel.h"
#include "field_kernel.h"
#include "navigation_model.h"
#include "roadmap_navigation_kernel.h"
#include "spreading_kernel.h"

// Along the field of the destination: the direction of least travel time. In its cells, where the
// field ends, straight to the area.
INLINE void prefer_by_field(const struct world *w, const struct navigation_input *in,
                            struct agents *a, int64_t i)
{
  const struct point at = {a->x[i], a->y[i]};
  const int32_t destination = agent_destination(a, i);
  struct point to = goal_of(a, i);
  bool straight = destination < 0;
  float x = 0.0f, y = 0.0f;
  if (!straight) {
    field_direction(world_field_of(w, destination, agents_party(a, i)), at, &x, &y);
    straight = x == 0.0f && y == 0.0f && arrival_approach(w, destination, at, &to);
  }
  if (straight) {
    prefer_point(w, in->dt, a, i, to);
    return;
  }
  a->prefer_x[i] = a->speed[i] * x;
  a->prefer_y[i] = a->speed[i] * y;
}

#define STALLED 0.2f // share of the preferred speed towards the goal: less is no progress

// Is the agent still in its reaction time? Ends the activity when its step has come.
INLINE bool still_reacting(struct agents *a, int64_t i, int64_t step)
{
  if (a->doing[i] != ACTIVITY_REACT)
    return false;
  if (step < a->until[i])
    return true;
  a->doing[i] = ACTIVITY_WALK;
  return false;
}

// Each model lets agents without a destination walk straight to their goals.
INLINE void prefer_by_model(enum navigation_kind kind, const struct world *w,
                            const struct navigation_input *in, struct agents *a, int64_t i)
{
  switch (kind) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    prefer_by_##name(w, in, a, i);                                                                 \
    break;
    NAVIGATION_MODELS(X)
#undef X
  default:
    break;
  }
}

// The unit directions of preferred velocities. Agents that stand by choice have no facing: 0.
INLINE vec2 facings_of(vec2 v, mask walking)
{
  const real length = square_root(dot(v, v)), zero = splat(0);
  const mask walks = walking & less(zero, length);
  const real by = select_real(walks, length, splat(1));
  return select_vec2(walks, vec2_of(v.x / by, v.y / by), vec2_of(zero, zero));
}

INLINE void facing_set(struct agents *a, int64_t i) // of one agent
{
  const vec2 v = {splat(a->prefer_x[i]), splat(a->prefer_y[i])};
  const mask walking = ivec_equal(splat_ivec(a->doing[i]), splat_ivec(ACTIVITY_WALK));
  const vec2 facing = facings_of(v, walking);
  float x[LANES], y[LANES];
  lanes_store(x, facing.x);
  lanes_store(y, facing.y);
  a->facing_x[i] = x[0];
  a->facing_y[i] = y[0];
}

// As navigation_preferred_velocities, for one agent. kind: of the world; callers pass a constant,
// so that a loop or a kernel holds the code of one model.
INLINE void preferred_velocity_set(enum navigation_kind kind, const struct world *w,
                                   const struct navigation_input *in, struct agents *a, int64_t i)
{
  if (still_reacting(a, i, in->step)) {
    a->prefer_x[i] = 0;
    a->prefer_y[i] = 0;
  } else {
    prefer_by_model(kind, w, in, a, i);
  }
  if (w->facings)
    facing_set(a, i);
}

// Turns the preferred velocity, once set, onto the line of an agent that spreads along a field. The
// roadmap leads it there at once.
INLINE void spread_by_model(enum navigation_kind kind, const struct world *w,
                            const struct navigation_input *in, struct agents *a, int64_t i)
{
  if (in->spread && kind == NAVIGATION_field)
    spread_by_field(w, in, a, i);
}

// Is the agent, which stays where it arrives, close to its goal without getting closer? Others rest
// there already, so it rests beside them.
INLINE bool stalled_near_goal(const struct world *w, const struct agents *a, int64_t i)
{
  if (w->meeting_reach == 0 || !at_goal(a, i, w->meeting_reach))
    return false;
  const float x = (float)(a->goal_x[i] - a->x[i]), y = (float)(a->goal_y[i] - a->y[i]);
  const float towards = a->vx[i] * x + a->vy[i] * y;
  return towards < STALLED * a->speed[i] * sqrtf(x * x + y * y);
}

// Is the agent walking, and has it arrived? As navigation_arrived; radius: of a goal, quanta.
INLINE bool has_arrived(const struct world *w, int64_t radius, const struct agents *a, int64_t i)
{
  if (a->doing[i] != ACTIVITY_WALK)
    return false;
  const int64_t own = (int64_t)(a->radius[i] / frame_quantum(&w->frame));
  if (agent_destination(a, i) >= 0)
    return arrival_reached(w, agent_destination(a, i), (struct point){a->x[i], a->y[i]}, own);
  return at_goal(a, i, radius > own ? radius : own) || stalled_near_goal(w, a, i);
}
