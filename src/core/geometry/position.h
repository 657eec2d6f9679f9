// Positions: int32 fixed point. A quantum is a power of two of a metre.
//
// Differences of positions are exact, and exact as float too below 2^24 quanta, so relative
// geometry has the same bits on every rank. Ownership and tree order are integer comparisons.
// Positions stay within +-POSITION_LIMIT, so that a difference always fits int32_t.
#pragma once
#include "portable.h"
#include <stdbool.h>
#include <stdint.h>

#define POSITION_LIMIT (1 << 30) // quanta from the world's origin, along each axis

struct point { // quanta
  int32_t x, y;
};

struct box { // quanta, [lo, hi): lo is inside, hi is not
  struct point lo, hi;
};

// The world's frame: how coordinates of the input become positions. One quantum is 2^-exponent m.
struct frame {
  double origin_x, origin_y; // m, in the input's coordinates: the position (0, 0)
  int exponent;
};

#define FRAME_EXPONENT 16 // 2^-16 m = 15 um: +-16 km
#define FRAME_EXPONENT_MIN                                                                         \
  7 // 2^-7 m = 8 mm: +-8,400 km; a coarser one would round walking speeds to 0

// The finest frame that holds the rectangle [lo, hi] (m) with a margin. Its origin is the middle of
// the rectangle, rounded down to a whole metre. False if even the coarsest frame is too small or
// the rectangle is not finite.
bool frame_fit(struct frame *frame, const double lo[2], const double hi[2]);

bool frame_holds(const struct frame *frame, double x, double y); // x, y: m, input coordinates
// The position nearest to (x, y), which the frame must hold.
struct point frame_point(const struct frame *frame, double x, double y);
double frame_x(const struct frame *frame, int32_t x); // m, input coordinates
double frame_y(const struct frame *frame, int32_t y);
int32_t frame_length(const struct frame *frame, double metres); // quanta, rounded to nearest

INLINE bool box_holds(struct box b, struct point p) // exact
{
  return p.x >= b.lo.x && p.x < b.hi.x && p.y >= b.lo.y && p.y < b.hi.y;
}

INLINE bool box_is_near(struct box b, struct point p, int64_t distance) // along x and along y
{
  return p.x + distance >= b.lo.x && p.x - distance < b.hi.x && p.y + distance >= b.lo.y &&
         p.y - distance < b.hi.y;
}

struct box box_widened(struct box b, int32_t by); // saturates at the limits of int32_t
bool box_overlaps(struct box a, struct box b);    // they share at least one position

// The smallest box that contains both.
INLINE struct box box_union(struct box a, struct box b)
{
  return (struct box){{a.lo.x < b.lo.x ? a.lo.x : b.lo.x, a.lo.y < b.lo.y ? a.lo.y : b.lo.y},
                      {a.hi.x > b.hi.x ? a.hi.x : b.hi.x, a.hi.y > b.hi.y ? a.hi.y : b.hi.y}};
}

INLINE float frame_quantum(const struct frame *frame) // m
{
  return 1.0f / (float)((int64_t)1 << frame->exponent);
}

// Rounds to the nearest integer, ties to even, for |value| < 2^22: the sum with 1.5 * 2^23 has no
// fraction bits. Same bits with every compiler, and symmetric: rounded(-x) == -rounded(x).
INLINE int32_t position_rounded(float value)
{
  const float shift = 12582912.0f, sum = value + shift;
  return (int32_t)(sum - shift);
}

// The position one step later at velocity (vx, vy), m/s. quanta_per_speed = dt / quantum.
INLINE struct point position_after(struct point p, float vx, float vy, float quanta_per_speed)
{
  return (struct point){p.x + position_rounded(vx * quanta_per_speed),
                        p.y + position_rounded(vy * quanta_per_speed)};
}

// The position inside the box that is nearest to p; the box must not be empty.
INLINE struct point position_clamped(struct point p, struct box b)
{
  const int32_t x = p.x < b.lo.x ? b.lo.x : p.x, y = p.y < b.lo.y ? b.lo.y : p.y;
  return (struct point){x < b.hi.x ? x : b.hi.x - 1, y < b.hi.y ? y : b.hi.y - 1};
}
