// One member of a group: the other members within range, and their effect on its preferred velocity
// (groups.h).
#pragma once
#include "groups.h"
#include "portable.h"

#include <math.h>

// Offsets from the mean of the other members, m. An effect starts at FREE and is full at FREE +
// FULL.
#define GROUP_AHEAD_FREE 1.0f // ahead: the member slows down, at most to half its speed
#define GROUP_AHEAD_FULL 1.0f
#define GROUP_ASIDE_FREE 0.5f // to the side: the member is drawn back
#define GROUP_ASIDE_FULL 1.0f
#define GROUP_ASIDE_PULL 0.5f // full sideways component, as a fraction of the preferred speed

struct group_sum { // over the other members within range
  int64_t count;
  int64_t x, y; // quanta: sum of their positions relative to the agent
};

// Adds agent j if it is another member of agent i's group and within range (quanta).
INLINE void group_sum_add(struct group_sum *s, const struct agents *a, int64_t i, int64_t j,
                          int64_t range)
{
  const int64_t x = (int64_t)a->x[j] - a->x[i], y = (int64_t)a->y[j] - a->y[i];
  if (j == i || agent_group(a, j) != agent_group(a, i) || x > range || x < -range || y > range ||
      y < -range || x * x + y * y > range * range)
    return;
  s->count++;
  s->x += x;
  s->y += y;
}

// 0 up to x = free, then linear to 1 at x = free + full.
INLINE float ramp(float x, float free, float full)
{
  const float over = (x - free) / full;
  return over > 0 ? over < 1 ? over : 1 : 0;
}

// As groups_apply, for agent i; quantum: m.
INLINE void group_apply_one(struct agents *a, int64_t i, const struct group_sum *s, float quantum)
{
  const float wx = a->prefer_x[i], wy = a->prefer_y[i], speed = sqrtf(wx * wx + wy * wy);
  if (s->count == 0 || !(speed > 0))
    return;
  const float gx = wx / speed, gy = wy / speed, each = quantum / (float)s->count;
  const float mx = (float)s->x * each, my = (float)s->y * each; // m, to the mean of the others
  const float ahead = -(mx * gx + my * gy), left = gx * my - gy * mx;
  const float slow = 1 - 0.5f * ramp(ahead, GROUP_AHEAD_FREE, GROUP_AHEAD_FULL);
  const float pull =
      GROUP_ASIDE_PULL * ramp(left < 0 ? -left : left, GROUP_ASIDE_FREE, GROUP_ASIDE_FULL);
  const float aside = left < 0 ? -pull : pull;
  const float scale = slow * speed / sqrtf(1 + aside * aside); // not faster than preferred
  a->prefer_x[i] = scale * (gx - aside * gy);
  a->prefer_y[i] = scale * (gy + aside * gx);
}
