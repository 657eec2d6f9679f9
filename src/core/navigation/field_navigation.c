#include "preferred_velocity_kernel.h"

#define BLOCK 16 // agents whose lines are found before any is followed: covers memory's latency

// Where the agents of a part are on their fields.
struct places {
  const struct field *field[AGENTS_PART]; // NULL: the agent walks straight to its goal
  struct field_stencil at[AGENTS_PART];
};

// What leads them, for loops of lanes.
struct directions {
  float x[AGENTS_PART], y[AGENTS_PART]; // of any length
  int32_t is_unit[AGENTS_PART];         // as long as it shall be
  int32_t is_set[AGENTS_PART];          // the preferred velocity is set already
};

// Fields are larger than any cache: the whole part is prefetched before the first agent reads.
static void find_places(const struct world *w, const struct navigation_input *in,
                        const struct agents *a, int64_t first, int64_t end, struct places *p)
{
  const struct nav_grid *g = &w->nav_grid;
  for (int64_t i = first, k = 0; i < end; i++, k++) {
    p->field[k] = NULL;
    if (agent_destination(a, i) < 0)
      continue;
    p->field[k] = world_field_of(w, agent_destination(a, i), agents_party(a, i));
    p->at[k] = field_stencil_of(g, (struct point){a->x[i], a->y[i]});
    field_prefetch(p->field[k], &p->at[k]);
    if (in->spread && spreading_looks(in, a, i))
      __builtin_prefetch(&g->gap[p->at[k].own]);
  }
}

static void find_direction(const struct world *w, const struct navigation_input *in,
                           struct agents *a, int64_t i, const struct places *p, int64_t k,
                           struct directions *d)
{
  int64_t x, y;
  d->x[k] = d->y[k] = 0;
  d->is_unit[k] = true;
  d->is_set[k] = false;
  if (still_reacting(a, i, in->step))
    return;
  if (!p->field[k]) {
    prefer_point(w, in->dt, a, i, goal_of(a, i));
    d->is_set[k] = true;
  } else if (field_interpolate(p->field[k], &p->at[k], &x, &y)) {
    d->x[k] = (float)x;
    d->y[k] = (float)y;
    d->is_unit[k] = false;
  } else {
    field_direction_near_wall(p->field[k], (struct point){a->x[i], a->y[i]}, &p->at[k], &d->x[k],
                              &d->y[k]);
  }
}

// As prefer_by_field and facing_set.
static void set_velocities(const struct world *w, struct agents *a, int64_t first, int64_t end,
                           const struct directions *d)
{
#pragma omp simd
  for (int64_t i = first; i < end; i++) {
    const int64_t k = i - first;
    const float length = sqrtf(d->x[k] * d->x[k] + d->y[k] * d->y[k]);
    const bool scales = !d->is_unit[k] & (length > 0.0f);
    const float x = scales ? d->x[k] / length : d->x[k], y = scales ? d->y[k] / length : d->y[k];
    a->prefer_x[i] = d->is_set[k] ? a->prefer_x[i] : a->speed[i] * x;
    a->prefer_y[i] = d->is_set[k] ? a->prefer_y[i] : a->speed[i] * y;
  }
  if (!w->facings)
    return;
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    facing_set(a, i);
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
    const struct field_stencil q =
        field_stencil_of(&w->nav_grid, spreading_route_point(a, i, line));
    field_prefetch(world_field_of(w, agent_destination(a, i), agents_party(a, i)), &q);
    __builtin_prefetch(&w->nav_grid.gap[aim < 0 ? 0 : aim]);
  }
  for (int64_t i = first; i < end; i++)
    if (found[i - first])
      spreading_line_follow(w, in, a, i, &lines[i - first]);
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    spreading_turn_apply(a, i);
}

// At most AGENTS_PART agents.
static void preferred_velocities(const struct world *w, const struct navigation_input *in,
                                 struct agents *a, int64_t first, int64_t end)
{
  struct places places;
  struct directions directions;
  find_places(w, in, a, first, end, &places);
  for (int64_t i = first; i < end; i++)
    find_direction(w, in, a, i, &places, i - first, &directions);
  set_velocities(w, a, first, end, &directions);
  for (int64_t block = first; in->spread && block < end; block += BLOCK)
    spread(w, in, a, block, block + BLOCK < end ? block + BLOCK : end);
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
