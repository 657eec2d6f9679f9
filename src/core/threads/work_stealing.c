#include "work_stealing.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

static uint64_t range_of(uint64_t first, uint64_t end)
{
  return first << 32 | end;
}
static uint32_t first_of(uint64_t range)
{
  return (uint32_t)(range >> 32);
}
static uint32_t end_of(uint64_t range)
{
  return (uint32_t)range;
}
static uint32_t length_of(uint64_t range)
{
  return end_of(range) - first_of(range);
}

void work_stealing_begin(struct work_stealing *s, int64_t items, int32_t threads)
{
  assert(items >= 0 && items <= UINT32_MAX && threads > 0);
  s->count = threads < WORK_RANGES_MAX ? threads : WORK_RANGES_MAX;
  for (int32_t k = 0; k < s->count; k++)
    s->ranges[k].left =
        range_of((uint64_t)(items * k / s->count), (uint64_t)(items * (k + 1) / s->count));
}

static uint64_t left_of(const struct work_range *r)
{
  return __atomic_load_n(&r->left, __ATOMIC_RELAXED);
}

// Replaces the range that was read before, unless another thread has changed it meanwhile.
static bool replace(struct work_range *r, uint64_t *range, uint64_t by)
{
  return __atomic_compare_exchange_n(&r->left, range, by, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

static int64_t take_first(struct work_range *r)
{
  uint64_t range = left_of(r);
  while (length_of(range) > 0)
    if (replace(r, &range, range_of((uint64_t)first_of(range) + 1, end_of(range))))
      return first_of(range);
  return -1;
}

// With most items left; NULL: none has any.
static struct work_range *fullest(struct work_stealing *s)
{
  struct work_range *found = NULL;
  uint32_t most = 0;
  for (int32_t k = 0; k < s->count; k++) {
    const uint32_t length = length_of(left_of(&s->ranges[k]));
    found = length > most ? &s->ranges[k] : found;
    most = length > most ? length : most;
  }
  return found;
}

static int64_t take_last(struct work_range *r)
{
  uint64_t range = left_of(r);
  while (length_of(range) > 0)
    if (replace(r, &range, range_of(first_of(range), (uint64_t)end_of(range) - 1)))
      return (int64_t)end_of(range) - 1;
  return -1;
}

int64_t work_stealing_next(struct work_stealing *s, int32_t thread)
{
  assert(thread >= 0 && s->count > 0);
  int64_t item = take_first(&s->ranges[thread % s->count]);
  for (struct work_range *r; item < 0 && (r = fullest(s));)
    item = take_last(r);
  return item;
}
