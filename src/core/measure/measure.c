#include "measure.h"

#include "box_tree_query.h"
#include "measure_kernel.h"
#include <assert.h>
#include <math.h>

bool measure_is_valid(const struct measure *m)
{
  for (int32_t l = 0; l < m->line_count; l++)
    if (m->lines[l].count < 2)
      return false;
  for (int32_t k = 0; k < m->area_count; k++)
    if (!outlines_is_valid(&m->areas[k].outlines))
      return false;
  return m->grid.cell == 0 || (m->grid.cell > 0 && m->grid.columns > 0 && m->grid.rows > 0);
}

static void area_destroy(struct measure_area *area)
{
  memory_destroy(area->name);
  memory_destroy(area->outlines.start);
  memory_destroy(area->outlines.points);
  memory_destroy(area->outlines.closed);
}

void measure_destroy(struct measure *m)
{
  for (int32_t l = 0; l < m->line_count; l++) {
    memory_destroy(m->lines[l].name);
    memory_destroy(m->lines[l].points);
  }
  for (int32_t k = 0; k < m->area_count; k++)
    area_destroy(&m->areas[k]);
  for (int32_t k = 0; m->first_exit && k < m->first_exit[m->destination_count]; k++)
    area_destroy(&m->exits[k]);
  memory_destroy(m->first_exit);
  memory_destroy(m->exits);
  memory_destroy(m->lines);
  memory_destroy(m->areas);
  *m = (struct measure){0};
}

// ------------------------------------------------------------------------------------ lines

static void count_near(const struct point *ends, const struct box_tree *tree,
                       const struct agents *a, struct box near, int64_t *counts)
{
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, tree, (struct box_tree_query){near, 0, 0});
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t i = box_tree_leaf_begin(leaf); i < box_tree_leaf_end(tree, leaf); i++) {
      const int direction =
          line_crossing(ends[0], ends[1], (struct point){a->from_x[i], a->from_y[i]},
                        (struct point){a->x[i], a->y[i]});
      counts[0] += direction > 0;
      counts[1] += direction < 0;
    }
}

void measure_lines(const struct measure *m, const struct box_tree *tree, const struct agents *a,
                   int32_t reach, int64_t *counts)
{
  assert(measure_is_valid(m) && reach >= 0);
  for (int32_t l = 0; l < m->line_count; l++) {
    const struct measure_line *line = &m->lines[l];
    for (int64_t k = 0; k + 1 < line->count; k++)
      count_near(&line->points[k], tree, a,
                 box_widened(segment_box(line->points[k], line->points[k + 1]), reach),
                 counts + 2 * l);
  }
}

// ------------------------------------------------------------------------------------ areas

struct measure_sum measure_area_sum(const struct measure_area *area, const struct agents *a)
{
  int64_t people = 0, speed = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : people, speed)
  for (int64_t i = 0; i < a->count; i++)
    if (measure_inside(area, (struct point){a->x[i], a->y[i]})) {
      people++;
      speed += agent_speed(a, i);
    }
  return (struct measure_sum){people, speed};
}

// ------------------------------------------------------------------------------------ exits

static double segment_distance2(struct point a, struct point b, struct point p) // quanta^2
{
  const double bx = (double)b.x - a.x, by = (double)b.y - a.y;
  const double px = (double)p.x - a.x, py = (double)p.y - a.y;
  const double length2 = bx * bx + by * by, along = px * bx + py * by;
  const double t = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
  const double x = px - t * bx, y = py - t * by;
  return x * x + y * y;
}

static double area_distance2(const struct measure_area *area, struct point p)
{
  const struct outlines *o = &area->outlines;
  double least = HUGE_VAL;
  if (measure_inside(area, p))
    return 0;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++)
      least = fmin(least,
                   segment_distance2(o->points[i],
                                     o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]], p));
  return least;
}

int32_t measure_exit(const struct measure *m, int32_t destination, struct point p)
{
  double least = HUGE_VAL;
  int32_t exit = -1;
  assert(m->lists_people && destination < m->destination_count);
  for (int32_t k = destination < 0 ? 0 : m->first_exit[destination];
       destination >= 0 && k < m->first_exit[destination + 1]; k++) {
    const double distance2 = area_distance2(&m->exits[k], p);
    if (distance2 < least) {
      least = distance2;
      exit = k - m->first_exit[destination];
    }
  }
  return exit;
}

// ------------------------------------------------------------------------------------- grid

// Counts the agents [first, agents_part_end). Those that follow each other in memory are near each
// other: a run of them in one cell is added at once. All counts are prefetched first.
static void count_part(const struct measure_grid *g, const struct agents *a, int64_t first,
                       int32_t *counts, struct cell_list *occupied)
{
  const int64_t end = agents_part_end(a, first);
  int64_t cell[AGENTS_PART + 1];
  for (int64_t i = first; i < end; i++) {
    cell[i - first] = measure_cell_of(g, (struct point){a->x[i], a->y[i]});
    __builtin_prefetch(&counts[cell[i - first]], 1);
  }
  cell[end - first] = -1;
  for (int64_t k = 0, run = 1; k < end - first; k++, run++) {
    int32_t before;
    if (cell[k + 1] == cell[k])
      continue;
#pragma omp atomic capture
    {
      before = counts[cell[k]];
      counts[cell[k]] += (int32_t)run;
    }
    if (before == 0)
      cell_list_append(occupied, cell[k]);
    run = 0;
  }
}

void measure_grid_count(const struct measure_grid *g, const struct agents *a, int32_t *counts,
                        struct cell_list *occupied)
{
  assert(g->cell > 0);
#pragma omp parallel if (a->count > PARALLEL_MIN_ITEMS)
  {
    struct cell_list own = {0};
#pragma omp for schedule(static) nowait
    for (int64_t first = 0; first < a->count; first += AGENTS_PART)
      count_part(g, a, first, counts, &own);
#pragma omp critical(measure_occupied)
    for (size_t k = 0; k < own.count; k++)
      cell_list_append(occupied, own.cells[k]);
    cell_list_destroy(&own);
  }
}

const double fruin_limits[FRUIN_LEVELS - 1] = {0.31, 0.43, 0.72, 1.08, 2.17};
const double hbs_limits[FRUIN_LEVELS - 1] = {0.1, 0.25, 0.6, 1.3, 1.9};

int32_t fruin_level(double density)
{
  int32_t level = 0;
  while (level < FRUIN_LEVELS - 1 && density >= fruin_limits[level])
    level++;
  return level;
}
