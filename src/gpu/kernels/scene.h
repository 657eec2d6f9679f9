// What the kernels of a step work on: everybody here, owned and ghosts, as they stand in memory and
// in the order of the grids, and the world. Lies in the device's memory, all pointers lead there.
#pragma once
#include "backend.h"
#include "grid.h"

// What a choice reads: of all; of the owned alone.
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
  uint64_t overlapper; // the least id of those who overlap somebody; UINT64_MAX: nobody does
  struct point at;     // where that one stands, and
  int64_t with;        // the least id of those whom it overlaps: name_overlapper
  int32_t deepest;     // bits of a float, not below 0: they grow with it
  int32_t late;        // agents on the list of those for whom no velocity meets all half-planes
};

struct scene {
  int64_t own, all;       // agents
  struct agents home;     // in memory: the owned, then the ghosts
  struct agents a;        // in the order of the grids: the owned, then the ghosts; count is all
  int32_t *from;          // [all] place in memory of the k-th of a
  struct grid grids[2];   // of the owned, of the ghosts
  struct choose_input in; // its pointers lead to the world and to the next three
  struct avoidance avoidance;
  struct neighbours crowd;
  struct pace pace;
  float quantum, quanta_per_speed, range2, radius_max, pace_range; // as of struct job
  int32_t room;                                                    // neighbours kept of one
  int32_t group_range; // quanta: as far as one sees the others of one's group; 0: there are none
  int32_t *number;     // [room * own] who is near an owned one of a, numbers of a; -1: nobody
  int32_t *late;       // [own] numbers of a
  uint64_t *best;      // [own] of rvo, nested: (penalty, sample) of the best so far
  int32_t *leaf_seen;  // by TREE_WIDTH of the owned in memory: struct neighbours
  struct scene_tally *tally;
};
