#include "preferred_velocity_kernel.h"

#define PREFETCH_AHEAD 12 // agents: covers the latency of memory

#define BLOCK 16 // agents whose lines are found before any is followed: the same, for q

// Inlined: gcc takes a function that only prefetches for one without effect, and drops its calls.
INLINE void prefetch(const struct world *w, const struct navigation_input *in,
                     const struct agents *a, int64_t i)
{
  if (i < a->count && a->destination[i] >= 0)
    field_prefetch(world_field_of(w, a->destination[i], agents_party(a, i)),
                   (struct point){a->x[i], a->y[i]}, in->spread && in->all_look);
}

// Agents [first, end), whose preferred velocities lead along the route: at most BLOCK.
static void spread(const struct world *w, const struct navigation_input *in, struct agents *a,
                   int64_t first, int64_t end)
{
  const struct spreading_grid grid = spreading_grid_of(w);
  struct spreading_line lines[BLOCK];
  bool found[BLOCK] = {false};
  for (int64_t i = first; i < end; i++) {
    struct spreading_line *line = &lines[i - first];
    if (!spreading_looks(in, a, i))
      continue;
    a->turn[i] = SPREADING_STRAIGHT;
    found[i - first] = spreading_line_find(w, &grid, in, a, i, line);
    if (!found[i - first])
      continue;
    const int64_t aim = spreading_gap_index(&line->place, line->dx + line->ahead * a->facing_x[i],
                                            line->dy + line->ahead * a->facing_y[i]);
    field_prefetch(world_field_of(w, a->destination[i], agents_party(a, i)),
                   spreading_route_point(a, i, line), false);
    __builtin_prefetch(&w->nav_grid.gap[aim < 0 ? 0 : aim]);
  }
  for (int64_t i = first; i < end; i++)
    if (found[i - first])
      spreading_line_follow(w, in, a, i, &lines[i - first]);
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    spreading_turn_apply(a, i);
}

static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a, int64_t first, int64_t end)
{
  for (int64_t block = first; block < end; block += BLOCK) {
    const int64_t block_end = block + BLOCK < end ? block + BLOCK : end;
    for (int64_t i = block; i < block_end; i++) {
      prefetch(w, in, a, i + PREFETCH_AHEAD);
      preferred_velocity_set(NAVIGATION_field, w, in, a, i);
    }
    if (in->spread)
      spread(w, in, a, block, block_end);
  }
}

static bool reachable(const struct world *w, int32_t destination, struct point p)
{
  return field_reachable(world_field(w, destination, 0), p);
}

static int64_t cost_to_go(const struct world *w, int32_t destination, struct point p)
{
  return field_time(world_field(w, destination, 0), p);
}

const struct navigation_model field_navigation = {.name = "field",
                                                  .uses_destinations = true,
                                                  .uses_grid = true,
                                                  .spreads = true,
                                                  .preferred_velocities = preferred_velocities,
                                                  .reachable = reachable,
                                                  .cost_to_go = cost_to_go};
