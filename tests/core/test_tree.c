#include "crowds.h"
#include "tree.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>

static void build(struct tree *t, const struct agents *a)
{
  tree_reserve(t, a->count);
  for (int64_t i = 0; i < a->count; i++)
    t->keys[i] = (struct tree_key){{a->x[i], a->y[i]}, (int32_t)i};
  tree_build(t, a->count);
  tree_fit(t, NULL);
}

// Returns how many leaves; every node's box is exactly round its items, every item seen once.
static int64_t judge(const struct tree *t, struct tree_node node, uint8_t *seen, struct box *box,
                     int depth)
{
  cr_assert(depth < TREE_DEPTH_MAX);
  cr_assert(node.number >= 0 && node.number < 2 * t->leaf_count - 1);
  int64_t leaves = 1;
  if (tree_is_leaf(node)) {
    const int64_t first = tree_leaf_first(node), end = tree_leaf_end(t, node);
    cr_assert(end > first && end - first <= TREE_LEAF);
    *box = (struct box){t->keys[first].at, t->keys[first].at};
    for (int64_t i = first; i < end; i++) {
      const struct point p = t->keys[i].at;
      cr_assert_not(seen[t->keys[i].item]++);
      box->lo.x = p.x < box->lo.x ? p.x : box->lo.x;
      box->lo.y = p.y < box->lo.y ? p.y : box->lo.y;
      box->hi.x = p.x > box->hi.x ? p.x : box->hi.x;
      box->hi.y = p.y > box->hi.y ? p.y : box->hi.y;
    }
  } else {
    struct box other;
    leaves = judge(t, tree_left(node), seen, box, depth + 1);
    leaves += judge(t, tree_right(node), seen, &other, depth + 1);
    box->lo.x = other.lo.x < box->lo.x ? other.lo.x : box->lo.x;
    box->lo.y = other.lo.y < box->lo.y ? other.lo.y : box->lo.y;
    box->hi.x = other.hi.x > box->hi.x ? other.hi.x : box->hi.x;
    box->hi.y = other.hi.y > box->hi.y ? other.hi.y : box->hi.y;
  }
  cr_assert_eq(memcmp(box, &t->boxes[node.number], sizeof *box), 0, "node %d", node.number);
  return leaves;
}

Test(tree, every_item_is_in_one_leaf_and_boxes_fit)
{
  static const int counts[] = {1, 2, 15, 16, 17, 32, 33, 47, 100, 255, 256, 257, 1000, 40000};
  struct tree t = {0}; // used again and again, as a step does
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 14; c++) {
      struct agents a;
      struct box box;
      crowd_make(&a, (uint64_t)c, kind, counts[c], 0);
      build(&t, &a);
      uint8_t *seen = memory_create((size_t)counts[c], 1);
      cr_assert_eq(t.leaf_count, (counts[c] + TREE_LEAF - 1) / TREE_LEAF);
      cr_assert_eq(judge(&t, tree_root(&t), seen, &box, 0), t.leaf_count);
      for (int i = 0; i < counts[c]; i++)
        cr_assert_eq(seen[i], 1);
      memory_destroy(seen);
      agents_destroy(&a);
    }
  tree_destroy(&t);
}

Test(tree, nothing_makes_an_empty_tree)
{
  struct tree t = {0};
  tree_reserve(&t, 0);
  tree_build(&t, 0);
  tree_fit(&t, NULL);
  cr_assert(t.count == 0 && t.leaf_count == 0);
  tree_destroy(&t);
}

Test(tree, boxes_of_wide_items_hold_the_items)
{
  enum { COUNT = 500 };
  static struct box boxes[COUNT];
  uint64_t r = 3;
  struct tree t = {0};
  tree_reserve(&t, COUNT);
  for (int32_t i = 0; i < COUNT; i++) {
    const struct point at = {oracle_whole(&r, -1000, 1000), oracle_whole(&r, -1000, 1000)};
    const int32_t w = oracle_whole(&r, 0, 300), h = oracle_whole(&r, 0, 300);
    boxes[i] = (struct box){{at.x - w, at.y - h}, {at.x + w, at.y + h}};
    t.keys[i] = (struct tree_key){at, i};
  }
  tree_build(&t, COUNT);
  tree_fit(&t, boxes);
  struct tree_node stack[2 * TREE_DEPTH_MAX] = {tree_root(&t)};
  for (int depth = 1; depth > 0;) {
    const struct tree_node node = stack[--depth];
    const struct box b = t.boxes[node.number];
    const int64_t first = (int64_t)node.first * TREE_LEAF, end = tree_leaf_end(&t, node);
    struct box all = boxes[t.keys[first].item];
    for (int64_t i = first; i < end; i++) {
      const struct box item = boxes[t.keys[i].item];
      all.lo.x = item.lo.x < all.lo.x ? item.lo.x : all.lo.x;
      all.lo.y = item.lo.y < all.lo.y ? item.lo.y : all.lo.y;
      all.hi.x = item.hi.x > all.hi.x ? item.hi.x : all.hi.x;
      all.hi.y = item.hi.y > all.hi.y ? item.hi.y : all.hi.y;
    }
    cr_assert_eq(memcmp(&all, &b, sizeof all), 0);
    if (!tree_is_leaf(node)) {
      stack[depth++] = tree_left(node);
      stack[depth++] = tree_right(node);
    }
  }
  tree_destroy(&t);
}
