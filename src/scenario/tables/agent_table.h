// The CSV table of individual agents.
#pragma once
#include "config.h"

struct agent_row {
  int64_t id;
  double xy[2];   // m
  double goal[2]; // m, if has_goal
  float vx, vy;   // m/s
  // Negative: not given.
  float radius, speed;                                        // m, m/s
  float horizon, neighbour_distance, max_acceleration, yield; // s, m, m/s^2, 1
  int32_t neighbours;
  int32_t destination; // index; -1: none
  int32_t line;        // of the file
  bool has_goal;
};

struct geometry;

struct agent_table {
  char *path;
  bool lonlat, goal_lonlat; // x, y and the goals are in degrees until agent_table_place
  int64_t count;
  struct agent_row *rows; // [count] by ascending id
};

// An empty table if the scenario names no file. False and errors if the file is bad; call
// agent_table_destroy in any case.
bool agent_table_read(struct agent_table *r, const struct config *c, struct diagnostics *p);
void agent_table_destroy(struct agent_table *r);
// Gives metres to points in longitude and latitude. False and errors where that cannot be done.
bool agent_table_place(struct agent_table *r, const struct geometry *g, struct config *c,
                       struct diagnostics *p);
bool agent_table_is_valid(const struct agent_table *r); // ids ascend without repeats
