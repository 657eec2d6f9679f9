// The CSV of single agents.
#pragma once
#include "config.h"

struct agent_row {
  int64_t id;
  double x, y;           // m
  double goal_x, goal_y; // m
  float vx, vy;          // m/s
  float radius, speed;   // m, m/s; < 0: not given, like the next five
  float horizon, neighbour_distance, max_acceleration, yield; // s, m, m/s^2, 1
  int32_t neighbours;
  int32_t destination; // its number; -1: none
  int32_t line;
  bool has_goal;
};

struct agent_table {
  char *path;
  int64_t count;
  struct agent_row *rows; // by id
};

// Nothing when the scenario names no file. False when there are problems.
bool agent_table_read(struct agent_table *r, const struct config *c, struct diagnostics *p);
void agent_table_destroy(struct agent_table *r);

// The number of the destination of that name, or -1 and a problem that begins with what.
int config_find_destination(const struct config *c, const char *name, struct location at,
                            const char *what, struct diagnostics *p);
