// One lane: a real is a float. Only lanes.h includes this file.
#pragma once

typedef float real;
typedef int32_t ivec;
#ifdef __CUDACC__
typedef bool mask;   // in a predicate register
#define any any_lane // any(bool) is a function of CUDA
#else
typedef int32_t mask; // 1: true
#endif

INLINE real splat(float x)
{
  return x;
}
INLINE ivec splat_ivec(int32_t x)
{
  return x;
}
INLINE real lanes_load(const float *from)
{
  return *from;
}
INLINE ivec lanes_load_ivec(const int32_t *from)
{
  return *from;
}
INLINE void lanes_store(float *to, real x)
{
  *to = x;
}
INLINE void lanes_store_ivec(int32_t *to, ivec x)
{
  *to = x;
}
INLINE mask mask_from_bits(uint32_t bits)
{
  return (mask)(bits & 1);
}
INLINE uint32_t mask_bits(mask m)
{
  return (uint32_t)m;
}
#ifndef __cplusplus // `not` is a keyword of C++ with the same meaning
INLINE mask not(mask m)
{
  return !m;
}
#endif
INLINE real select_real(mask m, real yes, real no)
{
  return m ? yes : no;
}
INLINE ivec select_ivec(mask m, ivec yes, ivec no)
{
  return m ? yes : no;
}
INLINE real square_root(real x)
{
  return sqrtf(x);
}
INLINE real to_real(ivec x)
{
  return (float)x;
}
INLINE ivec to_ivec(real x) // towards zero; |x| < 2^31
{
  return (int32_t)x;
}
INLINE ivec bits_of(real x)
{
  ivec bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
INLINE real real_of_bits(ivec bits)
{
  real x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

INLINE real min_real(real a, real b)
{
  return b < a ? b : a;
}
INLINE real max_real(real a, real b)
{
  return a < b ? b : a;
}
INLINE ivec gather_bits(const void *base, ivec index)
{
  ivec x;
  __builtin_memcpy(&x, (const char *)base + (int64_t)index * 4, 4);
  return x;
}
INLINE ivec signed_byte(ivec word, int byte) // 0: the lowest
{
  return (int8_t)(word >> 8 * byte);
}
// a b + c d, rounded once: its terms and the sum are at most 2^53, so they are exact as double.
INLINE real products_sum(ivec a, ivec b, ivec c, ivec d)
{
  return (float)((double)a * (double)b + (double)c * (double)d);
}
INLINE real permute(real x, ivec lane)
{
  (void)lane;
  return x;
}
INLINE ivec packing_order(mask m)
{
  (void)m;
  return 0;
}
INLINE void compress_bits(void *to, mask m, ivec x)
{
  (void)m;
  __builtin_memcpy(to, &x, 4);
}
