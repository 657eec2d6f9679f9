// Who crosses a line? Exact, and everybody is taken as moved by (e, e^2): see the head of
// measure.h.
#pragma once
#include "exact.h"

// Is p + (e, e^2) left of a -> b? On the line, the sign of (b - a) x (e, e^2) decides.
INLINE bool left_of(struct point a, struct point b, struct point p)
{
  const int side = orientation(a, b, p);
  return side != 0 ? side > 0 : b.y < a.y || (b.y == a.y && b.x > a.x);
}

// Is p left of the move a -> b, both ends of which are shifted by (e, e^2)?
INLINE bool left_of_move(struct point a, struct point b, struct point p)
{
  const int side = orientation(a, b, p);
  return side != 0 ? side > 0 : b.y > a.y || (b.y == a.y && b.x < a.x);
}

// Does the move cross the segment a-b: 1 from its left to its right, -1 back, 0 not.
INLINE int line_crossing(struct point a, struct point b, struct point from, struct point to)
{
  const bool begins_left = left_of(a, b, from), ends_left = left_of(a, b, to);
  if (begins_left == ends_left || left_of_move(from, to, a) == left_of_move(from, to, b))
    return 0;
  return begins_left ? 1 : -1;
}
