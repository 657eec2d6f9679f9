// The headway model for blocks of agents: who is oncoming, where the walls are, and the velocity
// that they prefer.
#pragma once
#include "deadlock_kernel.h"
#include "headway.h"
#include "perceive.h"
#include "side_preference.h"

#define ONCOMING_MAX 256

// Agents that may be oncoming to some agent of a leaf.
struct oncoming {
  int count;
  struct point origin; // quanta; relative to it:
  float x[ONCOMING_MAX + BOX_TREE_WIDTH], y[ONCOMING_MAX + BOX_TREE_WIDTH]; // quanta
  float facing_x[ONCOMING_MAX + BOX_TREE_WIDTH], facing_y[ONCOMING_MAX + BOX_TREE_WIDTH];
};

// Agents that look for oncoming ones.
struct side_block {
  struct lane_point at; // quanta
  ivec profile;
  struct side_view view;
  mask may_spread; // keep to a line of their own (spreading_kernel.h) unless they are blocked
  mask spreads;    // do so now ...
  vec2 preferred;  // ... in this direction, unless somebody comes towards them
};

// Passive agents keep the velocity that navigation prefers.
INLINE mask walks_by_headway(const struct job *job, int64_t first, ivec *profile)
{
  const struct agents *a = job->a;
  const int64_t left = a->count - first;
  const mask valid = lanes_below(left);
  *profile = select_ivec(valid, lanes_load_ivec(a->profile + first), splat_ivec(0));
  const struct headway_options *h = job->in->walking.headway;
  const real length = look_up_one(h->length, h->count, *profile);
  const vec2 facing = {lanes_load(a->facing_x + first), lanes_load(a->facing_y + first)};
  const vec2 preferred = {lanes_load(a->prefer_x + first), lanes_load(a->prefer_y + first)};
  const real zero = splat(0);
  return valid & less(zero, length) & less(zero, lanes_load(a->yield + first)) &
         less(zero, dot(facing, facing)) & less(zero, dot(preferred, preferred));
}

INLINE vec2 preferred_direction(const struct agents *a, int64_t first, mask active)
{
  const vec2 v = {lanes_load(a->prefer_x + first), lanes_load(a->prefer_y + first)};
  const real size = square_root(select_real(active, dot(v, v), splat(1)));
  return vec2_of(v.x / size, v.y / size);
}

// Agents that are blocked do not spread, but may be in a sidestep (deadlock.h), which they keep.
INLINE mask are_blocked(const struct agents *a, int64_t first)
{
  const vec2 v = {lanes_load(a->vx + first), lanes_load(a->vy + first)};
  const real slow = splat(DEADLOCK_SLOW) * lanes_load(a->speed + first);
  return less(dot(v, v), slow * slow);
}

INLINE bool side_block_load(struct side_block *b, const struct job *job, int64_t first)
{
  const struct agents *a = job->a;
  b->view.active = walks_by_headway(job, first, &b->profile);
  const struct headway_options *h = job->in->walking.headway;
  const real spread = look_up_one(h->spread, h->count, b->profile);
  b->may_spread = b->view.active & not(equal(spread, splat(0)));
  b->spreads = b->may_spread & not(are_blocked(a, first));
  b->preferred = preferred_direction(a, first, b->view.active);
  b->view.forward = select_vec2(
      b->spreads, vec2_of(lanes_load(a->facing_x + first), lanes_load(a->facing_y + first)),
      b->preferred);
  b->view.shift = splat(SIDE_SHIFT) * look_up_one(h->side, h->count, b->profile);
  b->view.push = splat(0);
  b->view.meets = mask_from_bits(0);
  b->at = (struct lane_point){lanes_load_ivec(a->x + first), lanes_load_ivec(a->y + first)};
  return any(b->view.active);
}

INLINE void side_block_remember(const struct side_block *b, const struct job *job, int64_t first)
{
  int32_t memory[LANES];
  struct side_view view = b->view;
  view.meets = view.meets & b->may_spread; // others are not looked for at such an angle
  lanes_store_ivec(memory, side_view_memory(&view));
  for (uint32_t bits = mask_bits(b->view.active); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    job->a->passing[first + l] = memory[l];
  }
}

// The direction to walk in: unit.
INLINE vec2 side_block_direction(const struct side_block *b, const struct job *job, int64_t first)
{
  const ivec passing = lanes_load_ivec(job->a->passing + first);
  return select_vec2(b->spreads & not(side_meets(passing)), b->preferred,
                     side_direction(b->view.forward, passing));
}

INLINE void side_block_add(struct side_block *b, const struct job *job, const struct oncoming *all)
{
  const vec2 from = vec2_of(to_real(b->at.x - splat_ivec(all->origin.x)),
                            to_real(b->at.y - splat_ivec(all->origin.y)));
  for (int k = 0; k < all->count; k++) {
    const vec2 p = {splat(all->x[k]) - from.x, splat(all->y[k]) - from.y};
    side_view_add(&b->view, times(splat(job->quantum), p),
                  vec2_of(splat(all->facing_x[k]), splat(all->facing_y[k])));
  }
}

// The directions in which the agents of some blocks walk lie within an angle around an axis.
struct cone {
  float x, y;     // unit axis; 0: any direction
  float opposing; // agents whose facing is further along the axis oppose nobody
};

// cosine, sine: of the least angle between the directions of two that matter to each other.
struct opposition {
  float cosine, sine;
};

INLINE struct opposition opposition_of(const struct side_block *blocks, int count)
{
  const struct opposition oncoming = {HEADWAY_OPPOSING, 0.7141429f};
  const struct opposition meeting = {SIDE_MEETING, 0.9539393f};
  bool spreads = false;
  for (int k = 0; k < count; k++)
    spreads |= any(blocks[k].may_spread);
  return spreads ? meeting : oncoming;
}

// Rounding in the cone is covered by a margin: it only saves work.
HOST_DEVICE struct cone cone_of(const struct side_block *blocks, int count)
{
  float x = 0, y = 0, least = 1;
  float fx[LANES], fy[LANES];
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < count; k++) {
      lanes_store(fx, blocks[k].view.forward.x);
      lanes_store(fy, blocks[k].view.forward.y);
      for (uint32_t bits = mask_bits(blocks[k].view.active); bits; bits &= bits - 1) {
        const int l = lowest_bit(bits);
        if (pass == 0) {
          x += fx[l];
          y += fy[l];
        } else if (x * fx[l] + y * fy[l] < least) {
          least = x * fx[l] + y * fy[l];
        }
      }
    }
    const float length = sqrtf(x * x + y * y);
    if (length < 0.5f)
      return (struct cone){0, 0, 1};
    x /= length;
    y /= length;
  }
  if (least < 0.3f)
    return (struct cone){0, 0, 1};
  // cos(opposing angle - half angle of the cone)
  const float sine = sqrtf(1 - least * least > 0 ? 1 - least * least : 0);
  const struct opposition o = opposition_of(blocks, count);
  return (struct cone){x, y, o.cosine * least + o.sine * sine + 0.01f};
}

struct oncoming_search { // for the agents of some blocks
  struct box_tree_query query;
  struct cone cone;
  struct side_block *blocks;
  int block_count;
};

// Appends those of the agents [first, end), at most BOX_TREE_WIDTH, that may be oncoming. A full
// list is counted and begins again.
INLINE void oncoming_append(struct oncoming *all, const struct job *job, int64_t first, int64_t end,
                            const struct oncoming_search *q)
{
  for (int64_t i = first; i < end; i += LANES) {
    const ivec x = lanes_load_ivec(job->a->x + i), y = lanes_load_ivec(job->a->y + i);
    const vec2 facing = {lanes_load(job->a->facing_x + i), lanes_load(job->a->facing_y + i)};
    const vec2 axis = {splat(q->cone.x), splat(q->cone.y)};
    mask wanted = box_tree_query_matches(&q->query, x, y, x, y, splat(0)) &
                  less(splat(0), dot(facing, facing)) &
                  less(dot(facing, axis), splat(q->cone.opposing));
    if (end - i < LANES)
      wanted = wanted & mask_from_bits((1u << (end - i)) - 1);
    const uint32_t bits = mask_bits(wanted);
    if (bits == 0)
      continue;
    if (all->count > ONCOMING_MAX - LANES) {
      for (int k = 0; k < q->block_count; k++)
        side_block_add(&q->blocks[k], job, all);
      all->count = 0;
    }
    compress(all->x + all->count, wanted, to_real(x - splat_ivec(all->origin.x)));
    compress(all->y + all->count, wanted, to_real(y - splat_ivec(all->origin.y)));
    compress(all->facing_x + all->count, wanted, facing.x);
    compress(all->facing_y + all->count, wanted, facing.y);
    all->count += bit_count(bits);
  }
}

// Counts the agents near the box for the blocks. near: NULL searches the trees.
INLINE void side_blocks_count(struct side_block *blocks, int block_count, const struct job *job,
                              const struct nearby *near, struct box box, struct point origin)
{
  const struct neighbours *n = job->in->neighbours;
  const float range = 1.0001f * HEADWAY_RANGE / job->quantum;
  const struct box_tree_query query = {box, range * range, 0};
  const struct oncoming_search search = {query, cone_of(blocks, block_count), blocks, block_count};
  struct oncoming all;
  all.count = 0;
  all.origin = origin;
  if (near && !near->overflow && query.range2 <= near->range2) {
    struct nearby_cursor cursor = nearby_cursor_begin(near, &query, -1);
    int leaf;
    while (nearby_next(&cursor, &leaf))
      oncoming_append(&all, job, near->first[leaf], near->end[leaf], &search);
  } else {
    const struct box_tree *trees[] = {&n->own, &n->ghosts};
    struct box_tree_cursor cursor;
    int64_t leaf;
    for (int t = 0; t < 2; t++) {
      const int64_t offset = t ? n->first_ghost : 0;
      box_tree_query_begin(&cursor, trees[t], query);
      while (box_tree_query_next(&cursor, &leaf))
        oncoming_append(&all, job, offset + box_tree_leaf_begin(leaf),
                        offset + box_tree_leaf_end(trees[t], leaf), &search);
    }
  }
  for (int k = 0; k < block_count; k++)
    side_block_add(&blocks[k], job, &all);
}

// Where distances from a common origin would not be exact: one agent at a time.
HOST_DEVICE void side_block_count_per_lane(struct side_block *b, const struct job *job,
                                           int64_t first)
{
  real push = splat(0);
  mask meets = mask_from_bits(0);
  for (uint32_t bits = mask_bits(b->view.active); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct point at = {job->a->x[first + l], job->a->y[first + l]};
    struct side_block one = *b;
    one.view.active = mask_from_bits(1u << l);
    side_blocks_count(&one, 1, job, NULL, (struct box){at, at}, at);
    push = select_real(one.view.active, one.view.push, push);
    meets = meets | (one.view.active & one.view.meets);
  }
  b->view.push = push;
  b->view.meets = meets;
}

INLINE bool looks_for_oncoming(const struct job *job)
{
  return job->headway && headway_options_all_look(job->in->walking.headway, job->in->step);
}

// Sets what the agents of a leaf remember of the oncoming ones.
HOST_DEVICE void side_preference_leaf(const struct job *job, const struct nearby *near,
                                      int64_t leaf)
{
  const struct box_tree *own = &job->in->neighbours->own;
  const struct box box = box_tree_leaf_box(own, leaf);
  const int64_t begin = box_tree_leaf_begin(leaf), end = box_tree_leaf_end(own, leaf);
  struct side_block blocks[BOX_TREE_WIDTH / LANES];
  int count = 0;
  bool walks = false;
  for (int64_t first = begin; first < end; first += LANES)
    walks |= side_block_load(&blocks[count++], job, first);
  if (walks && exceeds_exact_range(box, HEADWAY_RANGE / job->quantum)) {
    for (int k = 0; k < count; k++)
      side_block_count_per_lane(&blocks[k], job, begin + k * LANES);
  } else if (walks) {
    side_blocks_count(blocks, count, job, near, box, box.lo);
  }
  for (int k = 0; k < count; k++)
    side_block_remember(&blocks[k], job, begin + k * LANES);
}

// ---------------------------------------------------------------------------------------- walls

// The distance along the direction to the wall; m; HEADWAY_FAR where it does not meet it.
INLINE real wall_ahead(const struct wall_view *v, vec2 direction, real quantum)
{
  const real zero = splat(0);
  const real across = det(direction, v->line),
             sign = select_real(less(across, zero), splat(-1), splat(1));
  const real size = across * sign;                    // > 0: not parallel
  const real along = -det(v->from_a, v->line) * sign; // / size: distance
  const real on = -det(v->from_a, direction) * sign;  // / size: part of the wall, 0 to 1
  const mask meets =
      less(zero, size) & less(zero, along) & less_equal(zero, on) & less_equal(on, size);
  return select_real(meets, quantum * along / select_real(meets, size, splat(1)),
                     splat(HEADWAY_FAR));
}

// In this step, all agents that walk by headway choose.
INLINE bool all_choose(const struct job *job)
{
  return job->headway && job->in->step % job->in->walking.headway->choice_period == 0;
}

// walls[HEADWAY_DIRECTIONS]: m. box: around the agents.
HOST_DEVICE void look_for_walls(const struct walker *w, const struct job *job,
                                const struct block *b, struct box box, real *walls)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const float range = HEADWAY_RANGE / job->quantum;
  struct wall_cursor cursor;
  const struct wall *wall;
  for (int d = 0; d < HEADWAY_DIRECTIONS; d++)
    walls[d] = splat(HEADWAY_FAR);
  if (o->count == 0)
    return;
  wall_cursor_begin(&cursor, o, b->wall_leaves, box, range);
  while ((wall = wall_cursor_next(&cursor, o))) {
    const struct wall_view view = wall_view_from(wall, b->at);
    const mask near = w->active & less(wall_distance2(&view), splat(range * range));
    for (int d = 0; d < HEADWAY_DIRECTIONS && any(near); d++)
      walls[d] = min_where(
          near, walls[d], wall_ahead(&view, headway_direction(w->forward, d), splat(job->quantum)));
  }
}

// --------------------------------------------------------------------------------------- blocks

INLINE void walker_load(struct walker *w, const struct perception *s, const struct side_block *side,
                        const struct block *b, const struct job *job)
{
  const vec2 v = s->preferred_velocity;
  w->active = side->view.active;
  w->forward = side_block_direction(side, job, b->first);
  w->speed = square_root(select_real(w->active, dot(v, v), splat(1)));
}

// What only a choice needs. Shoulders turn for avoidance only: on a device, nobody perceives walls
// before a choice.
INLINE void walker_load_options(struct walker *w, const struct perception *s, real radius,
                                const struct headway_options *h, ivec profile)
{
  w->radius = radius;
  w->v_aside = det(w->forward, s->velocity);
  const float *const options[] = {h->length, h->rate, h->anticipation,
                                  h->sight,  h->side, h->steps_aside};
  real of[6];
  look_up(of, options, 6, h->count, profile);
  w->length = of[0];
  w->rate = of[1];
  w->anticipation = of[2];
  w->sight = select_real(w->active, of[3], splat(1));
  w->side = of[4];
  w->steps_aside = of[5];
}

// The choices of a block. n: the neighbours in s, by their numbers in c.
INLINE ivec walker_choose(const struct walker *w, const struct perception *s, const struct block *b,
                          const struct job *job, const struct candidates *c,
                          const struct nearest *n, struct box box)
{
  vec2 facing[NEIGHBOURS_MAX];
  real walls[HEADWAY_DIRECTIONS];
  const float *const columns[] = {c->facing_x, c->facing_y};
  for (int i = 0; i < s->agent_count; i++) {
    const mask found = b->active & not(ivec_less(n->number[i], splat_ivec(0)));
    real of[2];
    look_up(of, columns, 2, c->count, select_ivec(found, n->number[i], splat_ivec(0)));
    facing[i] = vec2_of(of[0], of[1]);
  }
  look_for_walls(w, job, b, box, walls);
  return headway_choose(s, w, facing, walls);
}

// Replaces the preferred velocities of a block. Agents that have not chosen yet do so at once.
HOST_DEVICE void walk(struct perception *s, const struct block *b, const struct job *job,
                      const struct candidates *c, const struct nearest *n, struct box box)
{
  struct agents *a = job->a;
  struct side_block side;
  struct walker w;
  if (!side_block_load(&side, job, b->first))
    return;
  walker_load(&w, s, &side, b, job);
  ivec choice = lanes_load_ivec(a->choice + b->first);
  mask chooses = w.active;
  if (!all_choose(job))
    chooses = chooses & ivec_equal(choice, splat_ivec(0));
  if (any(chooses)) {
    walker_load_options(&w, s, lanes_load(a->radius + b->first), job->in->walking.headway,
                        side.profile);
    choice = select_ivec(chooses, walker_choose(&w, s, b, job, c, n, box), choice);
  }
  s->preferred_velocity = headway_velocity(s, &w, choice);
  lanes_store_where(a->prefer_x + b->first, w.active, s->preferred_velocity.x);
  lanes_store_where(a->prefer_y + b->first, w.active, s->preferred_velocity.y);
  lanes_store_ivec(a->choice + b->first, choice); // of others: what it was
}
