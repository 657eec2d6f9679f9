#include "scale_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// By the rows in which no rank waits for a core. NAN: all ranks do; 0: there is one rank.
static double exchange_seconds(const struct scale_row *rows, int count)
{
  double seconds = 0, ghosts = 0;
  bool exchanges = false;
  for (const struct scale_row *r = rows; r < rows + count; r++) {
    exchanges |= r->ranks > 1;
    if (r->own_cores && r->threads == 1 && r->ranks > 1) {
      seconds += r->ranks * (r->parts[SCALE_GHOSTS] + r->parts[SCALE_MIGRATION]);
      ghosts += r->ghosts;
    }
  }
  return ghosts > 0 ? seconds / ghosts : exchanges ? NAN : 0;
}

// Least squares of compute = n t_a + g t_g, each row weighted by 1 / n.
void scale_model_fit(struct scale_model *m, const struct scale_row *rows, int count)
{
  double aa = 0, ag = 0, gg = 0, ay = 0, gy = 0;
  for (int k = 0; k < count; k++) {
    const struct scale_row *r = &rows[k];
    if (r->threads > 1)
      continue;
    const double n = (double)r->agents / r->ranks, g = r->ghosts / r->ranks / n;
    const double y = r->parts[SCALE_COMPUTE] / n;
    aa += 1, ag += g, gg += g * g, ay += y, gy += g * y;
  }
  const double det = aa * gg - ag * ag;
  m->t_g = det > 1e-12 * aa * gg && gg > 0 ? fmax((aa * gy - ag * ay) / det, 0) : 0;
  m->t_a = aa > 0 ? (ay - ag * m->t_g) / aa : NAN;
  m->exchange = exchange_seconds(rows, count);
}

void scale_model_print_check(const struct scale_model *m, const struct scale_row *rows, int count)
{
  printf("\nmodel against measurement: computing, CPU ms per rank and step; ghosts of all ranks\n"
         "%10s %5s %10s %10s %7s %10s %10s %7s\n",
         "agents", "ranks", "measured", "model", "error", "ghosts", "formula", "error");
  for (const struct scale_row *r = rows; r < rows + count; r++) {
    if (r->threads > 1)
      continue;
    const double n = (double)r->agents / r->ranks, g = r->ghosts / r->ranks;
    const double model = n * m->t_a + g * m->t_g;
    const double measured = r->parts[SCALE_COMPUTE];
    printf("%10" PRId64 " %5d %10.3f %10.3f %6.1f%% %10.0f %10.0f %6.1f%%\n", r->agents, r->ranks,
           1e3 * measured, 1e3 * model, 100 * (model / measured - 1), r->ghosts, r->ghosts_expected,
           r->ghosts > 0 ? 100 * (r->ghosts_expected / r->ghosts - 1) : 0.0);
  }
}

static double model_step(const struct scale_model *m, double agents, double ranks)
{
  const double n = agents / ranks, w = m->width;
  const double ghosts =
      4 * w * sqrt(n * SCALE_DENSITY) + 4 * w * w * SCALE_DENSITY; // of a square box, with corners
  return m->imbalance * n * m->t_a + ghosts * (m->t_g + m->exchange) + 2 * 6 * m->alpha +
         ghosts * m->bytes / m->beta + 2 * log2(ranks) * m->alpha;
}

void scale_model_print(const struct scale_model *m)
{
  static const double cores[] = {1e2, 1e3, 1e4, 1e5};
  printf(
      "\nmodel: %.1f ns per agent, %.1f ns per ghost of %.0f bytes, latency %.2f us, bandwidth "
      "%.2f "
      "GB/s, imbalance %.3f\nprediction: ms a step (efficiency), one rank per core, %g /m^2, halo "
      "%.1f m, 6 neighbour ranks\n%10s",
      1e9 * m->t_a, 1e9 * (m->t_g + m->exchange), m->bytes, 1e6 * m->alpha, 1e-9 * m->beta,
      m->imbalance, SCALE_DENSITY, m->width, "agents");
  for (int k = 0; k < 4; k++)
    printf("  %10.0e cores", cores[k]);
  printf("\n");
  for (double agents = 1e6; agents < 2e10; agents *= 10) {
    printf("%10.0e", agents);
    for (int k = 0; k < 4; k++) {
      const double step = model_step(m, agents, cores[k]);
      printf("  %9.3f (%.2f)", 1e3 * step, agents * m->t_a / cores[k] / step);
    }
    printf("\n");
  }
  printf("not modelled: output, demand, measures, new partitions, other densities, the memory "
         "bandwidth "
         "that the cores of a node share\n");
}
