// The nodes of a tree one after the other, depth first, by whoever knows which he wants. A node's
// parent is its sixteenth, so nothing has to be remembered of the way down.
#pragma once
#include "tree.h"

struct descent {
  const struct tree *tree;
  int level; // tree->level_count: it is over
  int64_t node;
};

INLINE void descent_begin(struct descent *d, const struct tree *tree)
{
  d->tree = tree;
  d->level = tree->level_count > 0 ? tree->level_count - 1 : 0;
  d->node = 0;
}

INLINE bool descent_over(const struct descent *d)
{
  return d->level >= d->tree->level_count;
}

INLINE void descent_into(struct descent *d) // not from a leaf
{
  d->level--;
  d->node *= TREE_WIDTH;
}

INLINE void descent_past(struct descent *d)
{
  d->node++;
  while (d->level < d->tree->level_count &&
         (d->node % TREE_WIDTH == 0 || d->node >= d->tree->level[d->level].count)) {
    d->node = (d->node - 1) / TREE_WIDTH + 1;
    d->level++;
  }
}
