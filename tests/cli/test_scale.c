// throng-bench scale: its counts match its model. throng-bench output: prints its table and leaves
// no files.
#include "../launch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The value of column `name` in a CSV line.
static double column(const char *header, const char *line, const char *name)
{
  char columns[600], values[600], *at_column, *at_value;
  snprintf(columns, sizeof columns, "%s", header);
  snprintf(values, sizeof values, "%s", line);
  char *value = strtok_r(values, ",", &at_value);
  for (char *c = strtok_r(columns, ",", &at_column); c; c = strtok_r(NULL, ",", &at_column)) {
    if (strcmp(c, name) == 0)
      return value ? strtod(value, NULL) : NAN;
    value = strtok_r(NULL, ",", &at_value);
  }
  cr_assert_fail("no column %s in %s", name, header);
  return NAN;
}

TestSuite(scale, .init = launch_without_leaks);

Test(scale, ghosts_and_bytes_are_within_a_tenth_of_the_formula)
{
  struct launched l =
      launch_ranks(8, "'%s-bench' scale --agents 60000 --steps 2 --csv scale.csv", THRONG);
  cr_assert(l.code == 0, "exit code %d\n%s", l.code, l.err);
  cr_expect(launch_count(l.out, "prediction: ms a step") == 1, "%s", l.out);
  cr_expect(launch_count(l.out, "model against measurement") == 1, "%s", l.out);
  char *csv = launch_read("scale.csv"), *rest, *header = strtok_r(csv, "\n", &rest);
  int seen = 0;
  for (char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    const int ranks = (int)column(header, line, "ranks");
    const double ghosts = column(header, line, "ghosts");
    const double expected = column(header, line, "ghosts_expected");
    cr_expect(fabs(ghosts - expected) <= 0.1 * expected, "%d ranks: %g ghosts, %g expected", ranks,
              ghosts, expected);
    cr_expect(fabs(column(header, line, "ghost_bytes") - 48 * ghosts) < 48, "%s", line);
    cr_expect(column(header, line, "step_ms") > 0, "%s", line);
    seen |= ghosts > 0 ? ranks : 0;
  }
  cr_expect_eq(seen, 2 | 4 | 8);
  free(csv);
  launched_destroy(&l);
}

Test(scale, refuses_invalid_options)
{
  struct launched l = launch("'%s-bench' scale --agents many", THRONG);
  cr_expect(l.code == 64 && strstr(l.err, "--agents many: must be a number from 1"), "%d %s",
            l.code, l.err);
  launched_destroy(&l);
}

Test(scale, times_snapshots_and_plain_writes)
{
  struct launched l = launch_ranks(2, "'%s-bench' output --agents 20000 --times 3", THRONG);
  cr_assert(l.code == 0, "exit code %d\n%s", l.code, l.err);
  cr_expect(launch_count(l.out, "20000 agents, 2 ranks, 3 times") == 1, "%s", l.out);
  cr_expect(launch_count(l.out, "plain writes") == 1, "%s", l.out);
  cr_expect(launch_count(l.out, "snapshot, compression ") == 2, "%s", l.out);
  launched_destroy(&l);
  l = launch("ls");
  cr_expect(!strstr(l.out, "throng-output"), "%s", l.out);
  launched_destroy(&l);
  l = launch("'%s-bench' output --times 0", THRONG);
  cr_expect(l.code == 64 && strstr(l.err, "--times: must be from 1 to 99"), "%d %s", l.code, l.err);
  launched_destroy(&l);
}
