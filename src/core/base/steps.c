#include "steps.h"

#include <assert.h>
#include <math.h>

int64_t steps_nearest(double seconds, double dt)
{
  assert(dt > 0);
  return llrint(fmin(seconds / dt, STEP_LIMIT));
}

int64_t steps_period(double seconds, double dt)
{
  const int64_t steps = steps_nearest(seconds, dt);
  return steps < 1 ? 1 : steps;
}

int64_t steps_at_least(double seconds, double dt)
{
  assert(dt > 0);
  return (int64_t)fmin(ceil(seconds / dt), STEP_LIMIT);
}

int64_t steps_covering(double seconds, double dt)
{
  assert(dt > 0);
  const double steps = ceil(seconds / dt - 1e-9);
  return steps < 1 ? 1 : steps > STEP_LIMIT ? STEP_LIMIT : (int64_t)steps;
}
