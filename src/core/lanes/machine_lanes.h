// How many lanes the widest vectors of this machine have.
#pragma once

// Whether it has those of so many lanes: as core/CMakeLists.txt compiles for them.
static inline int machine_has_lanes(int lanes)
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

static inline int machine_lanes(void)
{
  return machine_has_lanes(16) ? 16 : machine_has_lanes(8) ? 8 : 4;
}
