// How many agents walk in each coarse cell of the navigation grid, and how fast, for travel times
// that follow the crowd.
#pragma once
#include "agents.h"
#include "world.h"

#define WALKING_SHARE_UNIT 1000 // of a share of the free speed: per mille

struct walking_sums { // by coarse cell
  int32_t side;       // of a coarse cell, cells of the navigation grid
  int32_t columns, rows;
  int64_t *walkers;     // [columns * rows] walking agents
  int64_t *speed_share; // [columns * rows] per mille of their free speed, summed; behind walkers
};

void walking_sums_create(struct walking_sums *s); // side, columns and rows are set; sums of 0
void walking_sums_destroy(struct walking_sums *s);
void walking_sums_clear(const struct walking_sums *s);
static inline int64_t walking_sums_cells(const struct walking_sums *s)
{
  return (int64_t)s->columns * s->rows;
}
// Adds the owned agents that walk. Integers: the order of agents and threads does not matter.
void walking_sums_add(const struct walking_sums *s, const struct world *w, const struct agents *a);
