// What the kernels of a step work on: everybody here in the order of the grid, owned and ghosts,
// and the world. Lies in the device's memory, all pointers lead there.
#pragma once
#include "backend.h"
#include "grid.h"

// Of all; of the owned alone.
#define SCENE_SEEN(X)                                                                              \
  X(int32_t, x)                                                                                    \
  X(int32_t, y) X(float, vx) X(float, vy) X(float, radius) X(float, yield) X(int64_t, id)
#define SCENE_OWN(X)                                                                               \
  X(float, speed)                                                                                  \
  X(float, max_speed)                                                                              \
  X(float, max_acceleration)                                                                       \
  X(float, horizon)                                                                                \
  X(float, neighbour_distance)                                                                     \
  X(int32_t, neighbours) X(int32_t, profile) X(float, prefer_x) X(float, prefer_y)

struct scene_tally { // comes back
  int64_t overlaps, full, infeasible, relaxed, wall_stops;
  int32_t deepest; // bits of a float, not below 0: they grow with it
  int32_t late;    // agents on the list of those for whom no velocity meets all half-planes
};

struct scene {
  int64_t own, all;   // agents
  struct agents host; // in the order of the host: as it sent them
  struct agents a;    // in the order of the grid; count is all, and a ghost's own fields are zero
  int32_t *from;      // [all] index on the host of the k-th in the grid
  struct grid grid;
  struct choose_input in; // its pointers lead to the next four
  struct world world;
  struct avoidance avoidance;
  struct neighbours crowd;
  struct pace pace;
  float quantum, quanta_per_speed, range2, radius_max, pace_range; // as of struct job
  int32_t room;                                                    // neighbours kept of one
  int32_t *number; // [room * all] in the order of the grid; -1: nobody
  int32_t *late;   // [own] who they are, in the order of the grid
  uint64_t
      *best; // [all] of rvo, nested: (penalty, sample) of the best so far, in the order of the grid
  int32_t *leaf_seen;       // by leaf of the host's tree: struct neighbours
  float *next_vx, *next_vy; // [own] in the order of the host
  float *prefer_x, *prefer_y;
  struct scene_tally *tally;
};
