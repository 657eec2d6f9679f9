// The one place that knows how wide the machine is: LANES agents side by side.
//
// With LANES 1 a `real` is a float (the plain reference, and a CUDA thread); else a GNU vector.
// Everything here is exact IEEE arithmetic, a compare or a choice, so a lane computes the same
// bits whatever the width. No fma, no reciprocal estimates, no libm.
#pragma once
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef LANES
#define LANES 1
#endif

#if LANES == 1
#include "lanes_scalar.h"
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

#if LANES == 16 && defined(__AVX512F__)
#include "lanes_avx512.h"
#else
#include "lanes_vector.h"
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
    const float value = lanes[bits_first(bits)];
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
INLINE real lane_in_all(real x, int l)
{
  return lane_from(x, all_lanes_whole(l));
}
INLINE vec2 lane2_in_all(vec2 v, int l)
{
  return lane2_from(v, all_lanes_whole(l));
}
INLINE vec2 pick2(mask m, vec2 yes, vec2 no)
{
  return (vec2){pick(m, yes.x, no.x), pick(m, yes.y, no.y)};
}
