// One member of a group: who of the others is near, and what that does to its wish (groups.h).
#pragma once
#include "groups.h"
#include "portable.h"

#include <math.h>

#define GROUP_AHEAD_FREE 1.0f // m: so far ahead of the others one does not slow down yet
#define GROUP_AHEAD_FULL 1.0f // m: and so much further one walks at half one's speed
#define GROUP_ASIDE_FREE 0.5f // m: so far to the side one is not drawn yet
#define GROUP_ASIDE_FULL 1.0f // m: and so much further one is drawn with all of the weight
#define GROUP_ASIDE_PULL 0.5f // of the wished speed

struct group_sum { // of one agent, in range
  int64_t count;
  int64_t x, y; // quanta: sums of where they are, from the agent
};

// Agent j, if it is one of agent i's. range: quanta.
INLINE void group_sum_add(struct group_sum *m, const struct agents *a, int64_t i, int64_t j,
                          int64_t range)
{
  const int64_t x = (int64_t)a->x[j] - a->x[i], y = (int64_t)a->y[j] - a->y[i];
  if (j == i || a->group[j] != a->group[i] || x > range || x < -range || y > range || y < -range ||
      x * x + y * y > range * range)
    return;
  m->count++;
  m->x += x;
  m->y += y;
}

// 0 up to free, then on a line to 1.
INLINE float ramp(float x, float free, float full)
{
  const float over = (x - free) / full;
  return over > 0 ? over < 1 ? over : 1 : 0;
}

INLINE void group_apply_one(struct agents *a, int64_t i, const struct group_sum *m, float quantum)
{
  const float wx = a->prefer_x[i], wy = a->prefer_y[i], speed = sqrtf(wx * wx + wy * wy);
  if (m->count == 0 || !(speed > 0))
    return;
  const float gx = wx / speed, gy = wy / speed, each = quantum / (float)m->count;
  const float mx = (float)m->x * each, my = (float)m->y * each; // m, to the mean of the others
  const float ahead = -(mx * gx + my * gy), left = gx * my - gy * mx;
  const float slow = 1 - 0.5f * ramp(ahead, GROUP_AHEAD_FREE, GROUP_AHEAD_FULL);
  const float pull =
      GROUP_ASIDE_PULL * ramp(left < 0 ? -left : left, GROUP_ASIDE_FREE, GROUP_ASIDE_FULL);
  const float aside = left < 0 ? -pull : pull;
  const float scale = slow * speed / sqrtf(1 + aside * aside); // nobody is made to run
  a->prefer_x[i] = scale * (gx - aside * gy);
  a->prefer_y[i] = scale * (gy + aside * gx);
}
