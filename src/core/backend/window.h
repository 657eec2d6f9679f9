// Who stands in the window ahead of LANES agents, and what share of their speed that leaves them:
// pace.h in lanes.
//
// The window turns with the wish, so whether somebody is in it is a float formula of exact
// differences, the same in every lane; what it gives is counted in integers. So neither the order
// nor the width shows. The agents of a leaf share one list of whom they may see. Where it
// overflows, or places are too far apart for exact floats, each lane has lists of its own.
#pragma once
#include "look.h"
#include "pace.h"

#ifndef BYSTANDERS_MAX
#define BYSTANDERS_MAX 512
#endif

struct bystanders { // whom somebody in a box may see
  int count;
  bool too_many;                                                        // not all found room
  struct point origin;                                                  // quanta; from there:
  float x[BYSTANDERS_MAX + TREE_WIDTH], y[BYSTANDERS_MAX + TREE_WIDTH]; // quanta
};

struct window {
  mask active;
  struct place at;   // quanta
  struct box box;    // round the active lanes, quanta; hi inside
  vec2 ahead;        // unit direction of the wish
  real length, half; // quanta: along it, and to either side
  real people;       // whom one sees in it
  bool walls;        // may stand in it, of some lane
};

INLINE mask window_holds(const struct window *w, vec2 p)
{
  const real along = dot(p, w->ahead), aside = det(w->ahead, p);
  return less(all_lanes(0), along) & less_equal(along, w->length) & less_equal(aside, w->half) &
         less_equal(-w->half, aside);
}

// ---------------------------------------------------------------------------- walls

// The wall hides a place p from the lane when p is behind its line and the way there passes
// between its ends.
INLINE mask wall_hides(const struct wall_view *v, vec2 p)
{
  const real zero = all_lanes(0);
  return less(zero, det(v->line, add(p, v->from_a))) & less_equal(det(p, v->from_a), zero) &
         less_equal(zero, det(p, v->from_b));
}

INLINE vec2 window_place(const struct window *w, real along, real aside)
{
  return add(times(along, w->ahead), times(aside, perp(w->ahead)));
}

// Lanes whose window the wall may cut: near, seen from its free side, a corner behind its line.
INLINE mask wall_concerns(const struct window *w, const struct wall_view *v)
{
  const real reach2 = w->length * w->length + w->half * w->half;
  mask behind = none_of_lanes();
  for (int corner = 0; corner < 4; corner++) {
    const vec2 p =
        window_place(w, corner & 1 ? w->length : all_lanes(0), corner & 2 ? w->half : -w->half);
    behind = behind | less(all_lanes(0), det(v->line, add(p, v->from_a)));
  }
  const mask maybe = w->active & behind & wall_in_front(v);
  return any(maybe) ? maybe & less(wall_distance2(v), reach2) : maybe;
}

// The walls near a window's box, one by one: false after the last. The walk looks further than any
// lane by more than rounding.
struct wall_walk {
  struct tree_walk walk;
  struct tree_query query;
  int64_t leaf;
  uint32_t bits;
};

INLINE void wall_walk_begin(struct wall_walk *k, const struct window *w, const struct obstacles *o,
                            float range)
{
  const float far = 1.01f * range + WALL_SLACK;
  k->query = (struct tree_query){w->box, far * far, 0};
  k->bits = 0;
  walk_begin(&k->walk, &o->tree, k->query);
}

INLINE const struct wall *wall_walk_next(struct wall_walk *k, const struct obstacles *o)
{
  while (k->bits == 0) {
    if (!walk_next(&k->walk, &k->leaf))
      return NULL;
    k->bits = children_wanted(&o->boxes, leaf_first(k->leaf), &k->query);
  }
  const int i = bits_first(k->bits);
  k->bits &= k->bits - 1;
  return &o->walls[o->order[leaf_first(k->leaf) + i]];
}

// How many samples of the window one sees.
ONE_TEXT real window_free(const struct window *w, const struct job *job)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const int samples = PACE_ROWS * PACE_COLUMNS;
  mask hidden[PACE_ROWS * PACE_COLUMNS];
  struct wall_walk walk;
  const struct wall *wall;
  real free = all_lanes((float)samples);
  for (int s = 0; s < samples; s++)
    hidden[s] = none_of_lanes();
  wall_walk_begin(&walk, w, o, job->pace_range);
  while ((wall = wall_walk_next(&walk, o))) {
    const struct wall_view view = wall_seen_from(wall, w->at);
    const mask lanes = wall_concerns(w, &view);
    for (int s = 0; s < samples && any(lanes); s++) {
      const float along = ((float)(s / PACE_COLUMNS) + 0.5f) / PACE_ROWS;
      const float aside = ((float)(s % PACE_COLUMNS) + 0.5f) / (PACE_COLUMNS / 2) - 1;
      const vec2 p = window_place(w, all_lanes(along) * w->length, all_lanes(aside) * w->half);
      hidden[s] = hidden[s] | (lanes & wall_hides(&view, p));
    }
  }
  for (int s = 0; s < samples; s++)
    free = free - pick(hidden[s], all_lanes(1), all_lanes(0));
  return larger(free, all_lanes(PACE_FREE));
}

// ---------------------------------------------------------------------------- people

INLINE vec2 bystander(const struct bystanders *all, int k, vec2 from_origin)
{
  return (vec2){all_lanes(all->x[k]) - from_origin.x, all_lanes(all->y[k]) - from_origin.y};
}

INLINE vec2 window_from(const struct window *w, struct point origin)
{
  return vec2_of(to_real(w->at.x - all_lanes_whole(origin.x)),
                 to_real(w->at.y - all_lanes_whole(origin.y)));
}

INLINE real one_more(mask m, real count)
{
  return pick(m, count + all_lanes(1), count);
}

// Counts those of a list whom no wall hides. The agent itself is not ahead of itself.
ONE_TEXT void window_count_seen(struct window *w, const struct job *job,
                                const struct bystanders *all)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const vec2 from = window_from(w, all->origin);
  int number[BYSTANDERS_MAX], count = 0;
  mask sees[BYSTANDERS_MAX];
  struct wall_walk walk;
  const struct wall *wall;
  for (int k = 0; k < all->count; k++) {
    sees[count] = w->active & window_holds(w, bystander(all, k, from));
    number[count] = k;
    count += any(sees[count]);
  }
  wall_walk_begin(&walk, w, o, job->pace_range);
  while (count && (wall = wall_walk_next(&walk, o))) {
    const struct wall_view view = wall_seen_from(wall, w->at);
    const mask lanes = wall_concerns(w, &view);
    for (int i = 0; i < count && any(lanes); i++)
      sees[i] = sees[i] & not(lanes & wall_hides(&view, bystander(all, number[i], from)));
  }
  for (int i = 0; i < count; i++)
    w->people = one_more(sees[i], w->people);
}

ONE_TEXT void window_count(struct window *w, const struct job *job, const struct bystanders *all)
{
  if (w->walls) {
    window_count_seen(w, job, all);
    return;
  }
  const vec2 from = window_from(w, all->origin);
  real people = w->people;
  for (int k = 0; k < all->count; k++)
    people = one_more(w->active & window_holds(w, bystander(all, k, from)), people);
  w->people = people;
}

// ---------------------------------------------------------------------------- the lists

// Of the agents [first, end), at most TREE_WIDTH. A full list is counted by the window and begun
// anew, or, without one, of no use.
INLINE void bystanders_append(struct bystanders *all, const struct job *job, int64_t first,
                              int64_t end, const struct tree_query *query, struct window *w)
{
  for (int64_t i = first; i < end; i += LANES) {
    const whole x = lanes_load_whole(job->a->x + i), y = lanes_load_whole(job->a->y + i);
    mask wanted = box_wanted(query, x, y, x, y, all_lanes(0));
    if (end - i < LANES)
      wanted = wanted & mask_from_bits((1u << (end - i)) - 1);
    const uint32_t bits = mask_bits(wanted);
    if (all->count > BYSTANDERS_MAX - LANES) {
      all->too_many = w == NULL;
      if (!w)
        return;
      window_count(w, job, all);
      all->count = 0;
    }
    compress(all->x + all->count, wanted, to_real(x - all_lanes_whole(all->origin.x)));
    compress(all->y + all->count, wanted, to_real(y - all_lanes_whole(all->origin.y)));
    all->count += bits_count(bits);
  }
}

INLINE void bystanders_from_nearby(struct bystanders *all, const struct job *job,
                                   const struct nearby *near, const struct tree_query *query)
{
  for (int base = 0; base < near->count && !all->too_many; base += LANES) {
    const mask wanted = box_wanted(
        query, lanes_load_whole(near->lo_x + base), lanes_load_whole(near->lo_y + base),
        lanes_load_whole(near->hi_x + base), lanes_load_whole(near->hi_y + base), all_lanes(0));
    uint32_t bits = mask_bits(wanted);
    if (near->count - base < LANES)
      bits &= (1u << (near->count - base)) - 1;
    for (; bits; bits &= bits - 1) {
      const int k = base + bits_first(bits);
      bystanders_append(all, job, near->first[k], near->end[k], query, NULL);
    }
  }
}

ONE_TEXT void bystanders_from_trees(struct bystanders *all, const struct job *job,
                                    const struct tree_query *query, struct window *w)
{
  const struct neighbours *n = job->in->crowd;
  const struct tree *trees[] = {&n->own, &n->ghosts};
  struct tree_walk walk;
  int64_t leaf;
  for (int t = 0; t < 2; t++) {
    const int64_t offset = t ? n->first_ghost : 0;
    walk_begin(&walk, trees[t], *query);
    while (!all->too_many && walk_next(&walk, &leaf))
      bystanders_append(all, job, offset + leaf_first(leaf), offset + leaf_end(trees[t], leaf),
                        query, w);
  }
}

INLINE void bystanders_begin(struct bystanders *all, struct point origin)
{
  all->count = 0;
  all->too_many = false;
  all->origin = origin;
}

// Everybody in reach of somebody in the leaf.
ONE_TEXT void bystanders_collect(struct bystanders *all, const struct job *job,
                                 const struct nearby *near, int64_t leaf)
{
  const struct box box = tree_leaf_box(&job->in->crowd->own, leaf);
  const struct tree_query query = {box, job->pace_range * job->pace_range, 0};
  bystanders_begin(all, box.lo);
  all->too_many = too_wide(box, job->pace_range);
  if (all->too_many)
    return;
  if (!near->too_many && query.range2 <= near->range2)
    bystanders_from_nearby(all, job, near, &query);
  else
    bystanders_from_trees(all, job, &query, NULL);
}

// ---------------------------------------------------------------------------- the wish

INLINE bool walls_may_stand(const struct window *w, const struct job *job)
{
  const struct obstacles *o = &job->in->world->obstacles;
  struct wall_walk walk;
  if (o->count == 0)
    return false;
  wall_walk_begin(&walk, w, o, job->pace_range);
  return wall_walk_next(&walk, o) != NULL;
}

// The windows of the agents [first, end), in that box; false where nobody has one, or a wish.
INLINE bool window_load(struct window *w, const struct job *job, int64_t first, int64_t end,
                        struct box box)
{
  const struct agents *a = job->a;
  const struct pace *pace = job->in->pace;
  const int64_t left = end - first;
  const whole profile = lanes_load_whole(a->profile + first);
  const mask there = mask_from_bits(left < LANES ? (1u << left) - 1 : ALL_LANES_BITS);
  const whole own = pick_whole(there, profile, all_lanes_whole(0));
  const vec2 wish = {lanes_load(a->prefer_x + first), lanes_load(a->prefer_y + first)};
  const real length2 = dot(wish, wish), per_quantum = all_lanes(1 / job->quantum);
  w->length = gather(pace->ahead, own) * per_quantum;
  w->half = gather(pace->half, own) * per_quantum;
  w->active = there & less(all_lanes(0), w->length) & less(all_lanes(0), length2);
  const real size = square_root(pick(w->active, length2, all_lanes(1)));
  w->ahead = vec2_of(wish.x / size, wish.y / size);
  w->at = (struct place){lanes_load_whole(a->x + first), lanes_load_whole(a->y + first)};
  w->box = box;
  w->people = all_lanes(0);
  return any(w->active);
}

// The share of the speed that the people in so much of the window leave.
INLINE real window_share(const struct window *w, const struct job *job, whole profile, real free)
{
  const real area = all_lanes(2 * job->quantum * job->quantum) * w->length * w->half; // m^2
  const real people = all_lanes(PACE_ROWS * PACE_COLUMNS * PACE_PER) * w->people;
  const real density = people / pick(w->active, free * area, all_lanes(1)); // in entries
  const real x = smaller(density, all_lanes(PACE_ENTRIES - 1));
  const whole last = all_lanes_whole(PACE_ENTRIES - 2), cut = to_whole(x);
  const whole i = pick_whole(whole_less(last, cut), last, cut);
  const float *table = job->in->pace->share;
  const whole at = profile * all_lanes_whole(PACE_ENTRIES) + i;
  const real low = gather(table, at), high = gather(table, at + all_lanes_whole(1));
  return low + (x - to_real(i)) * (high - low);
}

INLINE void window_slow(const struct window *w, const struct job *job, int64_t first, real free)
{
  struct agents *a = job->a;
  const whole profile =
      pick_whole(w->active, lanes_load_whole(a->profile + first), all_lanes_whole(0));
  const real share = window_share(w, job, profile, free);
  float x[LANES], y[LANES];
  lanes_store(x, share * lanes_load(a->prefer_x + first));
  lanes_store(y, share * lanes_load(a->prefer_y + first));
  for (uint32_t bits = mask_bits(w->active); bits; bits &= bits - 1) {
    const int l = bits_first(bits);
    a->prefer_x[first + l] = x[l];
    a->prefer_y[first + l] = y[l];
  }
}

// One lane after the other, each with lists of its own.
ONE_TEXT real window_alone(struct window *w, const struct job *job, int64_t first)
{
  struct bystanders own;
  real people = w->people, free = all_lanes(PACE_ROWS * PACE_COLUMNS);
  for (uint32_t bits = mask_bits(w->active); bits; bits &= bits - 1) {
    const int l = bits_first(bits);
    const struct point at = {job->a->x[first + l], job->a->y[first + l]};
    struct window one = *w;
    one.active = mask_from_bits(1u << l);
    one.box = (struct box){at, at};
    one.walls = walls_may_stand(&one, job);
    const struct tree_query query = {one.box, job->pace_range * job->pace_range, 0};
    bystanders_begin(&own, at);
    bystanders_from_trees(&own, job, &query, &one);
    window_count(&one, job, &own);
    people = pick(one.active, one.people, people);
    if (one.walls)
      free = pick(one.active, window_free(&one, job), free);
  }
  w->people = people;
  return free;
}

// Slows down the agents of a leaf. Changes their wishes, which nobody else reads.
ONE_TEXT void window_leaf(const struct job *job, const struct nearby *near, int64_t leaf)
{
  const int64_t end = leaf_end(&job->in->crowd->own, leaf);
  struct bystanders all;
  bool collected = false;
  for (int64_t first = leaf_first(leaf); first < end; first += LANES) {
    struct window w;
    real free = all_lanes(PACE_ROWS * PACE_COLUMNS);
    if (!window_load(&w, job, first, end, tree_leaf_box(&job->in->crowd->own, leaf)))
      continue;
    if (!collected)
      bystanders_collect(&all, job, near, leaf);
    collected = true;
    if (all.too_many) {
      free = window_alone(&w, job, first);
    } else {
      w.walls = walls_may_stand(&w, job);
      window_count(&w, job, &all);
      if (w.walls)
        free = window_free(&w, job);
    }
    window_slow(&w, job, first, free);
  }
}
