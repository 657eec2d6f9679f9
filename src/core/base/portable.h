// Macros for headers that are compiled both for the host and for the device. A C compiler turns
// them into SIMD lanes of a CPU, nvcc into GPU threads of one lane each.
#pragma once

#ifdef __CUDACC__
#define HOST_DEVICE static __host__ __device__
#define INLINE      static __host__ __device__ __forceinline__
#else
#define HOST_DEVICE static __attribute__((unused))
#define INLINE      static inline __attribute__((always_inline))
#endif

#include <stdint.h>

// Fully unrolls the next loop; its bounds must be compile-time constants.
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

// The upper half of a product of 64 bits each.
INLINE uint64_t product_high(uint64_t a, uint64_t b)
{
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ typedef unsigned __int128 uint128;
  return (uint64_t)((uint128)a * b >> 64);
#endif
}

INLINE int lowest_bit(uint32_t bits) // index of the lowest set bit; bits != 0
{
#ifdef __CUDA_ARCH__
  return __ffs((int)bits) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

INLINE int highest_bit(uint32_t bits) // index of the highest set bit; bits != 0
{
#ifdef __CUDA_ARCH__
  return 31 - __clz((int)bits);
#else
  return 31 - __builtin_clz(bits);
#endif
}

INLINE int lowest_bit_64(uint64_t bits) // the same of 64 bits
{
#ifdef __CUDA_ARCH__
  return __ffsll((long long)bits) - 1;
#else
  return __builtin_ctzll(bits);
#endif
}
