#include "density_speed.h"

#include "base.h"
#include <assert.h>
#include <math.h>

void density_speed_create(struct density_speed *p, int32_t profiles)
{
  *p = (struct density_speed){
      .count = profiles,
      .ahead = memory_create((size_t)profiles, sizeof *p->ahead),
      .half = memory_create((size_t)profiles, sizeof *p->half),
      .share = memory_create((size_t)profiles * DENSITY_SPEED_ENTRIES, sizeof *p->share)};
}

void density_speed_destroy(struct density_speed *p)
{
  memory_destroy(p->ahead);
  memory_destroy(p->half);
  memory_destroy(p->share);
  *p = (struct density_speed){0};
}

// exp(-x) for x >= 0: the series of exp(x / 1024), squared ten times. libm may differ in the last
// bit between versions.
static double exponential_of_minus(double x)
{
  if (x > 700)
    return 0;
  const double y = x / 1024;
  double sum = 1;
  for (int k = 16; k >= 1; k--)
    sum = 1 + y / k * sum;
  for (int k = 0; k < 10; k++)
    sum *= sum;
  return 1 / sum;
}

double density_speed_weidmann(double density)
{
  if (density <= 0)
    return 1;
  const double x = 1.913 * (1 / density - 1 / 5.4);
  return x < 0 ? 1 - 1 / exponential_of_minus(-x) : 1 - exponential_of_minus(x);
}

double density_speed_of_rows(const double *rows, int64_t count, double density)
{
  if (density <= rows[0])
    return rows[1];
  for (int64_t i = 1; i < count; i++) {
    const double *low = rows + 2 * (i - 1), *high = rows + 2 * i;
    if (density <= high[0])
      return low[1] + (high[1] - low[1]) * ((density - low[0]) / (high[0] - low[0]));
  }
  return rows[2 * count - 1];
}

void density_speed_set(struct density_speed *p, int32_t profile,
                       const struct density_speed_window *window, const double *rows, int64_t count)
{
  assert(profile >= 0 && profile < p->count && window->width >= 0 && window->ahead >= 0);
  const double half = window->width / 2, reach = sqrt(window->ahead * window->ahead + half * half);
  p->ahead[profile] = (float)window->ahead;
  p->half[profile] = (float)half;
  p->range = (float)(1.0001 * reach) > p->range ? (float)(1.0001 * reach) : p->range;
  for (int i = 0; i < DENSITY_SPEED_ENTRIES; i++) {
    const double density = (double)i / DENSITY_SPEED_PER_UNIT;
    const double share =
        count ? density_speed_of_rows(rows, count, density) : density_speed_weidmann(density);
    p->share[(int64_t)profile * DENSITY_SPEED_ENTRIES + i] =
        (float)(share > window->least ? share : window->least);
  }
}
