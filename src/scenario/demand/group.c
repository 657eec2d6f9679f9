// Groups of a source.
#include "demand_internal.h"

#include "sampling.h"

// Groups of random sizes fill blocks of this many agents; the last group of a block is truncated.
// So a look-up needs at most one block of draws. Groups of constant size need no draws.
#define GROUP_BLOCK 240

static struct group group_truncate(const struct source *s, int64_t first, int64_t count)
{
  const int64_t left = s->count - first;
  return (struct group){first, (int32_t)(count < left ? count : left)};
}

struct group group_of_member(const struct demand *d, const struct source *s, int64_t number)
{
  const struct distribution *size = &s->config->group;
  const int64_t source = s - d->sources, block = number - number % GROUP_BLOCK;
  if (size->hi <= 1)
    return (struct group){number, 1};
  if (size->kind == CONSTANT)
    return group_truncate(s, number - number % (int64_t)size->mean, (int64_t)size->mean);
  int64_t first = block;
  for (;;) {
    const int64_t left = block + GROUP_BLOCK - first;
    const int64_t drawn =
        distribution_sample_integer(size, d->seed, source << 40 | first, RANDOM_GROUP);
    const int64_t count = drawn < left ? drawn : left;
    if (number < first + count)
      return group_truncate(s, first, count);
    first += count;
  }
}
