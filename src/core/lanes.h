// The one place that knows how wide the machine is: LANES agents side by side.
//
// With LANES 1 a `real` is a float (the plain reference, and a CUDA thread); else a GNU vector.
// Everything here is exact IEEE arithmetic, a compare or a choice, so a lane computes the same
// bits whatever the width. No fma, no reciprocal estimates, no libm.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef LANES
#define LANES 1
#endif
#define INLINE static inline __attribute__((always_inline))

#if LANES == 1

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
INLINE mask not(mask m)
{
  return !m;
}
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

#else

typedef float real __attribute__((vector_size(4 * LANES)));
typedef int32_t whole __attribute__((vector_size(4 * LANES)));

// x - 0 and not 0 + x: the sign of -0 must survive.
INLINE real all_lanes(float x)
{
  return x - (real){0};
}
INLINE whole all_lanes_whole(int32_t x)
{
  return x - (whole){0};
}
INLINE real lanes_load(const float *from) // from[LANES], any alignment
{
  real x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
INLINE whole lanes_load_whole(const int32_t *from)
{
  whole x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
INLINE void lanes_store(float *to, real x)
{
  __builtin_memcpy(to, &x, sizeof x);
}
INLINE void lanes_store_whole(int32_t *to, whole x)
{
  __builtin_memcpy(to, &x, sizeof x);
}
INLINE real to_real(whole x)
{
  return __builtin_convertvector(x, real);
}
INLINE whole to_whole(real x)
{
  return __builtin_convertvector(x, whole);
}
INLINE whole bits_of(real x)
{
  return (whole)x;
}
INLINE real real_of_bits(whole bits)
{
  return (real)bits;
}

#if LANES == 16 && defined(__AVX512F__) // one bit a lane in a mask register

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
INLINE mask whole_less(whole a, whole b)
{
  return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE mask not(mask m)
{
  return (mask)~m;
}
INLINE real pick(mask m, real yes, real no)
{
  return (real)_mm512_mask_blend_ps(m, (__m512)no, (__m512)yes);
}
INLINE whole pick_whole(mask m, whole yes, whole no)
{
  return (whole)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}
INLINE real square_root(real x)
{
  return (real)_mm512_sqrt_ps((__m512)x);
}
INLINE mask whole_equal(whole a, whole b)
{
  return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}
INLINE real smaller(real a, real b) // b < a ? b : a
{
  return (real)_mm512_min_ps((__m512)b, (__m512)a);
}
INLINE real larger(real a, real b) // a < b ? b : a
{
  return (real)_mm512_max_ps((__m512)b, (__m512)a);
}
INLINE real larger_where(mask m, real a, real b)
{
  return (real)_mm512_mask_max_ps((__m512)a, m, (__m512)b, (__m512)a);
}
INLINE real smaller_where(mask m, real a, real b)
{
  return (real)_mm512_mask_min_ps((__m512)a, m, (__m512)b, (__m512)a);
}
INLINE whole gather_bits(const void *base, whole index)
{
  return (whole)_mm512_i32gather_epi32((__m512i)index, base, 4);
}
INLINE real lane_from(real x, whole lane)
{
  return (real)_mm512_permutexvar_ps((__m512i)lane, (__m512)x);
}
INLINE void compress_bits(void *to, mask m, whole x)
{
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(m, (__m512i)x));
}

#else // all bits of a lane

typedef whole mask;

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
INLINE real smaller(real a, real b)
{
  return (real)_mm256_min_ps((__m256)b, (__m256)a);
}
INLINE real larger(real a, real b)
{
  return (real)_mm256_max_ps((__m256)b, (__m256)a);
}
INLINE real pick(mask m, real yes, real no)
{
  return (real)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
}
INLINE whole gather_bits(const void *base, whole index)
{
  return (whole)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}
INLINE real lane_from(real x, whole lane)
{
  return (real)_mm256_permutevar8x32_ps((__m256)x, (__m256i)lane);
}
INLINE void compress_bits(void *to, mask m, whole x)
{
  const uint64_t lanes = _pdep_u64(mask_bits(m), 0x0101010101010101u) * 0xff;
  const uint64_t order = _pext_u64(0x0706050403020100u, lanes); // the numbers of the lanes in m
  const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
  _mm256_storeu_si256(to, _mm256_permutevar8x32_epi32((__m256i)x, from));
}
#else
INLINE real pick(mask m, real yes, real no)
{
  return (real)(((whole)yes & m) | ((whole)no & ~m));
}
INLINE whole gather_bits(const void *base, whole index)
{
  int32_t x[LANES];
  for (int l = 0; l < LANES; l++)
    __builtin_memcpy(&x[l], (const char *)base + (int64_t)index[l] * 4, 4);
  return lanes_load_whole(x);
}
INLINE real lane_from(real x, whole lane)
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
INLINE real smaller(real a, real b)
{
  return (real)_mm_min_ps((__m128)b, (__m128)a);
}
INLINE real larger(real a, real b)
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
INLINE real smaller(real a, real b)
{
  return pick(b < a, b, a);
}
INLINE real larger(real a, real b)
{
  return pick(a < b, b, a);
}
#endif
INLINE void compress_bits(void *to, mask m, whole x)
{
  int32_t lanes[LANES];
  lanes_store_whole(lanes, x);
  char *next = to;
  for (int l = 0; l < LANES; l++) {
    __builtin_memcpy(next, &lanes[l], 4);
    next -= 4 * (int64_t)m[l];
  }
}
#endif
INLINE whole pick_whole(mask m, whole yes, whole no)
{
  return (whole)pick(m, (real)yes, (real)no);
}
#endif
#endif

#if !(LANES == 16 && defined(__AVX512F__)) // a float's compare and a vector's read alike
INLINE mask less(real a, real b)
{
  return a < b;
}
INLINE mask less_equal(real a, real b)
{
  return a <= b;
}
INLINE mask equal(real a, real b)
{
  return a == b;
}
INLINE mask whole_less(whole a, whole b)
{
  return a < b;
}
INLINE mask whole_equal(whole a, whole b)
{
  return a == b;
}
#endif

#if LANES == 1
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
#endif

#if !(LANES == 16 && defined(__AVX512F__))
// The larger of a and b where m, else a.
INLINE real larger_where(mask m, real a, real b)
{
  return pick(m, larger(a, b), a);
}
INLINE real smaller_where(mask m, real a, real b)
{
  return pick(m, smaller(a, b), a);
}
#endif

// lane_from(x, lane): x of another lane, each its own choice, 0 <= lane < LANES.

// base[index] of every lane.
INLINE real gather(const float *base, whole index)
{
  return real_of_bits(gather_bits(base, index));
}
INLINE whole gather_whole(const int32_t *base, whole index)
{
  return gather_bits(base, index);
}

// The lanes in m, side by side; what stands behind them, up to a whole vector, is overwritten.
INLINE void compress(float *to, mask m, real x)
{
  compress_bits(to, m, bits_of(x));
}
INLINE void compress_whole(int32_t *to, mask m, whole x)
{
  compress_bits(to, m, x);
}

INLINE whole lane_numbers(void) // 0, 1, 2, ...
{
  static const int32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return lanes_load_whole(numbers);
}

#define ALL_LANES_BITS (uint32_t)((1ull << LANES) - 1)

// clang-format off
INLINE bool any(mask m) { return mask_bits(m) != 0; }
INLINE mask none_of_lanes(void) { return mask_from_bits(0); }
INLINE mask pick_mask(mask m, mask yes, mask no) { return (yes & m) | (no & not(m)); }
INLINE float larger_float(float a, float b)
{
  return a < b ? b : a;
}
INLINE float largest_lane(mask m, real x, float least) // of the lanes in m, and of least
{
  float lanes[LANES];
  lanes_store(lanes, x);
  for (uint32_t bits = mask_bits(m); bits; bits &= bits - 1) {
    const float value = lanes[__builtin_ctz(bits)];
    least = value > least ? value : least;
  }
  return least;
}
INLINE real magnitude(real x) { return pick(less(x, all_lanes(0)), -x, x); }

// clang-format on

typedef struct {
  real x, y;
} vec2;

// clang-format off

INLINE vec2 vec2_of(real x, real y) { return (vec2){x, y}; }
INLINE vec2 add(vec2 a, vec2 b) { return (vec2){a.x + b.x, a.y + b.y}; }
INLINE vec2 minus(vec2 a, vec2 b) { return (vec2){a.x - b.x, a.y - b.y}; }
INLINE vec2 times(real s, vec2 a) { return (vec2){s * a.x, s * a.y}; }
INLINE real dot(vec2 a, vec2 b) { return a.x * b.x + a.y * b.y; }
INLINE real det(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }
INLINE vec2 perp(vec2 a) { return (vec2){-a.y, a.x}; } // turned left by 90 degrees
// clang-format on
INLINE vec2 lane2_from(vec2 v, whole lane)
{
  return (vec2){lane_from(v.x, lane), lane_from(v.y, lane)};
}
INLINE vec2 pick2(mask m, vec2 yes, vec2 no)
{
  return (vec2){pick(m, yes.x, no.x), pick(m, yes.y, no.y)};
}
