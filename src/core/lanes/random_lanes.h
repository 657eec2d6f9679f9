// Philox4x32-10 (Salmon et al. 2011) for LANES agents at once: lane l gets the words that
// random_words() gives its agent, whatever the other lanes hold.
#pragma once
#include "lanes.h"
#include "random.h"

// Per lane, x * by = high * 2^32 + low; returns high.
#if LANES == 1
typedef uint32_t lane_word;
INLINE lane_word word_product(lane_word x, uint32_t by, lane_word *low)
{
  const uint64_t product = (uint64_t)x * by;
  *low = (uint32_t)product;
  return (uint32_t)(product >> 32);
}
#else
typedef uint32_t lane_word __attribute__((vector_size(4 * LANES)));
// The 32 x 32 -> 64 bit multiplications of AVX-512, AVX2 and SSE2 take every second lane: even and
// odd lanes are multiplied separately and interleaved.
#if LANES == 16 && defined(__AVX512F__)
INLINE lane_word word_product(lane_word x, uint32_t by, lane_word *low)
{
  const __m512i factor = _mm512_set1_epi32((int32_t)by);
  const __m512i even = _mm512_mul_epu32((__m512i)x, factor);
  const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)x, 32), factor);
  *low = (lane_word)_mm512_mask_shuffle_epi32(even, 0xaaaa, odd, _MM_PERM_CCAA);
  return (lane_word)_mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB);
}
#elif LANES == 8 && defined(__AVX2__)
INLINE lane_word word_product(lane_word x, uint32_t by, lane_word *low)
{
  const __m256i factor = _mm256_set1_epi32((int32_t)by);
  const __m256i even = _mm256_mul_epu32((__m256i)x, factor);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)x, 32), factor);
  *low = (lane_word)_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
  return (lane_word)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}
#elif LANES == 4 && defined(__SSE2__)
INLINE lane_word word_product(lane_word x, uint32_t by, lane_word *low)
{
  const __m128i factor = _mm_set1_epi32((int32_t)by);
  const __m128i lower = _mm_set_epi32(0, -1, 0, -1);
  const __m128i even = _mm_mul_epu32((__m128i)x, factor);
  const __m128i odd = _mm_mul_epu32(_mm_srli_epi64((__m128i)x, 32), factor);
  *low = (lane_word)_mm_or_si128(_mm_and_si128(even, lower), _mm_slli_epi64(odd, 32));
  return (lane_word)_mm_or_si128(_mm_srli_epi64(even, 32), _mm_andnot_si128(lower, odd));
}
#else
typedef uint64_t lane_product __attribute__((vector_size(8 * LANES)));
INLINE lane_word word_product(lane_word x, uint32_t by, lane_word *low)
{
  const lane_product product = __builtin_convertvector(x, lane_product) * by;
  *low = x * by;
  return __builtin_convertvector(product >> 32, lane_word);
}
#endif
#endif

struct random_lanes {
  lane_word word[4];
};

// id_low, id_high: the 32-bit halves of the id; purpose < 2^24.
INLINE struct random_lanes random_words_lanes(uint64_t seed, ivec id_low, ivec id_high,
                                              int64_t step, ivec purpose)
{
  uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
  const uint32_t step_low = (uint32_t)(uint64_t)step;
  const uint32_t step_high = (uint32_t)((uint64_t)step >> 32 << 24);
  lane_word c0 = (lane_word)id_low, c1 = (lane_word)id_high;
  lane_word c2 = (lane_word)splat_ivec((int32_t)step_low);
  lane_word c3 = (lane_word)purpose | step_high;
  for (int round = 0; round < 10; round++) {
    lane_word low0, low1;
    const lane_word high0 = word_product(c0, 0xD2511F53u, &low0);
    const lane_word high1 = word_product(c2, 0xCD9E8D57u, &low1);
    c0 = high1 ^ c1 ^ key0;
    c1 = low1;
    c2 = high0 ^ c3 ^ key1;
    c3 = low0;
    key0 += 0x9E3779B9u; // Weyl sequence
    key1 += 0xBB67AE85u;
  }
  return (struct random_lanes){{c0, c1, c2, c3}};
}

INLINE real random_unit_of(lane_word word) // as random_unit
{
  return to_real((ivec)(word >> 8)) * splat(0x1p-24f);
}
// Each half of a word gives one number: in (0, 1), or in (-1, 1), symmetric about 0. 16 bits, so
// the float is exact.
INLINE real random_unit_low(lane_word word)
{
  return to_real((ivec)(word & 0xffff)) * splat(0x1p-16f) + splat(0x1p-17f);
}
INLINE real random_signed_high(lane_word word)
{
  return to_real((ivec)(word >> 16)) * splat(0x1p-15f) - splat(1 - 0x1p-16f);
}
