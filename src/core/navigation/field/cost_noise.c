#include "cost_noise.h"

#include "field.h"
#include "random.h"
#include <assert.h>

struct noise_place { // the square in which a point lies, and where in it: 0 .. 1
  int32_t column, row;
  double x, y;
};

static double corner_value(const struct cost_noise *n, int32_t column, int32_t row)
{
  const int64_t corner = (int64_t)row << 32 | (uint32_t)column;
  return (double)random_unit(random_words(n->seed, corner, n->route, RANDOM_COST).word[0]);
}

static double smoothstep(double t)
{
  return t * t * (3 - 2 * t);
}

static double lerp(double a, double b, double t)
{
  return a + t * (b - a);
}

static double noise_value(const double *low, const double *high, const struct noise_place *at)
{
  const double x = smoothstep(at->x);
  const double below = lerp(low[at->column], low[at->column + 1], x);
  const double above = lerp(high[at->column], high[at->column + 1], x);
  return lerp(below, above, smoothstep(at->y));
}

static uint16_t scaled(uint16_t cost, double factor)
{
  const double product = cost * factor;
  return product < UINT16_MAX ? (uint16_t)product : UINT16_MAX;
}

void cost_noise_add(const struct cost_noise *n, const struct nav_grid *g, const uint16_t *cost,
                    uint16_t *to)
{
  assert(nav_grid_is_valid(g) && n->share >= 0 && n->metre > 0);
  const double side = COST_NOISE_LENGTH * n->metre / g->cell; // cells
  const int32_t squares = (int32_t)(g->columns / side) + 1, stride = squares + 1;
  const int32_t bands = (int32_t)(g->rows / side) + 1;
  double *values = memory_create((size_t)stride * ((size_t)bands + 1), sizeof *values);
  for (int32_t row = 0; row <= bands; row++)
    for (int32_t column = 0; column <= squares; column++)
      values[(int64_t)row * stride + column] = corner_value(n, column, row);
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < g->rows; row++) {
    const int32_t band = (int32_t)(row / side);
    const double *low = values + (int64_t)band * stride, *high = low + stride;
    for (int32_t column = 0; column < g->columns; column++) {
      const int32_t square = (int32_t)(column / side);
      const struct noise_place at = {square, band, column / side - square, row / side - band};
      const int64_t cell = nav_grid_cell(g, (uint32_t)column, (uint32_t)row);
      to[cell] = scaled(cost ? cost[cell] : FIELD_UNIT, 1 + n->share * noise_value(low, high, &at));
    }
  }
  memory_destroy(values);
}
