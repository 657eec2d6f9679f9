// The side to which an agent spreads, along fields and along the roadmap: drawn once, so that it
// keeps inside or outside all the way. docs/walking.md gives the source of the values.
#pragma once
#include "agents.h"
#include "navigation_model.h"
#include "random.h"

#define SPREADING_SHARE  0.95f // k: of the room that an agent with u = 1 uses
#define SPREADING_MARGIN 0.25f // m, to walls, the least
#define SPREADING_ROOM   5.0f  // m, the largest on either side

// Of an agent, m, to walls: a quarter of its radius stays free.
INLINE float spreading_margin(float radius)
{
  const float own = 1.25f * radius;
  return own > SPREADING_MARGIN ? own : SPREADING_MARGIN;
}

// From 0 at half of the speed that the agent would walk alone to 1 at five sixths of it.
INLINE float spreading_fade(const struct agents *a, int64_t i, float free_speed)
{
  const float v = sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
  const float fade = 3.0f * (v - 0.5f * free_speed);
  return fade > 0.0f ? fade < free_speed ? fade / free_speed : 1.0f : 0.0f;
}

// In [-1, 1), drawn once; members of a group keep to one side.
INLINE float spreading_side(const struct navigation_input *in, const struct agents *a, int64_t i)
{
  return 2.0f * random_unit(random_words(in->seed, agents_party(a, i), 0, RANDOM_LATERAL).word[0]) -
         1.0f;
}
