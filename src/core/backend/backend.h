// A backend chooses everybody's next velocity. All give the same bits.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "density_speed.h"
#include "neighbours.h"
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

// What was seen while choosing, over the owned agents. Counts of integers and a greatest value:
// the same for any order, so ranks may add them up.
struct next_velocity_counts {
  int64_t overlap_count;       // by either side: twice the overlapping pairs, over all ranks
  int64_t full_neighbourhoods; // agents that may have more neighbours than they can see
  int64_t infeasible;          // agents for whom their method found no permitted velocity
  int64_t relaxed;             // of ClearPath-1: agents that had to fall back on ClearPath-2
  int64_t wall_stops;          // agents held because their step would have touched a wall
  float deepest_overlap;       // m
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
