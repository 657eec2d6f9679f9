#include "deadlock_kernel.h"

#include <assert.h>

void deadlock_apply(struct agents *a, int64_t first, int64_t end, const struct deadlock_input *in)
{
  assert(agents_is_valid(a) && first >= 0 && end <= a->count && in->timeout >= 0);
  for (int64_t i = first; i < end; i++)
    deadlock_apply_one(a, in, i);
}
