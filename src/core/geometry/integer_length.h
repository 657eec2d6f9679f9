// Lengths in whole quanta. IEEE 754 rounds the square root correctly, so the result has the same
// bits everywhere; it is monotone, so the distance to a box never exceeds that to anything in it.
#pragma once
#include "position.h"
#include <math.h>

INLINE int64_t length_rounded(int64_t dx, int64_t dy) // quanta
{
  return (int64_t)(sqrt((double)dx * (double)dx + (double)dy * (double)dy) + 0.5);
}

INLINE int64_t length_between(struct point p, struct point q)
{
  return length_rounded((int64_t)q.x - p.x, (int64_t)q.y - p.y);
}

INLINE int64_t length_to_box(struct point p, struct box b) // hi inside
{
  const int64_t x = p.x < b.lo.x ? (int64_t)b.lo.x - p.x : p.x > b.hi.x ? (int64_t)p.x - b.hi.x : 0;
  const int64_t y = p.y < b.lo.y ? (int64_t)b.lo.y - p.y : p.y > b.hi.y ? (int64_t)p.y - b.hi.y : 0;
  return length_rounded(x, y);
}

// The point of the segment a-b nearest to p, rounded to the nearest quantum.
INLINE struct point length_foot(struct point p, struct point a, struct point b)
{
  const double x = (double)b.x - a.x, y = (double)b.y - a.y;
  const double length2 = x * x + y * y;
  const double along = x * ((double)p.x - a.x) + y * ((double)p.y - a.y);
  if (!(along > 0))
    return a;
  if (along >= length2)
    return b;
  return (struct point){(int32_t)floor(a.x + x * (along / length2) + 0.5),
                        (int32_t)floor(a.y + y * (along / length2) + 0.5)};
}
