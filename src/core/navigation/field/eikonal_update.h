// The upwind update of a cell's arrival time, in integers: see the head of field.h.
#pragma once
#include "portable.h"

#include <math.h>
#include <stdint.h>

#define EIKONAL_UNREACHED UINT32_MAX

INLINE uint32_t min_uint32(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

// Exact below 2^52: a double holds n and rounds no root up to the next integer.
INLINE uint32_t isqrt(uint64_t n)
{
  return (uint32_t)sqrt((double)n);
}

// Solves |grad u| = f for u from the smaller neighbour on each axis.
INLINE uint32_t eikonal_update(uint32_t a, uint32_t b, uint32_t f)
{
  const uint32_t low = a < b ? a : b, d = a < b ? b - a : a - b;
  const uint64_t more = d < f ? (d + isqrt(2 * (uint64_t)f * f - (uint64_t)d * d)) >> 1 : f;
  return more < EIKONAL_UNREACHED - low ? low + (uint32_t)more : EIKONAL_UNREACHED;
}
