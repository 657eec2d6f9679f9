// An implicit bounding-box tree: leaf i holds the items [16 i, 16 i + 16), and node j of the next
// level the nodes [16 j, 16 j + 16) of the level below. box_tree_sort puts items into the order of
// a k-d tree (Bentley 1975), for which the boxes are small. With any other order queries are slower
// and equally exact: a query prunes a box by its distance only, so the items it finds do not depend
// on the order.
#pragma once
#include "position.h"

#define BOX_TREE_WIDTH      16                                // items per leaf, children per node
#define BOX_TREE_LEVELS_MAX 8                                 // enough for 16^8 items
#define BOX_TREE_NODE       (BOX_TREE_WIDTH * BOX_TREE_WIDTH) // items per node of the second level

struct box_tree_level { // arrays of [count] nodes, readable for one more vector
  int64_t count;
  int32_t *lo_x, *lo_y, *hi_x, *hi_y; // bounding box of all items below the node, quanta; hi inside
  float *radius;                      // largest radius of the items below the node, quanta
};

struct box_tree {
  int64_t count;   // items
  int level_count; // 0 if empty, else >= 2; the last level has at most BOX_TREE_WIDTH nodes
  struct box_tree_level level[BOX_TREE_LEVELS_MAX]; // [0]: the leaves
  int64_t capacity;
};

void box_tree_level_create(struct box_tree_level *l, int64_t capacity);
void box_tree_level_destroy(struct box_tree_level *l);
INLINE struct box box_tree_level_box(const struct box_tree_level *l, int64_t node) // hi inside
{
  return (struct box){{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}};
}
void box_tree_level_set(struct box_tree_level *l, int64_t node, struct box box, float radius);

struct box_tree_key {
  struct point at;
  int32_t item;
};

// Sorts the keys into the order of a tree over them. Time per level is linear for any input,
// including equal points. Uses OpenMP tasks.
void box_tree_sort(struct box_tree_key *keys, int64_t count);
// Sorts a run, at most BOX_TREE_RUN keys, on one thread. Sorting some runs is much cheaper than
// sorting everything, and as good as long as the items of a run are still near each other.
#define BOX_TREE_RUN (4 * BOX_TREE_NODE)
void box_tree_sort_run(struct box_tree_key *keys, int64_t count);

// Reserves memory for a tree over count items and sets the sizes of its levels. The caller then
// sets the leaves and calls box_tree_refit.
void box_tree_reserve(struct box_tree *t, int64_t count);
void box_tree_set_leaf(struct box_tree *t, int64_t leaf, struct box box, float radius);
struct box box_tree_leaf_box(const struct box_tree *t, int64_t leaf); // hi inside
struct box box_tree_node_box(const struct box_tree *t, int level, int64_t node);
void box_tree_refit(struct box_tree *t); // computes the levels above the leaves
// The levels have the sizes that `count` implies, and each node contains its children.
bool box_tree_is_valid(const struct box_tree *t);
void box_tree_destroy(struct box_tree *t);
