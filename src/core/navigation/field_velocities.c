// Preferred velocities along fields, for the agents of a part side by side. Compiled once for each
// width.
#include "field_velocities.h"

#include "preferred_velocity_kernel.h"

#define BLOCKS (AGENTS_PART / LANES)

// What leads the agents of a part.
struct leads {
  const struct field *field[AGENTS_PART]; // NULL: the agent walks straight to its goal
  struct field_stencil at[BLOCKS];
};

static int lanes_in_use(int64_t block, int64_t end)
{
  return end - block < LANES ? (int)(end - block) : LANES;
}

// Fields are larger than any cache: the whole part is prefetched before the first agent reads.
static void find_fields(const struct world *w, const struct navigation_input *in,
                        const struct agents *a, int64_t first, int64_t end, struct leads *leads)
{
  for (int64_t block = first; block < end; block += LANES) {
    const struct field **field = leads->field + (block - first);
    struct field_stencil *at = &leads->at[(block - first) / LANES];
    int32_t own[LANES];
    *at = field_stencil_of(&w->nav_grid, (struct lane_point){lanes_load_ivec(a->x + block),
                                                             lanes_load_ivec(a->y + block)});
    lanes_store_ivec(own, at->own);
    for (int l = 0; l < lanes_in_use(block, end); l++) {
      const int64_t i = block + l;
      const int32_t destination = agent_destination(a, i);
      field[l] = destination < 0 ? NULL : world_field_of(w, destination, agents_party(a, i));
      if (field[l] && in->spread && spreading_looks(in, a, i))
        __builtin_prefetch(&w->nav_grid.gap[own[l]]);
    }
    field_prefetch(field, at, lanes_in_use(block, end));
  }
}

// The lanes of a block that follow their fields. Sets the preferred velocities of the others.
static uint32_t set_others(const struct world *w, const struct navigation_input *in,
                           struct agents *a, int64_t block, int count,
                           const struct field *const *field)
{
  uint32_t follow = 0;
  for (int l = 0; l < count; l++) {
    const int64_t i = block + l;
    if (still_reacting(a, i, in->step))
      a->prefer_x[i] = a->prefer_y[i] = 0;
    else if (!field[l])
      prefer_point(w, in->dt, a, i, goal_of(a, i));
    else
      follow |= 1u << l;
  }
  return follow;
}

// An agent that stands by choice has no facing.
static void set_facings(struct agents *a, int64_t block, mask valid)
{
  const vec2 v = {lanes_load(a->prefer_x + block), lanes_load(a->prefer_y + block)};
  const real length = square_root(dot(v, v)), zero = splat(0);
  const mask walks =
      ivec_equal(lanes_load_ivec(a->doing + block), splat_ivec(ACTIVITY_WALK)) & less(zero, length);
  const real by = select_real(walks, length, splat(1));
  lanes_store_where(a->facing_x + block, valid, select_real(walks, v.x / by, zero));
  lanes_store_where(a->facing_y + block, valid, select_real(walks, v.y / by, zero));
}

static void set_velocities(const struct world *w, const struct navigation_input *in,
                           struct agents *a, int64_t block, int count,
                           const struct field *const *field, const struct field_stencil *at)
{
  const mask follow = mask_from_bits(set_others(w, in, a, block, count, field));
  const struct lane_point p = {lanes_load_ivec(a->x + block), lanes_load_ivec(a->y + block)};
  const vec2 direction = field_directions(field, &w->nav_grid, p, at, follow);
  const real speed = lanes_load(a->speed + block);
  lanes_store_where(a->prefer_x + block, follow, speed * direction.x);
  lanes_store_where(a->prefer_y + block, follow, speed * direction.y);
  if (w->facings)
    set_facings(a, block, mask_from_bits(ALL_LANES_BITS >> (LANES - count)));
}

// The agents of a part, whose preferred velocities lead along the route, look for their lines where
// it is time, and turn onto them.
static void spread(const struct world *w, const struct navigation_input *in, struct agents *a,
                   int64_t first, int64_t end)
{
  const struct spreading_grid grid = spreading_grid_of(w);
  struct spreaders spreaders[BLOCKS];
  struct spreading_line lines[BLOCKS];
  int64_t looking[AGENTS_PART];
  int count = 0;
  for (int64_t i = first; i < end; i++) {
    looking[count] = i;
    count += spreading_looks(in, a, i);
  }
  for (int k = 0; k * LANES < count; k++) {
    const int64_t *block = looking + k * LANES;
    spreaders_load(&spreaders[k], w, in, a, block, lanes_in_use(k * LANES, count));
    spreading_lines_find(&grid, in, &spreaders[k], &lines[k]);
    spreading_lines_prefetch(&spreaders[k], &lines[k]);
  }
  for (int k = 0; k * LANES < count; k++) {
    int32_t turns[LANES];
    lanes_store_ivec(turns, spreading_lines_follow(in, &spreaders[k], &lines[k]));
    for (int l = 0; l < lanes_in_use(k * LANES, count); l++)
      a->turn[looking[k * LANES + l]] = turns[l];
  }
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    spreading_turn_apply(a, i);
}

#define NAME_OF(lanes) field_velocities_##lanes
#define NAME(lanes)    NAME_OF(lanes)

void NAME(LANES)(const struct world *w, const struct navigation_input *in, struct agents *a,
                 int64_t first, int64_t end)
{
  struct leads leads;
  find_fields(w, in, a, first, end, &leads);
  for (int64_t block = first; block < end; block += LANES)
    set_velocities(w, in, a, block, lanes_in_use(block, end), leads.field + (block - first),
                   &leads.at[(block - first) / LANES]);
  if (in->spread)
    spread(w, in, a, first, end);
}
