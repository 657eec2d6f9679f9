// Exact predicates on points and segments. Products of two differences of positions stay within
// +-2^62: they are compared, because their difference could overflow.
#pragma once
#include "portable.h"
#include "position.h"

struct segment { // quanta
  struct point a, b;
};

// Side of the line a -> b on which p lies: 1 left, -1 right, 0 on the line.
INLINE int orientation(struct point a, struct point b, struct point p)
{
  const int64_t left = ((int64_t)b.x - a.x) * ((int64_t)p.y - a.y);
  const int64_t right = ((int64_t)b.y - a.y) * ((int64_t)p.x - a.x);
  return (left > right) - (left < right);
}

// Whether p, which is on the line through a and b, is on the segment a-b.
INLINE bool on_segment(struct point a, struct point b, struct point p)
{
  const bool x = a.x < b.x ? p.x >= a.x && p.x <= b.x : p.x >= b.x && p.x <= a.x;
  const bool y = a.y < b.y ? p.y >= a.y && p.y <= b.y : p.y >= b.y && p.y <= a.y;
  return x && y;
}

INLINE bool same_point(struct point a, struct point b)
{
  return a.x == b.x && a.y == b.y;
}

INLINE struct box segment_box(struct point a, struct point b) // hi inside
{
  return (struct box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y},
                      {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y}};
}
