// Ranks agree. With a rank's number as argument that rank fails, which ends them all.
#include "rank_crowd.h"
#include <stdlib.h>

static void check_agreement(const struct comm *c)
{
  static const enum exit_code codes[] = {EXIT_BAD_INPUT, EXIT_CORRUPT_DATA, EXIT_INTERNAL_ERROR,
                                         EXIT_IO, EXIT_RESUMABLE};
  law(comm_agree(c, EXIT_DONE) == EXIT_DONE, "%d ranks", c->size);
  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
    for (int32_t r = 0; r < c->size; r++) {
      const enum exit_code mine = c->rank == r ? codes[k] : EXIT_DONE;
      law(comm_agree(c, mine) == codes[k], "rank %d had %d", r, codes[k]);
      law(comm_agree(c, mine ? mine : EXIT_BAD_INPUT) >= codes[k], "rank %d is not alone", r);
    }
}

static void check_sums(const struct comm *c)
{
  const int64_t large = (int64_t)1 << 58, n = c->size;
  int64_t v[] = {c->rank, 1, large * (c->rank == 0), -c->rank};
  comm_sum(c, v, 4);
  law(v[0] == n * (n - 1) / 2 && v[1] == n && v[2] == large && v[3] == -v[0], "%d ranks", c->size);
  int64_t most[] = {c->rank, -c->rank, -large - c->rank, 5};
  comm_max(c, most, 4);
  law(most[0] == n - 1 && most[1] == 0 && most[2] == -large && most[3] == 5, "%d ranks", c->size);
  comm_sum(c, v, 0); // nothing to do
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  law(c.size >= 1 && c.rank >= 0 && c.rank < c.size, "rank %d of %d", c.rank, c.size);
  if (argc > 1 && atoi(argv[1]) == c.rank)
    fail(EXIT_IO, "rank %d had enough", c.rank);
  int64_t wait = 0;
  if (argc > 1)
    comm_sum(&c, &wait, 1); // for somebody who never comes
  check_agreement(&c);
  check_sums(&c);
  comm_end(&c);
  return 0;
}
