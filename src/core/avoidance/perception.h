// What LANES agents see, each from its own place: the input of every avoidance method.
//
// Units m and m/s; positions relative to the agent itself. A lane's neighbours stand nearest first
// by (distance, id), its walls nearest first by (distance, number). A method is
//     vec2 NAME_velocity(const struct sight *s, ..., mask *infeasible)
// and gives, in the active lanes, the next velocity, admissible; it sets *infeasible where it found
// no velocity that its own definition permits and took the least bad one. All it does is lane
// arithmetic, so a lane's answer does not depend on who stands in the others.
#pragma once
#include "admissible.h"
#include "avoidance.h"

struct neighbour {
  mask valid;         // false: nobody; the other members are then harmless numbers
  vec2 p;             // place of the other
  vec2 v;             // velocity of the other (absolute)
  real R;             // sum of the radii
  real share;         // of the avoidance that is ours: 1/2 among equals, 1 against a passive agent
  vec2 tie_direction; // unit direction that we take when place and velocity leave all open; the
                      // other agent has the opposite one; 0 where nothing is open
};

// A wall from a to b with solid on its left; unit direction of it and of the walls that end in a
// and begin in b; whether the solid's corners are convex.
struct perceived_wall {
  mask valid;
  vec2 a, b, along, before, after;
  mask convex_a, convex_b;
};

struct perception {
  mask active;
  vec2 velocity, preferred_velocity;
  real radius, max_speed;
  real horizon;        // s
  float horizon_walls; // s
  float step;          // s
  struct admissible admissible;
  int agent_count, wall_count; // the most of any lane
  struct neighbour agents[NEIGHBOURS_MAX];
  struct perceived_wall walls[WALLS_MAX];
};
