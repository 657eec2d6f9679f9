// Preferred velocities along fields and straight to goals, for the agents of a part side by side.
// Compiled once for each width.
#include "navigation_model.h"

#include "kept_corners.h"
#include "preferred_velocity_kernel.h"

#define BLOCKS (NAVIGATION_PART / LANES)

// What leads the agents of a part.
struct leads {
  struct kept_corners_block *kept;            // of the first agent
  uint16_t *may_arrive, *on_free_ground;      // of its block
  const struct field *field[NAVIGATION_PART]; // of agents without one: any
  int32_t key[NAVIGATION_PART];               // struct kept_corners_block
  struct field_stencil at[BLOCKS];
  uint32_t follow[BLOCKS];      // lanes with a field
  uint32_t unknown[BLOCKS];     // of these: lanes whose corners must be read
  uint32_t looks[BLOCKS];       // lanes that look for their line
  int32_t far[NAVIGATION_PART]; // struct spreaders, if agents spread
};

static int lanes_in_use(int64_t block, int64_t end)
{
  return end - block < LANES ? (int)(end - block) : LANES;
}

static ivec agent_destinations(const struct agents *a, int64_t block) // -1: none
{
  int32_t inverted[LANES];
  __builtin_memcpy(inverted, a->destination + block, sizeof inverted);
  return ~lanes_load_ivec(inverted);
}

// The fields of the agents of a block where a destination has several routes.
static ivec fields_of_routes(const struct world *w, const struct agents *a, int64_t block,
                             int count, ivec destination)
{
  int32_t number[LANES];
  lanes_store_ivec(number, destination);
  for (int l = 0; l < count; l++)
    if (number[l] >= 0)
      number[l] = (int32_t)(world_field_of(w, number[l], agents_party(a, block + l)) - w->fields);
  return lanes_load_ivec(number);
}

// The numbers of the fields of a block, and the lanes that have one.
static ivec find_fields(const struct world *w, const struct agents *a, int64_t block, int count,
                        mask *found)
{
  const ivec destination = agent_destinations(a, block);
  *found = lanes_below(count) & not(ivec_less(destination, splat_ivec(0)));
  const ivec number =
      w->route_count == 1 ? destination : fields_of_routes(w, a, block, count, destination);
  return select_ivec(*found, number, splat_ivec(0));
}

// What the whole part will read is prefetched before the first agent reads.
static void find_leads(const struct world *w, const struct navigation_input *in,
                       const struct agents *a, int64_t first, int64_t end, struct leads *leads)
{
  for (int64_t block = first; block < end; block += LANES) {
    const int k = (int)(block - first), count = lanes_in_use(block, end);
    const struct kept_corners_block *known = &leads->kept[k / KEPT_BLOCK];
    struct field_stencil *at = &leads->at[k / LANES];
    int32_t number[LANES], own[LANES];
    mask found;
    const ivec fields = find_fields(w, a, block, count, &found);
    lanes_store_ivec(number, fields);
    for (int l = 0; l < LANES; l++)
      leads->field[k + l] = &w->fields[number[l]];
    *at = field_stencil_of(&w->nav_grid, (struct lane_point){lanes_load_ivec(a->x + block),
                                                             lanes_load_ivec(a->y + block)});
    const ivec key = (fields << FIELD_CORNERS) + at->inside;
    const mask same =
        ivec_equal(key, lanes_load_ivec(known->key + k % KEPT_BLOCK)) &
        ivec_equal(at->south_west, lanes_load_ivec(known->south_west + k % KEPT_BLOCK));
    leads->follow[k / LANES] = mask_bits(found);
    leads->unknown[k / LANES] = mask_bits(found & not(same));
    lanes_store_ivec(leads->key + k, key);
    field_prefetch(leads->field + k, at, mask_from_bits(leads->unknown[k / LANES]));
    if (!in->spread)
      continue;
    leads->looks[k / LANES] = mask_bits(lanes_below(count) & spreading_looks(in, a, block));
    lanes_store_ivec(own, at->own);
    for (uint32_t bits = leads->looks[k / LANES]; bits; bits &= bits - 1) {
      const int l = lowest_bit(bits);
      __builtin_prefetch(&w->nav_grid.gap[own[l]]);
    }
  }
}

// Reads the corners of a block that are not kept yet. All of a part are read before the first is
// used: a load of a vector waits for stores to its lanes.
static void read_corners(struct leads *leads, int k)
{
  struct kept_corners_block *known = &leads->kept[k / KEPT_BLOCK];
  const struct field_corner_cells at = field_corner_cells_of(&leads->at[k / LANES]);
  const int lane = k % KEPT_BLOCK;
  for (uint32_t bits = leads->unknown[k / LANES]; bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    field_corners_read_lane(&known->word[0][lane + l], KEPT_BLOCK, leads->field[k + l], &at, l);
    known->south_west[lane + l] = at.south_west[l];
    known->key[lane + l] = leads->key[k + l];
  }
}

static struct field_corners kept_corners_of(const struct leads *leads, int k)
{
  const struct kept_corners_block *known = &leads->kept[k / KEPT_BLOCK];
  struct field_corners square;
  for (int c = 0; c < FIELD_CORNERS; c++)
    square.word[c] = lanes_load_ivec(&known->word[c][k % KEPT_BLOCK]);
  return square;
}

static void set_bits(uint16_t *blocks, int k, uint32_t bits)
{
  uint16_t *of = &blocks[k / KEPT_BLOCK];
  bits <<= k % KEPT_BLOCK;
  *of = (uint16_t)(k % KEPT_BLOCK ? *of | bits : bits);
}

// Bits in struct kept_corners.
static void mark_places(const struct leads *leads, int k, const struct field_corners *square)
{
  const ivec *w = square->word, zero = splat_ivec(0), paths = splat_ivec(0xff0000);
  const ivec words = w[0] | w[1] | w[2] | w[3];
  const ivec near = words >> 24 & splat_ivec(FIELD_NEAR | FIELD_CROSSED);
  const mask blocked = ivec_equal(w[0] & paths, zero) | ivec_equal(w[1] & paths, zero) |
                       ivec_equal(w[2] & paths, zero) | ivec_equal(w[3] & paths, zero);
  const uint32_t far = mask_bits(ivec_equal(near, zero)) & leads->follow[k / LANES];
  set_bits(leads->may_arrive, k, ~far & ALL_LANES_BITS);
  set_bits(leads->on_free_ground, k, far & mask_bits(not(blocked)));
}

// The cells of the agents whose corners say that the destination is far away; of others -2.
static void mark_far(struct leads *leads, int k, const struct field_corners *square)
{
  const struct field_stencil *at = &leads->at[k / LANES];
  const ivec zero = splat_ivec(0);
  const ivec own = field_own_word(square, ivec_less(at->x, zero), ivec_less(at->y, zero));
  const mask far = not(ivec_equal(own & splat_ivec(FIELD_FAR << 24), zero));
  lanes_store_ivec(leads->far + k, select_ivec(far, at->own, splat_ivec(-2)));
}

// The agents of a block that are still in their reaction time.
static mask reacting(struct agents *a, int64_t block, mask valid, int64_t step)
{
  const mask reacts =
      valid & ivec_equal(lanes_load_ivec(a->doing + block), splat_ivec(ACTIVITY_REACT));
  uint32_t stand = 0;
  for (uint32_t bits = mask_bits(reacts); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    stand |= (uint32_t)still_reacting(a, block + l, step) << l;
  }
  return mask_from_bits(stand);
}

static vec2 towards_goals(const struct world *w, const struct navigation_input *in,
                          const struct agents *a, int64_t block)
{
  const real quantum = splat(frame_quantum(&w->frame));
  const vec2 way = {
      to_real(lanes_load_ivec(a->goal_x + block) - lanes_load_ivec(a->x + block)) * quantum,
      to_real(lanes_load_ivec(a->goal_y + block) - lanes_load_ivec(a->y + block)) * quantum};
  return velocities_along(way, lanes_load(a->speed + block), in->dt);
}

// v: of the lanes in `follow`. The others walk to their goals, or stand.
static void set_velocities(const struct world *w, const struct navigation_input *in,
                           struct agents *a, int64_t block, int count, mask stand, mask follow,
                           vec2 v)
{
  const mask valid = lanes_below(count), to_goals = valid & not(stand | follow);
  const vec2 zero = {splat(0), splat(0)};
  if (any(to_goals))
    v = select_vec2(to_goals, towards_goals(w, in, a, block), v);
  v = select_vec2(stand, zero, v);
  lanes_store_where(a->prefer_x + block, valid, v.x);
  lanes_store_where(a->prefer_y + block, valid, v.y);
  if (!w->facings)
    return;
  const mask walking = ivec_equal(lanes_load_ivec(a->doing + block), splat_ivec(ACTIVITY_WALK));
  const vec2 facing = facings_of(v, walking);
  lanes_store_where(a->facing_x + block, valid, facing.x);
  lanes_store_where(a->facing_y + block, valid, facing.y);
}

// As prefer_by_field, in the cells of destinations.
static vec2 approach_areas(const struct world *w, const struct navigation_input *in,
                           struct agents *a, int64_t block, mask lanes, vec2 v)
{
  float x[LANES], y[LANES];
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  for (uint32_t bits = mask_bits(lanes); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const int64_t i = block + l;
    struct point to;
    if (!arrival_approach(w, agent_destination(a, i), (struct point){a->x[i], a->y[i]}, &to))
      continue;
    prefer_point(w, in->dt, a, i, to);
    x[l] = a->prefer_x[i];
    y[l] = a->prefer_y[i];
  }
  return vec2_of(lanes_load(x), lanes_load(y));
}

static void follow_fields(const struct world *w, const struct navigation_input *in,
                          struct agents *a, int64_t block, int count, struct leads *leads, int k)
{
  const mask stand = reacting(a, block, lanes_below(count), in->step);
  const mask follow = mask_from_bits(leads->follow[k / LANES]) & not(stand);
  const struct lane_point p = {lanes_load_ivec(a->x + block), lanes_load_ivec(a->y + block)};
  const struct field_corners square = kept_corners_of(leads, k);
  mark_places(leads, k, &square);
  if (in->spread)
    mark_far(leads, k, &square);
  const vec2 direction =
      field_directions(leads->field + k, &w->nav_grid, p, &leads->at[k / LANES], &square, follow);
  const mask still =
      follow & equal(direction.x, splat(0)) & equal(direction.y, splat(0)); // here the field ends
  vec2 v = times(lanes_load(a->speed + block), direction);
  if (any(still))
    v = approach_areas(w, in, a, block, still, v);
  set_velocities(w, in, a, block, count, stand, follow, v);
}

// The agents of a part, whose preferred velocities lead along the route, look for their lines where
// it is time, and turn onto them.
static void spread(const struct world *w, const struct navigation_input *in, struct agents *a,
                   int64_t first, int64_t end, const struct leads *leads)
{
  const struct spreading_grid grid = spreading_grid_of(w);
  struct spreaders spreaders[BLOCKS];
  struct spreading_line lines[BLOCKS];
  int64_t looking[NAVIGATION_PART];
  struct spreader_field fields[NAVIGATION_PART];
  int count = 0;
  for (int k = 0; first + k < end; k += LANES)
    for (uint32_t bits = leads->looks[k / LANES]; bits; bits &= bits - 1) {
      const int l = lowest_bit(bits);
      const bool follows = leads->follow[k / LANES] >> l & 1;
      looking[count] = first + k + l;
      fields[count++] =
          (struct spreader_field){follows ? leads->field[k + l] : NULL, leads->far[k + l]};
    }
  for (int k = 0; k * LANES < count; k++) {
    const struct spreader_list list = {looking + k * LANES, fields + k * LANES,
                                       lanes_in_use(k * LANES, count)};
    spreaders_load(&spreaders[k], w, in, a, &list);
    spreading_turns_begin(w, &grid, in, &spreaders[k], &lines[k]);
    spreading_lines_prefetch(&spreaders[k], &lines[k]);
  }
  for (int k = 0; k * LANES < count; k++) {
    int32_t turns[LANES];
    lanes_store_ivec(turns, spreading_turns_end(in, &spreaders[k], &lines[k]));
    for (int l = 0; l < lanes_in_use(k * LANES, count); l++)
      a->turn[looking[k * LANES + l]] = turns[l];
  }
#pragma omp simd
  for (int64_t i = first; i < end; i++)
    spreading_turn_apply(a, i);
}

#define NAME_OF(model, lanes) model##_velocities_##lanes
#define NAME(model, lanes)    NAME_OF(model, lanes)

void NAME(direct, LANES)(const struct world *w, const struct navigation_input *in, struct agents *a,
                         int64_t first, int64_t end)
{
  for (int64_t block = first; block < end; block += LANES) {
    const int count = lanes_in_use(block, end);
    const mask stand = reacting(a, block, lanes_below(count), in->step);
    set_velocities(w, in, a, block, count, stand, mask_none(), vec2_of(splat(0), splat(0)));
  }
}

// first: a multiple of NAVIGATION_PART.
void NAME(field, LANES)(const struct world *w, const struct navigation_input *in, struct agents *a,
                        int64_t first, int64_t end)
{
  struct kept_corners_block none[NAVIGATION_PART / KEPT_BLOCK];
  uint16_t unused[2][NAVIGATION_PART / KEPT_BLOCK];
  struct leads leads;
  leads.kept = in->kept ? &in->kept->block[first / KEPT_BLOCK] : none;
  leads.may_arrive = in->kept ? &in->kept->may_arrive[first / KEPT_BLOCK] : unused[0];
  leads.on_free_ground = in->kept ? &in->kept->on_free_ground[first / KEPT_BLOCK] : unused[1];
  if (!in->kept)
    kept_corners_forget(none, NAVIGATION_PART / KEPT_BLOCK);
  find_leads(w, in, a, first, end, &leads);
  for (int k = 0; first + k < end; k += LANES)
    read_corners(&leads, k);
  for (int64_t block = first; block < end; block += LANES)
    follow_fields(w, in, a, block, lanes_in_use(block, end), &leads, (int)(block - first));
  if (in->spread)
    spread(w, in, a, first, end, &leads);
}
