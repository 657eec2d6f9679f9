// Operations of lanes against loops over single numbers.
#include "lanes.h"

#include "lane_width.h"
#include "oracle.h"
#include <criterion/criterion.h>

TestSuite(lanes, .init = skip_if_too_wide);

#define ENTRIES_MAX 260

Test(lanes, look_up_and_gather_read_the_entries_of_a_table)
{
  static float table[2][2 * ENTRIES_MAX];
  uint64_t r = 1;
  for (int i = 0; i < 2 * ENTRIES_MAX; i++) {
    table[0][i] = (float)i + 0.5f;
    table[1][i] = (float)-i;
  }
  const float *const tables[] = {table[0], table[1]};
  for (int count = 1; count <= ENTRIES_MAX; count++)
    for (int k = 0; k < 20; k++) {
      int32_t index[LANES];
      real of[2];
      float x[LANES], y[LANES], z[LANES];
      for (int l = 0; l < LANES; l++)
        index[l] = k < 2 ? (k ? count - 1 : 0) : oracle_whole(&r, 0, count - 1);
      look_up(of, tables, 2, count, lanes_load_ivec(index));
      lanes_store(x, of[0]);
      lanes_store(y, of[1]);
      lanes_store(z, gather(table[0], lanes_load_ivec(index)));
      for (int l = 0; l < LANES; l++)
        cr_assert(x[l] == table[0][index[l]] && y[l] == table[1][index[l]] && z[l] == x[l],
                  "entry %d of %d", index[l], count);
    }
}

Test(lanes, bytes)
{
  static _Alignas(4) uint8_t bytes[256];
  uint64_t r = 2;
  for (int i = 0; i < 256; i++)
    bytes[i] = (uint8_t)(255 - i);
  for (int k = 0; k < 1000; k++) {
    int32_t index[LANES], word[LANES], found[LANES], low[LANES], second[LANES];
    for (int l = 0; l < LANES; l++) {
      index[l] = oracle_whole(&r, 0, 255);
      word[l] = oracle_whole(&r, -(1 << 30), 1 << 30);
    }
    lanes_store_ivec(found, gather_bytes(bytes, lanes_load_ivec(index)));
    lanes_store_ivec(low, signed_byte(lanes_load_ivec(word), 0));
    lanes_store_ivec(second, signed_byte(lanes_load_ivec(word), 1));
    for (int l = 0; l < LANES; l++) {
      cr_assert_eq(found[l], bytes[index[l]]);
      cr_assert_eq(low[l], (int8_t)(uint8_t)((uint32_t)word[l] & 255));
      cr_assert_eq(second[l], (int8_t)(uint8_t)((uint32_t)word[l] >> 8 & 255));
    }
  }
}

// Rounded once, up to sums of 2^53.
Test(lanes, products_sum_is_that_of_integers)
{
  uint64_t r = 3;
  for (int k = 0; k < 20000; k++) {
    const int32_t most = 1 << (1 + k % 23), much = 1 << (1 + k % 30);
    int32_t a[LANES], b[LANES], c[LANES], d[LANES];
    float sum[LANES];
    for (int l = 0; l < LANES; l++) {
      a[l] = oracle_whole(&r, 0, most);
      c[l] = most - a[l];
      b[l] = oracle_whole(&r, -much, much);
      d[l] = oracle_whole(&r, -much, much);
    }
    lanes_store(sum, products_sum(lanes_load_ivec(a), lanes_load_ivec(b), lanes_load_ivec(c),
                                  lanes_load_ivec(d)));
    for (int l = 0; l < LANES; l++)
      cr_assert_eq(sum[l], (float)((int64_t)a[l] * b[l] + (int64_t)c[l] * d[l]));
  }
}

Test(lanes, stores_and_maxima)
{
  uint64_t r = 4;
  for (int k = 0; k < 2000; k++) {
    const uint32_t bits = (uint32_t)oracle_whole(&r, 0, (int32_t)ALL_LANES_BITS);
    float was[LANES], to[LANES], x[LANES], most[LANES], gap[LANES];
    int32_t p[LANES], q[LANES];
    for (int l = 0; l < LANES; l++) {
      was[l] = to[l] = (float)oracle_between(&r, 0, 2);
      x[l] = k % 3 ? (float)oracle_between(&r, 0, 2) : 0.0f;
      p[l] = oracle_whole(&r, -1000, 1000);
      q[l] = oracle_whole(&r, -1000, 1000);
    }
    lanes_store_where(to, mask_from_bits(bits), lanes_load(x));
    lanes_store(most, max_positive(lanes_load(was), lanes_load(x)));
    lanes_store(gap, largest_to_real(lanes_load_ivec(p), lanes_load_ivec(q)));
    for (int l = 0; l < LANES; l++) {
      const int32_t larger = p[l] < q[l] ? q[l] : p[l];
      cr_assert_eq(to[l], bits >> l & 1 ? x[l] : was[l]);
      cr_assert_eq(most[l], was[l] < x[l] ? x[l] : was[l]);
      cr_assert_eq(gap[l], (float)(larger < 0 ? 0 : larger));
    }
  }
}
