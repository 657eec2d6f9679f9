// What LANES agents perceive, each relative to its own position: the input of every avoidance
// method.
//
// Units m and m/s. The neighbours of a lane are sorted by (distance, id), its walls by (distance,
// number). A method is
//
//     vec2 NAME_velocity(const struct perception *s, ..., mask *infeasible)
//
// and returns the next velocity of the active lanes, which is admissible. It sets *infeasible in
// lanes where no velocity satisfies the method's own definition, and returns the least bad one
// there. A method consists of lane arithmetic only, so a lane's result does not depend on the other
// lanes.
#pragma once
#include "admissible.h"
#include "avoidance.h"

struct neighbour {
  mask valid;         // false: none; the other members are then harmless numbers
  vec2 p;             // relative position
  vec2 v;             // absolute velocity
  real R;             // sum of the radii
  real share;         // this agent's: 1/2 with equal yields, 1 against a passive agent
  vec2 tie_direction; // unit direction for this agent in a tie (tie_direction.h), opposite to the
                      // neighbour's; 0 without a tie
};

// A wall from a to b with its solid on the left; unit directions of it and of the walls that end in
// a and begin in b; whether the corners of the solid are convex.
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
  int agent_count, wall_count; // the maximum of all lanes
  struct neighbour agents[NEIGHBOURS_MAX];
  struct perceived_wall walls[WALLS_MAX];
};
