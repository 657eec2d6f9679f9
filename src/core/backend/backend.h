// A backend chooses everybody's next velocity. All give the same bits.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "density_speed.h"
#include "neighbours.h"
#include "step_counters.h"
#include "world.h"

// Who chooses now. Those inside see no ghost, and can choose before the ghosts are here.
enum domain_part { PART_ALL, PART_INTERIOR, PART_BORDER };

struct next_velocity_input {
  const struct world *world;
  const struct avoidance *avoidance;
  const struct neighbours *neighbours; // built of the same agents
  float dt;                            // s
  uint64_t seed;                       // of the methods that draw velocities at random
  int64_t step;
  const struct density_speed *density_speed; // speed from density; NULL: nobody slows down
  enum domain_part part;
  struct box interior;             // of a part: no ghost is seen from in here
  void (*progress)(void *context); // called now and then by the calling thread; may be NULL
  void *context;
};

struct device_crowd;

struct backend {
  const char *name;
  int lanes;
  bool (*supported)(void); // by this machine
  // Reads prefer_x, prefer_y, which pace makes shorter, and everything SEEN; writes next_vx,
  // next_vy of the owned agents; adds to counts. Keeps in crowd->reach2 and seen how far it looked
  // and whom it found, hints for the next step and the balance.
  void (*next_velocities)(const struct next_velocity_input *in, struct agents *a,
                          struct next_velocity_counts *counts);
  // Where people may live from step to step instead; NULL: with the host alone.
  const struct device_crowd *device_crowd;
};

// By name: scalar, simd (the widest this machine has), simd4, simd8, simd16. NULL if unknown or not
// supported here.
const struct backend *backend_find(const char *name);
const char *backend_names(void); // for messages: "scalar, simd, ..."
