#include "walking_sums.h"

#include "zones_kernel.h"
#include <math.h>
#include <string.h>

void walking_sums_create(struct walking_sums *s)
{
  s->walkers = memory_create(2 * (size_t)walking_sums_cells(s), sizeof *s->walkers);
  s->speed_share = s->walkers + walking_sums_cells(s);
  walking_sums_clear(s); // its pages now, and not in some step
}

void walking_sums_destroy(struct walking_sums *s)
{
  memory_destroy(s->walkers);
  *s = (struct walking_sums){0};
}

void walking_sums_clear(const struct walking_sums *s)
{
  memset(s->walkers, 0, 2 * (size_t)walking_sums_cells(s) * sizeof *s->walkers);
}

struct walker {
  int64_t cell, speed_share; // per mille
};

// The walkers of [first, agents_part_end); their sums are prefetched. Returns their number.
static int32_t find_walkers(const struct walking_sums *sums, const struct world *w,
                            const struct agents *a, int64_t first, struct walker *walkers)
{
  int32_t count = 0;
  for (int64_t i = first; i < agents_part_end(a, first); i++) {
    const struct point at = {a->x[i], a->y[i]};
    const float free_speed = a->speed[i] * zones_speed_at(&w->zones, at);
    if (a->doing[i] != ACTIVITY_WALK || !(free_speed > 0))
      continue;
    const struct cell_place place = nav_grid_place_of(&w->nav_grid, at);
    const int64_t cell =
        (int64_t)(place.row / sums->side) * sums->columns + place.column / sums->side;
    const float speed = sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
    __builtin_prefetch(&sums->walkers[cell], 1);
    __builtin_prefetch(&sums->speed_share[cell], 1);
    walkers[count++] =
        (struct walker){cell, lrintf(fminf(speed / free_speed, 1) * WALKING_SHARE_UNIT)};
  }
  return count;
}

// Agents that follow each other in memory are near each other: those of a run in one cell are added
// together.
static void add_walkers(const struct walking_sums *sums, const struct walker *walkers,
                        int32_t count)
{
  int64_t agents = 0, share = 0;
  for (int32_t k = 0; k < count; k++) {
    agents++;
    share += walkers[k].speed_share;
    if (k + 1 < count && walkers[k + 1].cell == walkers[k].cell)
      continue;
#pragma omp atomic
    sums->walkers[walkers[k].cell] += agents;
#pragma omp atomic
    sums->speed_share[walkers[k].cell] += share;
    agents = share = 0;
  }
}

void walking_sums_add(const struct walking_sums *s, const struct world *w, const struct agents *a)
{
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t first = 0; first < a->count; first += AGENTS_PART) {
    struct walker walkers[AGENTS_PART];
    add_walkers(s, walkers, find_walkers(s, w, a, first, walkers));
  }
}
