// The navigation models: how an agent finds the way to its destination.
//
// A model is one word here, a header <word>_navigation_kernel.h with its work per agent, which CPU
// and GPU share, and an entry in navigation_models.c.
#pragma once
#include "position.h"

#include <stdbool.h>
#include <stdint.h>

struct agents;
struct kept_corners;
struct world;

struct navigation_input { // of one step
  float dt;               // s
  uint64_t seed;
  int64_t step;
  const float *spread;       // [profiles] share of the width of their route that agents use
                             // (spreading_side_kernel.h); NULL: none spread
  const float *queue;        // [profiles] share for agents that queue: struct headway_profile
  int32_t look_period;       // steps between two looks for the line to walk on
  bool all_look;             // all agents look for it in this step
  int32_t deadlock_timeout;  // steps: deadlock.h; DEADLOCK_NEVER: nobody sidesteps
  struct kept_corners *kept; // of the same agents, kept from step to step; NULL: none
  int lanes;                 // of the vectors to use: 1, 4, 8 or 16; 0: those of every machine
};

// Agents that find their way together: what all of them will read is prefetched before the first
// one reads, and that takes longest for the last ones.
#define NAVIGATION_PART 256

#define NAVIGATION_MODELS(X) X(direct) X(field) X(roadmap)

enum navigation_kind { // a value, not a pointer: it is part of the world that a device holds, too
#define X(name) NAVIGATION_##name,
  NAVIGATION_MODELS(X)
#undef X
      NAVIGATION_COUNT
};

struct navigation_model {
  const char *name;
  bool uses_destinations; // agents head for destinations; else straight for their goals
  bool uses_grid;         // a grid that zones, closed destinations and live travel times change
  bool uses_graph;        // a street graph may replace what is built from the walls
  bool spreads;           // agents may spread over the width of their route
  bool is_uneven;         // some agents cost as much as many others
  // The preferred velocities of the agents [first, end), at most NAVIGATION_PART, in a world of
  // this model.
  void (*preferred_velocities)(const struct world *w, const struct navigation_input *in,
                               struct agents *a, int64_t first, int64_t end);
  // As world_reachable and world_cost_to_go; NULL where agents walk straight.
  bool (*reachable)(const struct world *w, int32_t destination, struct point p);
  int64_t (*cost_to_go)(const struct world *w, int32_t destination, struct point p);
};

extern const struct navigation_model navigation_models[NAVIGATION_COUNT]; // navigation_models.c

// The preferred velocities of agents that follow fields or walk straight to their goals, in vectors
// of each width (preferred_velocities.c).
typedef void preferred_velocities_function(const struct world *w, const struct navigation_input *in,
                                           struct agents *a, int64_t first, int64_t end);
preferred_velocities_function direct_velocities_1, direct_velocities_4, direct_velocities_8,
    direct_velocities_16;
preferred_velocities_function field_velocities_1, field_velocities_4, field_velocities_8,
    field_velocities_16;

// The function of a model for the vectors that the input asks for.
#define PREFERRED_VELOCITIES_OF(model, lanes)                                                      \
  ((lanes) == 1    ? model##_velocities_1                                                          \
   : (lanes) == 8  ? model##_velocities_8                                                          \
   : (lanes) == 16 ? model##_velocities_16                                                         \
                   : model##_velocities_4)
