#include "alarms.h"

#include "steps.h"

const char *const alarm_names[ALARM_KINDS] = {"density", "jam"};

static int alarm_compare(const void *a, const void *b)
{
  const struct alarm *p = a, *q = b;
  if (p->step != q->step)
    return p->step < q->step ? -1 : 1;
  if (p->kind != q->kind)
    return p->kind < q->kind ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

static const struct record_field alarm_fields[] = {
    RECORD_FIELD(struct alarm, step, "alarms.step", {0, 0x1p53}),
    RECORD_FIELD(struct alarm, kind, "alarms.kind", {0, ALARM_KINDS - 1}),
    RECORD_FIELD(struct alarm, id, "alarms.id", {-1, 0x1p62}),
    RECORD_FIELD(struct alarm, x, "alarms.x", {-1e15, 1e15}),
    RECORD_FIELD(struct alarm, y, "alarms.y", {-1e15, 1e15}),
    RECORD_FIELD(struct alarm, value, "alarms.value", {-1e15, 1e15})};

static const struct record_type alarm_type = {.size = sizeof(struct alarm),
                                              .compare = alarm_compare,
                                              .count_name = "alarms.waiting",
                                              .fields = alarm_fields,
                                              .field_count =
                                                  sizeof alarm_fields / sizeof *alarm_fields};

void alarms_create(struct alarms *w, const struct scenario *scenario, const struct comm *comm)
{
  const size_t cells = (size_t)measure_cell_count(&scenario->measure.grid);
  *w = (struct alarms){.scenario = scenario, .comm = comm};
  record_list_create(&w->pending, &alarm_type, comm);
  w->every = steps_covering(scenario->alarms.every, scenario->dt);
  w->blocked_limit =
      scenario->alarms.jam > 0 ? (int32_t)steps_covering(scenario->alarms.jam, scenario->dt) : 0;
  if (scenario->alarms.density > 0)
    w->cell_counts = memory_create(cells, sizeof *w->cell_counts);
  if (scenario->alarms.density > 0 && comm->rank == 0)
    w->raised = memory_create(cells, 1);
}

void alarms_destroy(struct alarms *w)
{
  record_list_destroy(&w->pending);
  memory_destroy(w->cell_counts);
  memory_destroy(w->raised);
  cell_list_destroy(&w->occupied);
  cell_list_destroy(&w->uncleared);
  *w = (struct alarms){0};
}

// ------------------------------------------------------------------------------------ cells

static double cell_side(const struct alarms *w) // m
{
  return w->scenario->measure.grid.cell * (double)frame_quantum(&w->scenario->world.frame);
}

static void cell_check(struct alarms *w, int64_t cell, int64_t step)
{
  const struct measure_grid *g = &w->scenario->measure.grid;
  const struct frame *frame = &w->scenario->world.frame;
  const double side = cell_side(w), density = w->cell_counts[cell] / (side * side);
  const bool full = density > w->scenario->alarms.density;
  if (full && !w->raised[cell])
    record_list_add(
        &w->pending,
        &(struct alarm){step, ALARM_DENSITY, cell,
                        frame_x(frame, g->origin.x) + side * ((double)(cell % g->columns) + 0.5),
                        frame_y(frame, g->origin.y) + side * ((double)(cell / g->columns) + 0.5),
                        density});
  w->raised[cell] = full;
}

struct cell_count {
  uint32_t cell;
  int32_t count;
};

static void add_count(struct alarms *w, int64_t cell, int32_t agents)
{
  if (w->cell_counts[cell] == 0)
    cell_list_append(&w->occupied, cell);
  w->cell_counts[cell] += agents;
}

// Forgets the counts.
static void clear_counts(struct alarms *w)
{
  for (size_t k = 0; k < w->occupied.count; k++)
    w->cell_counts[w->occupied.cells[k]] = 0;
  w->occupied.count = 0;
}

// Cells may lie across ranks: rank 0 adds up the counts of all.
static void gather_counts(struct alarms *w)
{
  if (w->comm->size == 1)
    return;
  const size_t count = w->occupied.count;
  struct cell_count *own = memory_create(count, sizeof *own);
  for (size_t k = 0; k < count; k++)
    own[k] = (struct cell_count){w->occupied.cells[k], w->cell_counts[w->occupied.cells[k]]};
  clear_counts(w);
  int64_t bytes;
  struct cell_count *all = comm_gather_root(w->comm, own, (int64_t)(count * sizeof *own), &bytes);
  for (int64_t k = 0; k < bytes / (int64_t)sizeof *all; k++)
    add_count(w, all[k].cell, all[k].count);
  memory_destroy(all);
  memory_destroy(own);
}

// Most cells of a large grid are empty: only those are visited where people are, or were too many.
static void cells_judge(struct alarms *w, int64_t step)
{
  for (size_t k = 0; k < w->uncleared.count; k++)
    if (w->cell_counts[w->uncleared.cells[k]] == 0)
      w->raised[w->uncleared.cells[k]] = 0;
  w->uncleared.count = 0;
  for (size_t k = 0; k < w->occupied.count; k++) {
    const uint32_t cell = w->occupied.cells[k];
    cell_check(w, cell, step);
    if (w->raised[cell])
      cell_list_append(&w->uncleared, cell);
  }
}

static void cells_count(struct alarms *w, const struct cell_source *source)
{
  if (source->agents)
    measure_grid_count(&w->scenario->measure.grid, source->agents, w->cell_counts, &w->occupied);
  for (int64_t k = 0; !source->agents && k < source->cell_count; k++)
    add_count(w, source->cells[k].cell, source->cells[k].agents);
}

bool alarms_cells_due(const struct alarms *w, int64_t step)
{
  return w->cell_counts && step % w->every == 0;
}

void alarms_check_cells(struct alarms *w, const struct cell_source *source, int64_t step)
{
  cells_count(w, source);
  gather_counts(w);
  if (w->comm->rank == 0)
    cells_judge(w, step);
  clear_counts(w);
}

// ------------------------------------------------------------------------------------- jams

// held grows by one per step, so it equals the limit once until it clears.
void alarms_check_blocked(struct alarms *w, const struct agents *a, int64_t step)
{
  const struct frame *frame = &w->scenario->world.frame;
  int64_t blocked = 0;
#pragma omp parallel for simd schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : blocked)
  for (int64_t i = 0; i < a->count; i++)
    blocked += a->held[i] == w->blocked_limit;
  for (int64_t i = 0; blocked > 0 && i < a->count; i++)
    if (a->held[i] == w->blocked_limit)
      record_list_add(&w->pending, &(struct alarm){step, ALARM_JAM, a->id[i],
                                                   frame_x(frame, a->x[i]), frame_y(frame, a->y[i]),
                                                   (double)w->blocked_limit * w->scenario->dt});
}

// ------------------------------------------------------------------------------- collecting

struct alarm *alarms_collect(struct alarms *w, int64_t *count)
{
  return record_list_collect(&w->pending, count);
}

// ------------------------------------------------------------------------------- checkpoint

void alarms_visit(struct alarms *w, struct state *v)
{
  record_list_visit(&w->pending, v);
  if (w->scenario->alarms.density <= 0)
    return;
  const int64_t cells = w->comm->rank == 0 ? measure_cell_count(&w->scenario->measure.grid) : 0;
  state_array(v, STATE_ROOT, STATE_ANY, "alarms.told", w->raised, cells);
  w->uncleared.count = 0;
  cell_list_append_marked(&w->uncleared, w->raised, cells);
}
