#include "replan.h"

#include "pace.h"
#include "zone_speed.h"
#include <math.h>
#include <string.h>

#define SLOWEST   0.05f // share of the speed that is left in the worst jam
#define PER_MILLE 1000

struct squares { // a coarser grid over the ground's cells
  int32_t side;  // of a square, cells
  int32_t columns, rows;
  int64_t *people, *pace; // [columns * rows] people who walk; per mille of their speed, summed
};

static struct squares squares_of(struct changes *c, const struct scenario *s)
{
  const struct ground *g = &s->world.ground;
  const int32_t side = s->live.cell / g->cell > 1 ? s->live.cell / g->cell : 1;
  struct squares q = {side, (g->columns + side - 1) / side, (g->rows + side - 1) / side, NULL,
                      NULL};
  const size_t count = (size_t)q.columns * (size_t)q.rows;
  if (!c->people)
    c->people = memory_create(2 * count, sizeof *c->people);
  q.people = c->people;
  q.pace = c->people + count;
  return q;
}

static void squares_count(const struct squares *q, const struct changes_input *in)
{
  const struct agents *a = in->agents;
  const struct ground *g = &in->scenario->world.ground;
  const int64_t count = (int64_t)q->columns * q->rows;
  memset(q->people, 0, 2 * (size_t)count * sizeof *q->people);
  for (int64_t i = 0; i < a->count; i++) {
    const float able =
        a->speed[i] * zones_speed(&in->scenario->world.zones, (struct point){a->x[i], a->y[i]});
    if (a->doing[i] != DOING_WALK || !(able > 0))
      continue;
    const int64_t cell = ground_cell_of(g, (struct point){a->x[i], a->y[i]});
    const int64_t at = cell / g->columns / q->side * q->columns + cell % g->columns / q->side;
    const float speed = sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
    q->people[at]++;
    q->pace[at] += lrintf(fminf(speed / able, 1) * PER_MILLE);
  }
  comm_sum(in->comm, q->people, 2 * count);
}

// What a metre costs in a square, times what it costs where nobody is, over the square and the
// eight round it.
static float square_cost(const struct squares *q, const struct live *live, float area, int32_t row,
                         int32_t column)
{
  int64_t people = 0, pace = 0, squares = 0;
  for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < q->rows; r++)
    for (int32_t k = column > 0 ? column - 1 : 0; k <= column + 1 && k < q->columns; k++) {
      people += q->people[(int64_t)r * q->columns + k];
      pace += q->pace[(int64_t)r * q->columns + k];
      squares++;
    }
  if (people == 0)
    return 1;
  const float density = (float)people / ((float)squares * area);
  const float walked = (float)pace / ((float)people * PER_MILLE);
  const float possible = (float)pace_weidmann((double)density); // below 0 in the worst: SLOWEST
  // Few who stand about are no jam: as they walk counts by how close they stand.
  const float weight = density < 1 ? density : 1;
  float share = possible < walked ? possible : possible + weight * (walked - possible);
  share = share < SLOWEST ? SLOWEST : share;
  return (live->length * share + live->time + live->discomfort * density) /
         (share * (live->length + live->time));
}

static uint16_t cost_times(const struct ground *g, int64_t cell, float times)
{
  const float cost = times * (g->cost ? (float)g->cost[cell] : FIELD_UNIT);
  return cost < UINT16_MAX ? (uint16_t)cost : UINT16_MAX;
}

static void cells_cost(const struct squares *q, struct changes *c, const struct scenario *s)
{
  const struct ground *g = &s->world.ground;
  const float side = (float)q->side * (float)g->cell * frame_quantum(&s->world.frame);
  if (!c->cost)
    c->cost = memory_create((size_t)ground_cell_count(g), sizeof *c->cost);
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < q->rows; row++)
    for (int32_t column = 0; column < q->columns; column++) {
      const float times = square_cost(q, &s->live, side * side, row, column);
      for (int32_t r = row * q->side; r < (row + 1) * q->side && r < g->rows; r++)
        for (int32_t k = column * q->side; k < (column + 1) * q->side && k < g->columns; k++)
          c->cost[(int64_t)r * g->columns + k] = cost_times(g, (int64_t)r * g->columns + k, times);
    }
}

// The fields anew: all, or those that follow the crowd.
static void solve(const struct changes_input *in, const uint16_t *cost, bool all)
{
  struct scenario *s = in->scenario;
  int32_t *due = memory_create((size_t)s->world.field_count, sizeof *due), count = 0;
  for (int32_t f = 0; f < s->world.field_count; f++)
    if (all || s->plan.live[f])
      due[count++] = f;
  plan_solve(&s->plan, &s->world, due, count, cost);
  memory_destroy(due);
}

static const uint16_t *cost_of(struct changes *c, const struct scenario *s)
{
  if (s->live.period == 0)
    return NULL;
  const struct squares q = squares_of(c, s);
  cells_cost(&q, c, s);
  return c->cost;
}

void replan(struct changes *c, const struct changes_input *in, bool all)
{
  if (in->scenario->live.period > 0) {
    const struct squares q = squares_of(c, in->scenario);
    squares_count(&q, in);
  }
  solve(in, cost_of(c, in->scenario), all);
}

void replan_visit(struct changes *c, const struct scenario *s, struct state *v)
{
  if (s->live.period == 0 || c->replans == 0)
    return;
  const struct squares q = squares_of(c, s);
  state_array(v, STATE_SAME, "replan.people", q.people, 2 * (int64_t)q.columns * q.rows);
}

void replan_again(struct changes *c, const struct changes_input *in)
{
  solve(in, cost_of(c, in->scenario), true);
}
