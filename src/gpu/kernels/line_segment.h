// One segment of a measurement line.
#pragma once
#include "position.h"

struct line_segment {
  struct point a, b;
  struct box box; // hi inside
  int32_t line;
};
