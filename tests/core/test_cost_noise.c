// Noise of the costs of crossing cells, and the routes that follow from it.
#include "cost_noise.h"

#include "field_kernel.h"
#include "grid_cells.h"
#include "world.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define METRE 65536
#define CELL  (2 * METRE)
#define SIDE  100 // cells

struct ground {
  struct obstacles obstacles;
  struct nav_grid grid;
  uint16_t *cost, *noisy;
};

static const struct cost_noise noise = {3, 1, 0.2, METRE};

static int64_t cell_of(const struct ground *g, int64_t i) // the i-th, row by row
{
  return nav_grid_cell(&g->grid, (uint32_t)(i % SIDE), (uint32_t)(i / SIDE));
}

// A square of 200 m x 200 m without walls; costs rise to the right.
static void ground_create(struct ground *g)
{
  static int64_t start[1];
  const struct outlines none = {0, start, NULL, NULL};
  obstacles_create(&g->obstacles, &none, false);
  const struct box bounds = {{-SIDE / 2 * CELL, -SIDE / 2 * CELL},
                             {SIDE / 2 * CELL, SIDE / 2 * CELL}};
  nav_grid_create(&g->grid, bounds, CELL, METRE / 4, &g->obstacles);
  const int64_t cells = nav_grid_cell_count(&g->grid);
  g->cost = memory_create((size_t)cells, sizeof *g->cost);
  g->noisy = memory_create((size_t)cells, sizeof *g->noisy);
  for (int64_t i = 0; i < SIDE * SIDE; i++)
    g->cost[cell_of(g, i)] = (uint16_t)(FIELD_UNIT + 3 * (i % SIDE));
}

// Square by square, as a solution asks for them.
static void make_noisy(const struct ground *g, const struct cost_noise *with, const uint16_t *cost)
{
  for (int64_t i = 0; i < nav_grid_cell_count(&g->grid); i++)
    g->noisy[i] = cost ? cost[i] : FIELD_UNIT;
  for (int64_t square = 0; square < nav_grid_square_count(&g->grid); square++)
    cost_noise_add(with, &g->grid, square, g->noisy);
}

static void ground_destroy(struct ground *g)
{
  obstacles_destroy(&g->obstacles);
  nav_grid_destroy(&g->grid);
  memory_destroy(g->cost);
  memory_destroy(g->noisy);
}

Test(cost_noise, a_metre_costs_up_to_the_share_more)
{
  struct ground g;
  ground_create(&g);
  make_noisy(&g, &noise, g.cost);
  int low = 0, high = 0;
  FOR_EACH_CELL(i, &g.grid)
  {
    const double most = (1 + noise.share) * g.cost[i];
    cr_assert(g.noisy[i] >= g.cost[i] && g.noisy[i] <= most, "%d of %d", g.noisy[i], g.cost[i]);
    low += g.noisy[i] < g.cost[i] + 0.25 * (most - g.cost[i]);
    high += g.noisy[i] > g.cost[i] + 0.75 * (most - g.cost[i]);
  }
  cr_assert(low > 300 && high > 300, "%d cells are hardly dearer, %d almost by the share", low,
            high);
  ground_destroy(&g);
}

Test(cost_noise, no_share_changes_nothing)
{
  struct ground g;
  ground_create(&g);
  const struct cost_noise nothing = {3, 1, 0, METRE};
  make_noisy(&g, &nothing, g.cost);
  FOR_EACH_CELL(i, &g.grid)
  cr_assert_eq(g.noisy[i], g.cost[i]);
  make_noisy(&g, &nothing, NULL);
  FOR_EACH_CELL(i, &g.grid)
  cr_assert_eq(g.noisy[i], FIELD_UNIT);
  ground_destroy(&g);
}

// 3 t^2 - 2 t^3 rises by at most 1.5 per unit: of a square of COST_NOISE_LENGTH.
Test(cost_noise, neighbouring_cells_cost_almost_the_same)
{
  struct ground g;
  ground_create(&g);
  make_noisy(&g, &noise, NULL);
  const double most = 1.5 * 2 / COST_NOISE_LENGTH * noise.share * FIELD_UNIT + 1;
  for (int row = 0; row + 1 < SIDE; row++)
    for (int column = 0; column + 1 < SIDE; column++) {
      const int64_t i = row * SIDE + column;
      const double own = g.noisy[cell_of(&g, i)];
      cr_assert(fabs(own - g.noisy[cell_of(&g, i + 1)]) <= most);
      cr_assert(fabs(own - g.noisy[cell_of(&g, i + SIDE)]) <= most);
    }
  ground_destroy(&g);
}

Test(cost_noise, a_cost_beyond_the_range_is_the_largest)
{
  struct ground g;
  ground_create(&g);
  FOR_EACH_CELL(i, &g.grid)
  g.cost[i] = UINT16_MAX - 10;
  make_noisy(&g, &noise, g.cost);
  int most = 0;
  FOR_EACH_CELL(i, &g.grid)
  {
    cr_assert(g.noisy[i] >= UINT16_MAX - 10);
    most += g.noisy[i] == UINT16_MAX;
  }
  cr_assert_gt(most, SIDE * SIDE / 2);
  ground_destroy(&g);
}

static void solve(struct field *f, const struct ground *g, const struct cost_noise *with)
{
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&g->grid), 1);
  marks[cell_of(g, SIDE / 2 * SIDE)] = 1; // in the middle of the left edge
  if (with)
    make_noisy(g, with, NULL);
  field_create(f, &g->grid, NULL);
  field_solve(f, marks, with ? g->noisy : NULL);
  memory_destroy(marks);
}

// How many cells' directions differ by more than 5 degrees.
static int differing(const struct field *a, const struct field *b)
{
  int count = 0;
  FOR_EACH_CELL(i, a->nav_grid)
  {
    const struct field_cell p = a->cells[i], q = b->cells[i];
    count += abs(p.x * q.y - p.y * q.x) > 0.087 * 127 * 127;
  }
  return count;
}

Test(cost_noise, routes_differ_and_none_is_longer_by_more_than_the_share)
{
  struct ground g;
  ground_create(&g);
  struct field best, one, other, seed;
  solve(&best, &g, NULL);
  solve(&one, &g, &noise);
  solve(&other, &g, &(struct cost_noise){3, 2, 0.2, METRE});
  solve(&seed, &g, &(struct cost_noise){4, 1, 0.2, METRE});
  FOR_EACH_CELL(i, &g.grid)
  {
    cr_assert(field_time_of(&one, i) >= field_time_of(&best, i));
    cr_assert(field_time_of(&one, i) <= (1 + noise.share) * field_time_of(&best, i) + 2 * SIDE,
              "%u and %u at %d", field_time_of(&one, i), field_time_of(&best, i), (int)i);
  }
  cr_assert_gt(differing(&best, &one), SIDE * SIDE / 20);
  cr_assert_gt(differing(&one, &other), SIDE * SIDE / 20);
  cr_assert_gt(differing(&one, &seed), SIDE * SIDE / 20);
  struct field *all[] = {&best, &one, &other, &seed};
  for (int k = 0; k < 4; k++)
    field_destroy(all[k]);
  ground_destroy(&g);
}

// Ids of groups and of tables may lie any distance apart.
Test(cost_noise, people_are_spread_over_the_routes_whatever_their_ids)
{
  struct ground g;
  ground_create(&g);
  for (int32_t routes = 1; routes <= 16; routes *= 2)
    for (int64_t stride = 1; stride <= 64; stride++) {
      struct world w = {.nav_grid = g.grid};
      cr_assert(world_create_fields(&w, 2, routes, 0, &node_group_self));
      int followers[16] = {0};
      for (int64_t k = 0; k < 1000; k++) {
        const struct field *f = world_field_of(&w, 1, 3 + k * stride);
        for (int route = 0; route < routes; route++)
          followers[route] += f == world_field(&w, 1, route);
      }
      for (int route = 0; route < routes; route++)
        cr_assert(abs(followers[route] - 1000 / routes) <= 500 / routes,
                  "%d of 1000 with a stride of %d take route %d of %d", followers[route],
                  (int)stride, route, (int)routes);
      w.nav_grid = (struct nav_grid){0}; // the ground's
      world_destroy(&w);
    }
  ground_destroy(&g);
}

Test(cost_noise, members_of_a_group_share_their_draws)
{
  int64_t id[3] = {7, 11, 12};
  int64_or_none group[3] = {{0}};
  struct agents a = {.id = id, .group = group};
  cr_assert_eq(agent_group(&a, 0), -1);
  agent_set_group(&a, 1, 7);
  agent_set_group(&a, 2, 7);
  cr_assert_eq(agents_party(&a, 0), 7);
  cr_assert_eq(agents_party(&a, 1), agents_party(&a, 2));
}
