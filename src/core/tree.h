// A k-d tree over points or small boxes: full leaves of TREE_LEAF items, nodes in preorder,
// nothing but integers (Bentley 1975). The shape of the tree never shows in a result: queries
// prune a box only when its bound is strictly worse, so every tree gives the same set.
#pragma once
#include "position.h"

#define TREE_LEAF 16

struct tree_key {
  struct point at; // what the tree is cut by: the point, or the middle of the box
  int32_t item;
};

struct tree {
  int64_t count; // items
  int64_t leaf_count;
  struct tree_key *keys; // [count], leaf by leaf
  struct box *boxes;     // [2 * leaf_count - 1] round the items of a node; hi is INSIDE here
  int64_t capacity;
};

// A node is known by its number and its range of leaves [first, end).
struct tree_node {
  int32_t number, first, end;
};
static inline struct tree_node tree_root(const struct tree *t)
{
  return (struct tree_node){0, 0, (int32_t)t->leaf_count};
}
static inline bool tree_is_leaf(struct tree_node n)
{
  return n.end - n.first == 1;
}
static inline struct tree_node tree_left(struct tree_node n)
{
  return (struct tree_node){n.number + 1, n.first, n.first + (n.end - n.first) / 2};
}
static inline struct tree_node tree_right(struct tree_node n)
{
  const int32_t middle = n.first + (n.end - n.first) / 2;
  return (struct tree_node){n.number + 2 * (middle - n.first), middle, n.end};
}
// The items of a leaf: keys[first .. end).
static inline int64_t tree_leaf_first(struct tree_node n)
{
  return (int64_t)n.first * TREE_LEAF;
}
static inline int64_t tree_leaf_end(const struct tree *t, struct tree_node n)
{
  const int64_t end = (int64_t)n.end * TREE_LEAF;
  return end < t->count ? end : t->count;
}

// Room for count items: the caller then fills keys[0 .. count).
void tree_reserve(struct tree *t, int64_t count);
// Puts the keys into leaves. Deep enough for any input, equal points included.
void tree_build(struct tree *t, int64_t count);
// Boxes round the items of every node; boxes[count] by item, hi inside; NULL: the keys' points.
void tree_fit(struct tree *t, const struct box *boxes);
void tree_destroy(struct tree *t);

#define TREE_DEPTH_MAX 32 // of a walk's stack: halving 2^31 leaves
