// One result: the same checksum for any number of ranks and threads and any width of the machine,
// and the one that every other machine, compiler and build type found.
#include "../launch.h"
#include <stdlib.h>
#include <string.h>

// What rooms.yaml comes to. When a change means to alter results, say so in the change log and
// write the checksum here that `build/release/throng run tests/same_bits/rooms.yaml` ends with.
#define KNOWN "8347e832af51d944"

// Runs rooms.yaml into folder `name`; the checksum of its summary.json in checksum[17], or "".
static void checksum_of(int ranks, int threads, const char *backend, const char *name,
                        char *checksum)
{
  struct launched l =
      launch_ranks(ranks, "'%s' run '%s/rooms.yaml' --quiet --backend %s --threads %d --output %s",
                   THRONG, SCENES, backend, threads, name);
  char path[100];
  snprintf(path, sizeof path, "%s/summary.json", name);
  char *summary = l.code == 0 ? launch_read(path) : NULL;
  const char *found = summary ? strstr(summary, "\"checksum\": \"") : NULL;
  checksum[0] = 0;
  if (found)
    sscanf(found, "\"checksum\": \"%16[0-9a-f]", checksum);
  cr_expect(found, "%d ranks, %d threads, %s: exit code %d\n%s", ranks, threads, backend, l.code,
            l.err);
  free(summary);
  launched_destroy(&l);
}

static void expect_known(int ranks, int threads, const char *backend)
{
  char checksum[17];
  checksum_of(ranks, threads, backend, "run", checksum);
  cr_expect(strcmp(checksum, KNOWN) == 0, "%d ranks, %d threads, %s: %s instead of %s", ranks,
            threads, backend, checksum, KNOWN);
}

static int machine_can(const char *backend) // or says so and leaves it out
{
  struct launched l = launch("'%s' run '%s/rooms.yaml' --quiet --backend %s --steps 0 --output try",
                             THRONG, SCENES, backend);
  const int can = l.code == 0;
  cr_expect(can || strstr(l.err, "this machine"), "%s: %s", backend, l.err);
  if (!can)
    fprintf(stderr, "skipped: this machine has no %s\n", backend);
  launched_destroy(&l);
  return can;
}

Test(same_bits, any_width)
{
  static const char *const backends[] = {"scalar", "simd4", "simd8", "simd16"};
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
    if (machine_can(backends[k]))
      expect_known(0, 1, backends[k]);
}

Test(same_bits, any_threads)
{
  expect_known(0, 2, "simd");
  expect_known(0, 2, "scalar");
  expect_known(0, 5, "simd");
}

Test(same_bits, any_ranks)
{
  expect_known(1, 1, "simd");
  expect_known(2, 1, "simd");
  expect_known(2, 2, "scalar");
  expect_known(3, 1, "scalar");
  expect_known(3, 2, "simd");
  expect_known(4, 1, "simd");
  expect_known(4, 2, "scalar");
  expect_known(7, 1, "scalar");
  expect_known(7, 2, "simd");
}

Test(same_bits, of_widths_and_ranks_together)
{
  if (machine_can("simd8"))
    expect_known(7, 1, "simd8");
  if (machine_can("simd4"))
    expect_known(3, 1, "simd4");
}

// Not only the checksum: every row of the last snapshot.
Test(same_bits, of_every_agent_in_the_snapshot)
{
  char one[17], four[17];
  checksum_of(1, 1, "simd", "one", one);
  checksum_of(4, 1, "simd", "four", four);
  struct launched l = launch("sh '%s/../python.sh' '%s/compare.py' one four", SCENES, SCENES);
  if (l.code == 77)
    cr_skip_test("%s", l.err);
  cr_expect(l.code == 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
}
