#include "work_stealing.h"

#include "base.h"
#include <assert.h>

struct work_range {           // in a cache line of its own
  _Alignas(64) uint64_t left; // first item << 32 | end
};

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

struct work_stealing work_stealing_create(int64_t items, int32_t threads)
{
  assert(items >= 0 && items <= UINT32_MAX && threads > 0);
  const struct work_stealing s = {threads, memory_create((size_t)threads, sizeof *s.of)};
  for (int32_t t = 0; t < threads; t++)
    s.of[t].left = range_of((uint64_t)(items * t / threads), (uint64_t)(items * (t + 1) / threads));
  return s;
}

void work_stealing_destroy(struct work_stealing *s)
{
  memory_destroy(s->of);
  *s = (struct work_stealing){0};
}

// Replaces the range that was read before, unless another thread has changed it meanwhile.
static bool replace(struct work_range *s, uint64_t *range, uint64_t by)
{
  return __atomic_compare_exchange_n(&s->left, range, by, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

static int64_t take_first(struct work_range *s)
{
  uint64_t range = __atomic_load_n(&s->left, __ATOMIC_RELAXED);
  while (first_of(range) < end_of(range))
    if (replace(s, &range, range_of((uint64_t)first_of(range) + 1, end_of(range))))
      return first_of(range);
  return -1;
}

static int64_t take_last(struct work_range *s, uint64_t range)
{
  const uint32_t item = end_of(range) - 1;
  return replace(s, &range, range_of(first_of(range), item)) ? (int64_t)item : -1;
}

int64_t work_stealing_next(const struct work_stealing *s, int32_t thread)
{
  int64_t item = take_first(&s->of[thread]);
  for (uint32_t most = 1; item < 0 && most > 0;) {
    uint64_t range = 0;
    int32_t of = -1;
    most = 0;
    for (int32_t t = 0; t < s->threads; t++) {
      const uint64_t left = __atomic_load_n(&s->of[t].left, __ATOMIC_RELAXED);
      if (first_of(left) < end_of(left) && end_of(left) - first_of(left) > most) {
        most = end_of(left) - first_of(left);
        range = left;
        of = t;
      }
    }
    if (most > 0)
      item = take_last(&s->of[of], range);
  }
  return item;
}
