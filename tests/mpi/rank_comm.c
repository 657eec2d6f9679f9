// Reductions, gathers and agreement over the ranks. With a rank as argument that rank fails, which
// ends the whole job.
#include "rank_crowd.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void check_agreement(const struct comm *c)
{
  static const enum exit_code codes[] = {EXIT_BAD_INPUT, EXIT_CORRUPT_DATA, EXIT_INTERNAL_ERROR,
                                         EXIT_IO, EXIT_RESUMABLE};
  law(comm_agree(c, EXIT_DONE) == EXIT_DONE, "%d ranks", c->size);
  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
    for (int32_t r = 0; r < c->size; r++) {
      const enum exit_code mine = c->rank == r ? codes[k] : EXIT_DONE;
      law(comm_agree(c, mine) == codes[k], "rank %d had %d", r, codes[k]);
      law(comm_agree(c, mine ? mine : EXIT_BAD_INPUT) >= codes[k], "rank %d and the others", r);
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
  comm_sum(c, v, 0); // no values
  int64_t least[] = {c->rank, -c->rank};
  comm_min(c, least, 2);
  law(least[0] == 0 && least[1] == 1 - n, "%d ranks", c->size);
  law(comm_sum_wrapping(c, UINT64_MAX) == 0 - (uint64_t)n, "%d ranks", c->size);
  law(comm_prefix_sum(c, 5) == 5 * (int64_t)c->rank, "rank %d", c->rank);
}

static void check_questions(const struct comm *c)
{
  law(comm_all(c, true), "%d ranks", c->size);
  law(comm_lowest_rank(c, false) == c->size, "%d ranks", c->size);
  for (int32_t r = 0; r < c->size; r++) {
    law(!comm_all(c, c->rank != r), "rank %d said no", r);
    law(comm_lowest_rank(c, c->rank >= r) == r, "rank %d", r);
  }
  law(comm_node_size(c) == c->size, "%s", "all ranks are on this machine");
}

// Rank r gives r numbers, all of them r.
static void check_gather(const struct comm *c)
{
  int64_t *own = memory_create((size_t)c->rank + 1, sizeof *own), all_bytes, root_bytes, at = 0;
  int64_t *counts = memory_create((size_t)c->size, sizeof *counts);
  const int64_t bytes = c->rank * (int64_t)sizeof *own;
  for (int32_t k = 0; k < c->rank; k++)
    own[k] = c->rank;
  int64_t *all = comm_gather(c, own, bytes, &all_bytes);
  int64_t *root = comm_gather_root(c, own, bytes, &root_bytes);
  comm_gather_i64(c, c->rank, counts);
  for (int32_t r = 0; r < c->size; r++) {
    law(counts[r] == r, "rank %d", r);
    for (int32_t k = 0; k < r; k++, at++)
      law(all[at] == r && (c->rank > 0 || root[at] == r), "number %" PRId64, at);
  }
  law(all_bytes == at * (int64_t)sizeof *own, "%" PRId64, all_bytes);
  law(root_bytes == (c->rank ? 0 : all_bytes) && (root != NULL) == (root_bytes > 0), "%" PRId64,
      root_bytes);
  memory_destroy(own);
  memory_destroy(counts);
  memory_destroy(all);
  memory_destroy(root);
}

// MPI counts the bytes of a message in int: longer ones go in pieces.
static void check_long_message(const struct comm *c)
{
  const size_t bytes = ((size_t)1 << 31) + 5, step = 99991; // prime
  if (!LONG || c->size == 1 || c->rank > 1)
    return;
  unsigned char *data = memory_create(bytes, 1);
  for (size_t at = 0; c->rank == 1 && at < bytes; at += step)
    data[at] = (unsigned char)(at / step % 251 + 1);
  if (c->rank == 1)
    comm_send(c, data, bytes, 0);
  else
    comm_receive(c, data, bytes, 1);
  for (size_t at = 0; at < bytes; at += step)
    law(data[at] == at / step % 251 + 1, "byte %zu", at);
  memory_destroy(data);
}

static void check_reduce(const struct comm *c)
{
  enum { COUNT = 100000 }; // more than one message
  int64_t *wide = memory_create(COUNT, sizeof *wide);
  for (int32_t k = 0; k < COUNT; k++)
    wide[k] = k + c->rank;
  comm_reduce_i64(c, wide, COUNT);
  for (int32_t k = 0; c->rank == 0 && k < COUNT; k++) {
    const int32_t sum = k * c->size + c->size * (c->size - 1) / 2;
    law(wide[k] == sum, "value %d", k);
  }
  memory_destroy(wide);
}

static void check_parts(const struct comm *c)
{
  struct comm part;
  const int32_t members = (c->size + 1) / 2;
  if (comm_part_create(&part, c, c->rank < members)) {
    law(comm_is_valid(&part) && part.size == members && part.rank == c->rank, "%d", part.size);
    comm_part_destroy(&part);
  }
  comm_barrier_sleeping(c);
}

// What a process on its own sets while MPI begins.
static const char *const settings[] = {"OMPI_MCA_pml", "OMPI_MCA_ess_singleton_isolated",
                                       "OMPI_MCA_orte_create_session_dirs"};
#define SETTINGS (int)(sizeof settings / sizeof *settings)

static bool has_launcher(void)
{
  return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK") ||
         getenv("PMI_ID") || getenv("PMI_FD") || getenv("SLURM_PROCID");
}

// The environment is what it was, also for programs that this one starts. A process that set
// everything itself has started no daemon: it has no children.
static void begin(struct comm *c, int *argc, char ***argv)
{
  char before[SETTINGS][80];
  bool chooses = !has_launcher();
  for (int k = 0; k < SETTINGS; k++) {
    const char *value = getenv(settings[k]);
    snprintf(before[k], sizeof before[k], "%s", value ? value : "(not set)");
    chooses = chooses && !value;
  }
  comm_begin(c, argc, argv);
  for (int k = 0; k < SETTINGS; k++) {
    const char *value = getenv(settings[k]);
    law(strcmp(value ? value : "(not set)", before[k]) == 0, "rank %d: %s was %s", c->rank,
        settings[k], before[k]);
  }
  law(!chooses || waitpid(-1, NULL, WNOHANG) == -1, "%d ranks", c->size);
}

int main(int argc, char **argv)
{
  struct comm c;
  begin(&c, &argc, &argv);
  const struct comm self = comm_self();
  law(comm_is_valid(&c) && comm_is_valid(&self), "rank %d of %d", c.rank, c.size);
  if (argc > 1 && atoi(argv[1]) == c.rank)
    fail(EXIT_IO, "rank %d had enough", c.rank);
  int64_t wait = 0;
  if (argc > 1)
    comm_sum(&c, &wait, 1); // the failed rank never takes part
  check_agreement(&c);
  check_sums(&c);
  check_questions(&c);
  check_gather(&c);
  check_long_message(&c);
  check_reduce(&c);
  check_parts(&c);
  comm_end(&c);
  return 0;
}
