#include "dynamic_travel_times.h"

#include "config.h"
#include "demand.h"
#include "density_speed.h"
#include "fields_update.h"
#include "known_squares.h"
#include "spreading_side_kernel.h"
#include "steps.h"
#include "walking_sums.h"
#include <math.h>
#include <string.h>

#define SPEED_SHARE_MIN 0.05f // share of the free speed left in the worst jam

struct crowd { // that was counted
  const struct crowd_count *count;
  const struct walking_sums *sums;
};

struct crowd_count {
  const struct scenario *scenario;
  int32_t side; // of a coarse cell, cells of the navigation grid
  int32_t columns, rows;
  float area;                    // of a coarse cell, m^2
  struct walking_sums now, next; // behind the travel times that agents follow; and the next ones
  int64_t next_step;             // step in which these hold; -1: none are under way
  bool next_is_clear;            // all 0
  bool has_waited;               // the step before had no part because of a sort
  struct crowd next_crowd;       // while they are solved
  struct crowd_cost next_cost;
  struct fields_update *update; // that solves them
  int32_t live_count;
  int32_t *live;        // [live_count] destinations
  int32_t *live_number; // [destinations] index in live; -1: not live
  uint8_t *unknown;     // [live_count] an agent is where the field is not known
};

// -------------------------------------------------------------------------------- creation

static struct walking_sums sums_create(const struct crowd_count *q)
{
  struct walking_sums sums = {.side = q->side, .columns = q->columns, .rows = q->rows};
  walking_sums_create(&sums);
  return sums;
}

static void update_create(struct crowd_count *q, struct scenario *s)
{
  q->live = memory_create((size_t)s->world.destination_count, sizeof *q->live);
  q->live_number = memory_create((size_t)s->world.destination_count, sizeof *q->live_number);
  for (int32_t f = 0; f < s->world.destination_count; f++) {
    q->live_number[f] = s->environment.live[f] ? q->live_count : -1;
    if (s->environment.live[f])
      q->live[q->live_count++] = f;
  }
  q->unknown = memory_create((size_t)q->live_count, sizeof *q->unknown);
  q->update = fields_update_create(&s->environment, &s->world, q->live, q->live_count, true);
}

// Whether travel times are read only around agents that follow them, all of them of this process:
// no agent asks for the nearest of several destinations.
static bool are_read_near_agents(const struct scenario *s, const struct comm *comm)
{
  const struct itinerary *it = demand_itinerary(s->demand);
  const struct nav_grid *g = &s->world.nav_grid;
  bool nearest = false;
  for (int32_t k = 0; k < it->leg_count; k++)
    nearest = nearest || it->legs[k].choice == LEG_NEAREST;
  return comm->size == 1 && !nearest &&
         frame_length(&s->world.frame, SPREADING_ROOM) + 2 * (int64_t)g->cell <=
             KNOWN_REACH * (int64_t)g->cell; // a line beside the route, and cells around it
}

struct crowd_count *crowd_count_create(struct scenario *s, const struct comm *comm)
{
  const struct nav_grid *g = &s->world.nav_grid;
  if (s->live.period == 0 || s->world.destination_count == 0)
    return NULL;
  struct crowd_count *q = memory_create(1, sizeof *q);
  const int32_t side = s->live.cell / g->cell > 1 ? s->live.cell / g->cell : 1;
  const float metres = (float)side * (float)g->cell * frame_quantum(&s->world.frame);
  *q = (struct crowd_count){.scenario = s,
                            .side = side,
                            .columns = (g->columns + side - 1) / side,
                            .rows = (g->rows + side - 1) / side,
                            .area = metres * metres,
                            .next_step = -1};
  q->now = sums_create(q);
  q->next = sums_create(q);
  update_create(q, s);
  if (q->live_count > 0 && are_read_near_agents(s, comm) && !field_has_solver())
    fields_update_keep_to_agents(q->update);
  return q;
}

void crowd_count_destroy(struct crowd_count *q)
{
  if (!q)
    return;
  fields_update_destroy(q->update);
  walking_sums_destroy(&q->now);
  walking_sums_destroy(&q->next);
  memory_destroy(q->live);
  memory_destroy(q->live_number);
  memory_destroy(q->unknown);
  memory_destroy(q);
}

// -------------------------------------------------------------------------------- counting

static void clear_next(struct crowd_count *q)
{
  walking_sums_clear(&q->next);
  q->next_is_clear = true;
}

// sums: all 0.
static void count_crowd(const struct walking_sums *sums, const struct world_events_input *in)
{
  walking_sums_add(sums, &in->scenario->world, in->agents);
  comm_sum(in->comm, sums->walkers, 2 * walking_sums_cells(sums));
}

// ----------------------------------------------------------------------------------- costs

// Cost of a metre in a coarse cell over its cost in an empty one; averaged over the cell and its
// eight neighbours.
static float coarse_cell_cost(const struct crowd *c, int32_t row, int32_t column)
{
  const struct crowd_count *q = c->count;
  const struct live *live = &q->scenario->live;
  int64_t walkers = 0, speed_share = 0, cells = 0;
  if (row >= q->rows || column >= q->columns) // outside the grid
    return 1;
  for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < q->rows; r++)
    for (int32_t k = column > 0 ? column - 1 : 0; k <= column + 1 && k < q->columns; k++) {
      walkers += c->sums->walkers[(int64_t)r * q->columns + k];
      speed_share += c->sums->speed_share[(int64_t)r * q->columns + k];
      cells++;
    }
  if (walkers == 0)
    return 1;
  const float density = (float)walkers / ((float)cells * q->area);
  const float measured_share = (float)speed_share / ((float)walkers * WALKING_SHARE_UNIT);
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

static int32_t larger(int32_t a, int32_t b)
{
  return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

// The factors of a square of cells: crowd_cost. The squares on the border reach beyond the grid.
static void square_factors(const void *crowd, int64_t square, float *factors)
{
  const struct crowd *c = crowd;
  const struct nav_grid *g = &c->count->scenario->world.nav_grid;
  const int32_t side = c->count->side;
  const int64_t first = square * CELL_SQUARE_CELLS;
  const struct cell_place lo = nav_grid_place(g, first);
  const int32_t row_end = lo.row + CELL_SQUARE, column_end = lo.column + CELL_SQUARE;
  for (int32_t row = lo.row / side; row * side < row_end; row++)
    for (int32_t column = lo.column / side; column * side < column_end; column++) {
      const float factor = coarse_cell_cost(c, row, column);
      for (int32_t y = larger(lo.row, row * side); y < smaller(row_end, (row + 1) * side); y++)
        for (int32_t x = larger(lo.column, column * side);
             x < smaller(column_end, (column + 1) * side); x++)
          factors[nav_grid_cell(g, (uint32_t)x, (uint32_t)y) - first] = factor;
    }
}

// -------------------------------------------------------------------------------- schedule

static bool is_counted(const struct live *live, int64_t step)
{
  return live->period > 0 && step > 0 && step % live->period == 0;
}

bool dynamic_travel_times_count_is_due(const struct world_events_input *in)
{
  return is_counted(&in->scenario->live, in->step);
}

// The crowd behind the next travel times. It lies in the count, for as long as it is solved.
static const struct crowd_cost *next_crowd(struct crowd_count *q)
{
  q->next_crowd = (struct crowd){q, &q->next};
  q->next_cost = (struct crowd_cost){square_factors, &q->next_crowd};
  return &q->next_cost;
}

// Marks where agents follow the fields of live destinations. Sets q->unknown.
static void mark_needed(struct crowd_count *q, const struct world_events_input *in)
{
  const struct agents *a = in->agents;
  const struct world *w = &in->scenario->world;
  memset(q->unknown, 0, (size_t)q->live_count);
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t destination = agent_destination(a, i);
    const int32_t k = destination < 0 ? -1 : q->live_number[destination];
    if (k < 0)
      continue;
    const int64_t cell = nav_grid_cell_of(&w->nav_grid, (struct point){a->x[i], a->y[i]});
    uint8_t *needed = fields_update_needed(q->update, k) + cell / CELL_SQUARE_CELLS;
    if (!__atomic_load_n(needed, __ATOMIC_RELAXED))
      __atomic_store_n(needed, 1, __ATOMIC_RELAXED);
    if (!field_known_at(world_field_of(w, destination, agents_party(a, i)), cell))
      __atomic_store_n(&q->unknown[k], 1, __ATOMIC_RELAXED);
  }
}

// An agent that follows a field from where it is not known, as when it has just entered there, has
// to wait until the whole field is solved.
static void complete_fields(struct crowd_count *q, const struct world_events_input *in)
{
  const struct crowd crowd = {q, &q->now};
  const struct crowd_cost cost = {square_factors, &crowd};
  if (q->live_count == 0 || !fields_update_needed(q->update, 0))
    return;
  mark_needed(q, in);
  for (int32_t k = 0; k < q->live_count; k++)
    if (q->unknown[k])
      fields_update_complete(q->update, k, &cost);
}

static void follow_next(struct crowd_count *q)
{
  const struct walking_sums now = q->now;
  q->now = q->next;
  q->next = now;
  q->next_step = -1;
}

#define RARE 10 // steps: what happens more often is left aside, or no step would have a part

// Steps that take long enough without a part of the solution: all agents look around, or the cells
// of the grid are sampled after the step.
static bool is_long(const struct scenario *s, int64_t step)
{
  const struct headway_options *h = &s->headway;
  const int64_t sample = s->measure.counts_cells ? steps_period(s->grid.sample, s->dt) : 0;
  return (h->on && h->look_period > 1 && headway_options_all_look(h, step)) ||
         (sample >= RARE && (step + 1) % sample == 0);
}

static int32_t parts_left(const struct crowd_count *q, int64_t step)
{
  int32_t parts = 0;
  for (; step < q->next_step; step++)
    parts += !is_long(q->scenario, step);
  return parts;
}

// A part of the solution, as long as the others. What is left at the end is solved then.
static void solve_part(struct crowd_count *q, const struct world_events_input *in)
{
  const bool waits = in->sorts && !q->has_waited; // some crowds are sorted in every step
  q->has_waited = waits;
  if (!waits && !is_long(q->scenario, in->step))
    fields_update_continue(q->update, parts_left(q, in->step));
}

void dynamic_travel_times_advance(struct world_events *c, const struct world_events_input *in)
{
  struct crowd_count *q = c->crowd;
  const struct live *live = &in->scenario->live;
  if (!q)
    return;
  if (in->step == q->next_step) {
    fields_update_end(q->update);
    follow_next(q);
    c->replans++;
  } else if (q->next_step >= 0) {
    solve_part(q, in);
  }
  complete_fields(q, in);
  if (is_counted(&in->scenario->live, in->step + 1) && q->next_step < 0)
    clear_next(q); // the step of the count is long enough
  if (!dynamic_travel_times_count_is_due(in))
    return;
  if (!q->next_is_clear)
    clear_next(q);
  count_crowd(&q->next, in);
  q->next_is_clear = false;
  q->next_step = in->step + live->delay;
  fields_update_begin(q->update, next_crowd(q));
}

static void solve_all(struct world_events *c, const struct world_events_input *in)
{
  struct scenario *s = in->scenario;
  struct environment *environment = &s->environment;
  const struct crowd crowd = {c->crowd, c->crowd ? &c->crowd->now : NULL};
  const struct crowd_cost cost = {square_factors, &crowd};
  const int32_t count = s->world.destination_count;
  int32_t *all = memory_create((size_t)count, sizeof *all);
  for (int32_t f = 0; f < count; f++)
    all[f] = f;
  environment_set_arrival_areas(environment, &s->world);
  environment_find_targets(environment, &s->world);
  struct fields_update *u = fields_update_create(environment, &s->world, all, count, false);
  fields_update_solve(u, c->crowd ? &cost : NULL);
  fields_update_destroy(u);
  memory_destroy(all);
  if (c->crowd && c->crowd->live_count > 0 && fields_update_needed(c->crowd->update, 0))
    fields_update_keep_to_agents(c->crowd->update);
}

void dynamic_travel_times_solve_all(struct world_events *c, const struct world_events_input *in)
{
  if (c->crowd) {
    walking_sums_clear(&c->crowd->now);
    count_crowd(&c->crowd->now, in);
    c->crowd->next_step = -1; // of the old grid
  }
  solve_all(c, in);
  c->replans++;
}

// ------------------------------------------------------------------------------- checkpoint

void dynamic_travel_times_visit(struct world_events *c, struct state *v)
{
  struct crowd_count *q = c->crowd;
  if (!q)
    return;
  const int64_t length = 2 * (int64_t)q->columns * q->rows;
  state_value(v, STATE_SAME, ((struct state_range){-1, 2 * (double)STEP_LIMIT}), "replan.next_step",
              &q->next_step);
  if (c->replans > 0)
    state_array(v, STATE_SAME, STATE_COUNT, "replan.people", q->now.walkers, length);
  if (q->next_step >= 0)
    state_array(v, STATE_SAME, STATE_COUNT, "replan.next", q->next.walkers, length);
}

void dynamic_travel_times_restore(struct world_events *c, const struct world_events_input *in)
{
  struct crowd_count *q = c->crowd;
  if (c->replans > 0)
    solve_all(c, in);
  if (q && q->next_step >= 0)
    fields_update_begin(q->update, next_crowd(q));
}
