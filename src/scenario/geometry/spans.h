// Where along a row of the plane an area can be: what lets a thin area in a wide box be searched.
#pragma once
#include "obstacles.h"

struct span { // quanta, both ends included
  int64_t lo, hi;
};

struct spans { // ascending, apart
  int64_t count, capacity;
  struct span *list;
};

// Every x of a point that the closed outlines wind round whose y is within reach of the row's.
// May hold more; never holds less.
void spans_find(struct spans *s, const struct outlines *area, int64_t y, int64_t reach);
void spans_destroy(struct spans *s);
