// Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011). A number is a pure function of
// (seed, id, step, purpose): every rank computes the same one, and there is no generator state to
// migrate or to save.
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <Random123/philox.h>
#pragma GCC diagnostic pop
#include "portable.h"

#include <stdint.h>

// What a number is used for, so that no two uses share one. The value enters the counter: append at
// the end, never reorder.
enum random_purpose {
  RANDOM_SITE,    // which sites of an area are occupied
  RANDOM_JITTER,  // offset of an agent within its site
  RANDOM_PROFILE, // profile of an agent
  RANDOM_SPEED,   // preferred speed
  RANDOM_RADIUS,
  RANDOM_GOAL,
  RANDOM_TEST,     // tests and benchmarks
  RANDOM_TURN,     // direction of a sidestep (deadlock.h)
  RANDOM_VELOCITY, // candidate velocities of sampled methods
  RANDOM_HORIZON,
  RANDOM_NEIGHBOUR_DISTANCE,
  RANDOM_NEIGHBOURS,
  RANDOM_ACCELERATION,
  RANDOM_YIELD,
  RANDOM_REACTION,
  RANDOM_DESTINATION, // choice among destinations
  RANDOM_SPOT,        // position within a place of stay
  RANDOM_ENTRY,       // position and time of inflow agents
  RANDOM_LEG,         // next leg of a journey
  RANDOM_STAY,        // duration of a stay
  RANDOM_SERVICE,     // duration of a service at the head of a queue
  RANDOM_GROUP,       // group size
  RANDOM_LATERAL,     // which side of a route an agent keeps to (spreading_side_kernel.h)
  RANDOM_COST         // noise of the cost of a metre (cost_noise.h)
};

struct random4 {
  uint32_t word[4];
};

// purpose < 2^24: an enum random_purpose. Four independent words.
INLINE struct random4 random_words(uint64_t seed, int64_t id, int64_t step, uint32_t purpose)
{
  const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  // 40 bits of step and 24 of purpose share two words; 1e12 steps are enough.
  const philox4x32_ctr_t counter = {{(uint32_t)(uint64_t)id, (uint32_t)((uint64_t)id >> 32),
                                     (uint32_t)(uint64_t)step,
                                     (uint32_t)((uint64_t)step >> 32 << 24) | purpose}};
  const philox4x32_ctr_t r = philox4x32_R(10, counter, key);
  return (struct random4){{r.v[0], r.v[1], r.v[2], r.v[3]}};
}

INLINE float random_unit(uint32_t word) // uniform in [0, 1); 24 bits, so the float is exact
{
  return (float)(word >> 8) * 0x1p-24f;
}
