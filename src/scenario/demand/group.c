// Who of a source belongs together.
#include "demand_internal.h"

#include "draw.h"

// Groups of drawn sizes fill blocks of so many people; the last of a block is cut to what is left.
// So whoever asks draws a block at most. Most sizes that are the same for all fit in it evenly, and
// those need no draw.
#define BLOCK 240

static struct group cut_to(const struct source *s, int64_t first, int64_t count)
{
  const int64_t left = s->count - first;
  return (struct group){first, (int32_t)(count < left ? count : left)};
}

struct group group_of(const struct demand *d, const struct source *s, int64_t number)
{
  const struct distribution *size = &s->config->group;
  const int64_t source = s - d->sources, block = number - number % BLOCK;
  if (size->hi <= 1)
    return (struct group){number, 1};
  if (size->kind == CONSTANT)
    return cut_to(s, number - number % (int64_t)size->mean, (int64_t)size->mean);
  int64_t first = block;
  for (;;) {
    const int64_t left = block + BLOCK - first;
    const int64_t drawn =
        distribution_draw_whole(size, d->seed, source << 40 | first, RANDOM_GROUP);
    const int64_t count = drawn < left ? drawn : left;
    if (number < first + count)
      return cut_to(s, first, count);
    first += count;
  }
}
