#include "navigation.h"

#include "deadlock.h"
#include "preferred_velocity_kernel.h"
#include "thread_waits.h"
#include "work_stealing.h"
#include <assert.h>
#include <omp.h>
#include <string.h>

static void set_part(const struct world *w, const struct navigation_input *in, struct agents *a,
                     int64_t first)
{
  const int64_t last = first + NAVIGATION_PART, end = last < a->count ? last : a->count;
  const struct deadlock_input deadlock = {in->seed, in->step, in->deadlock_timeout};
  navigation_models[w->navigation].preferred_velocities(w, in, a, first, end);
  zones_apply(&w->zones, a, first, end);
  deadlock_apply(a, first, end, &deadlock);
}

void navigation_preferred_velocities(const struct world *w, const struct navigation_input *in,
                                     struct agents *a)
{
  assert(world_is_valid(w) && in->dt > 0);
  const bool uneven = navigation_models[w->navigation].is_uneven;
  const bool parallel = a->count > (uneven ? thread_waits_few_agents() : PARALLEL_MIN_ITEMS);
  struct work_stealing work;
  work_stealing_begin(&work, (a->count + NAVIGATION_PART - 1) / NAVIGATION_PART,
                      parallel ? omp_get_max_threads() : 1);
#pragma omp parallel if (parallel)
  for (int64_t part; (part = work_stealing_next(&work, omp_get_thread_num())) >= 0;)
    set_part(w, in, a, part * NAVIGATION_PART);
}

// Whether agents that have moved so far are in one of their corners.
static bool corners_hold(const struct world *w, float moved)
{
  return w->navigation == NAVIGATION_field && moved + 1 < (float)(w->nav_grid.cell / 2);
}

const uint16_t *navigation_may_arrive(const struct world *w, const struct kept_corners *kept,
                                      float moved)
{
  return corners_hold(w, moved) ? kept->may_arrive : NULL;
}

const uint16_t *navigation_on_free_ground(const struct world *w, const struct kept_corners *kept,
                                          float moved)
{
  return corners_hold(w, moved) ? kept->on_free_ground : NULL;
}

int64_t navigation_arrived(const struct world *w, float goal_radius, const struct agents *a,
                           int64_t first, int64_t end, const uint16_t *may_arrive, uint8_t *gone)
{
  const int64_t radius = frame_length(&w->frame, goal_radius);
  int64_t count = 0;
  assert(!may_arrive || first % KEPT_BLOCK == 0);
  for (int64_t block = first; block < end; block += KEPT_BLOCK) {
    const int in_use = end - block < KEPT_BLOCK ? (int)(end - block) : KEPT_BLOCK;
    const uint32_t used = (1u << in_use) - 1;
    memset(gone + block, 0, (size_t)in_use);
    for (uint32_t bits = may_arrive ? may_arrive[block / KEPT_BLOCK] & used : used; bits;
         bits &= bits - 1) {
      const int64_t i = block + lowest_bit(bits);
      gone[i] = has_arrived(w, radius, a, i);
      count += gone[i];
    }
  }
  return count;
}
