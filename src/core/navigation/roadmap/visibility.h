// Conservative visibility from a point among walls, searched from near to far: buckets of
// directions store the distance of the walls that fill them, and what is beyond is skipped. Only
// certain occlusion is reported, so rounding affects no result; the remaining walls are tested
// exactly.
#pragma once
#include "obstacles.h"

#define VISIBILITY_BUCKETS 2048 // of directions, all around

struct visibility {
  const struct obstacles *walls;
  struct point eye;
  double *depth;    // [VISIBILITY_BUCKETS] quanta: everything beyond is hidden
  int32_t *visible; // [visible_count] walls that may be visible
  int64_t visible_count, visible_capacity;
};

void visibility_create(struct visibility *h, const struct obstacles *walls);
void visibility_destroy(struct visibility *h);

// From an eye that is in no solid. Costs as much as is visible.
void visibility_compute(struct visibility *h, struct point eye);

bool visibility_hidden(const struct visibility *h, struct point p);
bool visibility_box_hidden(const struct visibility *h, struct box box); // all of it; hi inside
