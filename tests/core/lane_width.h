// Tests that are compiled for several widths of the machine.
#pragma once
#include "lanes.h"

#include <criterion/criterion.h>

static inline void skip_if_too_wide(void)
{
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl"))
    cr_skip_test("this machine has no AVX-512: %d lanes are not tested\n", LANES);
#elif defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2"))
    cr_skip_test("this machine has no AVX2: %d lanes are not tested\n", LANES);
#endif
}
