// Compiled for every width, with the backend's own searches: what each lane finds is what all
// pairs give, whoever shares its block.
#include "backend_cpu.c"

#include "crowds.h"
#include "width.h"
#include <math.h>
#include <omp.h>

static void assert_lanes(const struct job *job, const struct agents *a, int64_t first,
                         struct choose_counts *counts)
{
  const struct neighbours *crowd = job->in->crowd;
  struct block b;
  struct nearest near;
  block_load(&b, job, first);
  find_neighbours(&near, &b, job, counts);
  for (int l = 0; l < LANES && first + l < crowd->own_count; l++) {
    int found[NEIGHBOURS_MAX];
    const struct neighbour *self = &crowd->sorted[crowd->own[first + l]];
    const int right =
        oracle_nearest((int)(a->count + a->ghost_count), a->x, a->y, a->id, self->agent, self->x,
                       self->y, near.room, (double)job->range2, found);
    for (int i = 0; i < near.room; i++) {
      int32_t slots[LANES];
      lanes_store_whole(slots, near.slot[i]);
      cr_assert_eq(slots[l] < 0 ? -1 : crowd->sorted[slots[l]].agent, i < right ? found[i] : -1,
                   "lane %d, neighbour %d of %d", l, i, right);
    }
  }
}

static int64_t overlaps_of_all_pairs(const struct agents *a)
{
  int64_t seen = 0;
  for (int64_t i = 0; i < a->count; i++)
    for (int64_t j = 0; j < a->count + a->ghost_count; j++) {
      const double dx = (double)a->x[i] - a->x[j], dy = (double)a->y[i] - a->y[j];
      const double R = ((double)a->radius[i] + (double)a->radius[j]) * 65536;
      seen += i != j && dx * dx + dy * dy < R * R;
    }
  return seen;
}

Test(nearest, lanes_find_those_of_all_pairs, .init = skip_if_too_wide)
{
  static const int counts[] = {1, 16, 17, 47, 160};
  static const int ks[] = {1, 6, 32};
  const float ranges[] = {0.001f, 0.03f, 1, 1000};
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 5 * 3; c++) {
      const int count = counts[c % 5];
      struct agents a;
      struct neighbours crowd = {0};
      struct world world = {.frame.exponent = 16};
      struct avoidance avoidance = {ks[c / 5], ranges[(c + kind) % 4], 2, 1};
      struct choose_input in = {&world, &avoidance, &crowd, 0.1f};
      struct choose_counts counted = {0};
      crowd_make(&a, (uint64_t)c, kind, count, count / 4);
      for (int64_t i = 0; i < count; i++)
        a.radius[i] = 0.015625f * (float)(i % 5); // some are points
      neighbours_build(&crowd, &a);
      const float quantum = frame_quantum(&world.frame);
      const float range = avoidance.neighbour_distance / quantum;
      const struct job job = {&in, &a, quantum, in.dt / quantum, range * range};
      for (int64_t first = 0; first < crowd.own_count; first += LANES)
        assert_lanes(&job, &a, first, &counted);
      cr_assert_eq(counted.overlaps_seen, overlaps_of_all_pairs(&a));
      neighbours_destroy(&crowd);
      agents_destroy(&a);
    }
}
