// A backend chooses everybody's next velocity. All give the same bits.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "neighbours.h"
#include "pace.h"
#include "world.h"

// Who chooses now. Those inside see no ghost, and can choose before the ghosts are here.
enum choose_part { CHOOSE_ALL, CHOOSE_INSIDE, CHOOSE_BORDER };

struct choose_input {
  const struct world *world;
  const struct avoidance *avoidance;
  const struct neighbours *crowd; // built of the same agents
  float dt;                       // s
  uint64_t seed;                  // of the methods that draw velocities at random
  int64_t step;
  const struct pace *pace; // speed from density; NULL: nobody slows down
  enum choose_part part;
  struct box inner;                 // of a part: no ghost is seen from in here
  void (*meanwhile)(void *context); // called now and then by the calling thread; may be NULL
  void *context;
};

// What was seen while choosing, over the owned agents. Counts of integers and a greatest value:
// the same for any order, so ranks may add them up.
struct choose_counts {
  int64_t overlaps_seen;       // by either side: twice the overlapping pairs, over all ranks
  int64_t full_neighbourhoods; // agents that may have more neighbours than they can see
  int64_t infeasible;          // agents for whom their method found no permitted velocity
  int64_t relaxed;             // of ClearPath-1: agents that had to fall back on ClearPath-2
  int64_t wall_stops;          // agents held because their step would have touched a wall
  float deepest_overlap;       // m
};

struct residence;

struct backend {
  const char *name;
  int lanes;
  bool (*supported)(void); // by this machine
  // Reads prefer_x, prefer_y, which pace makes shorter, and everything SEEN; writes next_vx,
  // next_vy of the owned agents; adds to counts. Keeps in crowd->reach2 and seen how far it looked
  // and whom it found, hints for the next step and the balance.
  void (*choose)(const struct choose_input *in, struct agents *a, struct choose_counts *counts);
  // Where people may live from step to step instead; NULL: with the host alone.
  const struct residence *residence;
};

// By name: scalar, simd (the widest this machine has), simd4, simd8, simd16. NULL if unknown or not
// supported here.
const struct backend *backend_find(const char *name);
const char *backend_names(void); // for messages: "scalar, simd, ..."
