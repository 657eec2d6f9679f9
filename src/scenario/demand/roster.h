// The CSV of single agents.
#pragma once
#include "config.h"

struct roster_row {
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

struct roster {
  char *path;
  int64_t count;
  struct roster_row *rows; // by id
};

// Nothing when the scenario names no file. False when there are problems.
bool roster_read(struct roster *r, const struct config *c, struct problems *p);
void roster_destroy(struct roster *r);

// The number of the destination of that name, or -1 and a problem that begins with what.
int destination_find(const struct config *c, const char *name, struct place at, const char *what,
                     struct problems *p);
