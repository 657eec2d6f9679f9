// Whether an agent is blocked, and its sidestep.
#pragma once
#include "deadlock.h"
#include "random.h"

#include <math.h>

#define DEADLOCK_SLOW           0.1f // fraction of the preferred speed below which it is blocked
#define DEADLOCK_SIDESTEP_STEPS 10   // it keeps the direction, or it would only tremble

// It has hardly moved in the last step, or away from where it wants to go: one that runs to and fro
// makes no progress either.
INLINE bool is_blocked(const struct agents *a, int64_t i)
{
  const float slow = DEADLOCK_SLOW * a->speed[i], vx = a->vx[i], vy = a->vy[i];
  const float progress = vx * a->prefer_x[i] + vy * a->prefer_y[i];
  return (vx * vx + vy * vy < slow * slow) | (progress < 0.0f);
}

// Rotates the preferred velocity by the angle of a random point of a square: needs no libm.
INLINE void sidestep(struct agents *a, int64_t i, struct random4 r)
{
  const float c = 2.0f * random_unit(r.word[0]) - 1.0f, d = 2.0f * random_unit(r.word[1]) - 1.0f;
  const float length = sqrtf(c * c + d * d), scale = length > 0.0f ? 1.0f / length : 0.0f;
  const float x = a->prefer_x[i], y = a->prefer_y[i];
  a->prefer_x[i] = scale * (c * x - d * y);
  a->prefer_y[i] = scale * (c * y + d * x);
}

// Counts the steps for which agent i has been blocked. Without branches, so that a compiler can do
// several agents at a time.
INLINE void count_blocked(struct agents *a, int64_t i)
{
  const int32_t blocked = (a->doing[i] == ACTIVITY_WALK) & is_blocked(a, i);
  const int32_t held = a->held[i], waited = a->waited[i];
  a->held[i] = blocked ? held + (held < INT32_MAX) : 0;
  a->waited[i] = waited + (blocked & (waited < INT32_MAX));
}

INLINE void sidestep_if_due(struct agents *a, const struct deadlock_input *in, int64_t i)
{
  const int64_t timeout = in->timeout, held = a->held[i];
  if (held < timeout || held % (timeout + DEADLOCK_SIDESTEP_STEPS) < timeout)
    return;
  sidestep(a, i, random_words(in->seed, a->id[i], in->step / DEADLOCK_SIDESTEP_STEPS, RANDOM_TURN));
  AGENT_SET(a, choice, i, 0); // forgets its last choice, whose speed was near 0
}

// As deadlock_apply, for agent i.
INLINE void deadlock_apply_one(struct agents *a, const struct deadlock_input *in, int64_t i)
{
  count_blocked(a, i);
  if (in->timeout != DEADLOCK_NEVER)
    sidestep_if_due(a, in, i);
}
