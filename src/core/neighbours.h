// Who is near whom: the crowd of this rank, ghosts included, sorted into a k-d tree.
#pragma once
#include "agents.h"
#include "tree.h"

// What others need to know of an agent, side by side in the order of the tree's leaves.
struct neighbour {
  int32_t x, y;         // quanta
  float vx, vy, radius; // m/s, m
  int32_t agent;        // index in struct agents; owned ones first
  int64_t id;
};

struct neighbours {
  struct tree tree;
  struct neighbour *sorted; // [tree.count]; a slot is an index of it
  int32_t *own;             // [own_count] slots of owned agents, in the tree's order
  int64_t own_count, capacity;
  float radius_max; // m, of everybody here
};

void neighbours_build(struct neighbours *n, const struct agents *a);
void neighbours_destroy(struct neighbours *n);

// The `room` nearest to p by the total order (distance^2, id), nearer than the root of range2
// (quanta^2), without slot `self`. d2[room], slots[room]: nearest first, then range2 and -1.
// The plain twin of the search in lanes, and its judge where distances are equal.
void neighbours_of_one(const struct neighbours *n, struct point p, int32_t self, int room,
                       float range2, float *d2, int32_t *slots);
