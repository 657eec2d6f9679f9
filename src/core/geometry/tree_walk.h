// The leaves of a tree near a box, all children of a node tested side by side.
#pragma once
#include "lanes.h"
#include "tree.h"

// Wanted: nodes whose distance from `box` is at most `range`, or at most `radius` and the node's
// own radius together. Distances are float: to_real of an exact integer difference, squared and
// added, so by monotony of rounding no node is farther than anything in it.
struct tree_query {
  struct box box; // quanta, hi is inside
  float range2;   // quanta^2
  float radius;   // quanta
};

INLINE real gap(whole lo, whole hi, int32_t query_lo, int32_t query_hi)
{
  const real before = to_real(lo - all_lanes_whole(query_hi));
  const real behind = to_real(all_lanes_whole(query_lo) - hi);
  return larger(larger(before, behind), all_lanes(0));
}

INLINE mask box_wanted(const struct tree_query *q, whole lo_x, whole lo_y, whole hi_x, whole hi_y,
                       real radius)
{
  const real dx = gap(lo_x, hi_x, q->box.lo.x, q->box.hi.x);
  const real dy = gap(lo_y, hi_y, q->box.lo.y, q->box.hi.y);
  const real touch = radius + all_lanes(q->radius);
  return less_equal(dx * dx + dy * dy, larger(all_lanes(q->range2), touch * touch));
}

// One bit for each of the children [first, first + TREE_WIDTH) that are wanted.
INLINE uint32_t children_wanted(const struct tree_level *l, int64_t first,
                                const struct tree_query *q)
{
  uint32_t bits = 0;
  for (int k = 0; k < TREE_WIDTH; k += LANES) {
    const int64_t i = first + k;
    bits |= mask_bits(box_wanted(q, lanes_load_whole(l->lo_x + i), lanes_load_whole(l->lo_y + i),
                                 lanes_load_whole(l->hi_x + i), lanes_load_whole(l->hi_y + i),
                                 lanes_load(l->radius + i)))
            << k;
  }
  const int64_t left = l->count - first;
  return left < TREE_WIDTH ? bits & ((1u << left) - 1) : bits;
}

struct tree_walk {
  const struct tree *tree;
  struct tree_query query;
  int level;
  int64_t first[TREE_LEVELS_MAX]; // child of the node that the walk is in, a level
  uint32_t bits[TREE_LEVELS_MAX]; // children still to be seen
};

INLINE void walk_begin(struct tree_walk *w, const struct tree *tree, struct tree_query query)
{
  w->tree = tree;
  w->query = query;
  w->level = tree->level_count - 1;
  if (w->level < 0)
    return;
  w->first[w->level] = 0;
  w->bits[w->level] = children_wanted(&tree->level[w->level], 0, &query);
}

// The next leaf, in their order; false after the last.
INLINE bool walk_next(struct tree_walk *w, int64_t *leaf)
{
  while (w->level >= 0 && w->level < w->tree->level_count) {
    const int l = w->level;
    if (w->bits[l] == 0) {
      w->level++;
      continue;
    }
    const int64_t child = w->first[l] + bits_first(w->bits[l]);
    w->bits[l] &= w->bits[l] - 1;
    if (l == 0) {
      *leaf = child;
      return true;
    }
    w->level = l - 1;
    w->first[l - 1] = child * TREE_WIDTH;
    w->bits[l - 1] = children_wanted(&w->tree->level[l - 1], child * TREE_WIDTH, &w->query);
  }
  return false;
}

// The items of a leaf: [leaf_first, leaf_end).
INLINE int64_t leaf_first(int64_t leaf)
{
  return leaf * TREE_WIDTH;
}
INLINE int64_t leaf_end(const struct tree *t, int64_t leaf)
{
  const int64_t end = (leaf + 1) * TREE_WIDTH;
  return end < t->count ? end : t->count;
}
