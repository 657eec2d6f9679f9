// What one agent sees as plain numbers, and the methods of avoidance compiled for one lane,
// whatever the width of the test that asks.
#pragma once
#include <stdbool.h>

#define ONE_AGENTS 12
#define ONE_WALLS  4

struct one_neighbour {
  float px, py, vx, vy, R, share, asunder_x, asunder_y;
};
struct one_seen_wall {
  float ax, ay, bx, by, along_x, along_y; // solid on the left
};
struct one_sight {
  float vx, vy, wish_x, wish_y, radius, max_speed, acceleration; // acceleration 0: without limit
  float horizon, horizon_walls, step;
  int agent_count, wall_count;
  struct one_neighbour agents[ONE_AGENTS]; // nearest first
  struct one_seen_wall walls[ONE_WALLS];
};
struct one_answer {
  float v[2];
  bool infeasible, relaxed;
};

enum velocity_method { CLEARPATH_GUARANTEED, CLEARPATH_RELAXED, HRVO, VELOCITY_METHODS };

struct one_answer one_velocity(const struct one_sight *s, enum velocity_method method);
