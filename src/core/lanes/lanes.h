// SIMD lanes: LANES agents side by side. This folder hides the vectors of the machine.
//
// With LANES 1 a `real` is a float (the scalar reference, and a CUDA thread); otherwise it is a GNU
// vector. Everything here is IEEE arithmetic with one rounding per operation, a comparison or a
// selection, so a lane computes the same bits at every width. No fma, no reciprocal estimates, no
// libm.
#pragma once
#include "portable.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef LANES
#define LANES 1
#endif

// Entries of a table that look_up reads at a time.
#define LOOK_UP_STEP 32
static inline size_t look_up_room(size_t count) // entries that a table needs
{
  return (count + LOOK_UP_STEP - 1) / LOOK_UP_STEP * LOOK_UP_STEP;
}

#if LANES == 1
#include "lanes_scalar.h"
#else

typedef float real __attribute__((vector_size(4 * LANES)));
typedef int32_t ivec __attribute__((vector_size(4 * LANES)));

// x - 0 rather than 0 + x, which would turn -0 into +0.
INLINE real splat(float x)
{
  return x - (real){0};
}
INLINE ivec splat_ivec(int32_t x)
{
  return x - (ivec){0};
}
INLINE real lanes_load(const float *from) // from[LANES], any alignment
{
  real x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
INLINE ivec lanes_load_ivec(const int32_t *from)
{
  ivec x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
INLINE void lanes_store(float *to, real x)
{
  __builtin_memcpy(to, &x, sizeof x);
}
INLINE void lanes_store_ivec(int32_t *to, ivec x)
{
  __builtin_memcpy(to, &x, sizeof x);
}
INLINE real to_real(ivec x)
{
  return __builtin_convertvector(x, real);
}
INLINE ivec to_ivec(real x)
{
  return __builtin_convertvector(x, ivec);
}
INLINE ivec bits_of(real x)
{
  return (ivec)x;
}
INLINE real real_of_bits(ivec bits)
{
  return (real)bits;
}

#if LANES == 16 && defined(__AVX512F__)
#include "lanes_avx512.h"
#else
#include "lanes_vector.h"
#endif
#endif

#if !(LANES == 16 && defined(__AVX512F__)) // scalars and GNU vectors share the operators
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
INLINE mask ivec_less(ivec a, ivec b)
{
  return a < b;
}
INLINE mask ivec_equal(ivec a, ivec b)
{
  return a == b;
}
// max(a, b) in the lanes of m, a in the others.
INLINE real max_where(mask m, real a, real b)
{
  return select_real(m, max_real(a, b), a);
}
INLINE real min_where(mask m, real a, real b)
{
  return select_real(m, min_real(a, b), a);
}
#endif

// Maxima by the units for integers where the machine has such an operation. Zen 4 does two in the
// time of a maximum of floats, and beside other work on floats.
#ifdef HAS_INTEGER_MAX
INLINE real max_positive(real a, real b) // of numbers >= +0
{
  return real_of_bits(max_ivec(bits_of(a), bits_of(b)));
}
INLINE real largest_to_real(ivec a, ivec b) // of a, b and 0
{
  return to_real(max_ivec(max_ivec(a, b), splat_ivec(0)));
}
#else
INLINE real max_positive(real a, real b)
{
  return max_real(a, b);
}
INLINE real largest_to_real(ivec a, ivec b)
{
  return max_real(max_real(to_real(a), to_real(b)), splat(0));
}
#endif

// permute(x, lane): lane l of the result is lane lane[l] of x; 0 <= lane < LANES.

// Lane l of the result is base[index[l]].
INLINE real gather(const float *base, ivec index)
{
  return real_of_bits(gather_bits(base, index));
}
// out[t] = gather(table[t], index) for tables of `count` entries, which are read in whole steps.
// Permutations: on Zen 4 a gather takes 17 cycles, a step 2 to 4.
INLINE void look_up(real *out, const float *const *table, const int tables, int count, ivec index)
{
#ifdef LOOK_UP_BY_PERMUTATION
  const int steps_at_most = 6;
  if (count <= steps_at_most * LOOK_UP_STEP) {
    UNROLL
    for (int t = 0; t < tables; t++)
      out[t] = look_up_step(table[t], index);
    for (int base = LOOK_UP_STEP; base < count; base += LOOK_UP_STEP) {
      const mask here = not(ivec_less(index, splat_ivec(base)));
      UNROLL
      for (int t = 0; t < tables; t++)
        out[t] = select_real(here, look_up_step(table[t] + base, index), out[t]);
    }
    return;
  }
#endif
  (void)count;
  UNROLL
  for (int t = 0; t < tables; t++)
    out[t] = gather(table[t], index);
}
INLINE real look_up_one(const float *table, int count, ivec index)
{
  real of;
  look_up(&of, &table, 1, count, index);
  return of;
}
// Lane l of the result is bytes[index[l]]. Whole words are read: bytes is aligned to 4, and so is
// its length.
INLINE ivec gather_bytes(const uint8_t *bytes, ivec index)
{
#if LANES == 1
  return bytes[index];
#else
  const ivec bit = (index & splat_ivec(3)) << 3;
  return (gather_bits(bytes, index >> 2) >> bit) & splat_ivec(255);
#endif
}
// Writes the lanes in m to to[lane]. No other thread may write to to[LANES]: the other lanes are
// read and written again, since AMD's stores under a mask are slow.
INLINE void lanes_store_where(float *to, mask m, real x)
{
#if LANES == 1
  if (m)
    *to = x;
#else
  lanes_store(to, select_real(m, x, lanes_load(to)));
#endif
}
// Writes the lanes in m to to[0], to[1], ... A whole vector is written: to[LANES] must be writable,
// and what follows the lanes in m is unspecified.
INLINE void compress(float *to, mask m, real x)
{
  compress_bits(to, m, bits_of(x));
}
INLINE void compress_ivec(int32_t *to, mask m, ivec x)
{
  compress_bits(to, m, x);
}

INLINE ivec lane_indices(void) // 0, 1, 2, ...
{
  static const int32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return lanes_load_ivec(numbers);
}

// The first n of the lanes in m, or all if there are fewer.
INLINE mask first_lanes(mask m, int n)
{
  uint32_t first = 0, others = mask_bits(m);
  for (; n > 0 && others; n--) {
    first |= others & -others;
    others &= others - 1;
  }
  return mask_from_bits(first);
}

// How lanes come to lie side by side.
struct packing {
  ivec order;   // lane k of the result is lane order[k],
  mask written; // in these lanes of the result
};

// The lanes in m, in their order, from lane `first` on.
INLINE struct packing packing_of(mask m, int first)
{
  const uint32_t written = (uint32_t)((1ull << bit_count(mask_bits(m))) - 1) << first;
  const ivec from = (lane_indices() - splat_ivec(first)) & splat_ivec(LANES - 1);
  const struct packing p = {bits_of(permute(real_of_bits(packing_order(m)), from)),
                            mask_from_bits(written)};
  return p;
}
INLINE real pack(const struct packing *p, real x, real others)
{
  return select_real(p->written, permute(x, p->order), others);
}
INLINE ivec pack_ivec(const struct packing *p, ivec x, ivec others)
{
  return bits_of(pack(p, real_of_bits(x), real_of_bits(others)));
}

#define ALL_LANES_BITS (uint32_t)((1ull << LANES) - 1) // mask_bits of a mask that is set everywhere

// clang-format off
INLINE bool any(mask m) { return mask_bits(m) != 0; }
INLINE mask mask_none(void) { return mask_from_bits(0); }
INLINE mask lanes_below(int64_t count) // the first lanes; all if there are fewer
{
  return mask_from_bits(count < LANES ? (1u << count) - 1 : ALL_LANES_BITS);
}
INLINE mask select_mask(mask m, mask yes, mask no) { return (yes & m) | (no & not(m)); }
INLINE mask pack_mask(const struct packing *p, mask m, mask others)
{
  const ivec one = splat_ivec(1), zero = splat_ivec(0);
  return ivec_equal(pack_ivec(p, select_ivec(m, one, zero), select_ivec(others, one, zero)), one);
}
INLINE float max_float(float a, float b)
{
  return a < b ? b : a;
}
INLINE float reduce_max(mask m, real x, float least) // maximum of least and the lanes in m
{
  float lanes[LANES];
  lanes_store(lanes, x);
  for (uint32_t bits = mask_bits(m); bits; bits &= bits - 1) {
    const float value = lanes[lowest_bit(bits)];
    least = value > least ? value : least;
  }
  return least;
}
INLINE real magnitude(real x) { return select_real(less(x, splat(0)), -x, x); }

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
INLINE vec2 perp(vec2 a) { return (vec2){-a.y, a.x}; } // a rotated left by 90 degrees
// clang-format on

struct lane_point { // positions of LANES agents, quanta
  ivec x, y;
};

INLINE vec2 permute_vec2(vec2 v, ivec lane)
{
  return (vec2){permute(v.x, lane), permute(v.y, lane)};
}
INLINE real broadcast_lane(real x, int l)
{
  return permute(x, splat_ivec(l));
}
INLINE vec2 broadcast_lane_vec2(vec2 v, int l)
{
  return permute_vec2(v, splat_ivec(l));
}
INLINE vec2 select_vec2(mask m, vec2 yes, vec2 no)
{
  return (vec2){select_real(m, yes.x, no.x), select_real(m, yes.y, no.y)};
}
