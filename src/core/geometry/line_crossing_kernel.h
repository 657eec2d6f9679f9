// Whether a move crosses a line. Exact; all positions count as displaced by the infinitesimal
// (e, e^2), as explained in measure.h.
#pragma once
#include "exact.h"

// Whether p + (e, e^2) is left of a -> b. On the line, the sign of (b - a) x (e, e^2) decides.
INLINE bool left_of(struct point a, struct point b, struct point p)
{
  const int side = orientation(a, b, p);
  return side != 0 ? side > 0 : b.y < a.y || (b.y == a.y && b.x > a.x);
}

// Whether p is left of the move a -> b, both ends of which are displaced by (e, e^2).
INLINE bool left_of_move(struct point a, struct point b, struct point p)
{
  const int side = orientation(a, b, p);
  return side != 0 ? side > 0 : b.y > a.y || (b.y == a.y && b.x < a.x);
}

// 1 if the move crosses the segment a-b from left to right, -1 from right to left, 0 if not.
INLINE int line_crossing(struct point a, struct point b, struct point from, struct point to)
{
  const bool begins_left = left_of(a, b, from), ends_left = left_of(a, b, to);
  if (begins_left == ends_left || left_of_move(from, to, a) == left_of_move(from, to, b))
    return 0;
  return begins_left ? 1 : -1;
}
