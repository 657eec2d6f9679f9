// GNU vectors of any width; a mask lane is all ones or all zeros. Intrinsics where AVX2 and SSE2
// are faster than what the compiler makes of GNU vectors. Only lanes.h includes this file.
#pragma once

typedef ivec mask;

INLINE mask mask_from_bits(uint32_t bits)
{
  mask m;
  for (int l = 0; l < LANES; l++)
    m[l] = -(int32_t)(bits >> l & 1);
  return m;
}
INLINE mask not(mask m)
{
  return ~m;
}

#if LANES == 8 && defined(__AVX2__)
#include <immintrin.h>
INLINE uint32_t mask_bits(mask m)
{
  return (uint32_t)_mm256_movemask_ps((__m256)m);
}
INLINE real square_root(real x)
{
  return (real)_mm256_sqrt_ps((__m256)x);
}
INLINE real min_real(real a, real b)
{
  return (real)_mm256_min_ps((__m256)b, (__m256)a);
}
INLINE real max_real(real a, real b)
{
  return (real)_mm256_max_ps((__m256)b, (__m256)a);
}
#define HAS_INTEGER_MAX
INLINE ivec max_ivec(ivec a, ivec b)
{
  return (ivec)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
INLINE real select_real(mask m, real yes, real no)
{
  return (real)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
}
INLINE ivec gather_bits(const void *base, ivec index)
{
  return (ivec)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}
// a b + c d, rounded once: its terms and the sum are at most 2^53, so they are exact as double.
INLINE __m128 products_sum_half(__m128i a, __m128i b, __m128i c, __m128i d)
{
  const __m256d ab = _mm256_cvtepi32_pd(a) * _mm256_cvtepi32_pd(b);
  return _mm256_cvtpd_ps(ab + _mm256_cvtepi32_pd(c) * _mm256_cvtepi32_pd(d));
}
INLINE __m128i upper_half(ivec x)
{
  return _mm256_castsi256_si128(_mm256_permute4x64_epi64((__m256i)x, 0x4e));
}
INLINE real products_sum(ivec a, ivec b, ivec c, ivec d)
{
  const __m128 low =
      products_sum_half(_mm256_castsi256_si128((__m256i)a), _mm256_castsi256_si128((__m256i)b),
                        _mm256_castsi256_si128((__m256i)c), _mm256_castsi256_si128((__m256i)d));
  return (real)_mm256_set_m128(
      products_sum_half(upper_half(a), upper_half(b), upper_half(c), upper_half(d)), low);
}
INLINE real permute(real x, ivec lane)
{
  return (real)_mm256_permutevar8x32_ps((__m256)x, (__m256i)lane);
}
INLINE ivec packing_order(mask m) // the lanes in m, then any
{
  const uint64_t lanes = _pdep_u64(mask_bits(m), 0x0101010101010101u) * 0xff;
  const uint64_t order = _pext_u64(0x0706050403020100u, lanes); // indices of the lanes in m
  return (ivec)_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
}
INLINE void compress_bits(void *to, mask m, ivec x) // one order for all with the same mask
{
  _mm256_storeu_si256(to, _mm256_permutevar8x32_epi32((__m256i)x, (__m256i)packing_order(m)));
}
#else
INLINE real select_real(mask m, real yes, real no)
{
  return (real)(((ivec)yes & m) | ((ivec)no & ~m));
}
INLINE ivec gather_bits(const void *base, ivec index)
{
  int32_t x[LANES];
  for (int l = 0; l < LANES; l++)
    __builtin_memcpy(&x[l], (const char *)base + (int64_t)index[l] * 4, 4);
  return lanes_load_ivec(x);
}
// a b + c d, rounded once: its terms and the sum are at most 2^53, so they are exact as double.
INLINE real products_sum(ivec a, ivec b, ivec c, ivec d)
{
  real sum;
  for (int l = 0; l < LANES; l++)
    sum[l] = (float)((double)a[l] * (double)b[l] + (double)c[l] * (double)d[l]);
  return sum;
}
INLINE real permute(real x, ivec lane)
{
  return (real)gather_bits(&x, lane);
}
#if LANES == 4 && defined(__SSE2__)
#include <immintrin.h>
INLINE uint32_t mask_bits(mask m)
{
  return (uint32_t)_mm_movemask_ps((__m128)m);
}
INLINE real square_root(real x)
{
  return (real)_mm_sqrt_ps((__m128)x);
}
INLINE real min_real(real a, real b)
{
  return (real)_mm_min_ps((__m128)b, (__m128)a);
}
INLINE real max_real(real a, real b)
{
  return (real)_mm_max_ps((__m128)b, (__m128)a);
}
#else
INLINE uint32_t mask_bits(mask m)
{
  uint32_t bits = 0;
  for (int l = 0; l < LANES; l++)
    bits |= (uint32_t)(m[l] & 1) << l;
  return bits;
}
INLINE real square_root(real x)
{
  for (int l = 0; l < LANES; l++)
    x[l] = sqrtf(x[l]);
  return x;
}
INLINE real min_real(real a, real b)
{
  return select_real(b < a, b, a);
}
INLINE real max_real(real a, real b)
{
  return select_real(a < b, b, a);
}
#endif
INLINE ivec packing_order(mask m) // the lanes in m, then any
{
  int32_t order[LANES] = {0};
  int count = 0;
  for (int l = 0; l < LANES; l++) {
    order[count] = l;
    count -= m[l];
  }
  return lanes_load_ivec(order);
}
INLINE void compress_bits(void *to, mask m, ivec x)
{
  int32_t lanes[LANES];
  lanes_store_ivec(lanes, x);
  char *next = to;
  for (int l = 0; l < LANES; l++) {
    __builtin_memcpy(next, &lanes[l], 4);
    next -= 4 * (int64_t)m[l];
  }
}
#endif
INLINE ivec signed_byte(ivec word, int byte)
{
  return (word << (24 - 8 * byte)) >> 24;
}
INLINE ivec select_ivec(mask m, ivec yes, ivec no)
{
  return (ivec)select_real(m, (real)yes, (real)no);
}
