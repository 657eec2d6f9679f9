#include "groups.h"

#include "group_kernel.h"
#include <assert.h>
#include <string.h>

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

// A counting sort. Bucket b is counted in start[b + 2], so that filling it through start[b + 1]
// leaves every start in its place.
static void list_members(struct groups *g, const struct agents *a)
{
  const int64_t count = a->count + a->ghost_count;
  int32_t *start = g->start;
  memset(start, 0, ((size_t)g->buckets + 2) * sizeof *start);
  for (int64_t i = 0; i < count; i++)
    if (agent_group(a, i) >= 0)
      start[bucket_of(g, agent_group(a, i)) + 2]++;
  for (uint32_t b = 2; b < g->buckets + 2; b++)
    start[b] += start[b - 1];
  for (int64_t i = 0; i < count; i++)
    if (agent_group(a, i) >= 0)
      g->members[start[bucket_of(g, agent_group(a, i)) + 1]++] = (int32_t)i;
}

static struct group_sum group_sum_of(const struct groups *g, const struct agents *a, int64_t i,
                                     int64_t range)
{
  struct group_sum sum = {0};
  const uint32_t bucket = bucket_of(g, agent_group(a, i));
  for (int32_t k = g->start[bucket]; k < g->start[bucket + 1]; k++)
    group_sum_add(&sum, a, i, g->members[k], range);
  return sum;
}

void groups_apply(struct groups *g, const struct frame *frame, struct agents *a)
{
  assert(agents_is_valid(a));
  const float quantum = frame_quantum(frame);
  const int64_t range = frame_length(frame, (double)GROUP_RANGE);
  reserve(g, a->count + a->ghost_count);
  list_members(g, a);
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++)
    if (agent_group(a, i) >= 0) {
      const struct group_sum sum = group_sum_of(g, a, i, range);
      group_apply_one(a, i, &sum, quantum);
    }
}

void groups_destroy(struct groups *g)
{
  memory_destroy(g->start);
  memory_destroy(g->members);
  *g = (struct groups){0};
}
