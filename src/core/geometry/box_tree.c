#include "box_tree.h"

#include "base.h"
#include "lanes.h"
#include <assert.h>
#include <string.h>

#define PARALLEL_LEAVES 256 // fewer leaves are not worth an OpenMP task

// ------------------------------------------------------------------------------------ order

struct range { // of keys, along the axis on which they spread further
  int axis;
  int32_t low;
  uint32_t width;
};

static struct range wider_range(const struct box_tree_key *keys, int64_t count)
{
  int32_t lo_x = keys[0].at.x, hi_x = lo_x, lo_y = keys[0].at.y, hi_y = lo_y;
  for (int64_t i = 1; i < count; i++) {
    const struct point p = keys[i].at;
    lo_x = p.x < lo_x ? p.x : lo_x;
    hi_x = p.x > hi_x ? p.x : hi_x;
    lo_y = p.y < lo_y ? p.y : lo_y;
    hi_y = p.y > hi_y ? p.y : hi_y;
  }
  const uint32_t x = (uint32_t)hi_x - (uint32_t)lo_x, y = (uint32_t)hi_y - (uint32_t)lo_y;
  return y > x ? (struct range){1, lo_y, y} : (struct range){0, lo_x, x};
}

static int32_t coordinate(const struct box_tree_key *key, int axis)
{
  return axis ? key->at.y : key->at.x;
}

// Moves the keys below the pivot to the front; returns their number. No branch depends on the keys:
// with a branch, mispredictions made it three times slower.
static int64_t partition_below(struct box_tree_key *keys, int64_t count, int64_t pivot, int axis)
{
  int64_t below = 0;
  for (int64_t i = 0; i < count; i++) {
    const struct box_tree_key key = keys[i];
    keys[i] = keys[below];
    keys[below] = key;
    below += coordinate(&key, axis) < pivot;
  }
  return below;
}

static void insertion_sort(struct box_tree_key *keys, int64_t count, int axis)
{
  for (int64_t i = 1; i < count; i++) {
    const struct box_tree_key key = keys[i];
    int64_t j = i;
    for (; j > 0 && coordinate(&keys[j - 1], axis) > coordinate(&key, axis); j--)
      keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

#define SAMPLE_SIZE 15

// A value near the nth: the corresponding element of a small sample spread over the keys.
static int32_t estimate_nth(const struct box_tree_key *keys, int64_t count, int64_t nth, int axis)
{
  struct box_tree_key sample[SAMPLE_SIZE];
  for (int k = 0; k < SAMPLE_SIZE; k++)
    sample[k] = keys[(2 * k + 1) * count / (2 * SAMPLE_SIZE)];
  insertion_sort(sample, SAMPLE_SIZE, axis);
  return coordinate(&sample[nth * SAMPLE_SIZE / count], axis);
}

#define RANKED      64 // at most as many keys are sorted by counting
#define RANKED_BITS 6

_Static_assert(LANES == 4, "rank_of adds four lanes");

INLINE int32_t rank_of(const int32_t *value, const int count, int32_t of)
{
  ivec smaller = splat_ivec(0);
  UNROLL
  for (int k = 0; k < count; k += LANES)
    smaller -= ivec_less(lanes_load_ivec(value + k), splat_ivec(of)); // -1 where it is less
  return smaller[0] + smaller[1] + smaller[2] + smaller[3];
}

// Sorts a few keys by the number of smaller ones, without a branch on any of them. Their number in
// the low bits tells equal ones apart. Where the range has more bits than are left, what differs
// less than that stays as it is: boxes become hardly larger.
static void sort_by_rank(struct box_tree_key *keys, int count, struct range along)
{
  int32_t value[RANKED];
  struct box_tree_key sorted[RANKED];
  const int bits = along.width ? 32 - __builtin_clz(along.width) : 0;
  const int excess = bits > 31 - RANKED_BITS ? bits - (31 - RANKED_BITS) : 0;
  for (int i = 0; i < RANKED; i++) {
    const int32_t at = i < count ? coordinate(&keys[i], along.axis) : 0;
    const uint32_t offset = ((uint32_t)at - (uint32_t)along.low) >> excess;
    value[i] = i < count ? (int32_t)(offset << RANKED_BITS | (uint32_t)i) : INT32_MAX;
  }
  for (int i = 0; i < count; i++)
    sorted[count <= RANKED / 2 ? rank_of(value, RANKED / 2, value[i])
                               : rank_of(value, RANKED, value[i])] = keys[i];
  memcpy(keys, sorted, (size_t)count * sizeof *keys);
}

// Quickselect: afterwards no key before `nth` is greater than a key from `nth` on, but for what
// sort_by_rank leaves as it is.
static void select_nth(struct box_tree_key *keys, int64_t count, int64_t nth, struct range along)
{
  const int axis = along.axis;
  while (count > RANKED) {
    const int64_t pivot = estimate_nth(keys, count, nth, axis);
    int64_t below = partition_below(keys, count, pivot, axis);
    if (nth < below) {
      count = below;
      continue;
    }
    if (below == 0) { // no key is below the pivot: split off its equals, or equal keys cost O(n^2)
      below = partition_below(keys, count, pivot + 1, axis);
      if (nth < below)
        return;
    }
    keys += below;
    count -= below;
    nth -= below;
  }
  sort_by_rank(keys, (int)count, along);
}

// Where to split a run of leaves: near the middle, but at a multiple of a node's size, so that each
// node of the levels above is a run of this recursion and therefore compact.
static int64_t left_leaf_count(int64_t leaves)
{
  int64_t unit = 1;
  while (unit * BOX_TREE_WIDTH < leaves)
    unit *= BOX_TREE_WIDTH;
  const int64_t half = (leaves + unit) / (2 * unit) * unit;
  return half > 0 ? half : unit;
}

static void order_run(struct box_tree_key *keys, int64_t count)
{
  const int64_t leaves = (count + BOX_TREE_WIDTH - 1) / BOX_TREE_WIDTH;
  if (leaves <= 1)
    return;
  const int64_t left = left_leaf_count(leaves) * BOX_TREE_WIDTH;
  select_nth(keys, count, left, wider_range(keys, count));
#pragma omp task if (leaves > PARALLEL_LEAVES)
  order_run(keys, left);
  order_run(keys + left, count - left);
#pragma omp taskwait
}

void box_tree_sort(struct box_tree_key *keys, int64_t count)
{
#pragma omp parallel if (count > PARALLEL_LEAVES * BOX_TREE_WIDTH)
#pragma omp single
  order_run(keys, count);
}

void box_tree_sort_run(struct box_tree_key *keys, int64_t count)
{
  assert(count <= BOX_TREE_RUN);
  order_run(keys, count);
}

// ------------------------------------------------------------------------------------ boxes

static int64_t parent_count(int64_t count)
{
  return (count + BOX_TREE_WIDTH - 1) / BOX_TREE_WIDTH;
}

void box_tree_level_destroy(struct box_tree_level *l)
{
  memory_destroy(l->lo_x);
  memory_destroy(l->lo_y);
  memory_destroy(l->hi_x);
  memory_destroy(l->hi_y);
  memory_destroy(l->radius);
  *l = (struct box_tree_level){0};
}

void box_tree_level_create(struct box_tree_level *l, int64_t capacity)
{
  const size_t room = (size_t)capacity + BOX_TREE_WIDTH;
  l->lo_x = memory_create(room, sizeof *l->lo_x);
  l->lo_y = memory_create(room, sizeof *l->lo_y);
  l->hi_x = memory_create(room, sizeof *l->hi_x);
  l->hi_y = memory_create(room, sizeof *l->hi_y);
  l->radius = memory_create(room, sizeof *l->radius);
}

void box_tree_reserve(struct box_tree *t, int64_t count)
{
  if (count > INT32_MAX / 2)
    fail(EXIT_INTERNAL_ERROR, "%lld items in one tree: use more ranks", (long long)count);
  if (count > t->capacity) {
    box_tree_destroy(t);
    t->capacity = count + count / 8 + BOX_TREE_WIDTH;
    int64_t nodes = t->capacity;
    for (int l = 0; l < BOX_TREE_LEVELS_MAX; l++)
      box_tree_level_create(&t->level[l], nodes = parent_count(nodes));
  }
  t->count = count;
  t->level_count = 0;
  for (int64_t nodes = count; nodes > (t->level_count < 2 ? 0 : BOX_TREE_WIDTH);)
    t->level[t->level_count++].count = nodes = parent_count(nodes);
}

void box_tree_level_set(struct box_tree_level *l, int64_t node, struct box box, float radius)
{
  l->lo_x[node] = box.lo.x;
  l->lo_y[node] = box.lo.y;
  l->hi_x[node] = box.hi.x;
  l->hi_y[node] = box.hi.y;
  l->radius[node] = radius;
}

void box_tree_set_leaf(struct box_tree *t, int64_t leaf, struct box box, float radius)
{
  box_tree_level_set(&t->level[0], leaf, box, radius);
}

struct box box_tree_node_box(const struct box_tree *t, int level, int64_t node)
{
  return box_tree_level_box(&t->level[level], node);
}

struct box box_tree_leaf_box(const struct box_tree *t, int64_t leaf)
{
  return box_tree_node_box(t, 0, leaf);
}

static void refit_node(const struct box_tree_level *below, struct box_tree_level *l, int64_t node)
{
  const int64_t first = node * BOX_TREE_WIDTH, last = first + BOX_TREE_WIDTH;
  const int64_t end = last < below->count ? last : below->count;
  struct box all = box_tree_level_box(below, first);
  float radius = below->radius[first];
  for (int64_t i = first + 1; i < end; i++) {
    all = box_union(all, box_tree_level_box(below, i));
    radius = below->radius[i] > radius ? below->radius[i] : radius;
  }
  box_tree_level_set(l, node, all, radius);
}

static void refit_levels(struct box_tree *t)
{
  for (int l = 1; l < t->level_count; l++) {
    struct box_tree_level *level = &t->level[l];
#pragma omp parallel for schedule(static) if (level->count > PARALLEL_LEAVES)
    for (int64_t node = 0; node < level->count; node++)
      refit_node(&t->level[l - 1], level, node);
  }
}

static bool box_contains(struct box outer, struct box inner) // hi inside
{
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.hi.x >= inner.hi.x &&
         outer.hi.y >= inner.hi.y;
}

static bool level_is_valid(const struct box_tree *t, int l)
{
  const struct box_tree_level *below = &t->level[l - 1], *level = &t->level[l];
  if (level->count != parent_count(below->count))
    return false;
  for (int64_t i = 0; i < below->count; i++)
    if (!box_contains(box_tree_level_box(level, i / BOX_TREE_WIDTH),
                      box_tree_level_box(below, i)) ||
        !(level->radius[i / BOX_TREE_WIDTH] >= below->radius[i]))
      return false;
  return true;
}

bool box_tree_is_valid(const struct box_tree *t)
{
  if (t->level_count == 0)
    return t->count == 0;
  if (t->level[0].count != parent_count(t->count))
    return false;
  for (int l = 1; l < t->level_count; l++)
    if (!level_is_valid(t, l))
      return false;
  return t->level_count >= 2 && t->level[t->level_count - 1].count <= BOX_TREE_WIDTH;
}

void box_tree_refit(struct box_tree *t)
{
  refit_levels(t);
  assert(box_tree_is_valid(t));
}

void box_tree_destroy(struct box_tree *t)
{
  for (int l = 0; l < BOX_TREE_LEVELS_MAX; l++)
    box_tree_level_destroy(&t->level[l]);
  *t = (struct box_tree){0};
}
