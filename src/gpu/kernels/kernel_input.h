// What the kernels of a step work on: everybody here, owned and ghosts, as they stand in memory and
// in the order of the grids, and the world. Lies in the device's memory, all pointers lead there.
#pragma once
#include "backend.h"
#include "grid.h"

// What a choice reads: of all; of the owned alone.
#define PERCEIVED_AGENT_FIELDS(X)                                                                  \
  X(int32_t, x)                                                                                    \
  X(int32_t, y) X(float, vx) X(float, vy) X(float, radius) X(float, yield) X(int64_t, id)
#define OWNED_AGENT_FIELDS(X)                                                                      \
  X(float, speed)                                                                                  \
  X(float, max_speed)                                                                              \
  X(float, max_acceleration)                                                                       \
  X(float, horizon)                                                                                \
  X(float, neighbour_distance)                                                                     \
  X(int32_t, neighbours) X(int32_t, profile) X(float, prefer_x) X(float, prefer_y)

struct step_tally { // comes back
#define X(name, where) int64_t name;
  STEP_COUNTERS(X)
#undef X
  uint64_t first_overlap_id; // the least id of those who overlap somebody; UINT64_MAX: nobody does
  struct point at;           // where that one stands, and
  int64_t with;              // the least id of those whom it overlaps: describe_first_overlap
  int32_t deepest;           // bits of a float, not below 0: they grow with it
  int32_t infeasible_list; // agents on the list of those for whom no velocity meets all half-planes
};

struct kernel_input {
  int64_t own, all;       // agents
  struct agents resident; // in memory: the owned, then the ghosts
  struct agents a;        // in the order of the grids: the owned, then the ghosts; count is all
  int32_t *memory_index;  // [all] place in memory of the k-th of a
  struct grid grids[2];   // of the owned, of the ghosts
  struct next_velocity_input in; // its pointers lead to the world and to the next three
  struct avoidance avoidance;
  struct neighbours neighbours;
  struct density_speed density_speed;
  float quantum, quanta_per_speed, range2, radius_max, density_range; // as of struct job
  int32_t room;                                                       // neighbours kept of one
  int32_t group_range; // quanta: as far as one sees the others of one's group; 0: there are none
  int32_t *neighbour_list;  // [room * own] who is near an owned one of a, numbers of a; -1: nobody
  int32_t *infeasible_list; // [own] numbers of a
  uint64_t *best_sample;    // [own] of rvo, nested: (penalty, sample) of the best so far
  int32_t *leaf_neighbours; // by BOX_TREE_WIDTH of the owned in memory: struct neighbours
  struct step_tally *tally;
};
