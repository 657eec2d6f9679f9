// The vectors of this machine.
#pragma once
#include <stdbool.h>

// Whether the machine has the instructions that core/CMakeLists.txt lets the compiler use for this
// number of lanes.
static inline bool machine_has_lanes(int lanes)
{
#ifdef __x86_64__
  if (lanes == 16)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (lanes == 8)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
  return lanes <= 4;
}

// The most lanes that it has.
static inline int machine_lanes(void)
{
  return machine_has_lanes(16) ? 16 : machine_has_lanes(8) ? 8 : 4;
}
