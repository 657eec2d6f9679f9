// The walls near the agents of each leaf, kept while no agent has moved far since they were found
// (Verlet 1967): most steps need no search for walls. A list may hold walls that no agent perceives
// and is never short of one, so it cannot affect a result.
#pragma once
#include "box_tree.h"

#define WALL_LIST_MAX  14    // of a list, which then fills three cache lines
#define WALL_LIST_FULL -1    // more walls are near: search
#define WALL_LIST_SKIN 0.75f // m: a list holds while no agent has moved further along x or y

struct wall_list {                              // of a leaf whose items are all present
  int32_t x[BOX_TREE_WIDTH], y[BOX_TREE_WIDTH]; // quanta: where the agents were
  float reach;                                  // quanta, of these agents; 0: not yet made
  int32_t count;                                // of walls, or WALL_LIST_FULL
  int32_t number[WALL_LIST_MAX];
};

struct wall_lists {
  uint64_t version; // of the walls: world.h
  int64_t leaf_count;
  struct wall_list *of_leaf; // [leaf_count]
};

void wall_lists_reserve(struct wall_lists *l, int64_t leaves); // room for at least `leaves`
// Forgets all lists if the walls have changed since the last call.
void wall_lists_follow(struct wall_lists *l, uint64_t version);
void wall_lists_destroy(struct wall_lists *l);
