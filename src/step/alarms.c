#include "alarms.h"

#include <math.h>
#include <stdlib.h>

const char *const alarm_names[ALARM_KINDS] = {"density", "jam"};

#define STRIP 65536 // cells summed up at a time

static int64_t steps_of(const struct scenario *s, double seconds) // at least one
{
  const double steps = ceil(seconds / s->dt - 1e-9);
  return steps < 1 ? 1 : steps > STEP_LIMIT ? STEP_LIMIT : (int64_t)steps;
}

void alarms_create(struct alarms *w, const struct scenario *scenario, const struct comm *comm)
{
  const size_t cells = (size_t)measure_cell_count(&scenario->measure.grid);
  *w = (struct alarms){.scenario = scenario, .comm = comm};
  w->every = steps_of(scenario, scenario->alarms.every);
  w->limit = scenario->alarms.jam > 0 ? (int32_t)steps_of(scenario, scenario->alarms.jam) : 0;
  if (scenario->alarms.density > 0)
    w->people = memory_create(cells, sizeof *w->people);
  if (scenario->alarms.density > 0 && comm->rank == 0)
    w->told = memory_create(cells, 1);
}

void alarms_destroy(struct alarms *w)
{
  memory_destroy(w->waiting);
  memory_destroy(w->people);
  memory_destroy(w->told);
  *w = (struct alarms){0};
}

static void alarm_add(struct alarms *w, struct alarm one)
{
  if (w->count == w->capacity) {
    const int64_t larger = 2 * w->capacity + 64;
    w->waiting = memory_grow(w->waiting, (size_t)w->count, (size_t)larger, sizeof *w->waiting);
    w->capacity = larger;
  }
  w->waiting[w->count++] = one;
}

// ------------------------------------------------------------------------------------ cells

static double cell_side(const struct alarms *w) // m
{
  return w->scenario->measure.grid.cell * (double)frame_quantum(&w->scenario->world.frame);
}

static void cell_judge(struct alarms *w, int64_t cell, int64_t step)
{
  const struct measure_grid *g = &w->scenario->measure.grid;
  const struct frame *frame = &w->scenario->world.frame;
  const double side = cell_side(w), density = w->people[cell] / (side * side);
  const bool full = density > w->scenario->alarms.density;
  if (full && !w->told[cell])
    alarm_add(
        w, (struct alarm){step, ALARM_DENSITY, cell,
                          frame_x(frame, g->origin.x) + side * ((double)(cell % g->columns) + 0.5),
                          frame_y(frame, g->origin.y) + side * ((double)(cell / g->columns) + 0.5),
                          density});
  w->told[cell] = full;
}

// Cells lie across ranks: rank 0 sees the sums.
static void cells_look(struct alarms *w, const struct agents *a, int64_t step)
{
  const struct comm *c = w->comm;
  const int64_t cells = measure_cell_count(&w->scenario->measure.grid);
  for (int64_t i = 0; i < cells; i++)
    w->people[i] = 0;
  measure_grid_count(&w->scenario->measure.grid, a, w->people);
  for (int64_t first = 0; first < cells && c->size > 1; first += STRIP) {
    int32_t *strip = w->people + first;
    const int count = (int)(cells - first < STRIP ? cells - first : STRIP);
    MPI_Reduce(c->rank ? strip : MPI_IN_PLACE, strip, count, MPI_INT32_T, MPI_SUM, 0, c->mpi);
  }
  for (int64_t i = 0; c->rank == 0 && i < cells; i++)
    cell_judge(w, i, step);
}

// ------------------------------------------------------------------------------------- jams

// `held` counts on by one a step, so it is the limit once until it clears.
void alarms_look_held(struct alarms *w, const struct agents *a, int64_t step)
{
  const struct frame *frame = &w->scenario->world.frame;
  for (int64_t i = 0; i < a->count; i++)
    if (a->held[i] == w->limit)
      alarm_add(w, (struct alarm){step, ALARM_JAM, a->id[i], frame_x(frame, a->x[i]),
                                  frame_y(frame, a->y[i]), (double)w->limit * w->scenario->dt});
}

bool alarms_look_at_cells(const struct alarms *w, int64_t step)
{
  return w->people && step % w->every == 0;
}

void alarms_look(struct alarms *w, const struct agents *a, int64_t step)
{
  if (w->limit > 0)
    alarms_look_held(w, a, step);
  if (alarms_look_at_cells(w, step))
    cells_look(w, a, step);
}

// --------------------------------------------------------------------------------- together

static int alarm_compare(const void *a, const void *b)
{
  const struct alarm *p = a, *q = b;
  if (p->step != q->step)
    return p->step < q->step ? -1 : 1;
  if (p->kind != q->kind)
    return p->kind < q->kind ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

static void receive(const struct comm *c, struct alarm *list, const int64_t *counts)
{
  int64_t first = counts[0];
  for (int32_t r = 1; r < c->size; first += counts[r], r++)
    if (counts[r])
      MPI_Recv(list + first, (int)(counts[r] * (int64_t)sizeof *list), MPI_BYTE, r, 0, c->mpi,
               MPI_STATUS_IGNORE);
}

struct alarm *alarms_collect(struct alarms *w, int64_t *count)
{
  const struct comm *c = w->comm;
  struct alarm *list = NULL;
  int64_t *counts = memory_create((size_t)c->size, sizeof *counts);
  MPI_Gather(&w->count, 1, MPI_INT64_T, counts, 1, MPI_INT64_T, 0, c->mpi);
  *count = 0;
  for (int32_t r = 0; c->rank == 0 && r < c->size; r++)
    *count += counts[r];
  if (*count) {
    list = memory_grow(w->waiting, (size_t)w->count, (size_t)*count, sizeof *list);
    receive(c, list, counts);
    qsort(list, (size_t)*count, sizeof *list, alarm_compare);
    w->waiting = NULL;
    w->capacity = 0;
  } else if (c->rank > 0 && w->count) {
    MPI_Send(w->waiting, (int)(w->count * (int64_t)sizeof *list), MPI_BYTE, 0, 0, c->mpi);
  }
  w->count = 0;
  memory_destroy(counts);
  return list;
}

// ------------------------------------------------------------------------------- checkpoint

// Rank 0 has all that wait, or room for so many.
static void waiting_take(struct alarms *w, int64_t count, struct alarm *list)
{
  memory_destroy(w->waiting);
  w->waiting = list ? list : memory_create((size_t)count + 1, sizeof *list);
  w->count = w->comm->rank == 0 ? count : 0;
  w->capacity = count;
}

void alarms_visit(struct alarms *w, struct state *v)
{
  int64_t count = 0;
  struct alarm *list = v->reading ? NULL : alarms_collect(w, &count);
  count = state_length(v, "alarms.waiting", count);
  waiting_take(w, count, list);
  list = w->waiting;
  state_field(v, STATE_FIRST, list, step, "alarms.step", w->count);
  state_field(v, STATE_FIRST, list, kind, "alarms.kind", w->count);
  state_field(v, STATE_FIRST, list, id, "alarms.id", w->count);
  state_field(v, STATE_FIRST, list, x, "alarms.x", w->count);
  state_field(v, STATE_FIRST, list, y, "alarms.y", w->count);
  state_field(v, STATE_FIRST, list, value, "alarms.value", w->count);
  if (w->scenario->alarms.density > 0)
    state_array(v, STATE_FIRST, "alarms.told", w->told,
                w->comm->rank == 0 ? measure_cell_count(&w->scenario->measure.grid) : 0);
}
