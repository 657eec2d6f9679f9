// A tree over boxes whose order in memory IS the tree: leaf i holds the items [16 i, 16 i + 16),
// and a node of the next level the 16 nodes [16 j, 16 j + 16) below it. tree_order makes an order
// that is good for it (a k-d tree's, Bentley 1975); with any other order the tree is slow and as
// exact: a query prunes a box only by its distance, so the set it gives never depends on the order.
#pragma once
#include "position.h"

#define TREE_WIDTH      16                        // items of a leaf, children of a node
#define TREE_LEVELS_MAX 8                         // 16^8 items
#define TREE_NODE       (TREE_WIDTH * TREE_WIDTH) // items of a node of the second level

struct tree_level { // arrays of [count] nodes, with room for a whole vector behind
  int64_t count;
  int32_t *lo_x, *lo_y, *hi_x, *hi_y; // quanta; round all that is below the node, hi is INSIDE
  float *radius;                      // the largest below the node, quanta
};

struct tree {
  int64_t count;   // items
  int level_count; // 0 for an empty tree, else 2 or more; the last has at most TREE_WIDTH nodes
  struct tree_level level[TREE_LEVELS_MAX]; // [0]: the leaves
  int64_t capacity;
};

void tree_level_create(struct tree_level *l, int64_t capacity);
void tree_level_destroy(struct tree_level *l);
void tree_level_set(struct tree_level *l, int64_t node, struct box box, float radius);

struct tree_key {
  struct point at;
  int32_t item;
};

// Sorts the keys into the order of a tree over them. Linear time a level for any input, equal
// points included.
void tree_order(struct tree_key *keys, int64_t count);
// The same within runs of TREE_RUN keys, each by itself: much cheaper, and as good while everybody
// is still near the others of the run.
#define TREE_RUN (4 * TREE_NODE)
void tree_order_runs(struct tree_key *keys, int64_t count);

// Room for a tree over count items: the caller then sets level[0] and calls tree_fit.
void tree_reserve(struct tree *t, int64_t count);
void tree_set_leaf(struct tree *t, int64_t leaf, struct box box, float radius);
struct box tree_leaf_box(const struct tree *t, int64_t leaf); // hi inside
struct box tree_node_box(const struct tree *t, int level, int64_t node);
void tree_fit(struct tree *t); // the levels above the leaves
void tree_destroy(struct tree *t);
