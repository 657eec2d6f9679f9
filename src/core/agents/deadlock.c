#include "deadlock_kernel.h"

#include <assert.h>

// Whether any of the agents is blocked or was so in the last step. Where nobody is, nothing is
// written: crowds are larger than a cache.
static bool any_blocked(const struct agents *a, int64_t first, int64_t end)
{
  const int32_t *doing = a->doing, *held = a->held;
  int32_t some = 0;
#pragma omp simd reduction(| : some)
  for (int64_t i = first; i < end; i++)
    some |= held[i] | ((doing[i] == ACTIVITY_WALK) & is_blocked(a, i));
  return some;
}

void deadlock_apply(struct agents *a, int64_t first, int64_t end, const struct deadlock_input *in)
{
  assert(agents_is_valid(a) && first >= 0 && end <= a->count && in->timeout >= 0);
  if (!any_blocked(a, first, end))
    return;
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    count_blocked(a, i);
  if (in->timeout == DEADLOCK_NEVER)
    return;
  for (int64_t i = first; i < end; i++)
    sidestep_if_due(a, in, i);
}
