// The collision avoidance methods and their options.
//
// Two agents that avoid each other share the effort by their `yield`: the share of A against B is
// yield_A / (yield_A + yield_B), so the shares of a pair add up to 1. With equal yields each takes
// one half. An agent with yield 0 is passive: it keeps its preferred velocity, and others avoid it
// alone.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define NEIGHBOURS_MAX 32 // neighbours that an agent can perceive at once
#define WALLS_MAX      16 // walls that an agent can perceive at once

// A method is one word here and one header of that name over the lane types.
#define AVOIDANCE_METHODS(X) X(none) X(orca) X(clearpath) X(rvo) X(hrvo) X(directional)

enum avoidance_method {
#define X(name) METHOD_##name,
  AVOIDANCE_METHODS(X)
#undef X
      METHOD_COUNT
};
extern const char *const avoidance_names[METHOD_COUNT];

struct clearpath_options {
  bool guaranteed; // ClearPath-1: consistent side and shrinking window; else ClearPath-2
};

struct rvo_options {
  int32_t samples; // candidate velocities, including the preferred one
  float safety;    // weight of the time to collision against the deviation from the preferred
                   // velocity, m
};

struct directional_options {
  float weight;   // of the time to collision against the preferred direction, 1/s
  float time_cap; // longer times to collision count as this one, s
};

// Reynolds' steering behaviours: weights of velocities of at most the preferred speed; 0: off.
struct steering_options {
  bool on;
  float separation, alignment, cohesion, unaligned; // 1
  float separation_distance;                        // m, between the discs
};

struct avoidance {
  enum avoidance_method method;
  int32_t neighbours;       // the maximum over all agents, 1 to NEIGHBOURS_MAX
  float neighbour_distance; // the maximum over all agents, m
  float horizon_walls;      // time horizon for walls, s
  float squeeze;            // share of the sum of two radii by which discs may overlap: shoulders
                            // turn; 0: not at all
  struct clearpath_options clearpath;
  struct rvo_options rvo;
  struct directional_options directional;
  struct steering_options steering;
};

// A known method, and limits within those of this header. For asserts.
bool avoidance_is_valid(const struct avoidance *a);
