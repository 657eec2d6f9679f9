// Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011). A number is a pure function
// of (seed, id, step, purpose), so it is the same on any rank and no state travels.
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <Random123/philox.h>
#pragma GCC diagnostic pop
#include "portable.h"

#include <stdint.h>

// What a number is for: two uses never share one. Add at the end: the value enters the counter.
enum random_purpose {
  RANDOM_SITE,    // which places of an area are taken
  RANDOM_JITTER,  // where in its place somebody stands
  RANDOM_PROFILE, // which profile
  RANDOM_SPEED,   // a profile's draws
  RANDOM_RADIUS,
  RANDOM_GOAL,
  RANDOM_TEST,     // tests and benches
  RANDOM_TURN,     // which way somebody held up steps aside
  RANDOM_VELOCITY, // candidate velocities of sampled methods
  RANDOM_HORIZON,
  RANDOM_NEIGHBOUR_DISTANCE,
  RANDOM_NEIGHBOURS,
  RANDOM_ACCELERATION,
  RANDOM_YIELD,
  RANDOM_REACTION,
  RANDOM_DESTINATION, // which of several
  RANDOM_SPOT,        // where one stays
  RANDOM_ENTRY,       // where and when newcomers come
  RANDOM_LEG,         // which way a journey goes on
  RANDOM_STAY,
  RANDOM_SERVICE,
  RANDOM_GROUP // how many belong together
};

struct random4 {
  uint32_t word[4];
};

INLINE struct random4 random_words(uint64_t seed, int64_t id, int64_t step, uint32_t purpose)
{
  const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  // 40 bits of step and 24 of purpose share two words: 1e12 steps are enough.
  const philox4x32_ctr_t counter = {{(uint32_t)(uint64_t)id, (uint32_t)((uint64_t)id >> 32),
                                     (uint32_t)(uint64_t)step,
                                     (uint32_t)((uint64_t)step >> 32 << 24) | purpose}};
  const philox4x32_ctr_t r = philox4x32_R(10, counter, key);
  return (struct random4){{r.v[0], r.v[1], r.v[2], r.v[3]}};
}

INLINE float random_unit(uint32_t word) // [0, 1), 24 bits: exact
{
  return (float)(word >> 8) * 0x1p-24f;
}
