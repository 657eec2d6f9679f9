// The side to which an agent spreads, along fields and along the roadmap: drawn once, so that it
// keeps inside or outside all the way. docs/walking.md gives the source of the values.
#pragma once
#include "agents.h"
#include "navigation_model.h"
#include "random_lanes.h"

#define SPREADING_SHARE  0.95f // k: of the room that an agent with u = 1 uses
#define SPREADING_MARGIN 0.25f // m, to walls, the least
#define SPREADING_ROOM   5.0f  // m, the largest on either side

// Of agents, m, to walls: a quarter of the radius stays free.
INLINE real spreading_margin(real radius)
{
  const real own = splat(1.25f) * radius, least = splat(SPREADING_MARGIN);
  return select_real(less(least, own), own, least);
}

// From 0 at half of the speed that the agent would walk alone, to 1 at five sixths of it.
INLINE real spreading_fades(vec2 velocity, real free_speed)
{
  const real zero = splat(0), one = splat(1);
  const real v = square_root(dot(velocity, velocity));
  const real fade = splat(3.0f) * (v - splat(0.5f) * free_speed);
  const mask partly = less(zero, fade) & less(fade, free_speed);
  const real share = fade / select_real(partly, free_speed, one);
  return select_real(less(zero, fade), select_real(partly, share, one), zero);
}

// In [-1, 1), drawn once; members of a group keep to one side. The halves of agents_party.
INLINE real spreading_sides(uint64_t seed, ivec party_low, ivec party_high)
{
  const struct random_lanes r =
      random_words_lanes(seed, party_low, party_high, 0, splat_ivec(RANDOM_LATERAL));
  return splat(2.0f) * random_unit_of(r.word[0]) - splat(1.0f);
}

// Of one agent:
INLINE float spreading_fade(const struct agents *a, int64_t i, float free_speed)
{
  const vec2 velocity = {splat(a->vx[i]), splat(a->vy[i])};
  float fades[LANES];
  lanes_store(fades, spreading_fades(velocity, splat(free_speed)));
  return fades[0];
}
INLINE float spreading_side(const struct navigation_input *in, const struct agents *a, int64_t i)
{
  const uint64_t party = (uint64_t)agents_party(a, i);
  float sides[LANES];
  lanes_store(sides, spreading_sides(in->seed, splat_ivec((int32_t)(uint32_t)party),
                                     splat_ivec((int32_t)(uint32_t)(party >> 32))));
  return sides[0];
}
