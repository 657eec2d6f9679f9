// What one agent sees as plain numbers, and the methods of avoidance compiled for one lane,
// whatever the width of the test that asks.
#pragma once
#include <stdbool.h>

#define SCALAR_AGENTS 12
#define SCALAR_WALLS  4

struct scalar_neighbour {
  float px, py, vx, vy, R, share, tie_x, tie_y;
};
struct scalar_perceived_wall {
  float ax, ay, bx, by, along_x, along_y; // solid on the left
};
struct scalar_perception {
  float vx, vy, preferred_x, preferred_y, radius, max_speed,
      acceleration; // acceleration 0: without limit
  float horizon, horizon_walls, step;
  int agent_count, wall_count;
  struct scalar_neighbour agents[SCALAR_AGENTS]; // nearest first
  struct scalar_perceived_wall walls[SCALAR_WALLS];
};
struct scalar_answer {
  float v[2];
  bool infeasible, relaxed;
};

enum velocity_method { CLEARPATH_GUARANTEED, CLEARPATH_RELAXED, HRVO, VELOCITY_METHODS };

struct scalar_answer scalar_velocity(const struct scalar_perception *s,
                                     enum velocity_method method);
