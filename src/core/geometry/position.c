#include "position.h"

#include <assert.h>
#include <math.h>

static bool frame_covers(const struct frame *frame, const double lo[2], const double hi[2])
{
  return frame_holds(frame, lo[0], lo[1]) && frame_holds(frame, hi[0], hi[1]);
}

bool frame_fit(struct frame *frame, const double lo[2], const double hi[2])
{
  if (!(isfinite(lo[0]) && isfinite(lo[1]) && isfinite(hi[0]) && isfinite(hi[1])))
    return false;
  frame->origin_x = floor(0.5 * lo[0] + 0.5 * hi[0]);
  frame->origin_y = floor(0.5 * lo[1] + 0.5 * hi[1]);
  for (frame->exponent = FRAME_EXPONENT; frame->exponent >= FRAME_EXPONENT_MIN; frame->exponent--)
    if (frame_covers(frame, lo, hi))
      return true;
  return false;
}

// One sixteenth of the range stays free: agents near the edge can be pushed past it.
bool frame_holds(const struct frame *frame, double x, double y)
{
  const double reach = ldexp(POSITION_LIMIT / 16 * 15, -frame->exponent);
  return fabs(x - frame->origin_x) <= reach && fabs(y - frame->origin_y) <= reach;
}

int32_t frame_length(const struct frame *frame, double metres)
{
  const double quanta = ldexp(metres, frame->exponent);
  assert(fabs(quanta) <= POSITION_LIMIT);
  return (int32_t)lrint(quanta);
}

struct point frame_point(const struct frame *frame, double x, double y)
{
  assert(frame_holds(frame, x, y));
  return (struct point){frame_length(frame, x - frame->origin_x),
                        frame_length(frame, y - frame->origin_y)};
}

double frame_x(const struct frame *frame, int32_t x)
{
  return frame->origin_x + ldexp(x, -frame->exponent);
}

double frame_y(const struct frame *frame, int32_t y)
{
  return frame->origin_y + ldexp(y, -frame->exponent);
}

static int32_t clamped(int64_t value)
{
  return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

struct box box_widened(struct box b, int32_t by)
{
  return (struct box){{clamped((int64_t)b.lo.x - by), clamped((int64_t)b.lo.y - by)},
                      {clamped((int64_t)b.hi.x + by), clamped((int64_t)b.hi.y + by)}};
}

bool box_overlaps(struct box a, struct box b)
{
  return a.lo.x < b.hi.x && b.lo.x < a.hi.x && a.lo.y < b.hi.y && b.lo.y < a.hi.y;
}
