// The collision avoidance methods and what they are told.
#pragma once
#include <stdint.h>

#define NEIGHBOURS_MAX 32 // agents one can see at once
#define WALLS_MAX      16 // walls one can see at once

struct avoidance {
  int32_t neighbours;       // how many of the nearest agents one sees, <= NEIGHBOURS_MAX
  float neighbour_distance; // how far, m
  float horizon;            // collisions with agents avoided for so long ahead, s
  float horizon_walls;      // the same with walls, s
};
