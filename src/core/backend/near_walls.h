// The walls that LANES agents perceive: those within reach that face the agent with their free
// side, sorted by (distance, number of the wall).
#pragma once
#include "nearest.h"
#include "obstacles.h"
#include "perception.h"

struct lane_point { // positions of LANES agents, quanta
  ivec x, y;
};

struct near_walls {
  real d2[WALLS_MAX];     // quanta^2, ascending; the squared reach where there is no wall
  ivec number[WALLS_MAX]; // -1 where there is no wall
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

INLINE void near_walls_insert(struct near_walls *n, real d2, ivec number)
{
  for (int i = 0; i < WALLS_MAX; i++) {
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
}

INLINE void near_walls_consider(struct near_walls *n, const struct obstacles *o, int32_t number,
                                struct lane_point at, mask active, real reach2)
{
  const struct wall_view view = wall_view_from(&o->walls[number], at);
  const real d2 = wall_distance2(&view);
  const mask near = active & less(d2, reach2);
  if (!any(near))
    return;
  n->closest2 = select_real(near, min_real(n->closest2, d2), n->closest2);
  const mask seen = near & wall_in_front(&view);
  if (any(seen & less_equal(d2, n->d2[WALLS_MAX - 1])))
    near_walls_insert(n, select_real(seen, d2, splat(3e38f)), splat_ivec(number));
}

// Bound of the rounding error of a wall's distance, quanta. The longest wall has 2^31 quanta; the
// projection is t * line with t accurate to about 5 * 2^-24 and the product to 2^-24: about 800
// quanta.
#define WALL_SLACK 1024

// Iterates over the walls within range of a box, quanta, and some more: the search radius exceeds
// that of any agent in it by more than the rounding error. NULL after the last.
struct wall_cursor {
  struct box_tree_cursor cursor;
  struct box_tree_query query;
  int64_t leaf;
  uint32_t bits;
};

INLINE void wall_cursor_begin(struct wall_cursor *k, const struct obstacles *o, struct box box,
                              float range)
{
  const float far = 1.01f * range + WALL_SLACK;
  k->query = (struct box_tree_query){box, far * far, 0};
  k->bits = 0;
  box_tree_query_begin(&k->cursor, &o->tree, k->query);
}

INLINE const struct wall *wall_cursor_next(struct wall_cursor *k, const struct obstacles *o)
{
  while (k->bits == 0) {
    if (!box_tree_query_next(&k->cursor, &k->leaf))
      return NULL;
    k->bits = box_tree_query_children(&o->boxes, box_tree_leaf_begin(k->leaf), &k->query);
  }
  const int i = lowest_bit(k->bits);
  k->bits &= k->bits - 1;
  return &o->walls[o->order[box_tree_leaf_begin(k->leaf) + i]];
}

// box: around the agents; reach: quanta, per lane. The search extends beyond it
// by the slack, so that whether a wall is tested does not depend on the other lanes.
INLINE void near_walls_search(struct near_walls *n, const struct obstacles *o, struct lane_point at,
                              mask active, struct box box, real reach)
{
  const float far = 1.01f * reduce_max(active, reach, 0) + WALL_SLACK;
  const struct box_tree_query query = {box, far * far, 0};
  struct box_tree_cursor cursor;
  int64_t leaf;
  n->closest2 = reach * reach;
  for (int i = 0; i < WALLS_MAX; i++) {
    n->d2[i] = n->closest2;
    n->number[i] = splat_ivec(-1);
  }
  box_tree_query_begin(&cursor, &o->tree, query);
  while (box_tree_query_next(&cursor, &leaf))
    for (uint32_t bits = box_tree_query_children(&o->boxes, box_tree_leaf_begin(leaf), &query);
         bits; bits &= bits - 1)
      near_walls_consider(n, o, o->order[box_tree_leaf_begin(leaf) + lowest_bit(bits)], at, active,
                          reach * reach);
}

// The wall of each lane by its number, m; harmless numbers where it is -1.
INLINE struct perceived_wall near_walls_load(const struct obstacles *o, ivec number,
                                             struct lane_point at, float quantum)
{
  int32_t numbers[LANES], ax[LANES], ay[LANES], bx[LANES], by[LANES];
  float ux[LANES], uy[LANES], px[LANES], py[LANES], nx[LANES], ny[LANES];
  uint32_t convex_a = 0, convex_b = 0;
  lanes_store_ivec(numbers, number);
  for (int l = 0; l < LANES; l++) {
    const struct wall *w = &o->walls[numbers[l] < 0 ? 0 : numbers[l]];
    ax[l] = w->a.x, ay[l] = w->a.y, bx[l] = w->b.x, by[l] = w->b.y;
    ux[l] = w->ux, uy[l] = w->uy;
    px[l] = w->before_x, py[l] = w->before_y;
    nx[l] = w->after_x, ny[l] = w->after_y;
    convex_a |= (uint32_t)w->convex_a << l;
    convex_b |= (uint32_t)w->convex_b << l;
  }
  const real scale = splat(quantum);
  return (struct perceived_wall){not(ivec_less(number, splat_ivec(0))),
                                 times(scale, vec2_of(to_real(lanes_load_ivec(ax) - at.x),
                                                      to_real(lanes_load_ivec(ay) - at.y))),
                                 times(scale, vec2_of(to_real(lanes_load_ivec(bx) - at.x),
                                                      to_real(lanes_load_ivec(by) - at.y))),
                                 vec2_of(lanes_load(ux), lanes_load(uy)),
                                 vec2_of(lanes_load(px), lanes_load(py)),
                                 vec2_of(lanes_load(nx), lanes_load(ny)),
                                 mask_from_bits(convex_a),
                                 mask_from_bits(convex_b)};
}
