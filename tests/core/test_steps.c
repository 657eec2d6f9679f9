#include "steps.h"

#include "oracle.h"
#include <criterion/criterion.h>

Test(steps, nearest_and_period)
{
  cr_assert_eq(steps_nearest(600, 0.1), 6000);
  cr_assert_eq(steps_nearest(0.25, 0.1), 2); // a tie: to even
  cr_assert_eq(steps_nearest(0.04, 0.1), 0);
  cr_assert_eq(steps_period(0.04, 0.1), 1);
  cr_assert_eq(steps_period(1, 10), 1);
}

Test(steps, at_least_and_covering)
{
  cr_assert_eq(steps_at_least(0, 0.1), 0);
  cr_assert_eq(steps_at_least(-1, 0.1), -10);
  cr_assert_eq(steps_at_least(0.01, 0.1), 1);
  cr_assert_eq(steps_covering(0, 0.1), 1);
  cr_assert(steps_at_least(2.1, 0.3) == 8 && steps_covering(2.1, 0.3) == 7);
}

Test(steps, whole_multiples_and_the_limit)
{
  uint64_t r = 1;
  for (int i = 0; i < 10000; i++) {
    const double dt = oracle_between(&r, 0.001, 10);
    const int32_t steps = oracle_whole(&r, 1, 100000);
    const double seconds = steps * dt;
    cr_assert_eq(steps_nearest(seconds, dt), steps);
    cr_assert_eq(steps_covering(seconds, dt), steps);
    cr_assert_eq(steps_at_least(seconds - 0.5 * dt, dt), steps);
  }
  cr_assert_eq(steps_nearest(1e300, 0.1), STEP_LIMIT);
  cr_assert_eq(steps_period(1e300, 0.1), STEP_LIMIT);
  cr_assert_eq(steps_at_least(1e300, 0.1), STEP_LIMIT);
  cr_assert_eq(steps_covering(1e300, 0.1), STEP_LIMIT);
}
