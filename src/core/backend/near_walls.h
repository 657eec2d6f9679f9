// The walls that LANES agents perceive: those within reach that face the agent with their free
// side, sorted by (distance, number of the wall).
#pragma once
#include "nearest.h"
#include "obstacles.h"
#include "perception.h"
#include "wall_lists.h"

struct near_walls {
  int count;              // the maximum of all lanes
  real d2[WALLS_MAX];     // quanta^2, ascending; the squared reach where there is no wall
  ivec number[WALLS_MAX]; // -1 where there is no wall
  real reach2;            // quanta^2
  real closest2;          // quanta^2: to the closest wall on either side, or the squared reach
};

// One wall relative to the lanes, quanta.
struct wall_view {
  vec2 from_a, from_b; // from the ends to the agent
  vec2 line;           // a to b
};

INLINE struct wall_view wall_view_from(const struct wall *w, struct lane_point at)
{
  return (struct wall_view){
      {to_real(at.x - splat_ivec(w->a.x)), to_real(at.y - splat_ivec(w->a.y))},
      {to_real(at.x - splat_ivec(w->b.x)), to_real(at.y - splat_ivec(w->b.y))},
      {splat((float)(w->b.x - w->a.x)), splat((float)(w->b.y - w->a.y))}};
}

INLINE real wall_distance2(const struct wall_view *v)
{
  const real t = dot(v->from_a, v->line) / dot(v->line, v->line);
  const vec2 off = minus(v->from_a, times(t, v->line));
  const vec2 nearest =
      select_vec2(less(splat(0), t), select_vec2(less(t, splat(1)), off, v->from_b), v->from_a);
  return dot(nearest, nearest);
}

// On the wall's free side or, within rounding, on its line: an agent that walks straight at the end
// of a thin wall must perceive it.
INLINE mask wall_in_front(const struct wall_view *v)
{
  const real one = v->line.x * v->from_a.y, other = v->line.y * v->from_a.x;
  return less_equal(one - other, splat(0x1p-22f) * (magnitude(one) + magnitude(other)));
}

// Lanes without a wall have a d2 beyond their reach.
INLINE void near_walls_insert(struct near_walls *n, real d2, ivec number)
{
  for (int i = 0; i < n->count; i++) {
    const real have_d2 = n->d2[i];
    const ivec have = n->number[i];
    const mask first = less(d2, have_d2) | (equal(d2, have_d2) & ivec_less(number, have));
    if (!any(first))
      continue;
    n->d2[i] = select_real(first, d2, have_d2);
    n->number[i] = select_ivec(first, number, have);
    d2 = select_real(first, have_d2, d2);
    number = select_ivec(first, have, number);
  }
  const mask left = less(d2, n->reach2);
  if (n->count == WALLS_MAX || !any(left))
    return;
  n->d2[n->count] = select_real(left, d2, n->reach2);
  n->number[n->count] = select_ivec(left, number, splat_ivec(-1));
  n->count++;
}

INLINE void near_walls_consider(struct near_walls *n, const struct obstacles *o, int32_t number,
                                struct lane_point at, mask active)
{
  const struct wall_view view = wall_view_from(&o->walls[number], at);
  const real d2 = wall_distance2(&view);
  const mask near = active & less(d2, n->reach2);
  if (!any(near))
    return;
  n->closest2 = select_real(near, min_real(n->closest2, d2), n->closest2);
  const mask seen = near & wall_in_front(&view);
  if (any(seen))
    near_walls_insert(n, select_real(seen, d2, splat(3e38f)), splat_ivec(number));
}

// Bound of the rounding error of a wall's distance, quanta. The longest wall has 2^31 quanta; the
// projection is t * line with t accurate to about 5 * 2^-24 and the product to 2^-24: about 800
// quanta.
#define WALL_SLACK 1024

// How far to search for walls within a range, quanta: further by more than the rounding error.
INLINE float wall_search_range(float range)
{
  return 1.01f * range + WALL_SLACK;
}

// Collects the leaves of the walls' tree within range of a box, quanta, and some more.
INLINE void near_walls_collect(struct nearby *near, const struct obstacles *o, struct box box,
                               float range)
{
  const float far = wall_search_range(range);
  nearby_begin(near, far * far);
  nearby_search(near, &o->tree, 0, (struct box_tree_query){box, near->range2, 0});
  nearby_pad(near);
}

// Iterates over the walls within range of a box, quanta, and some more. NULL after the last. Not to
// be copied: its parts point to `query`.
struct wall_cursor {
  struct box_tree_cursor cursor;
  struct nearby_cursor near; // in place of the other one, unless near.near is NULL
  struct box_tree_query query;
  int64_t leaf;
  uint32_t bits;
};

// near: the leaves around a larger box; NULL: searches the tree.
INLINE void wall_cursor_begin(struct wall_cursor *k, const struct obstacles *o,
                              const struct nearby *near, struct box box, float range)
{
  const float far = wall_search_range(range);
  const bool holds = near && !near->overflow && far * far <= near->range2;
  *k = (struct wall_cursor){.query = {box, far * far, 0}};
  if (holds)
    k->near = nearby_cursor_begin(near, &k->query, -1);
  else
    box_tree_query_begin(&k->cursor, &o->tree, k->query);
}

INLINE bool wall_cursor_next_leaf(struct wall_cursor *k)
{
  int i;
  if (!k->near.near)
    return box_tree_query_next(&k->cursor, &k->leaf);
  if (!nearby_next(&k->near, &i))
    return false;
  k->leaf = k->near.near->first[i] / BOX_TREE_WIDTH;
  return true;
}

INLINE const struct wall *wall_cursor_next(struct wall_cursor *k, const struct obstacles *o)
{
  while (k->bits == 0) {
    if (!wall_cursor_next_leaf(k))
      return NULL;
    k->bits = box_tree_query_children(&o->boxes, box_tree_leaf_begin(k->leaf), &k->query);
  }
  const int i = lowest_bit(k->bits);
  k->bits &= k->bits - 1;
  return &o->walls[o->order[box_tree_leaf_begin(k->leaf) + i]];
}

INLINE void near_walls_begin(struct near_walls *n, real reach)
{
  n->count = 0;
  n->closest2 = n->reach2 = reach * reach;
}

// By the list of the leaf.
INLINE void near_walls_look_up(struct near_walls *n, const struct obstacles *o,
                               struct lane_point at, mask active, const struct wall_list *list,
                               real reach)
{
  near_walls_begin(n, reach);
  for (int32_t k = 0; k < list->count; k++)
    near_walls_consider(n, o, list->number[k], at, active);
}

// box: around the agents; reach: quanta, per lane. The search extends beyond it
// by the slack, so that whether a wall is tested does not depend on the other lanes.
INLINE void near_walls_search(struct near_walls *n, const struct obstacles *o, struct lane_point at,
                              mask active, struct box box, real reach)
{
  const float far = wall_search_range(reduce_max(active, reach, 0));
  const struct box_tree_query query = {box, far * far, 0};
  struct box_tree_cursor cursor;
  int64_t leaf;
  near_walls_begin(n, reach);
  box_tree_query_begin(&cursor, &o->tree, query);
  while (box_tree_query_next(&cursor, &leaf))
    for (uint32_t bits = box_tree_query_children(&o->boxes, box_tree_leaf_begin(leaf), &query);
         bits; bits &= bits - 1)
      near_walls_consider(n, o, o->order[box_tree_leaf_begin(leaf) + lowest_bit(bits)], at, active);
}

// The same wall in all lanes, m.
INLINE struct perceived_wall near_wall_of_all(const struct wall *w, struct lane_point at,
                                              float quantum)
{
  const real scale = splat(quantum);
  return (struct perceived_wall){
      mask_from_bits(ALL_LANES_BITS),
      times(scale, vec2_of(to_real(splat_ivec(w->a.x) - at.x), to_real(splat_ivec(w->a.y) - at.y))),
      times(scale, vec2_of(to_real(splat_ivec(w->b.x) - at.x), to_real(splat_ivec(w->b.y) - at.y))),
      vec2_of(splat(w->ux), splat(w->uy)),
      vec2_of(splat(w->before_x), splat(w->before_y)),
      vec2_of(splat(w->after_x), splat(w->after_y)),
      mask_from_bits(w->convex_a ? ALL_LANES_BITS : 0),
      mask_from_bits(w->convex_b ? ALL_LANES_BITS : 0)};
}

INLINE struct perceived_wall perceived_wall_select(mask m, struct perceived_wall yes,
                                                   struct perceived_wall no)
{
  return (struct perceived_wall){select_mask(m, yes.valid, no.valid),
                                 select_vec2(m, yes.a, no.a),
                                 select_vec2(m, yes.b, no.b),
                                 select_vec2(m, yes.along, no.along),
                                 select_vec2(m, yes.before, no.before),
                                 select_vec2(m, yes.after, no.after),
                                 select_mask(m, yes.convex_a, no.convex_a),
                                 select_mask(m, yes.convex_b, no.convex_b)};
}

// The wall of each lane by its number, m; harmless numbers where it is -1. Not -1 in all lanes. The
// lanes, near each other, have few walls.
INLINE struct perceived_wall near_walls_load(const struct obstacles *o, ivec number,
                                             struct lane_point at, float quantum)
{
  const mask valid = not(ivec_less(number, splat_ivec(0)));
  int32_t numbers[LANES];
  lanes_store_ivec(numbers, number);
  const int32_t first = numbers[lowest_bit(mask_bits(valid))];
  struct perceived_wall w = near_wall_of_all(&o->walls[first], at, quantum);
  mask left = valid & not(ivec_equal(number, splat_ivec(first)));
  while (any(left)) {
    const int32_t next = numbers[lowest_bit(mask_bits(left))];
    const mask of_next = ivec_equal(number, splat_ivec(next));
    w = perceived_wall_select(of_next, near_wall_of_all(&o->walls[next], at, quantum), w);
    left = left & not(of_next);
  }
  w.valid = valid;
  return w;
}
