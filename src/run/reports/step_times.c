#include "step_times.h"

#include <inttypes.h>
#include <math.h>

static double bin_limit(int bin)
{
  return STEP_TIMES_LEAST * pow(STEP_TIMES_RATIO, bin);
}

void step_times_add(struct step_times *t, int64_t step, double seconds)
{
  const double place = ceil(log(seconds / STEP_TIMES_LEAST) / log(STEP_TIMES_RATIO));
  const int bin = !(place > 0) ? 0 : place < STEP_TIMES_BINS ? (int)place : STEP_TIMES_BINS - 1;
  t->bins[bin]++;
  t->steps++;
  if (seconds > t->longest) {
    t->longest = seconds;
    t->longest_step = step;
  }
}

double step_times_quantile(const struct step_times *t, double share)
{
  const double wanted = share * (double)t->steps;
  int64_t below = 0;
  for (int bin = 0; bin < STEP_TIMES_BINS; bin++) {
    below += t->bins[bin];
    if (below > 0 && (double)below >= wanted)
      return fmin(bin_limit(bin), t->longest);
  }
  return 0;
}

void step_times_write(const struct step_times *t, FILE *file)
{
  const char *before = "";
  fprintf(file, "{\"median\": %.3g, \"p99\": %.3g, \"longest\": %.3g, \"longest_step\": %" PRId64,
          step_times_quantile(t, 0.5), step_times_quantile(t, 0.99), t->longest, t->longest_step);
  fprintf(file, ", \"histogram\": [");
  for (int bin = 0; bin < STEP_TIMES_BINS; bin++)
    if (t->bins[bin] > 0) {
      fprintf(file, "%s[%.3g, %" PRId64 "]", before, bin_limit(bin), t->bins[bin]);
      before = ", ";
    }
  fprintf(file, "]}");
}
