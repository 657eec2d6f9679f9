#include "tree.h"

#include "base.h"

#define PARALLEL_LEAVES 1024 // a task is worth its price from here

static struct box box_union(struct box a, struct box b)
{
  return (struct box){{a.lo.x < b.lo.x ? a.lo.x : b.lo.x, a.lo.y < b.lo.y ? a.lo.y : b.lo.y},
                      {a.hi.x > b.hi.x ? a.hi.x : b.hi.x, a.hi.y > b.hi.y ? a.hi.y : b.hi.y}};
}

static int wider_axis(const struct tree_key *keys, int64_t count)
{
  struct box all = {keys[0].at, keys[0].at};
  for (int64_t i = 1; i < count; i++)
    all = box_union(all, (struct box){keys[i].at, keys[i].at});
  return (int64_t)all.hi.y - all.lo.y > (int64_t)all.hi.x - all.lo.x;
}

static int32_t along(const struct tree_key *key, int axis)
{
  return axis ? key->at.y : key->at.x;
}

// Puts the keys below the pivot first; how many. Without a branch that depends on the keys: a wrong
// guess for every other key cost three times as much.
static int64_t partition_below(struct tree_key *keys, int64_t count, int64_t pivot, int axis)
{
  int64_t below = 0;
  for (int64_t i = 0; i < count; i++) {
    const struct tree_key key = keys[i];
    keys[i] = keys[below];
    keys[below] = key;
    below += along(&key, axis) < pivot;
  }
  return below;
}

static void sort_few(struct tree_key *keys, int64_t count, int axis)
{
  for (int64_t i = 1; i < count; i++) {
    const struct tree_key key = keys[i];
    int64_t j = i;
    for (; j > 0 && along(&keys[j - 1], axis) > along(&key, axis); j--)
      keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

#define SAMPLE 15

// A value near the nth: the one of that rank in a small sample spread over the keys.
static int32_t guess_nth(const struct tree_key *keys, int64_t count, int64_t nth, int axis)
{
  struct tree_key sample[SAMPLE];
  for (int k = 0; k < SAMPLE; k++)
    sample[k] = keys[(2 * k + 1) * count / (2 * SAMPLE)];
  sort_few(sample, SAMPLE, axis);
  return along(&sample[nth * SAMPLE / count], axis);
}

// Quickselect: afterwards the keys before `nth` are not above, those from it not below.
static void select_nth(struct tree_key *keys, int64_t count, int64_t nth, int axis)
{
  while (count > SAMPLE) {
    const int64_t pivot = guess_nth(keys, count, nth, axis);
    int64_t below = partition_below(keys, count, pivot, axis);
    if (nth < below) {
      count = below;
      continue;
    }
    if (below == 0) { // nobody is below the pivot: set aside its equals, so that many people in
                      // one place stay linear
      below = partition_below(keys, count, pivot + 1, axis);
      if (nth < below)
        return;
    }
    keys += below;
    count -= below;
    nth -= below;
  }
  sort_few(keys, count, axis);
}

static void build_node(struct tree *t, struct tree_node node)
{
  if (tree_is_leaf(node))
    return;
  const int64_t first = tree_leaf_first(node), count = tree_leaf_end(t, node) - first;
  const struct tree_node left = tree_left(node), right = tree_right(node);
  struct tree_key *keys = t->keys + first;
  select_nth(keys, count, tree_leaf_end(t, left) - first, wider_axis(keys, count));
#pragma omp task if (node.end - node.first > PARALLEL_LEAVES)
  build_node(t, left);
  build_node(t, right);
#pragma omp taskwait
}

void tree_build(struct tree *t, int64_t count)
{
  t->count = count;
  t->leaf_count = (count + TREE_LEAF - 1) / TREE_LEAF;
  if (count == 0)
    return;
#pragma omp parallel if (t->leaf_count > PARALLEL_LEAVES)
#pragma omp single
  build_node(t, tree_root(t));
}

static struct box leaf_box(const struct tree *t, struct tree_node node, const struct box *boxes)
{
  const int64_t first = tree_leaf_first(node), end = tree_leaf_end(t, node);
  struct box all = {t->keys[first].at, t->keys[first].at};
  if (boxes)
    all = boxes[t->keys[first].item];
  for (int64_t i = first + 1; i < end; i++)
    all =
        box_union(all, boxes ? boxes[t->keys[i].item] : (struct box){t->keys[i].at, t->keys[i].at});
  return all;
}

static void fit_node(struct tree *t, struct tree_node node, const struct box *boxes)
{
  if (tree_is_leaf(node)) {
    t->boxes[node.number] = leaf_box(t, node, boxes);
    return;
  }
  const struct tree_node left = tree_left(node), right = tree_right(node);
#pragma omp task if (node.end - node.first > PARALLEL_LEAVES)
  fit_node(t, left, boxes);
  fit_node(t, right, boxes);
#pragma omp taskwait
  t->boxes[node.number] = box_union(t->boxes[left.number], t->boxes[right.number]);
}

void tree_fit(struct tree *t, const struct box *boxes)
{
  if (t->count == 0)
    return;
#pragma omp parallel if (t->leaf_count > PARALLEL_LEAVES)
#pragma omp single
  fit_node(t, tree_root(t), boxes);
}

void tree_reserve(struct tree *t, int64_t count)
{
  if (count > INT32_MAX / 2)
    fail(EXIT_OUR_FAULT, "%lld items in one tree: use more ranks", (long long)count);
  if (count <= t->capacity)
    return;
  tree_destroy(t);
  t->capacity = count + count / 8 + TREE_LEAF;
  t->keys = memory_create((size_t)t->capacity, sizeof *t->keys);
  t->boxes = memory_create((size_t)(2 * (t->capacity / TREE_LEAF + 1)), sizeof *t->boxes);
}

void tree_destroy(struct tree *t)
{
  memory_destroy(t->keys);
  memory_destroy(t->boxes);
  *t = (struct tree){0};
}
