// Sixteen lanes with AVX-512: a mask holds one bit per lane in a mask register. Only lanes.h
// includes this file.
#pragma once
#include <immintrin.h>
typedef __mmask16 mask;

INLINE mask mask_from_bits(uint32_t bits)
{
  return (mask)bits;
}
INLINE uint32_t mask_bits(mask m)
{
  return m;
}
INLINE mask less(real a, real b)
{
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}
INLINE mask less_equal(real a, real b)
{
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}
INLINE mask equal(real a, real b)
{
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
}
INLINE mask ivec_less(ivec a, ivec b)
{
  return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE mask not(mask m)
{
  return (mask)~m;
}
INLINE real select_real(mask m, real yes, real no)
{
  return (real)_mm512_mask_blend_ps(m, (__m512)no, (__m512)yes);
}
INLINE ivec select_ivec(mask m, ivec yes, ivec no)
{
  return (ivec)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}
INLINE real square_root(real x)
{
  return (real)_mm512_sqrt_ps((__m512)x);
}
INLINE mask ivec_equal(ivec a, ivec b)
{
  return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE real min_real(real a, real b) // b < a ? b : a
{
  return (real)_mm512_min_ps((__m512)b, (__m512)a);
}
INLINE real max_real(real a, real b) // a < b ? b : a
{
  return (real)_mm512_max_ps((__m512)b, (__m512)a);
}
#define HAS_INTEGER_MAX
INLINE ivec max_ivec(ivec a, ivec b)
{
  return (ivec)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
INLINE real max_where(mask m, real a, real b)
{
  return (real)_mm512_mask_max_ps((__m512)a, m, (__m512)b, (__m512)a);
}
INLINE real min_where(mask m, real a, real b)
{
  return (real)_mm512_mask_min_ps((__m512)a, m, (__m512)b, (__m512)a);
}
#pragma GCC diagnostic push // at -O0 the gather is a macro with a cast inside
#pragma GCC diagnostic ignored "-Wsign-conversion"
INLINE ivec gather_bits(const void *base, ivec index)
{
  return (ivec)_mm512_i32gather_epi32((__m512i)index, base, 4);
}
#pragma GCC diagnostic pop
INLINE ivec signed_byte(ivec word, int byte)
{
  return (word << (24 - 8 * byte)) >> 24;
}
// a b + c d, rounded once: its terms and the sum are at most 2^53, so they are exact as double.
INLINE __m256 products_sum_half(__m256i a, __m256i b, __m256i c, __m256i d)
{
  const __m512d ab = _mm512_cvtepi32_pd(a) * _mm512_cvtepi32_pd(b);
  return _mm512_cvtpd_ps(ab + _mm512_cvtepi32_pd(c) * _mm512_cvtepi32_pd(d));
}
INLINE __m256i upper_half(ivec x)
{
  return _mm512_castsi512_si256(_mm512_shuffle_i64x2((__m512i)x, (__m512i)x, 0x4e));
}
INLINE real products_sum(ivec a, ivec b, ivec c, ivec d)
{
  const __m256 low =
      products_sum_half(_mm512_castsi512_si256((__m512i)a), _mm512_castsi512_si256((__m512i)b),
                        _mm512_castsi512_si256((__m512i)c), _mm512_castsi512_si256((__m512i)d));
  const __m256 high = products_sum_half(upper_half(a), upper_half(b), upper_half(c), upper_half(d));
  const __m512d both = _mm512_castpd256_pd512(_mm256_castps_pd(low));
  return (real)_mm512_insertf64x4(both, _mm256_castps_pd(high), 1);
}
#define LOOK_UP_BY_PERMUTATION
// Lane l of the result is table[index[l] % LOOK_UP_STEP].
INLINE real look_up_step(const float *table, ivec index)
{
  return (real)_mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)index,
                                      _mm512_loadu_ps(table + LANES));
}
INLINE real permute(real x, ivec lane)
{
  return (real)_mm512_permutexvar_ps((__m512i)lane, (__m512)x);
}
INLINE ivec packing_order(mask m) // the lanes in m, then any
{
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return (ivec)_mm512_maskz_compress_epi32(m, lanes);
}
INLINE void compress_bits(void *to, mask m, ivec x) // one order for all with the same mask
{
  _mm512_storeu_si512(to, _mm512_permutexvar_epi32((__m512i)packing_order(m), (__m512i)x));
}
