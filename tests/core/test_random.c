#include "random.h"

#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

// The known answers of Random123 (kat_vectors: philox4x32, 10 rounds).
Test(random, philox_known_answers)
{
  static const struct {
    uint64_t seed;
    int64_t id, step;
    uint32_t purpose, words[4];
  } known[] = {{0, 0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
               {UINT64_MAX, -1, -1, 0x00ffffff, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
               {0x299f31d0a4093822,
                (int64_t)0x85a308d3243f6a88,
                0x0000000313198a2e,
                0x00707344,
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (int k = 0; k < 3; k++) {
    const struct random4 r =
        random_words(known[k].seed, known[k].id, known[k].step, known[k].purpose);
    cr_assert_eq(memcmp(r.word, known[k].words, sizeof r.word), 0, "vector %d: %08x", k, r.word[0]);
  }
}

Test(random, each_key_bit_changes_every_word)
{
  for (int bit = 0; bit < 40; bit++)
    for (int of = 0; of < 4; of++) {
      if (of == 3 && bit >= 24)
        continue;
      const uint64_t flip = 1ull << bit;
      const struct random4 a = random_words(11, 22, 33, 4);
      const struct random4 b =
          random_words(11 ^ (of == 0 ? flip : 0), 22 ^ (int64_t)(of == 1 ? flip : 0),
                       33 ^ (int64_t)(of == 2 ? flip : 0), 4 ^ (uint32_t)(of == 3 ? flip : 0));
      for (int w = 0; w < 4; w++)
        cr_assert_neq(a.word[w], b.word[w]);
    }
}

Test(random, random_unit_is_uniform_below_one)
{
  cr_assert_eq(random_unit(0), 0);
  cr_assert_lt(random_unit(UINT32_MAX), 1);
  int bins[16] = {0};
  enum { DRAWS = 64000 };
  for (int64_t id = 0; id < DRAWS / 4; id++)
    for (int w = 0; w < 4; w++)
      bins[(int)(16 * random_unit(random_words(1, id, 0, RANDOM_TEST).word[w]))]++;
  for (int b = 0; b < 16; b++) // six standard deviations
    cr_assert(abs(bins[b] - DRAWS / 16) < 6 * 62);
}

Test(random, purposes_are_uncorrelated)
{
  double together = 0; // correlation of two purposes of one agent
  enum { DRAWS = 20000 };
  for (int64_t id = 0; id < DRAWS; id++) {
    const double a = (double)random_unit(random_words(1, id, 0, RANDOM_SPEED).word[0]) - 0.5;
    const double b = (double)random_unit(random_words(1, id, 0, RANDOM_RADIUS).word[0]) - 0.5;
    together += 12 * a * b;
  }
  cr_assert(fabs(together / DRAWS) < 6 / sqrt(DRAWS));
}
