// Where agents arrive, and the cells of the navigation grid to which fields lead them.
#include "arrival_kernel.h"
#include "environment.h"
#include "marks.h"
#include "shape.h"

enum target_mark { COVERED = 1, TARGET = 2, NEAR = 4 }; // of a cell

struct target_search { // of one destination
  const struct world *world;
  const struct arrival_area *area;
  int32_t near; // cells
  uint8_t *marks;
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

// From a free cell an agent walks straight to the area: no wall may be in between.
static bool sees_area(const struct target_search *t, int64_t cell)
{
  const struct nav_grid *g = &t->world->nav_grid;
  const struct point centre = nav_grid_centre(g, cell);
  struct point to;
  if (g->bits[cell] & NAV_GRID_SOLID)
    return false;
  if (obstacles_inside(&t->area->outlines, centre))
    return true;
  return obstacles_nearest(&t->area->outlines, centre, ARRIVAL_NEAR_CELLS * g->cell, &to) &&
         !obstacles_crossing(centre, to, &t->world->obstacles);
}

// Marks the cells around one, no farther than `reach` along each axis, and returns whether all of
// them were COVERED. mark 0: none.
static bool mark_around(const struct target_search *t, struct cell_place at, int32_t reach,
                        uint8_t mark)
{
  const struct nav_grid *g = &t->world->nav_grid;
  bool covered = true;
  for (int32_t row = at.row - reach; row <= at.row + reach; row++)
    for (int32_t column = at.column - reach; column <= at.column + reach; column++) {
      if (row < 0 || column < 0 || row >= g->rows || column >= g->columns)
        continue;
      const int64_t cell = nav_grid_cell(g, (uint32_t)column, (uint32_t)row);
      covered = covered && t->marks[cell] & COVERED;
      if (mark != TARGET || sees_area(t, cell))
        t->marks[cell] |= mark;
    }
  return covered;
}

// A covered cell that does not see the area, as its centre is behind a wall, leaves that to its
// neighbours.
static void mark_target(const struct target_search *t, int64_t cell)
{
  const struct cell_place at = nav_grid_place(&t->world->nav_grid, cell);
  if (sees_area(t, cell))
    t->marks[cell] |= TARGET;
  else
    mark_around(t, at, 1, TARGET);
  mark_around(t, at, mark_around(t, at, 1, 0) ? 0 : t->near, NEAR);
}

static void list_marked(const uint8_t *marks, int64_t count, enum target_mark mark,
                        struct cell_list *list)
{
  cell_list_destroy(list);
  for (int64_t cell = 0; (cell = marks_next(marks, cell, count)) < count; cell++)
    if (marks[cell] & mark)
      cell_list_append(list, cell);
}

// marks[cells]: all 0 before and after.
static void find_targets(struct environment *s, const struct world *w, int32_t destination,
                         uint8_t *marks)
{
  const struct nav_grid *g = &w->nav_grid;
  const int64_t count = nav_grid_cell_count(g);
  const struct target_search t = {w, &w->arrival_areas[destination],
                                  (w->arrival_reach - 1) / g->cell + 2, marks};
  struct cell_list covered = {0};
  for (int k = 0; k < s->area_count[destination]; k++)
    if (!s->area_closed[destination][k])
      nav_grid_mark(g, &s->areas[destination][k], marks);
  list_marked(marks, count, COVERED, &covered);
  for (size_t i = 0; i < covered.count; i++)
    mark_target(&t, covered.cells[i]);
  cell_list_destroy(&covered);
  list_marked(marks, count, TARGET, &s->targets[destination]);
  list_marked(marks, count, NEAR, &s->near[destination]);
  for (size_t i = 0; i < s->near[destination].count; i++)
    marks[s->near[destination].cells[i]] = 0;
}

void environment_find_targets(struct environment *s, const struct world *w)
{
  const size_t cells = (size_t)nav_grid_cell_count(&w->nav_grid);
#pragma omp parallel
  {
    uint8_t *marks = memory_create(cells, 1);
#pragma omp for schedule(dynamic, 1)
    for (int32_t i = 0; i < s->destination_count; i++)
      find_targets(s, w, i, marks);
    memory_destroy(marks);
  }
}
