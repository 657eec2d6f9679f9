// One lane: a real is a float. Included by lanes.h alone.
#pragma once

typedef float real;
typedef int32_t whole;
typedef int32_t mask; // 1: true

INLINE real all_lanes(float x)
{
  return x;
}
INLINE whole all_lanes_whole(int32_t x)
{
  return x;
}
INLINE real lanes_load(const float *from)
{
  return *from;
}
INLINE whole lanes_load_whole(const int32_t *from)
{
  return *from;
}
INLINE void lanes_store(float *to, real x)
{
  *to = x;
}
INLINE void lanes_store_whole(int32_t *to, whole x)
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
#ifndef __cplusplus // where `not` is a word of the language, and means this
INLINE mask not(mask m)
{
  return !m;
}
#endif
INLINE real pick(mask m, real yes, real no)
{
  return m ? yes : no;
}
INLINE whole pick_whole(mask m, whole yes, whole no)
{
  return m ? yes : no;
}
INLINE real square_root(real x)
{
  return sqrtf(x);
}
INLINE real to_real(whole x)
{
  return (float)x;
}
INLINE whole to_whole(real x) // towards zero; |x| < 2^31
{
  return (int32_t)x;
}
INLINE whole bits_of(real x)
{
  whole bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
INLINE real real_of_bits(whole bits)
{
  real x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

INLINE real smaller(real a, real b)
{
  return b < a ? b : a;
}
INLINE real larger(real a, real b)
{
  return a < b ? b : a;
}
INLINE whole gather_bits(const void *base, whole index)
{
  whole x;
  __builtin_memcpy(&x, (const char *)base + (int64_t)index * 4, 4);
  return x;
}
INLINE real lane_from(real x, whole lane)
{
  (void)lane;
  return x;
}
INLINE void compress_bits(void *to, mask m, whole x)
{
  (void)m;
  __builtin_memcpy(to, &x, 4);
}
