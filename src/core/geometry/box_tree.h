// A tree over boxes whose order in memory IS the tree: leaf i holds the items [16 i, 16 i + 16),
// and a node of the next level the 16 nodes [16 j, 16 j + 16) below it. box_tree_sort makes an
// order that is good for it (a k-d tree's, Bentley 1975); with any other order the tree is slow and
// as exact: a query prunes a box only by its distance, so the set it gives never depends on the
// order.
#pragma once
#include "position.h"

#define BOX_TREE_WIDTH      16                                // items of a leaf, children of a node
#define BOX_TREE_LEVELS_MAX 8                                 // 16^8 items
#define BOX_TREE_NODE       (BOX_TREE_WIDTH * BOX_TREE_WIDTH) // items of a node of the second level

struct box_tree_level { // arrays of [count] nodes, with room for a whole vector behind
  int64_t count;
  int32_t *lo_x, *lo_y, *hi_x, *hi_y; // quanta; round all that is below the node, hi is INSIDE
  float *radius;                      // the largest below the node, quanta
};

struct box_tree {
  int64_t count;   // items
  int level_count; // 0 for an empty tree, else 2 or more; the last has at most BOX_TREE_WIDTH nodes
  struct box_tree_level level[BOX_TREE_LEVELS_MAX]; // [0]: the leaves
  int64_t capacity;
};

void box_tree_level_create(struct box_tree_level *l, int64_t capacity);
void box_tree_level_destroy(struct box_tree_level *l);
void box_tree_level_set(struct box_tree_level *l, int64_t node, struct box box, float radius);

struct box_tree_key {
  struct point at;
  int32_t item;
};

// Sorts the keys into the order of a tree over them. Linear time a level for any input, equal
// points included.
void box_tree_sort(struct box_tree_key *keys, int64_t count);
// The same within runs of BOX_TREE_RUN keys, each by itself: much cheaper, and as good while
// everybody is still near the others of the run.
#define BOX_TREE_RUN (4 * BOX_TREE_NODE)
void box_tree_sort_runs(struct box_tree_key *keys, int64_t count);

// Room for a tree over count items: the caller then sets level[0] and calls box_tree_refit.
void box_tree_reserve(struct box_tree *t, int64_t count);
void box_tree_set_leaf(struct box_tree *t, int64_t leaf, struct box box, float radius);
struct box box_tree_leaf_box(const struct box_tree *t, int64_t leaf); // hi inside
struct box box_tree_node_box(const struct box_tree *t, int level, int64_t node);
void box_tree_refit(struct box_tree *t); // the levels above the leaves
void box_tree_destroy(struct box_tree *t);
