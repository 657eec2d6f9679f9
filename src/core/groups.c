#include "groups.h"

#include <math.h>
#include <string.h>

#define AHEAD_FREE 1.0f // m: so far ahead of the others one does not slow down yet
#define AHEAD_FULL 1.0f // m: and so much further one walks at half one's speed
#define ASIDE_FREE 0.5f // m: so far to the side one is not drawn yet
#define ASIDE_FULL 1.0f // m: and so much further one is drawn with all of the weight
#define ASIDE_PULL 0.5f // of the wished speed

static uint32_t bucket_of(const struct groups *g, int64_t group)
{
  return (uint32_t)((uint64_t)group * 0x9e3779b97f4a7c15u >> 32) & (g->buckets - 1);
}

static void reserve(struct groups *g, int64_t count)
{
  if (g->start && count <= g->capacity)
    return;
  groups_destroy(g);
  g->capacity = count + count / 8 + 64;
  g->buckets = 64;
  while (g->buckets < g->capacity / 2 && g->buckets < 1u << 30)
    g->buckets *= 2;
  g->start = memory_create((size_t)g->buckets + 2, sizeof *g->start);
  g->members = memory_create((size_t)g->capacity, sizeof *g->members);
}

// Counts into the bucket after the next, so that filling them leaves every start where it belongs.
static void list_members(struct groups *g, const struct agents *a)
{
  const int64_t count = a->count + a->ghost_count;
  int32_t *start = g->start;
  memset(start, 0, ((size_t)g->buckets + 2) * sizeof *start);
  for (int64_t i = 0; i < count; i++)
    if (a->group[i] >= 0)
      start[bucket_of(g, a->group[i]) + 2]++;
  for (uint32_t b = 2; b < g->buckets + 2; b++)
    start[b] += start[b - 1];
  for (int64_t i = 0; i < count; i++)
    if (a->group[i] >= 0)
      g->members[start[bucket_of(g, a->group[i]) + 1]++] = (int32_t)i;
}

struct mates { // of one agent, in range
  int64_t count;
  int64_t x, y; // quanta: sums of where they are, from the agent
};

static struct mates mates_of(const struct groups *g, const struct agents *a, int64_t i,
                             int64_t range)
{
  struct mates m = {0};
  const uint32_t bucket = bucket_of(g, a->group[i]);
  for (int32_t k = g->start[bucket]; k < g->start[bucket + 1]; k++) {
    const int64_t j = g->members[k];
    const int64_t x = (int64_t)a->x[j] - a->x[i], y = (int64_t)a->y[j] - a->y[i];
    if (j == i || a->group[j] != a->group[i] || x > range || x < -range || y > range ||
        y < -range || x * x + y * y > range * range)
      continue;
    m.count++;
    m.x += x;
    m.y += y;
  }
  return m;
}

// 0 up to free, then on a line to 1.
static float excess(float x, float free, float full)
{
  const float over = (x - free) / full;
  return over > 0 ? over < 1 ? over : 1 : 0;
}

static void keep_one(struct agents *a, int64_t i, const struct mates *m, float quantum)
{
  const float wx = a->prefer_x[i], wy = a->prefer_y[i], speed = sqrtf(wx * wx + wy * wy);
  if (m->count == 0 || !(speed > 0))
    return;
  const float gx = wx / speed, gy = wy / speed, each = quantum / (float)m->count;
  const float mx = (float)m->x * each, my = (float)m->y * each; // m, to the mean of the others
  const float ahead = -(mx * gx + my * gy), left = gx * my - gy * mx;
  const float slow = 1 - 0.5f * excess(ahead, AHEAD_FREE, AHEAD_FULL);
  const float pull = ASIDE_PULL * excess(left < 0 ? -left : left, ASIDE_FREE, ASIDE_FULL);
  const float aside = left < 0 ? -pull : pull;
  const float scale = slow * speed / sqrtf(1 + aside * aside); // nobody is made to run
  a->prefer_x[i] = scale * (gx - aside * gy);
  a->prefer_y[i] = scale * (gy + aside * gx);
}

void groups_keep(struct groups *g, const struct frame *frame, struct agents *a)
{
  const float quantum = frame_quantum(frame);
  const int64_t range = frame_length(frame, (double)GROUP_RANGE);
  reserve(g, a->count + a->ghost_count);
  list_members(g, a);
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_FROM)
  for (int64_t i = 0; i < a->count; i++)
    if (a->group[i] >= 0) {
      const struct mates m = mates_of(g, a, i, range);
      keep_one(a, i, &m, quantum);
    }
}

void groups_destroy(struct groups *g)
{
  memory_destroy(g->start);
  memory_destroy(g->members);
  *g = (struct groups){0};
}
