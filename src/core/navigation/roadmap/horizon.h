// What an eye may see among walls, found from near to far: buckets of directions remember how far
// the walls that fill them reach, and whatever lies behind them is never looked at. It only says
// what is hidden for certain, so its rounding shows in no result; the rest is judged exactly.
#pragma once
#include "obstacles.h"

#define HORIZON_BUCKETS 2048 // of directions, all round

struct horizon {
  const struct obstacles *walls;
  struct point eye;
  double *depth; // [HORIZON_BUCKETS] quanta: all beyond is hidden
  int32_t *seen; // [seen_count] walls that may be in sight
  int64_t seen_count, seen_capacity;
};

void horizon_create(struct horizon *h, const struct obstacles *walls);
void horizon_destroy(struct horizon *h);

// From an eye that stands in no wall's inside. Costs what is in sight, not what there is.
void horizon_look(struct horizon *h, struct point eye);

bool horizon_hides(const struct horizon *h, struct point p);
bool horizon_hides_box(const struct horizon *h, struct box box); // all of it; hi inside
