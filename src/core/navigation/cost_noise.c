#include "cost_noise.h"

#include "field.h"
#include "random.h"
#include <assert.h>

struct corners { // of the square of noise around a point
  int32_t column, row;
  double value[2][2]; // [row][column]
};

static double corner_value(const struct cost_noise *n, int32_t column, int32_t row)
{
  const int64_t corner = (int64_t)row << 32 | (uint32_t)column;
  return (double)random_unit(random_words(n->seed, corner, n->route, RANDOM_COST).word[0]);
}

static void corners_set(struct corners *c, const struct cost_noise *n, int32_t column, int32_t row)
{
  if (c->column == column && c->row == row)
    return;
  c->column = column;
  c->row = row;
  for (int k = 0; k < 4; k++)
    c->value[k / 2][k % 2] = corner_value(n, column + k % 2, row + k / 2);
}

static double smoothstep(double t)
{
  return t * t * (3 - 2 * t);
}

static double lerp(double a, double b, double t)
{
  return a + t * (b - a);
}

// x, y: the place in the square of noise, 0 to 1.
static double noise_value(const struct corners *c, double x, double y)
{
  const double t = smoothstep(x);
  const double below = lerp(c->value[0][0], c->value[0][1], t);
  const double above = lerp(c->value[1][0], c->value[1][1], t);
  return lerp(below, above, smoothstep(y));
}

static uint16_t scaled(uint16_t cost, double factor)
{
  const double product = cost * factor;
  return product < UINT16_MAX ? (uint16_t)product : UINT16_MAX;
}

void cost_noise_add(const struct cost_noise *n, const struct nav_grid *g, int64_t square,
                    uint16_t *cost)
{
  assert(nav_grid_is_valid(g) && n->share >= 0 && n->metre > 0);
  const double side = COST_NOISE_LENGTH * n->metre / g->cell; // cells
  const struct cell_place first = nav_grid_place(g, square * CELL_SQUARE_CELLS);
  struct corners corners = {.column = -1};
  for (int32_t row = first.row; row < first.row + CELL_SQUARE; row++)
    for (int32_t column = first.column; column < first.column + CELL_SQUARE; column++) {
      const double x = column / side, y = row / side;
      corners_set(&corners, n, (int32_t)x, (int32_t)y);
      const double noise = noise_value(&corners, x - corners.column, y - corners.row);
      uint16_t *c = &cost[nav_grid_cell(g, (uint32_t)column, (uint32_t)row)];
      *c = scaled(*c, 1 + n->share * noise);
    }
}
