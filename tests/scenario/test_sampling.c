// Bounds, means and deviations of distributions; the normal quantile against the error function.
#include "support.h"

#include "sampling.h"

#define DRAWS 200000

struct moments {
  double mean, deviation, least, most;
};

static struct moments sample_moments(const struct distribution *d)
{
  struct moments m = {0, 0, HUGE_VAL, -HUGE_VAL};
  double squares = 0;
  for (int64_t id = 0; id < DRAWS; id++) {
    const double x = distribution_sample(d, 42, id, RANDOM_SPEED);
    m.mean += x / DRAWS;
    squares += x * x / DRAWS;
    m.least = x < m.least ? x : m.least;
    m.most = x > m.most ? x : m.most;
  }
  m.deviation = sqrt(squares - m.mean * m.mean);
  return m;
}

Test(sampling, quantile_is_the_inverse_of_the_distribution)
{
  for (int i = 1; i < 4000; i++) {
    const double p = i < 2000 ? i / 4000.0 : 1.0 - (4000 - i) / 4000.0;
    const double back = 0.5 * erfc(-normal_quantile(p) / sqrt(2.0));
    cr_assert_float_eq(back, p, 3e-8, "%g: %g", p, back);
  }
  for (double p = 0.25; p > 1e-10; p *= 0.5) {
    const double back = 0.5 * erfc(-normal_quantile(p) / sqrt(2.0));
    cr_assert_float_eq(back / p, 1.0, 2e-5, "%g: %g", p, back);
    cr_assert_float_eq(normal_quantile(1.0 - p), -normal_quantile(p), 1e-5);
  }
}

Test(sampling, constant_and_uniform)
{
  const struct distribution one = {CONSTANT, 1.5, 0, 1.5, 1.5, {0}};
  const struct distribution even = {UNIFORM, 2, 0, 1, 3, {0}};
  cr_assert_eq(distribution_sample(&one, 1, 5, RANDOM_SPEED), 1.5);
  const struct moments m = sample_moments(&even);
  cr_assert(m.least >= 1 && m.most <= 3 && m.least < 1.001 && m.most > 2.999);
  cr_assert_float_eq(m.mean, 2.0, 0.005);
  cr_assert_float_eq(m.deviation, 2.0 / sqrt(12.0), 0.005);
}

Test(sampling, a_normal_distribution_with_wide_bounds_keeps_its_moments)
{
  const struct distribution d = {NORMAL, 1.34, 0.26, 0.1, 2.6, {0}};
  const struct moments m = sample_moments(&d);
  cr_assert(m.least >= 0.1 && m.most <= 2.6);
  cr_assert_float_eq(m.mean, 1.34, 0.002);
  cr_assert_float_eq(m.deviation, 0.26, 0.002);
}

Test(sampling, a_normal_distribution_is_truncated_at_its_bounds)
{
  const struct distribution d = {NORMAL, 1.0, 0.5, 0.8, 1.2, {0}};
  const struct distribution narrow = {NORMAL, 1.0, 1000.0, 0.9999, 1.0001, {0}};
  const struct moments m = sample_moments(&d);
  cr_assert(m.least >= 0.8 && m.most <= 1.2);
  cr_assert_float_eq(m.mean, 1.0, 0.002);
  for (int64_t id = 0; id < 100; id++) {
    const double x = distribution_sample(&narrow, 1, id, RANDOM_SPEED);
    cr_assert(x >= 0.9999 && x <= 1.0001);
  }
}

Test(sampling, profiles_are_sampled_by_their_shares)
{
  struct scenario *s =
      support_load("profiles: [{name: a, speed: 1}, {name: b, speed: 2}, {name: c, speed: 3}]\n"
                   "sources: [{area: {rectangle: [0, 0, 200, 200]}, count: 20000, goal: [5, 5],\n"
                   "           profile: {a: 5, c: 2, b: 3}}]\n");
  struct agents a;
  support_agents(s, &a);
  int counts[4] = {0};
  for (int64_t i = 0; i < a.count; i++)
    counts[(int)a.speed[i]]++;
  cr_assert_float_eq(counts[1] / 20000.0, 0.5, 0.02);
  cr_assert_float_eq(counts[2] / 20000.0, 0.3, 0.02);
  cr_assert_float_eq(counts[3] / 20000.0, 0.2, 0.02);
  agents_destroy(&a);
  scenario_destroy(s);
}
