// Depth-first traversal of a tree in which the caller decides which nodes to enter. It needs no
// stack: the parent of node j is node j / 16.
#pragma once
#include "box_tree.h"

struct box_tree_descent {
  const struct box_tree *tree;
  int level; // tree->level_count: the traversal is done
  int64_t node;
};

INLINE void box_tree_descent_begin(struct box_tree_descent *d, const struct box_tree *tree)
{
  d->tree = tree;
  d->level = tree->level_count > 0 ? tree->level_count - 1 : 0;
  d->node = 0;
}

INLINE bool box_tree_descent_done(const struct box_tree_descent *d)
{
  return d->level >= d->tree->level_count;
}

INLINE void box_tree_descent_enter(struct box_tree_descent *d) // d->level > 0
{
  d->level--;
  d->node *= BOX_TREE_WIDTH;
}

INLINE void box_tree_descent_skip(struct box_tree_descent *d)
{
  d->node++;
  while (d->level < d->tree->level_count &&
         (d->node % BOX_TREE_WIDTH == 0 || d->node >= d->tree->level[d->level].count)) {
    d->node = (d->node - 1) / BOX_TREE_WIDTH + 1;
    d->level++;
  }
}
