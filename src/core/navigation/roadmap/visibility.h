// What an eye may see among walls, found from near to far: buckets of directions remember how far
// the walls that fill them reach, and whatever lies behind them is never looked at. It only says
// what is hidden for certain, so its rounding shows in no result; the rest is judged exactly.
#pragma once
#include "obstacles.h"

#define VISIBILITY_BUCKETS 2048 // of directions, all round

struct visibility {
  const struct obstacles *walls;
  struct point eye;
  double *depth;    // [VISIBILITY_BUCKETS] quanta: all beyond is hidden
  int32_t *visible; // [visible_count] walls that may be in sight
  int64_t visible_count, visible_capacity;
};

void visibility_create(struct visibility *h, const struct obstacles *walls);
void visibility_destroy(struct visibility *h);

// From an eye that stands in no wall's inside. Costs what is in sight, not what there is.
void visibility_compute(struct visibility *h, struct point eye);

bool visibility_hidden(const struct visibility *h, struct point p);
bool visibility_box_hidden(const struct visibility *h, struct box box); // all of it; hi inside
