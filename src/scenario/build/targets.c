// Where agents arrive, and the cells of the navigation grid to which fields lead them.
#include "environment.h"
#include "marks.h"
#include "preferred_velocity_kernel.h"
#include "shape.h"

enum target_mark { TARGET = 1, NEAR = 2 }; // of a cell

struct target_search { // of one destination
  const struct world *world;
  const struct arrival_area *area;
  uint8_t *covered; // [cells] by one area
  uint8_t *marks;   // [cells] enum target_mark
};

// ------------------------------------------------------------------------------------- areas

struct outlines environment_areas(const struct environment *s, int32_t destination, bool open)
{
  struct outlines all;
  outlines_create(&all);
  for (int k = 0; k < s->area_count[destination]; k++)
    if (!open || !s->area_closed[destination][k])
      outlines_append(&all, &s->areas[destination][k]);
  return all;
}

void environment_set_arrival_areas(const struct environment *s, struct world *w)
{
  struct outlines *areas = memory_create((size_t)s->destination_count, sizeof *areas);
  for (int32_t i = 0; i < s->destination_count; i++)
    areas[i] = environment_areas(s, i, true);
  world_set_arrival_areas(w, areas, s->destination_count);
  for (int32_t i = 0; i < s->destination_count; i++)
    outlines_destroy(&areas[i]);
  memory_destroy(areas);
}

// ----------------------------------------------------------------------------------- targets

static bool is_open(const struct nav_grid *g, int64_t cell)
{
  return !(g->bits[cell] & (NAV_GRID_SOLID | NAV_GRID_LOW_CLEARANCE));
}

// From a free cell an agent walks straight to the area: no wall may be in between, and it may not
// be farther than `sight` (quanta).
static bool sees_area(const struct target_search *t, int64_t cell, int32_t sight)
{
  const struct nav_grid *g = &t->world->nav_grid;
  const struct point centre = nav_grid_centre(g, cell);
  struct point to;
  if (g->bits[cell] & NAV_GRID_SOLID)
    return false;
  if (obstacles_inside(&t->area->outlines, centre))
    return true;
  return obstacles_nearest(&t->area->outlines, centre, sight, &to) &&
         !obstacles_crossing(centre, to, &t->world->obstacles);
}

// Marks the cells around one, no farther than `reach` cells along each axis; as TARGET those that
// see the area.
static void mark_around(const struct target_search *t, int64_t cell, int32_t reach,
                        enum target_mark mark, int32_t sight)
{
  const struct nav_grid *g = &t->world->nav_grid;
  const struct cell_place at = nav_grid_place(g, cell);
  for (int32_t row = at.row - reach; row <= at.row + reach; row++)
    for (int32_t column = at.column - reach; column <= at.column + reach; column++) {
      if (row < 0 || column < 0 || row >= g->rows || column >= g->columns)
        continue;
      const int64_t other = nav_grid_cell(g, (uint32_t)column, (uint32_t)row);
      if (!(t->marks[other] & mark) && (mark != TARGET || sees_area(t, other, sight)))
        t->marks[other] = (uint8_t)(t->marks[other] | mark);
    }
}

static bool is_inner(const struct target_search *t, int64_t cell) // the area covers all around it
{
  const struct nav_grid *g = &t->world->nav_grid;
  const struct cell_place at = nav_grid_place(g, cell);
  bool inner = at.row > 0 && at.column > 0 && at.row + 1 < g->rows && at.column + 1 < g->columns;
  for (int d = 0; d < 4 && inner; d++)
    inner = t->covered[nav_grid_neighbour(g, cell, d)];
  return inner;
}

// A covered cell whose centre does not see the area, behind a wall, leaves that to its neighbours.
// Returns whether routes lead to the area: one of its cells is open.
static bool mark_covered(const struct target_search *t, const struct cell_list *covered)
{
  const struct nav_grid *g = &t->world->nav_grid;
  const int32_t sight = ARRIVAL_NEAR_CELLS * g->cell,
                near = (t->world->arrival_reach - 1) / g->cell;
  bool open = false;
  for (size_t i = 0; i < covered->count; i++) {
    const int64_t cell = covered->cells[i];
    const bool sees = sees_area(t, cell, sight);
    open = open || (sees && is_open(g, cell));
    mark_around(t, cell, sees ? 0 : 1, TARGET, sight);
    mark_around(t, cell, is_inner(t, cell) ? 0 : near + 2, NEAR, 0);
  }
  return open;
}

// An area closer to walls than the clearance, to which no route leads: agents leave the routes
// where they see it, and need not come closer than their radius.
static void mark_shallow(const struct target_search *t, const struct cell_list *covered,
                         int32_t clearance)
{
  const int32_t cell = t->world->nav_grid.cell, most = t->world->arrival_reach;
  const int32_t sight = (clearance < most ? clearance : most) + 2 * cell;
  for (size_t i = 0; i < covered->count; i++)
    mark_around(t, covered->cells[i], sight / cell + 1, TARGET, sight);
}

static void mark_area(const struct target_search *t, const struct outlines *area, int32_t clearance)
{
  const struct nav_grid *g = &t->world->nav_grid;
  struct cell_list covered = {0};
  nav_grid_mark(g, area, t->covered);
  cell_list_append_marked(&covered, t->covered, nav_grid_cell_count(g));
  if (!mark_covered(t, &covered))
    mark_shallow(t, &covered, clearance);
  for (size_t i = 0; i < covered.count; i++)
    t->covered[covered.cells[i]] = 0;
  cell_list_destroy(&covered);
}

// The marks are all 0 before and after.
static void find_targets(struct environment *s, const struct world *w, int32_t destination,
                         uint8_t *const marks[2])
{
  struct cell_list *targets = &s->targets[destination], *near = &s->near[destination];
  const struct target_search t = {w, &w->arrival_areas[destination], marks[0], marks[1]};
  const int64_t count = nav_grid_cell_count(&w->nav_grid);
  for (int k = 0; k < s->area_count[destination]; k++)
    if (!s->area_closed[destination][k])
      mark_area(&t, &s->areas[destination][k], s->clearance);
  targets->count = near->count = 0;
  for (int64_t cell = 0; (cell = marks_next(t.marks, cell, count)) < count; cell++) {
    if (t.marks[cell] & TARGET)
      cell_list_append(targets, cell);
    if (t.marks[cell] & NEAR)
      cell_list_append(near, cell);
    t.marks[cell] = 0;
  }
}

void environment_find_targets(struct environment *s, const struct world *w)
{
  const size_t cells = (size_t)nav_grid_cell_count(&w->nav_grid);
#pragma omp parallel
  {
    uint8_t *const marks[2] = {memory_create(cells, 1), memory_create(cells, 1)};
#pragma omp for schedule(dynamic, 1)
    for (int32_t i = 0; i < s->destination_count; i++)
      find_targets(s, w, i, marks);
    memory_destroy(marks[0]);
    memory_destroy(marks[1]);
  }
}
