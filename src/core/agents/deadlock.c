#include "deadlock_kernel.h"

#include <assert.h>

void deadlock_apply(struct agents *a, int64_t first, int64_t end, const struct deadlock_input *in)
{
  assert(agents_is_valid(a) && first >= 0 && end <= a->count && in->timeout >= 0);
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    count_blocked(a, i);
  if (in->timeout == DEADLOCK_NEVER)
    return;
  for (int64_t i = first; i < end; i++)
    sidestep_if_due(a, in, i);
}
