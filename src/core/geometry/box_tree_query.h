// Iterates over the leaves of a tree near a box. The children of a node are tested in lanes.
#pragma once
#include "box_tree.h"
#include "lanes.h"

// Matches nodes whose distance from `box` is at most sqrt(range2), or at most `radius` plus the
// node's radius. Distances are float: to_real of an exact integer difference, squared and added.
// Rounding is monotone, so no node is farther than an item in it.
struct box_tree_query {
  struct box box; // quanta, hi is inside
  float range2;   // quanta^2
  float radius;   // quanta
};

INLINE real axis_gap(ivec lo, ivec hi, int32_t query_lo, int32_t query_hi)
{
  return largest_to_real(lo - splat_ivec(query_hi), splat_ivec(query_lo) - hi);
}

INLINE mask box_tree_query_matches(const struct box_tree_query *q, ivec lo_x, ivec lo_y, ivec hi_x,
                                   ivec hi_y, real radius)
{
  const real dx = axis_gap(lo_x, hi_x, q->box.lo.x, q->box.hi.x);
  const real dy = axis_gap(lo_y, hi_y, q->box.lo.y, q->box.hi.y);
  const real touch = radius + splat(q->radius);
  return less_equal(dx * dx + dy * dy, max_real(splat(q->range2), touch * touch));
}

// One bit for each of the children [first, first + BOX_TREE_WIDTH); set if the child matches.
INLINE uint32_t box_tree_query_children(const struct box_tree_level *l, int64_t first,
                                        const struct box_tree_query *q)
{
  uint32_t bits = 0;
  for (int k = 0; k < BOX_TREE_WIDTH; k += LANES) {
    const int64_t i = first + k;
    bits |=
        mask_bits(box_tree_query_matches(q, lanes_load_ivec(l->lo_x + i),
                                         lanes_load_ivec(l->lo_y + i), lanes_load_ivec(l->hi_x + i),
                                         lanes_load_ivec(l->hi_y + i), lanes_load(l->radius + i)))
        << k;
  }
  const int64_t left = l->count - first;
  return left < BOX_TREE_WIDTH ? bits & ((1u << left) - 1) : bits;
}

struct box_tree_cursor {
  const struct box_tree *tree;
  struct box_tree_query query;
  int level;
  int64_t first[BOX_TREE_LEVELS_MAX]; // by level: first child of the current node
  uint32_t bits[BOX_TREE_LEVELS_MAX]; // by level: matching children not yet visited
};

INLINE void box_tree_query_begin(struct box_tree_cursor *c, const struct box_tree *tree,
                                 struct box_tree_query query)
{
  c->tree = tree;
  c->query = query;
  c->level = tree->level_count - 1;
  if (c->level < 0)
    return;
  c->first[c->level] = 0;
  c->bits[c->level] = box_tree_query_children(&tree->level[c->level], 0, &query);
}

// Goes on to the next node of the second level with leaves not yet visited; false after the last.
INLINE bool box_tree_query_descend(struct box_tree_cursor *c)
{
  while (c->level >= 0 && c->level < c->tree->level_count) {
    const int l = c->level;
    if (c->bits[l] == 0) {
      c->level++;
      continue;
    }
    if (l == 0)
      return true;
    const int64_t child = c->first[l] + lowest_bit(c->bits[l]);
    c->bits[l] &= c->bits[l] - 1;
    c->level = l - 1;
    c->first[l - 1] = child * BOX_TREE_WIDTH;
    c->bits[l - 1] =
        box_tree_query_children(&c->tree->level[l - 1], child * BOX_TREE_WIDTH, &c->query);
  }
  return false;
}

// The next matching leaf, in ascending order; false after the last.
INLINE bool box_tree_query_next(struct box_tree_cursor *c, int64_t *leaf)
{
  if (!box_tree_query_descend(c))
    return false;
  *leaf = c->first[0] + lowest_bit(c->bits[0]);
  c->bits[0] &= c->bits[0] - 1;
  return true;
}

// The same for all matching leaves of a node at once: *first + i for each bit i that is set.
INLINE bool box_tree_query_next_leaves(struct box_tree_cursor *c, int64_t *first, uint32_t *bits)
{
  if (!box_tree_query_descend(c))
    return false;
  *first = c->first[0];
  *bits = c->bits[0];
  c->bits[0] = 0;
  return true;
}

// The items of a leaf: [box_tree_leaf_begin, box_tree_leaf_end).
INLINE int64_t box_tree_leaf_begin(int64_t leaf)
{
  return leaf * BOX_TREE_WIDTH;
}
INLINE int64_t box_tree_leaf_end(const struct box_tree *t, int64_t leaf)
{
  const int64_t end = (leaf + 1) * BOX_TREE_WIDTH;
  return end < t->count ? end : t->count;
}
