#include "pace.h"

#include "base.h"
#include <math.h>

void pace_create(struct pace *p, int32_t profiles)
{
  *p = (struct pace){.count = profiles,
                     .ahead = memory_create((size_t)profiles, sizeof *p->ahead),
                     .half = memory_create((size_t)profiles, sizeof *p->half),
                     .share = memory_create((size_t)profiles * PACE_ENTRIES, sizeof *p->share)};
}

void pace_destroy(struct pace *p)
{
  memory_destroy(p->ahead);
  memory_destroy(p->half);
  memory_destroy(p->share);
  *p = (struct pace){0};
}

// exp(-x) for x >= 0: the series of exp(x / 1024), squared ten times. libm's may differ in the last
// bit from one version to the next.
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

double pace_weidmann(double density)
{
  if (density <= 0)
    return 1;
  const double x = 1.913 * (1 / density - 1 / 5.4);
  return x < 0 ? 1 - 1 / exponential_of_minus(-x) : 1 - exponential_of_minus(x);
}

double pace_of_rows(const double *rows, int64_t count, double density)
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

void pace_set(struct pace *p, int32_t profile, const struct pace_window *window, const double *rows,
              int64_t count)
{
  const double half = window->width / 2, reach = sqrt(window->ahead * window->ahead + half * half);
  p->ahead[profile] = (float)window->ahead;
  p->half[profile] = (float)half;
  p->range = (float)(1.0001 * reach) > p->range ? (float)(1.0001 * reach) : p->range;
  for (int i = 0; i < PACE_ENTRIES; i++) {
    const double density = (double)i / PACE_PER;
    const double share = count ? pace_of_rows(rows, count, density) : pace_weidmann(density);
    p->share[(int64_t)profile * PACE_ENTRIES + i] =
        (float)(share > window->least ? share : window->least);
  }
}
