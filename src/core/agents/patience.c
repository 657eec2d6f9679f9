#include "patience_one.h"

void patience_apply(struct agents *a, uint64_t seed, int64_t step, int32_t limit)
{
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_FROM)
  for (int64_t i = 0; i < a->count; i++)
    patience_one(a, seed, step, limit, i);
}
