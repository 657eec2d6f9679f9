// The checks of the audit for one agent.
#pragma once
#include "audit.h"
#include "obstacles_crossing_kernel.h"

#define AUDIT_ROUNDING 1.001f // tolerance for squared speeds: rounding of a few operations

INLINE bool velocity_finite(const struct agents *a, int64_t i) // false for NaN too
{
  const float v2 = a->next_vx[i] * a->next_vx[i] + a->next_vy[i] * a->next_vy[i];
  return v2 <= AUDIT_ROUNDING * AGENT_SPEED_MAX * AGENT_SPEED_MAX;
}

// With a limited acceleration an agent that is too fast stays so for some steps.
INLINE bool velocity_within_limit(const struct agents *a, int64_t i)
{
  const float v2 = a->next_vx[i] * a->next_vx[i] + a->next_vy[i] * a->next_vy[i];
  const float was2 = a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i];
  const float most2 = a->max_speed[i] * a->max_speed[i];
  return (v2 <= AUDIT_ROUNDING * most2) | (v2 <= AUDIT_ROUNDING * was2);
}

INLINE bool agent_inside(const struct agents *a, int64_t i, struct box b)
{
  return (a->x[i] >= b.lo.x) & (a->x[i] < b.hi.x) & (a->y[i] >= b.lo.y) & (a->y[i] < b.hi.y);
}

// Whether the agent's move is tested for walls in this step.
INLINE bool move_is_tested(const struct agents *a, int64_t i, int64_t step)
{
  return (((uint32_t)a->id[i] + (uint32_t)step) & (AUDIT_WALL_STRIDE - 1)) == 0;
}

// Whether the last move touched a wall.
HOST_DEVICE bool move_crosses_wall(const struct agents *a, int64_t i, const struct obstacles *o)
{
  const struct point from = {a->from_x[i], a->from_y[i]}, to = {a->x[i], a->y[i]};
  return !same_point(from, to) && obstacles_crossing(from, to, o);
}
