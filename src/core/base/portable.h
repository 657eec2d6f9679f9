// One text, several machines: the geometry of a step is written once, in headers. A C compiler
// makes of it the lanes of a CPU, nvcc the threads of a GPU, of one lane each.
#pragma once

#ifdef __CUDACC__
#define HOST_DEVICE static __host__ __device__
#define INLINE      static __host__ __device__ __forceinline__
#else
#define HOST_DEVICE static __attribute__((unused))
#define INLINE      static inline __attribute__((always_inline))
#endif

#include <stdint.h>

// The loop that follows, unrolled as far as its bounds are constants.
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

INLINE int bit_count(uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

INLINE int lowest_bit(uint32_t bits) // the number of the lowest one that is set; there is one
{
#ifdef __CUDA_ARCH__
  return __ffs((int)bits) - 1;
#else
  return __builtin_ctz(bits);
#endif
}
