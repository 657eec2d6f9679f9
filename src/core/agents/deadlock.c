#include "deadlock_kernel.h"

#include <assert.h>

void deadlock_apply(struct agents *a, uint64_t seed, int64_t step, int32_t timeout)
{
  assert(agents_is_valid(a) && timeout >= 0);
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++)
    deadlock_apply_one(a, seed, step, timeout, i);
}
