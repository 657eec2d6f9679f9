// How a field is solved: who takes from whom, the front, the ways.
#include "field.h"

#include "wave.h"
#include <math.h>
#include <string.h>

static bool cell_passable(const struct ground *g, const uint16_t *cost, int64_t cell)
{
  return !(g->bits[cell] & GROUND_SOLID) && !(cost && cost[cell] == 0);
}

static bool cell_open(const struct ground *g, const uint8_t *target, int64_t cell)
{
  return !(g->bits[cell] & GROUND_TIGHT) || target[cell];
}

static unsigned cell_links(const struct ground *g, const struct wave *w, int32_t row,
                           int32_t column)
{
  const int64_t cell = (int64_t)row * g->columns + column;
  const uint8_t *bits = &g->bits[cell];
  const bool open[4] = {*bits & GROUND_EAST, *bits & GROUND_NORTH,
                        column > 0 && bits[-1] & GROUND_EAST,
                        row > 0 && bits[-g->columns] & GROUND_NORTH};
  unsigned links = 0;
  for (int d = 0; d < 4; d++)
    if (open[d] && !(w->cost && (w->cost[cell] == 0 || w->cost[cell + w->step[d]] == 0)))
      links |= 1u << d;
  return links;
}

// Open cells take from open cells; tight ones not yet from anybody.
static void open_doors(const struct ground *g, const uint8_t *target, struct wave *w)
{
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < g->rows; row++)
    for (int32_t column = 0; column < g->columns; column++) {
      const int64_t cell = (int64_t)row * g->columns + column;
      const unsigned links = cell_links(g, w, row, column);
      unsigned taken = 0;
      for (int d = 0; d < 4 && cell_open(g, target, cell); d++)
        if (links >> d & 1 && cell_open(g, target, cell + w->step[d]))
          taken |= 1u << d;
      if (g->refused) // not taken, yet linked: the other way is open
        taken &= ~(unsigned)g->refused[cell];
      w->doors[cell] = (uint8_t)(links << WAVE_LINKED | taken);
    }
}

static bool linked(const struct wave *w, int64_t cell, int d)
{
  return w->doors[cell] >> (WAVE_LINKED + d) & 1;
}

enum depth { UNKNOWN, SETTLED, SAME }; // of a tight cell: steps to the nearest reached open one

// Do the cell and its neighbour towards d stand side by side in front of two settled cells, with
// links all round the four? Then no wall is between their ways.
static bool side_by_side(const struct wave *w, const uint8_t *depth, int64_t cell, int d, int side)
{
  const int64_t next = cell + w->step[d], front = cell + w->step[side];
  return linked(w, cell, side) && linked(w, next, side) && depth[front] == SETTLED &&
         depth[front + w->step[d]] == SETTLED && linked(w, front, d);
}

static uint8_t tight_taken(const struct wave *w, const uint8_t *depth, int64_t cell)
{
  unsigned taken = 0;
  for (int d = 0; d < 4; d++) {
    const int near = linked(w, cell, d) ? depth[cell + w->step[d]] : UNKNOWN;
    if (near == SETTLED || (near == SAME && (side_by_side(w, depth, cell, d, (d + 1) % 4) ||
                                             side_by_side(w, depth, cell, d, (d + 3) % 4))))
      taken |= 1u << d;
  }
  return (uint8_t)taken;
}

// Breadth first from the shore: the tight cells of one depth after the other learn whom they
// take from. Appends them to the shore.
static void open_tight_doors(const struct ground *g, const uint8_t *target, struct wave *w,
                             struct cell_list *shore)
{
  uint8_t *depth = memory_create((size_t)ground_cell_count(g), sizeof *depth);
  for (size_t i = 0; i < shore->count; i++)
    depth[shore->cells[i]] = SETTLED;
  for (size_t begin = 0, end; begin < shore->count; begin = end) {
    end = shore->count;
    for (size_t i = begin; i < end; i++)
      for (int d = 0; d < 4; d++) {
        const int64_t cell = shore->cells[i], next = cell + w->step[d];
        if (linked(w, cell, d) && depth[next] == UNKNOWN && !cell_open(g, target, next)) {
          depth[next] = SAME;
          cell_list_append(shore, next);
        }
      }
    for (size_t i = end; i < shore->count; i++)
      w->doors[shore->cells[i]] |= tight_taken(w, depth, shore->cells[i]);
    for (size_t i = end; i < shore->count; i++)
      depth[shore->cells[i]] = SETTLED;
  }
  memory_destroy(depth);
}

static uint8_t cell_paths(const struct wave *w, int64_t cell)
{
  const unsigned taken = w->doors[cell] & 15;
  unsigned paths = taken;
  for (int d = 0; d < 4; d++) {
    const int e = (d + 1) % 4;
    if (taken >> d & taken >> e & 1 && w->doors[cell + w->step[d]] >> e & 1 &&
        w->doors[cell + w->step[e]] >> d & 1)
      paths |= 1u << (4 + d);
  }
  return (uint8_t)paths;
}

static int8_t rounded(float v)
{
  return (int8_t)(v < 0.0f ? v - 0.5f : v + 0.5f);
}

// Upwind differences. A tie of opposite neighbours cancels; where a wall cuts the corner between
// two neighbours, only the lesser counts, and their tie cancels too: mirrors and turns of the
// ground give mirrored and turned ways.
static struct field_way cell_way(const struct wave *w, int64_t cell, uint8_t paths)
{
  const uint32_t time = w->time[cell];
  if (time == 0 || time == FIELD_UNREACHED)
    return (struct field_way){0, 0};
  const uint32_t east = taken_time(w, cell, EAST), west = taken_time(w, cell, WEST);
  const uint32_t north = taken_time(w, cell, NORTH), south = taken_time(w, cell, SOUTH);
  const uint32_t low_x = least(east, west), low_y = least(north, south);
  uint32_t dx = east != west && low_x < time ? time - low_x : 0;
  uint32_t dy = north != south && low_y < time ? time - low_y : 0;
  if (dx && dy && !(paths >> field_corner(west < east, south < north) & 1)) {
    const bool x_first = dx > dy, y_first = dy > dx;
    dx = x_first ? dx : 0;
    dy = y_first ? dy : 0;
  }
  if (dx == 0 && dy == 0)
    return (struct field_way){0, 0};
  const float x = west < east ? -(float)dx : (float)dx, y = south < north ? -(float)dy : (float)dy;
  const float length = sqrtf(x * x + y * y);
  return (struct field_way){rounded(127.0f * x / length), rounded(127.0f * y / length)};
}

static void point_ways(struct field *f, const struct wave *w)
{
  const struct ground *g = f->ground;
#pragma omp parallel for schedule(static)
  for (int32_t row = 0; row < g->rows; row++)
    for (int64_t cell = (int64_t)row * g->columns; cell < (int64_t)(row + 1) * g->columns; cell++) {
      f->paths[cell] = cell_paths(w, cell);
      f->way[cell] = cell_way(w, cell, f->paths[cell]);
    }
}

// Round all cells of the destination and those beside them; without end where they touch the
// grid's.
static struct box box_near_target(const struct field *f)
{
  const struct ground *g = f->ground;
  int64_t lo_c = g->columns, lo_r = g->rows, hi_c = -1, hi_r = -1;
  for (int64_t cell = 0; cell < ground_cell_count(g); cell++) {
    if (f->time[cell] != 0)
      continue;
    const int64_t c = cell % g->columns, r = cell / g->columns;
    lo_c = c < lo_c ? c : lo_c;
    hi_c = c > hi_c ? c : hi_c;
    lo_r = r < lo_r ? r : lo_r;
    hi_r = r;
  }
  const int64_t x = g->origin.x, y = g->origin.y, cell = g->cell;
  return (struct box){{lo_c <= 1 ? INT32_MIN : (int32_t)(x + (lo_c - 1) * cell),
                       lo_r <= 1 ? INT32_MIN : (int32_t)(y + (lo_r - 1) * cell)},
                      {hi_c + 2 >= g->columns ? INT32_MAX : (int32_t)(x + (hi_c + 2) * cell),
                       hi_r + 2 >= g->rows ? INT32_MAX : (int32_t)(y + (hi_r + 2) * cell)}};
}

// ------------------------------------------------------------------------------- the stages

struct solving { // one field of several
  struct wave wave;
  struct cell_list seeds, shore;
};

static void solving_begin(struct solving *s, const struct field_task *t)
{
  const struct ground *g = t->field->ground;
  const size_t count = (size_t)ground_cell_count(g);
  struct wave *w = &s->wave;
  *w = (struct wave){.step = {1, g->columns, -1, -g->columns},
                     .cost = t->cost,
                     .time = t->field->time,
                     .doors = memory_create(count, sizeof *w->doors)};
  open_doors(g, t->target, w);
  memset(w->time, 0xff, count * sizeof *w->time); // FIELD_UNREACHED
  for (size_t cell = 0; cell < count; cell++)
    if (t->target[cell] && cell_passable(g, t->cost, (int64_t)cell)) {
      w->time[cell] = 0;
      cell_list_append(&s->seeds, (int64_t)cell);
    }
}

// The open cells are done: the tight ones are next, from the shore.
static void solving_go_on(struct solving *s, const struct field_task *t)
{
  s->seeds.count = 0;
  for (size_t i = 0; i < s->shore.count; i++)
    cell_list_append(&s->seeds, s->shore.cells[i]);
  open_tight_doors(t->field->ground, t->target, &s->wave, &s->shore);
}

static void solving_end(struct solving *s, const struct field_task *t)
{
  point_ways(t->field, &s->wave);
  *t->field->near = box_near_target(t->field);
  memory_destroy(s->seeds.cells);
  memory_destroy(s->shore.cells);
  for (int i = 0; i < WAVE_BUCKETS; i++)
    memory_destroy(s->wave.buckets[i].cells);
  memory_destroy(s->wave.doors);
}

// ------------------------------------------------------------------------------------- here

static void solve_here(struct solving *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    struct solving *s = &all[k];
    solving_begin(s, &tasks[k]);
    wave_run(&s->wave, &s->seeds, &s->shore);
    solving_go_on(s, &tasks[k]);
    wave_run(&s->wave, &s->seeds, NULL);
    solving_end(s, &tasks[k]);
  }
}

// -------------------------------------------------------------------------------- elsewhere

static field_spreader *spread_elsewhere;

void field_spread_by(field_spreader *spread)
{
  spread_elsewhere = spread;
}

static void spread_all(const struct solving *all, const struct field_task *tasks, int32_t count)
{
  struct field_front *fronts = memory_create((size_t)count, sizeof *fronts);
  for (int32_t k = 0; k < count; k++) {
    const struct ground *g = tasks[k].field->ground;
    const struct wave *w = &all[k].wave;
    fronts[k] = (struct field_front){g->columns, g->rows, w->doors, w->cost, w->time};
  }
  spread_elsewhere(fronts, count);
  memory_destroy(fronts);
}

// No order of arrival is known from elsewhere: the shore is looked for.
static void find_shore(struct solving *s, const struct ground *g)
{
  const struct wave *w = &s->wave;
  for (int64_t cell = 0; cell < ground_cell_count(g); cell++)
    if (w->time[cell] != FIELD_UNREACHED && (w->doors[cell] >> WAVE_LINKED & ~w->doors[cell]))
      cell_list_append(&s->shore, cell);
}

static void solve_elsewhere(struct solving *all, const struct field_task *tasks, int32_t count)
{
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++)
    solving_begin(&all[k], &tasks[k]);
  spread_all(all, tasks, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++) {
    find_shore(&all[k], tasks[k].field->ground);
    solving_go_on(&all[k], &tasks[k]);
  }
  spread_all(all, tasks, count);
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int32_t k = 0; k < count; k++)
    solving_end(&all[k], &tasks[k]);
}

void fields_solve(const struct field_task *tasks, int32_t count)
{
  if (count == 0)
    return;
  struct solving *all = memory_create((size_t)count, sizeof *all);
  if (spread_elsewhere)
    solve_elsewhere(all, tasks, count);
  else
    solve_here(all, tasks, count);
  memory_destroy(all);
}

void field_solve(struct field *f, const uint8_t *target, const uint16_t *cost)
{
  fields_solve(&(struct field_task){f, target, cost}, 1);
}
