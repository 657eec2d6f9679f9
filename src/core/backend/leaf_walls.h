// The list of walls of a leaf: whether it still holds, and a new one (wall_lists.h).
#pragma once
#include "perceive.h"

// first: agent, of a leaf with all its items.
INLINE bool leaf_walls_hold(const struct wall_list *l, const struct job *job, int64_t first)
{
  const struct agents *a = job->a;
  const real skin = splat(WALL_LIST_SKIN / job->quantum), reach = splat(l->reach);
  mask beyond = mask_none();
  for (int k = 0; k < BOX_TREE_WIDTH; k += LANES) {
    const real x = to_real(lanes_load_ivec(a->x + first + k) - lanes_load_ivec(l->x + k));
    const real y = to_real(lanes_load_ivec(a->y + first + k) - lanes_load_ivec(l->y + k));
    beyond = beyond | less(skin, max_real(magnitude(x), magnitude(y))) |
             less(reach, wall_reach(job, first + k));
  }
  return !any(beyond);
}

// The agents of a leaf, and how far from them walls are wanted, quanta.
struct leaf_walls_query {
  const struct agents *a;
  int64_t first;
  float range2;
};

// Of the items of a leaf of the walls' tree in `bits`, those whose boxes are in range of an agent.
INLINE void leaf_walls_append(struct wall_list *l, const struct obstacles *o, int64_t begin,
                              uint32_t bits, const struct leaf_walls_query *q)
{
  for (; bits && l->count != WALL_LIST_FULL; bits &= bits - 1) {
    const int64_t item = begin + lowest_bit(bits);
    const struct box_tree_query near = {box_tree_level_box(&o->boxes, item), q->range2, 0};
    mask wanted = mask_none();
    for (int k = 0; k < BOX_TREE_WIDTH; k += LANES) {
      const ivec x = lanes_load_ivec(q->a->x + q->first + k);
      const ivec y = lanes_load_ivec(q->a->y + q->first + k);
      wanted = wanted | box_tree_query_matches(&near, x, y, x, y, splat(0));
    }
    if (!any(wanted))
      continue;
    if (l->count < WALL_LIST_MAX)
      l->number[l->count++] = o->order[item];
    else
      l->count = WALL_LIST_FULL;
  }
}

// The walls within reach of an agent that has moved by the skin along both axes, and some more: as
// near_walls_search. box: around the leaf.
static void leaf_walls_make(struct wall_list *l, const struct job *job,
                            const struct nearby *wall_leaves, int64_t first, struct box box)
{
  const struct obstacles *o = &job->in->world->obstacles;
  struct wall_cursor cursor;
  float reach = 0;
  for (int k = 0; k < BOX_TREE_WIDTH; k += LANES) {
    lanes_store_ivec(l->x + k, lanes_load_ivec(job->a->x + first + k));
    lanes_store_ivec(l->y + k, lanes_load_ivec(job->a->y + first + k));
    reach = reduce_max(mask_from_bits(ALL_LANES_BITS), wall_reach(job, first + k), reach);
  }
  l->reach = reach;
  l->count = 0;
  wall_cursor_begin(&cursor, o, wall_leaves, box, reach + 1.5f * WALL_LIST_SKIN / job->quantum);
  const struct leaf_walls_query of_leaf = {job->a, first, cursor.query.range2};
  while (l->count != WALL_LIST_FULL && wall_cursor_next_leaf(&cursor)) {
    const int64_t begin = box_tree_leaf_begin(cursor.leaf);
    leaf_walls_append(l, o, begin, box_tree_query_children(&o->boxes, begin, &cursor.query),
                      &of_leaf);
  }
}

// NULL: search. box: around the leaf.
static const struct wall_list *leaf_walls_find(const struct job *job,
                                               const struct nearby *wall_leaves, int64_t leaf,
                                               struct box box)
{
  const struct wall_lists *lists = job->in->wall_lists;
  const int64_t first = box_tree_leaf_begin(leaf);
  if (!lists || job->in->world->obstacles.count == 0 || first + BOX_TREE_WIDTH > job->a->count)
    return NULL;
  struct wall_list *l = &lists->of_leaf[leaf];
  if (!leaf_walls_hold(l, job, first))
    leaf_walls_make(l, job, wall_leaves, first, box);
  for (int32_t k = 0; k < l->count; k++) // read after the neighbours are found
    __builtin_prefetch(&job->in->world->obstacles.walls[l->number[k]]);
  return l->count == WALL_LIST_FULL ? NULL : l;
}
