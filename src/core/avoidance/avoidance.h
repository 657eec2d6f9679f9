// The collision avoidance methods and what they are told.
//
// Two agents that avoid each other divide the effort by their `yield`: the share of A against B is
// yield_A / (yield_A + yield_B), so the shares of a pair add up to one. All alike: one half each.
// Who has yield 0 is passive: it walks as it wishes, and the others make all of the way.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define NEIGHBOURS_MAX 32 // agents one can see at once
#define WALLS_MAX      16 // walls one can see at once

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
  int32_t samples; // candidate velocities, the wish included
  float safety;    // weight of the time to collision against the way off the wish, m
};

struct directional_options {
  float weight;   // of the time to collision against the wish's direction, 1/s
  float time_cap; // a time to collision from here on is as good as none, s
};

// Reynolds' steering: weights of the forces, each at most one preferred speed; 0: without it.
struct steering_options {
  bool on;
  float separation, alignment, cohesion, unaligned; // 1
  float separation_distance;                        // m, between the discs
};

struct avoidance {
  enum avoidance_method method;
  int32_t neighbours;       // the most that anybody sees, <= NEIGHBOURS_MAX
  float neighbour_distance; // the furthest that anybody sees, m
  float horizon_walls;      // collisions with walls are avoided for so long ahead, s
  struct clearpath_options clearpath;
  struct rvo_options rvo;
  struct directional_options directional;
  struct steering_options steering;
};
