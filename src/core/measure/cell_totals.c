#include "cell_totals.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const double totals_levels[TOTALS_LEVELS] = {0.1,  0.25, 0.31, 0.43, 0.6,
                                             0.72, 1.08, 1.3,  1.9,  2.17};

// Compared as a reader compares the densities in a file.
static int32_t least_agents(double level, double area)
{
  double agents = fmin(fmax(floor(level * area) - 1, 1), INT32_MAX - 4);
  while (agents < INT32_MAX && agents / area < level)
    agents++;
  return (int32_t)agents;
}

void cell_totals_create(struct cell_totals *t, const struct measure_grid *g, double quantum,
                        bool is_root)
{
  const size_t cells = (size_t)measure_cell_count(g);
  *t = (struct cell_totals){.grid = *g, .side = g->cell * quantum};
  for (int k = 0; k < TOTALS_LEVELS; k++)
    t->least[k] = least_agents(totals_levels[k], t->side * t->side);
  for (int32_t agents = 0; agents < FEW_AGENTS; agents++)
    t->level_of_few[agents] = (int8_t)cell_totals_level(t, agents);
  t->cells = memory_create(cells, sizeof *t->cells);
  t->crossed = memory_create(CELL_SIDES * cells, sizeof *t->crossed);
  t->means = is_root ? memory_create(cells, sizeof *t->means) : NULL;
}

void cell_totals_destroy(struct cell_totals *t)
{
  memory_destroy(t->cells);
  memory_destroy(t->crossed);
  memory_destroy(t->means);
  cell_list_destroy(&t->occupied);
  *t = (struct cell_totals){0};
}

// ---------------------------------------------------------------------------------- samples

static void sample_begin(struct cell_totals *t)
{
  assert(t->cells && t->occupied.count == 0);
  t->samples++;
  t->densest = 0;
}

// Whether it is the first agent of this sample in its cell.
static bool agent_count(struct cell_totals *t, const struct agents *a, int64_t i, int64_t cell,
                        struct measure_sum *sums)
{
  struct cell_samples *c = &t->cells[cell];
  const int64_t speed = agent_speed(a, i), delay = agent_delay(a, i, speed);
  int32_t before;
#pragma omp atomic capture
  before = c->present++;
#pragma omp atomic
  c->delay += delay;
#pragma omp atomic
  sums[cell].speed += speed;
  return before == 0;
}

// What is read and written of all of them is prefetched first: grids are larger than a cache.
static void part_count(struct cell_totals *t, const struct agents *a, int64_t first,
                       struct measure_sum *sums, struct cell_list *occupied)
{
  const int64_t end = agents_part_end(a, first);
  int64_t cell[AGENTS_PART];
  for (int64_t i = first; i < end; i++) {
    cell[i - first] = measure_cell_of(&t->grid, (struct point){a->x[i], a->y[i]});
    __builtin_prefetch(&t->cells[cell[i - first]], 1);
    __builtin_prefetch(&sums[cell[i - first]], 1);
  }
  for (int64_t i = first; i < end; i++)
    if (agent_count(t, a, i, cell[i - first], sums))
      cell_list_append(occupied, cell[i - first]);
}

void cell_totals_count(struct cell_totals *t, const struct agents *a, struct measure_sum *sums)
{
  sample_begin(t);
#pragma omp parallel if (a->count > PARALLEL_MIN_ITEMS)
  {
    struct cell_list own = {0};
#pragma omp for schedule(static) nowait
    for (int64_t first = 0; first < a->count; first += AGENTS_PART)
      part_count(t, a, first, sums, &own);
#pragma omp critical(measure_occupied)
    for (size_t k = 0; k < own.count; k++)
      cell_list_append(&t->occupied, own.cells[k]);
    cell_list_destroy(&own);
  }
}

void cell_totals_touch(struct cell_totals *t, const struct agents *a, struct measure_sum *sums)
{
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < a->count; i++) {
    const int64_t cell = measure_cell_of(&t->grid, (struct point){a->x[i], a->y[i]});
    __atomic_fetch_add(&t->cells[cell].present, 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sums[cell].people, 0, __ATOMIC_RELAXED);
  }
}

void cell_totals_add_people(struct cell_totals *t, const struct cell_people *list, int64_t count,
                            struct measure_sum *sums)
{
  sample_begin(t);
  for (int64_t k = 0; k < count; k++) {
    struct cell_samples *c = &t->cells[list[k].cell];
    assert(c->present == 0 && list[k].agents > 0);
    c->present = list[k].agents;
    c->delay += list[k].delay;
    sums[list[k].cell].speed += list[k].speed;
    cell_list_append(&t->occupied, list[k].cell);
  }
}

int cell_totals_level(const struct cell_totals *t, int32_t agents)
{
  int level = 0;
  while (level < TOTALS_LEVELS && agents >= t->least[level])
    level++;
  return level - 1;
}

// Returns its place among the densest.
static int64_t cell_judge(struct cell_totals *t, int64_t cell, int32_t agents)
{
  struct cell_samples *c = &t->cells[cell];
  const int level = agents < FEW_AGENTS ? t->level_of_few[agents] : cell_totals_level(t, agents);
  if (level >= 0)
    c->highest[level]++;
  c->most = agents > c->most ? agents : c->most;
  return cell_totals_densest(agents, cell);
}

static int32_t first_from(int64_t at, int64_t origin, int32_t cell, int32_t count)
{
  const int64_t index = (at - origin + cell - 1) / cell; // rounded up, if at >= origin
  return at <= origin ? 0 : index < count ? (int32_t)index : count;
}

static int32_t end_before(int64_t at, int64_t origin, int32_t cell, int32_t count)
{
  const int64_t index = (at - origin) / cell;
  return at <= origin ? 0 : index < count ? (int32_t)index : count;
}

struct cell_range cells_within(const struct measure_grid *g, struct box b)
{
  return (struct cell_range){first_from(b.lo.x, g->origin.x, g->cell, g->columns),
                             end_before(b.hi.x, g->origin.x, g->cell, g->columns),
                             first_from(b.lo.y, g->origin.y, g->cell, g->rows),
                             end_before(b.hi.y, g->origin.y, g->cell, g->rows)};
}

static bool range_holds(struct cell_range r, int32_t column, int32_t row)
{
  return column >= r.column_lo && column < r.column_hi && row >= r.row_lo && row < r.row_hi;
}

int64_t cell_totals_judge(struct cell_totals *t, struct cell_range own, struct measure_sum *sums)
{
  const uint32_t columns = (uint32_t)t->grid.columns;
  const bool all = own.column_lo == 0 && own.row_lo == 0 && own.column_hi == t->grid.columns &&
                   own.row_hi == t->grid.rows;
  int64_t left = 0, densest = 0;
#pragma omp parallel for schedule(static) reduction(+ : left) reduction(max : densest)             \
    if (t->occupied.count > PARALLEL_MIN_ITEMS)
  for (size_t k = 0; k < t->occupied.count; k++) {
    const uint32_t cell = t->occupied.cells[k];
    const int32_t agents = t->cells[cell].present;
    if (!all && !range_holds(own, (int32_t)(cell % columns), (int32_t)(cell / columns))) {
      left++;
      continue;
    }
    const int64_t place = cell_judge(t, cell, agents);
    densest = place > densest ? place : densest;
    sums[cell].people += agents;
    t->cells[cell].present = 0;
  }
  t->densest = densest;
  if (left == 0)
    t->occupied.count = 0;
  return left;
}

void cell_totals_take(struct cell_totals *t, struct measure_sum *sums, struct cell_count *counts)
{
  for (size_t k = 0; k < t->occupied.count; k++) {
    const uint32_t cell = t->occupied.cells[k];
    const int32_t agents = t->cells[cell].present;
    if (agents == 0)
      continue;
    *counts++ = (struct cell_count){(int32_t)cell, agents};
    sums[cell].people += agents;
    t->cells[cell].present = 0;
  }
  t->occupied.count = 0;
}

void cell_totals_judge_counts(struct cell_totals *t, const struct cell_count *counts,
                              int64_t length)
{
  for (int64_t k = 0; k < length; k++)
    t->cells[counts[k].cell].present += counts[k].agents;
  for (int64_t k = 0; k < length; k++) {
    struct cell_samples *c = &t->cells[counts[k].cell];
    const int64_t place = c->present ? cell_judge(t, counts[k].cell, c->present) : 0;
    t->densest = place > t->densest ? place : t->densest;
    c->present = 0;
  }
}

// ------------------------------------------------------------------------------------ moves

void cell_totals_add_crossings(struct cell_totals *t, struct cell_crossings *c)
{
  for (int32_t k = 0; k < c->count; k++) {
#pragma omp atomic
    t->crossed[c->edge[k]]++;
  }
  c->count = 0;
}

static void move_add(struct cell_totals *t, struct cell_crossings *c, const struct agents *a,
                     int64_t i)
{
  struct cell_move m = cell_move_of(&t->grid, (struct point){a->from_x[i], a->from_y[i]},
                                    (struct point){a->x[i], a->y[i]});
  for (int64_t edge; (edge = cell_move_next(&t->grid, &m)) >= 0;) {
    if (c->count == CROSSINGS_MAX)
      cell_totals_add_crossings(t, c);
    __builtin_prefetch(&t->crossed[edge], 1);
    c->edge[c->count++] = edge;
  }
}

// Most moves stay within a cell. The others are marked for some agents at once: moved[k] != 0.
struct moves {
  int32_t count;
  const int32_t *from_x, *from_y, *to_x, *to_y;
};

// Cells of a power of two quanta, as those of 1 m are: exact.
static void mark_by_bits(const struct measure_grid *g, const struct moves *m, int32_t *moved)
{
  const uint32_t x = (uint32_t)g->origin.x, y = (uint32_t)g->origin.y;
  const int32_t bits = lowest_bit((uint32_t)g->cell);
#pragma omp simd
  for (int32_t k = 0; k < m->count; k++) {
    const uint32_t columns = ((uint32_t)m->from_x[k] - x) ^ ((uint32_t)m->to_x[k] - x);
    const uint32_t rows = ((uint32_t)m->from_y[k] - y) ^ ((uint32_t)m->to_y[k] - y);
    moved[k] = (int32_t)((columns | rows) >> bits);
  }
}

// Marks those that may have moved: columns and rows are off by less than `slack`, by the rounding
// of position, scale and product.
static void mark_by_scale(const struct measure_grid *g, const struct moves *m, int32_t *moved)
{
  const int32_t x = g->origin.x, y = g->origin.y;
  const float scale = 1.0f / (float)g->cell;
  const float slack = 0x1p-21f * (float)(g->columns > g->rows ? g->columns : g->rows);
#pragma omp simd
  for (int32_t k = 0; k < m->count; k++) {
    const float x0 = (float)(m->from_x[k] - x) * scale, x1 = (float)(m->to_x[k] - x) * scale;
    const float y0 = (float)(m->from_y[k] - y) * scale, y1 = (float)(m->to_y[k] - y) * scale;
    const int32_t columns =
        (int32_t)((x0 < x1 ? x0 : x1) - slack) ^ (int32_t)((x0 < x1 ? x1 : x0) + slack);
    const int32_t rows =
        (int32_t)((y0 < y1 ? y0 : y1) - slack) ^ (int32_t)((y0 < y1 ? y1 : y0) + slack);
    moved[k] = columns | rows;
  }
}

void cell_totals_find_moves(struct cell_totals *t, struct cell_crossings *c, const struct agents *a,
                            int64_t first, int64_t end)
{
  const struct measure_grid *g = &t->grid;
  const struct moves m = {(int32_t)(end - first), a->from_x + first, a->from_y + first,
                          a->x + first, a->y + first};
  int32_t moved[AGENTS_PART + 3];
  assert(t->crossed && m.count <= AGENTS_PART);
  ((g->cell & (g->cell - 1)) == 0 ? mark_by_bits : mark_by_scale)(g, &m, moved);
  moved[m.count] = moved[m.count + 1] = moved[m.count + 2] = 0;
  for (int32_t k = 0; k < m.count; k += 4) {
    uint64_t some[2];
    memcpy(some, moved + k, sizeof some);
    for (int32_t i = k; (some[0] | some[1]) && i < k + 4; i++)
      if (moved[i])
        move_add(t, c, a, first + i);
  }
}

// -------------------------------------------------------------------------------- intervals

static float mean_density(const struct cell_totals *t, int64_t people, int64_t samples)
{
  return (float)((double)people / ((double)samples * t->side * t->side));
}

void cell_totals_end_interval(struct cell_totals *t, const struct measure_sum *sums, int64_t first,
                              int64_t end, int64_t samples)
{
  assert(t->means && samples > 0);
  for (int64_t k = first; k < end; k++) {
    if (sums[k].people == 0)
      continue;
    struct cell_means *c = &t->means[k];
    const float mean = mean_density(t, sums[k].people, samples);
    c->sum.people += sums[k].people;
    c->sum.speed += sums[k].speed;
    c->most = mean > c->most ? mean : c->most;
  }
}

// ------------------------------------------------------------------------------------- a run

void run_totals_destroy(struct run_totals *t)
{
  if (!t->is_view) {
    cell_totals_destroy(&t->cells);
    memory_destroy(t->sums);
  }
  *t = (struct run_totals){0};
}

struct measure_sum run_totals_sum(const struct run_totals *t, int64_t cell)
{
  const struct measure_sum past = t->cells.means[cell].sum, now = t->sums[cell];
  return (struct measure_sum){past.people + now.people, past.speed + now.speed};
}

float run_totals_max_mean(const struct run_totals *t, int64_t cell)
{
  const float past = t->cells.means[cell].most,
              now = t->samples ? mean_density(&t->cells, t->sums[cell].people, t->samples) : 0;
  return now > past ? now : past;
}
