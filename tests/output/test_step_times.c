// The times of the steps: a histogram that speaks of all of them.
#include "step_times.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 1000

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The quantiles of a sorted list, by the limits of bins: never too short, at most 5 % too long.
Test(step_times, quantiles_are_those_of_the_sorted_times)
{
  static double seconds[STEPS];
  struct step_times t = {0};
  for (int i = 0; i < STEPS; i++) {
    seconds[i] = 1e-5 * exp(8.0 * (i * 617 % STEPS) / STEPS); // 10 us to 30 ms
    step_times_add(&t, i, seconds[i]);
  }
  qsort(seconds, STEPS, sizeof *seconds, ascending);
  for (int i = 1; i <= STEPS; i++) {
    const double limit = step_times_quantile(&t, (double)i / STEPS), exact = seconds[i - 1];
    cr_assert(limit >= exact * (1 - 1e-9) && limit <= 1.0501 * exact, "%d: %g, not %g", i, limit,
              exact);
  }
  cr_assert_eq(step_times_quantile(&t, 1), seconds[STEPS - 1]);
}

Test(step_times, knows_the_longest)
{
  struct step_times t = {0};
  cr_assert_eq(step_times_quantile(&t, 0.5), 0);
  step_times_add(&t, 1, 0.25);
  step_times_add(&t, 2, 1e9); // beyond the last bin
  step_times_add(&t, 3, 0);
  cr_assert_eq(t.steps, 3);
  cr_assert_eq(t.longest_step, 2);
  cr_assert_eq(t.longest, 1e9);
  cr_assert_eq(t.bins[0], 1);
  cr_assert_eq(t.bins[STEP_TIMES_BINS - 1], 1);
}

Test(step_times, every_step_is_in_the_histogram)
{
  struct step_times t = {0};
  char text[4096];
  long counted = 0;
  for (int i = 0; i < STEPS; i++)
    step_times_add(&t, i, 1e-3 * (1 + i % 7));
  FILE *file = fmemopen(text, sizeof text, "w");
  step_times_write(&t, file);
  fclose(file);
  cr_assert(strstr(text, "\"longest\": 0.007,"), "%s", text);
  const char *at = strstr(text, "[[") + 1;
  long count;
  for (int length; sscanf(at, "[%*f, %ld]%n", &count, &length) == 1; at += strspn(at, ", ")) {
    counted += count;
    at += length;
  }
  cr_assert_eq(counted, STEPS, "%ld in %s", counted, text);
}
