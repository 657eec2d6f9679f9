#include "dynamic_travel_times.h"

#include "density_speed.h"
#include "zones_kernel.h"
#include <math.h>
#include <string.h>

#define SPEED_SHARE_MIN 0.05f // share of the free speed left in the worst jam
#define PER_MILLE       1000

struct coarse_grid { // squares of side x side cells of the navigation grid
  int32_t side;      // of a square, cells
  int32_t columns, rows;
  int64_t *walkers;     // [columns * rows] walking agents
  int64_t *speed_share; // [columns * rows] per mille of their free speed, summed
};

static struct coarse_grid coarse_grid_over(struct world_events *c, const struct scenario *s)
{
  const struct nav_grid *g = &s->world.nav_grid;
  const int32_t side = s->live.cell / g->cell > 1 ? s->live.cell / g->cell : 1;
  struct coarse_grid q = {side, (g->columns + side - 1) / side, (g->rows + side - 1) / side, NULL,
                          NULL};
  const size_t count = (size_t)q.columns * (size_t)q.rows;
  if (!c->coarse_sums)
    c->coarse_sums = memory_create(2 * count, sizeof *c->coarse_sums);
  q.walkers = c->coarse_sums;
  q.speed_share = c->coarse_sums + count;
  return q;
}

static void coarse_grid_count(const struct coarse_grid *q, const struct world_events_input *in)
{
  const struct agents *a = in->agents;
  const struct nav_grid *g = &in->scenario->world.nav_grid;
  const int64_t count = (int64_t)q->columns * q->rows;
  memset(q->walkers, 0, 2 * (size_t)count * sizeof *q->walkers);
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++) {
    const float free_speed =
        a->speed[i] * zones_speed_at(&in->scenario->world.zones, (struct point){a->x[i], a->y[i]});
    if (a->doing[i] != ACTIVITY_WALK || !(free_speed > 0))
      continue;
    const struct cell_place cell =
        nav_grid_place(g, nav_grid_cell_of(g, (struct point){a->x[i], a->y[i]}));
    const int64_t at = (int64_t)(cell.row / q->side) * q->columns + cell.column / q->side;
    const float speed = sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
    const int64_t share = lrintf(fminf(speed / free_speed, 1) * PER_MILLE);
#pragma omp atomic
    q->walkers[at]++;
#pragma omp atomic
    q->speed_share[at] += share;
  }
  comm_sum(in->comm, q->walkers, 2 * count);
}

// Cost of a metre in a square over its cost in an empty one; averaged over the square and its eight
// neighbours.
static float coarse_cell_cost(const struct coarse_grid *q, const struct live *live, float area,
                              int32_t row, int32_t column)
{
  int64_t walkers = 0, speed_share = 0, cells = 0;
  for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < q->rows; r++)
    for (int32_t k = column > 0 ? column - 1 : 0; k <= column + 1 && k < q->columns; k++) {
      walkers += q->walkers[(int64_t)r * q->columns + k];
      speed_share += q->speed_share[(int64_t)r * q->columns + k];
      cells++;
    }
  if (walkers == 0)
    return 1;
  const float density = (float)walkers / ((float)cells * area);
  const float measured_share = (float)speed_share / ((float)walkers * PER_MILLE);
  const float share_by_density = (float)density_speed_weidmann(
      (double)density); // below 0 in the densest crowd: SPEED_SHARE_MIN holds
  // A few idle agents are no jam: the measured share counts by density.
  const float weight = density < 1 ? density : 1;
  float share = share_by_density < measured_share
                    ? share_by_density
                    : share_by_density + weight * (measured_share - share_by_density);
  share = share < SPEED_SHARE_MIN ? SPEED_SHARE_MIN : share;
  return (live->length * share + live->time + live->discomfort * density) /
         (share * (live->length + live->time));
}

static void set_cell_cost(uint16_t *costs, const struct nav_grid *g, int64_t cell, float factor)
{
  const float cost = factor * (g->cost ? (float)g->cost[cell] : FIELD_UNIT);
  costs[cell] = cost < UINT16_MAX ? (uint16_t)cost : UINT16_MAX;
}

static void update_cell_costs(const struct coarse_grid *q, struct world_events *c,
                              const struct scenario *s)
{
  const struct nav_grid *g = &s->world.nav_grid;
  const float side = (float)q->side * (float)g->cell * frame_quantum(&s->world.frame);
  if (!c->cost)
    c->cost = memory_create((size_t)nav_grid_cell_count(g), sizeof *c->cost);
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < q->rows; row++)
    for (int32_t column = 0; column < q->columns; column++) {
      const float factor = coarse_cell_cost(q, &s->live, side * side, row, column);
      for (int32_t r = row * q->side; r < (row + 1) * q->side && r < g->rows; r++)
        for (int32_t k = column * q->side; k < (column + 1) * q->side && k < g->columns; k++)
          set_cell_cost(c->cost, g, nav_grid_cell(g, (uint32_t)k, (uint32_t)r), factor);
    }
}

// Solves all fields, or those that follow the crowd.
static void solve_fields(const struct world_events_input *in, const uint16_t *cost, bool all)
{
  struct scenario *s = in->scenario;
  int32_t *due = memory_create((size_t)s->world.destination_count, sizeof *due), count = 0;
  for (int32_t f = 0; f < s->world.destination_count; f++)
    if (all || s->environment.live[f])
      due[count++] = f;
  environment_solve_fields(&s->environment, &s->world, due, count, cost);
  memory_destroy(due);
}

static const uint16_t *cell_costs(struct world_events *c, const struct scenario *s)
{
  if (s->live.period == 0)
    return NULL;
  const struct coarse_grid q = coarse_grid_over(c, s);
  update_cell_costs(&q, c, s);
  return c->cost;
}

void dynamic_travel_times_update(struct world_events *c, const struct world_events_input *in,
                                 bool all)
{
  if (in->scenario->live.period > 0) {
    const struct coarse_grid q = coarse_grid_over(c, in->scenario);
    coarse_grid_count(&q, in);
  }
  if (all)
    environment_find_targets(&in->scenario->environment, &in->scenario->world.nav_grid);
  solve_fields(in, cell_costs(c, in->scenario), all);
}

void dynamic_travel_times_visit(struct world_events *c, const struct scenario *s, struct state *v)
{
  if (s->live.period == 0 || c->replans == 0)
    return;
  const struct coarse_grid q = coarse_grid_over(c, s);
  state_array(v, STATE_SAME, "replan.people", q.walkers, 2 * (int64_t)q.columns * q.rows);
}

void dynamic_travel_times_restore(struct world_events *c, const struct world_events_input *in)
{
  environment_find_targets(&in->scenario->environment, &in->scenario->world.nav_grid);
  solve_fields(in, cell_costs(c, in->scenario), true);
}
