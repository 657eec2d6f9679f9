// Positions that are hard for a neighbour search, in quanta.
#pragma once
#include "agents.h"
#include "oracle.h"

enum { SPREAD, CLUSTERED, LATTICE, ONE_PLACE, LINE, FEW_PLACES, FAR_APART, CROWD_KINDS };

static inline void crowd_place(uint64_t *r, int kind, int i, int count, int32_t *x, int32_t *y)
{
  static const int32_t spots[5][2] = {{0, 0}, {70, 1}, {-3, 900}, {5000, 5000}, {0, 65536}};
  const int32_t side = 32;
  const int spot = oracle_whole(r, 0, 4);
  switch (kind) {
  case CLUSTERED:
    *x = spots[spot][0] * 10 + oracle_whole(r, -30, 30);
    *y = spots[spot][1] * 10 + oracle_whole(r, -30, 30);
    break;
  case LATTICE:
    *x = i % side * 1000;
    *y = i / side * 1000;
    break;
  case ONE_PLACE:
    *x = 12345, *y = -54321;
    break;
  case LINE:
    *x = (i - count / 2) * 777, *y = 42;
    break;
  case FEW_PLACES:
    *x = spots[spot][0], *y = spots[spot][1];
    break;
  case FAR_APART: // the whole range of positions
    *x = oracle_whole(r, -(1 << 30), 1 << 29);
    *y = oracle_whole(r, -(1 << 29), 1 << 29);
    break;
  default:
    *x = oracle_whole(r, -200000, 200000);
    *y = oracle_whole(r, -200000, 200000);
  }
}

// The last `ghosts` of the `count` agents are ghosts. The ids are scrambled: unrelated to the
// index.
static inline void crowd_make(struct agents *a, uint64_t seed, int kind, int count, int ghosts)
{
  agents_create(a, count);
  for (int i = 0; i < count; i++) {
    agents_append(a);
    a->id[i] = (int64_t)i * 7919 % 104729;
    a->radius[i] = 0.25f;
    a->yield[i] = 1;
    a->horizon[i] = 2;
    a->neighbours[i] = 10;
    a->neighbour_distance[i] = 5;
    crowd_place(&seed, kind, i, count, &a->x[i], &a->y[i]);
  }
  a->count = count - ghosts;
  a->ghost_count = ghosts;
}
