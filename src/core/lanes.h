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
INLINE whole pick_whole(mask m, whole yes, whole no)
{
  return (yes & m) | (no & ~m);
}
INLINE real pick(mask m, real yes, real no)
{
  return (real)pick_whole(m, (whole)yes, (whole)no);
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
#elif LANES == 4 && defined(__SSE2__)
#include <immintrin.h>
INLINE uint32_t mask_bits(mask m)
{
  return (uint32_t)_mm_movemask_ps((__m128)m);
}
INLINE real square_root(real x)
{
  return (real)_mm_sqrt_ps((__m128)x);
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
#endif
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
#endif

#define ALL_LANES_BITS (uint32_t)((1ull << LANES) - 1)

// clang-format off
INLINE bool any(mask m) { return mask_bits(m) != 0; }
INLINE mask none_of_lanes(void) { return mask_from_bits(0); }
INLINE mask pick_mask(mask m, mask yes, mask no) { return (yes & m) | (no & not(m)); }
INLINE real smaller(real a, real b) { return pick(less(b, a), b, a); }
INLINE real larger(real a, real b) { return pick(less(a, b), b, a); }
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
INLINE vec2 pick2(mask m, vec2 yes, vec2 no)
{
  return (vec2){pick(m, yes.x, no.x), pick(m, yes.y, no.y)};
}
