// What a step costs on thousands of ranks: one reduction, and no operation that grows with them.
#include "cli.h"

struct collectives {
  long reductions, others;
};

// Without load balancing and files, which have operations of their own every now and then.
static struct collectives collectives_of(int ranks, const char *scene, int steps)
{
  // LD_PRELOAD takes no spaces.
  struct launched l = launch("cp '%s' count.so", COUNT_COLLECTIVES);
  expect_success(&l);
  launched_destroy(&l);
  l = launch_ranks(ranks,
                   "env LD_PRELOAD=./count.so '%s' run '%s/../../tests/same_bits/%s' -q -t 1 -n %d "
                   "--set balance.every=10000 --set output.series_every=10000 "
                   "--set output.trajectory.every=0 -o run",
                   THRONG, PAPERS, scene, steps);
  expect_success(&l);
  struct collectives c = {0, 0};
  const char *last = strstr(l.err, "collectives ");
  cr_assert(last && sscanf(last, "collectives %ld %ld", &c.reductions, &c.others) == 2, "%s",
            l.err);
  launched_destroy(&l);
  return c;
}

// Of the steps between two numbers of steps.
static struct collectives of_steps(int ranks, const char *scene, int first, int last)
{
  const struct collectives a = collectives_of(ranks, scene, first);
  const struct collectives b = collectives_of(ranks, scene, last);
  return (struct collectives){b.reductions - a.reductions, b.others - a.others};
}

static void prepare(void)
{
#ifdef SANITIZED
  cr_skip_test("a sanitizer must be loaded before all else, and so must the counter");
#endif
  launch_without_leaks();
}

TestSuite(collectives, .init = prepare);

Test(collectives, a_step_takes_one_reduction)
{
  static const int ranks[] = {2, 3, 4, 7};
  for (int k = 0; k < 4; k++) {
    const struct collectives c = of_steps(ranks[k], "methods.yaml", 10, 30);
    cr_expect(c.reductions == 20 && c.others == 0,
              "%d ranks: %ld reductions, %ld others in 20 steps", ranks[k], c.reductions, c.others);
  }
}

// Queues, stays, exits with limited flow, people who enter: further ones where there is something
// to decide, and as many of them on any number of ranks.
Test(collectives, decisions_cost_as_many_on_any_ranks)
{
  const struct collectives two = of_steps(2, "station.yaml", 100, 300);
  const struct collectives seven = of_steps(7, "station.yaml", 100, 300);
  cr_expect(two.reductions == seven.reductions && two.others == seven.others,
            "%ld and %ld on 2 ranks, %ld and %ld on 7", two.reductions, two.others,
            seven.reductions, seven.others);
  // The sum of the step, the people at each stop, places for those who enter; a gather is two.
  cr_expect(two.reductions <= 3 * 200 && two.others <= 2 * 200, "%ld, %ld", two.reductions,
            two.others);
}
