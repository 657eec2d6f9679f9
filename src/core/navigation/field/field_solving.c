#include "field_solving.h"

#include "field_cells.h"
#include "field_check.h"
#include "known_squares.h"
#include "low_clearance.h"
#include <assert.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum stage {
  STAGE_SEEDS,
  STAGE_OPEN,
  STAGE_LOW_CLEARANCE,
  STAGE_REST,
  STAGE_CELLS,
  STAGE_COMPLETE
};

struct field_solving {
  const struct field_task *task;
  struct wavefront wavefront;
  struct low_clearance low_clearance;
  struct cell_list seeds, frontier;
  uint8_t *destination; // [cells / 8] bits
  enum stage stage;
  size_t target;  // the next that is made a seed
  int64_t square; // the next whose cells are set
  int64_t visits;
  struct known_squares *known; // NULL: not learned
  bool partly;                 // this solution ends when the needed squares are known
  double share;                // then: of a whole one
};

static void set_known(struct field_solving *s)
{
  struct field *f = s->task->field;
  f->routes = s->partly ? s->known->routes : NULL;
  if (s->partly)
    known_squares_find(s->known, f->known);
  else
    memset(f->known, 1, (size_t)nav_grid_square_count(s->wavefront.grid));
}

// ------------------------------------------------------------------------------- the stages

struct field_solving *field_solving_create(const struct nav_grid *g)
{
  struct field_solving *s = memory_create(1, sizeof *s);
  const size_t cells = (size_t)nav_grid_cell_count(g);
  struct wavefront *w = &s->wavefront;
  s->destination = memory_create(cells / 8, sizeof *s->destination);
  s->stage = STAGE_COMPLETE;
  w->grid = g;
  wavefront_set_steps(w);
  w->upwind = memory_create(cells, sizeof *w->upwind);
  w->depth = memory_create(cells, sizeof *w->depth);
  w->squares = memory_create((size_t)nav_grid_square_count(g), sizeof *w->squares);
  return s;
}

void field_solving_destroy(struct field_solving *s)
{
  if (!s)
    return;
  struct wavefront *w = &s->wavefront;
  for (int i = 0; i < WAVEFRONT_BUCKETS; i++)
    cell_list_destroy(&w->buckets[i]);
  memory_destroy(w->upwind);
  memory_destroy(w->depth);
  memory_destroy(w->squares);
  memory_destroy(s->destination);
  cell_list_destroy(&s->seeds);
  cell_list_destroy(&s->frontier);
  known_squares_destroy(s->known);
  memory_destroy(s);
}

// All marks before the first links, which depend on them.
static void mark_destination(struct field_solving *s)
{
  const struct cell_list *targets = s->task->destination;
  memset(s->destination, 0, (size_t)nav_grid_cell_count(s->wavefront.grid) / 8);
  for (size_t i = 0; i < targets->count; i++)
    s->destination[targets->cells[i] >> 3] |= (uint8_t)(1u << (targets->cells[i] & 7));
}

void field_solving_begin(struct field_solving *s, const struct field_task *task)
{
  struct wavefront *w = &s->wavefront;
  s->task = task;
  s->stage = STAGE_SEEDS;
  s->target = 0;
  s->square = s->visits = 0;
  s->seeds.count = s->frontier.count = 0;
  s->low_clearance = (struct low_clearance){.cells = &s->frontier};
  wavefront_begin(w, task, s->destination);
  mark_destination(s);
  s->partly = false;
  s->share = 1;
  if (!task->needed || !w->has_links)
    return;
  const uint32_t until = known_squares_begin(s->known, task->needed, &s->share);
  s->partly = until < UINT32_MAX;
  w->end = s->partly ? until / WAVEFRONT_BUCKET_WIDTH + 1 : UINT32_MAX;
}

// The cells of the destination are the seeds.
static bool make_seeds(struct field_solving *s)
{
  struct wavefront *w = &s->wavefront;
  const struct cell_list *targets = s->task->destination;
  for (; s->target < targets->count; s->target++) {
    const uint32_t cell = targets->cells[s->target];
    if (w->visits <= 0)
      return false;
    w->visits--;
    wavefront_reach(w, cell);
    if (w->grid->bits[cell] & NAV_GRID_SOLID)
      continue;
    w->time[cell] = 0;
    cell_list_append(&s->seeds, cell);
  }
  *s->task->field->destination_box = field_cells_box(w->grid, &s->seeds);
  return true;
}

// Spreads over the open cells or, where the links of all are known, over all cells. A front that
// need not go to its end goes on until it has reached what it must.
static bool spread_open(struct field_solving *s)
{
  struct wavefront *w = &s->wavefront;
  for (;;) {
    if (!wavefront_run(w, &s->seeds, w->has_links ? NULL : &s->frontier))
      return false;
    s->partly = s->partly && !wavefront_is_at_its_end(w, &s->seeds);
    if (!s->partly ||
        known_squares_are_reached(s->known, w, (uint64_t)w->end * WAVEFRONT_BUCKET_WIDTH))
      break;
    w->end += w->end / 8 + 1;
  }
  wavefront_end(w);
  w->end = UINT32_MAX;
  s->stage = w->has_links ? STAGE_REST : STAGE_OPEN; // the stage that is complete
  return true;
}

static bool spread_rest(struct field_solving *s)
{
  if (!wavefront_run(&s->wavefront, &s->seeds, NULL))
    return false;
  wavefront_end(&s->wavefront);
  return true;
}

// The open cells are done; the cells of low clearance follow, starting at the frontier.
static void begin_rest(struct field_solving *s)
{
  s->frontier.count = s->low_clearance.frontier;
  const struct cell_list seeds = s->frontier;
  s->frontier = s->seeds;
  s->seeds = seeds;
}

// Setting the cells of a square takes as long as that many visits of cells; measured.
static int64_t square_visits(enum square_state state)
{
  return state == SQUARE_REACHED ? CELL_SQUARE_CELLS / 2
         : state == SQUARE_READY ? CELL_SQUARE_CELLS / 16
                                 : 1;
}

static bool set_squares(struct field_solving *s)
{
  struct wavefront *w = &s->wavefront;
  const int64_t squares = nav_grid_square_count(w->grid), first = s->square;
  int64_t end = first;
  for (; end < squares && w->visits > 0; end++)
    w->visits -= square_visits(w->squares[end]);
#pragma omp parallel for schedule(dynamic, 16) if (end - first > 64)
  for (int64_t square = first; square < end; square++) {
    field_cells_set_square(s->task->field, w, square);
    if (s->known)
      known_squares_note(s->known, w, square);
  }
  s->square = end;
  if (end < squares)
    return false;
  field_cells_mark_near(s->task);
  set_known(s);
  if (field_check_is_on())
    field_check(s->task);
  return true;
}

// True: the stage is complete.
static bool run_stage(struct field_solving *s)
{
  struct wavefront *w = &s->wavefront;
  switch (s->stage) {
  case STAGE_SEEDS:
    return make_seeds(s);
  case STAGE_OPEN:
    return spread_open(s);
  case STAGE_LOW_CLEARANCE:
    return low_clearance_run(&s->low_clearance, w);
  case STAGE_REST:
    return spread_rest(s);
  case STAGE_CELLS:
    return set_squares(s);
  case STAGE_COMPLETE:
    break;
  }
  return false;
}

bool field_solving_continue(struct field_solving *s, int64_t visits)
{
  if (s->stage == STAGE_COMPLETE)
    return true;
  s->wavefront.visits = visits;
  while (s->stage != STAGE_COMPLETE && run_stage(s)) {
    s->stage++;
    if (s->stage == STAGE_REST)
      begin_rest(s);
  }
  s->visits += visits - s->wavefront.visits;
  if (s->stage == STAGE_COMPLETE)
    *s->task->field->visits = s->visits;
  return s->stage == STAGE_COMPLETE;
}

int64_t field_solving_visits(const struct field_solving *s)
{
  return s->visits;
}

int64_t field_solving_expected(const struct field_solving *s, int64_t whole)
{
  return (int64_t)(s->share * (double)whole);
}

// ------------------------------------------------------------------------------ on a device

static field_solver *external_solver;

void field_set_solver(field_solver *spread)
{
  external_solver = spread;
}

bool field_has_solver(void)
{
  return external_solver;
}

static void spread_fronts(struct field_solving *const *all, int32_t count)
{
  if (count == 0)
    return;
  struct field_front *fronts = memory_create((size_t)count, sizeof *fronts);
  for (int32_t k = 0; k < count; k++) {
    const struct wavefront *w = &all[k]->wavefront;
    fronts[k] = (struct field_front){w->grid, w->upwind, w->cost, w->time};
  }
  external_solver(fronts, count);
  memory_destroy(fronts);
}

// Where there is no order of arrival, the frontier is searched for.
static void find_frontier(struct field_solving *s)
{
  const struct wavefront *w = &s->wavefront;
  for (int64_t cell = 0; cell < nav_grid_cell_count(w->grid); cell++)
    if (w->squares[cell / CELL_SQUARE_CELLS] != SQUARE_UNKNOWN &&
        w->time[cell] != FIELD_UNREACHED && wavefront_is_frontier(w, cell) &&
        nav_grid_is_open(w->grid, cell, w->destination))
      cell_list_append(&s->frontier, cell);
}

static void run_low_clearance(struct field_solving *s)
{
  s->wavefront.visits = INT64_MAX;
  low_clearance_run(&s->low_clearance, &s->wavefront);
}

const struct wavefront *field_solving_wavefront(const struct field_solving *s)
{
  return &s->wavefront;
}

// The links between open cells come first: from these and the times, the others follow.
void field_solving_learn(struct field_solving *s, const struct field_task *task,
                         const struct field *whole)
{
  struct wavefront *w = &s->wavefront;
  const int64_t squares = nav_grid_square_count(w->grid);
  if (!s->known)
    s->known = known_squares_create(w->grid);
  w->has_links = false;
  field_solving_begin(s, task);
  w->time = whole->time;
  for (int64_t square = 0; square < squares; square++) {
    w->squares[square] = whole->reached[square] ? SQUARE_REACHED : SQUARE_UNKNOWN;
    if (whole->reached[square])
      wavefront_set_links(w, square);
    known_squares_learn(s->known, w, square);
  }
  find_frontier(s);
  run_low_clearance(s);
  s->stage = STAGE_COMPLETE;
  w->has_links = true;
}

static void set_all_squares(struct field_solving *s)
{
  s->wavefront.visits = INT64_MAX;
  set_squares(s);
  s->stage = STAGE_COMPLETE;
}

static void solve_external(const struct field_task *tasks, int32_t count)
{
  struct field_solving **all = memory_create((size_t)count, sizeof(struct field_solving *));
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    all[k] = field_solving_create(tasks[k].field->nav_grid);
    field_solving_begin(all[k], &tasks[k]);
    all[k]->wavefront.visits = INT64_MAX;
    make_seeds(all[k]);
    wavefront_reach_all(&all[k]->wavefront);
  }
  spread_fronts(all, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    find_frontier(all[k]);
    run_low_clearance(all[k]);
  }
  spread_fronts(all, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    set_all_squares(all[k]);
    field_solving_destroy(all[k]);
  }
  memory_destroy(all);
}

// ------------------------------------------------------------------------------- all at once

static void solve_one(const struct field_task *task)
{
  struct field_solving *s = field_solving_create(task->field->nav_grid);
  field_solving_begin(s, task);
  field_solving_continue(s, INT64_MAX);
  field_solving_destroy(s);
}

void field_solve_by(const struct field_task *task, int32_t threads)
{
  struct field_solving *s = field_solving_create(task->field->nav_grid);
  field_solving_begin(s, task);
  s->wavefront.visits = INT64_MAX;
  make_seeds(s);
  wavefront_team_run(&s->wavefront, &s->seeds, &s->frontier, threads);
  s->visits = INT64_MAX - s->wavefront.visits;
  s->stage = STAGE_LOW_CLEARANCE;
  field_solving_continue(s, INT64_MAX);
  field_solving_destroy(s);
}

#define TEAM_SQUARES 256 // a smaller grid is solved before a team has come together

// Fields that would leave most threads without one are solved by all of them together, one after
// the other.
static int32_t shared_out(const struct field_task *tasks, int32_t count, int32_t threads)
{
  const int32_t left = count % threads;
  const bool by_team = 2 * left <= threads && threads > 1 && !omp_in_parallel() &&
                       nav_grid_square_count(tasks->field->nav_grid) >= TEAM_SQUARES;
  return by_team ? count - left : count;
}

void fields_solve(const struct field_task *tasks, int32_t count)
{
  assert(count >= 0);
  if (count == 0)
    return;
  if (external_solver) {
    solve_external(tasks, count);
    return;
  }
  const int32_t threads = omp_get_max_threads();
  const int32_t shared = shared_out(tasks, count, threads);
#pragma omp parallel for schedule(dynamic, 1) if (shared > 1)
  for (int32_t k = 0; k < shared; k++)
    solve_one(&tasks[k]);
  for (int32_t k = shared; k < count; k++)
    field_solve_by(&tasks[k], threads < WAVEFRONT_TEAM_MAX ? threads : WAVEFRONT_TEAM_MAX);
}
