// The x ranges in which an area can lie along a row. They keep the search of a thin area in a large
// bounding box cheap.
#pragma once
#include "obstacles.h"

struct span { // quanta, both ends included
  int64_t lo, hi;
};

struct spans { // ascending and disjoint
  int64_t count, capacity;
  struct span *list;
};

// Covers the x of every point inside the closed outlines whose y differs from that of the row by at
// most reach (quanta). May cover more. s: zero bytes, or spans to be replaced.
void spans_find(struct spans *s, const struct outlines *area, int64_t y, int64_t reach);
void spans_destroy(struct spans *s);
