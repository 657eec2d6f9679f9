#include "neighbours.h"

static void neighbours_reserve(struct neighbours *n, int64_t count)
{
  tree_reserve(&n->tree, count);
  if (count <= n->capacity)
    return;
  memory_destroy(n->sorted);
  memory_destroy(n->own);
  n->capacity = count + count / 8 + TREE_LEAF;
  n->sorted = memory_create((size_t)n->capacity, sizeof *n->sorted);
  n->own = memory_create((size_t)n->capacity, sizeof *n->own);
}

// The order of the last step is a good start for the tree: people move little in a step. Valid
// only while the same indices stand for about the same places, which a wrong guess does not harm.
static void refresh_keys(struct neighbours *n, const struct agents *a, int64_t count)
{
  struct tree_key *keys = n->tree.keys;
  const bool known = n->tree.count == count;
#pragma omp parallel for schedule(static) if (count > PARALLEL_FROM)
  for (int64_t s = 0; s < count; s++) {
    const int32_t i = known ? keys[s].item : (int32_t)s;
    keys[s] = (struct tree_key){{a->x[i], a->y[i]}, i};
  }
}

static void gather(struct neighbours *n, const struct agents *a, int64_t count)
{
  float largest = 0;
#pragma omp parallel for schedule(static) if (count > PARALLEL_FROM) reduction(max : largest)
  for (int64_t s = 0; s < count; s++) {
    const struct tree_key *key = &n->tree.keys[s];
    const int32_t i = key->item;
    n->sorted[s] =
        (struct neighbour){key->at.x, key->at.y, a->vx[i], a->vy[i], a->radius[i], i, a->id[i]};
    largest = a->radius[i] > largest ? a->radius[i] : largest;
  }
  n->radius_max = largest;
}

void neighbours_build(struct neighbours *n, const struct agents *a)
{
  const int64_t count = a->count + a->ghost_count;
  neighbours_reserve(n, count);
  refresh_keys(n, a, count);
  tree_build(&n->tree, count);
  tree_fit(&n->tree, NULL);
  gather(n, a, count);
  n->own_count = 0;
  for (int64_t s = 0; s < count; s++)
    if (n->sorted[s].agent < a->count)
      n->own[n->own_count++] = (int32_t)s;
}

static struct point nearest_in_box(struct point p, struct box b) // hi inside
{
  return (struct point){p.x < b.lo.x   ? b.lo.x
                        : p.x > b.hi.x ? b.hi.x
                                       : p.x,
                        p.y < b.lo.y   ? b.lo.y
                        : p.y > b.hi.y ? b.hi.y
                                       : p.y};
}

static float distance2(struct point p, int32_t x, int32_t y) // quanta^2
{
  const float dx = (float)(x - p.x), dy = (float)(y - p.y);
  return dx * dx + dy * dy;
}

static void insert_in_order(const struct neighbours *crowd, int room, float *d2, int32_t *slots,
                            float far, int32_t slot)
{
  const int64_t id = crowd->sorted[slot].id;
  int at = room;
  while (at > 0 && (far < d2[at - 1] || (far == d2[at - 1] && slots[at - 1] >= 0 &&
                                         id < crowd->sorted[slots[at - 1]].id)))
    at--;
  for (int i = room - 1; i > at; i--) {
    d2[i] = d2[i - 1];
    slots[i] = slots[i - 1];
  }
  if (at < room) {
    d2[at] = far;
    slots[at] = slot;
  }
}

void neighbours_of_one(const struct neighbours *crowd, struct point p, int32_t self, int room,
                       float range2, float *d2, int32_t *slots)
{
  const struct tree *tree = &crowd->tree;
  struct tree_node stack[2 * TREE_DEPTH_MAX];
  int depth = 0;
  for (int i = 0; i < room; i++) {
    d2[i] = range2;
    slots[i] = -1;
  }
  if (tree->count > 0)
    stack[depth++] = tree_root(tree);
  while (depth > 0) {
    const struct tree_node node = stack[--depth];
    const struct point edge = nearest_in_box(p, tree->boxes[node.number]);
    if (distance2(p, edge.x, edge.y) > d2[room - 1])
      continue;
    if (!tree_is_leaf(node)) {
      stack[depth++] = tree_right(node);
      stack[depth++] = tree_left(node);
      continue;
    }
    for (int64_t s = tree_leaf_first(node); s < tree_leaf_end(tree, node); s++) {
      const float far = distance2(p, crowd->sorted[s].x, crowd->sorted[s].y);
      if (s != self && far < range2)
        insert_in_order(crowd, room, d2, slots, far, (int32_t)s);
    }
  }
}

void neighbours_destroy(struct neighbours *n)
{
  tree_destroy(&n->tree);
  memory_destroy(n->sorted);
  memory_destroy(n->own);
  *n = (struct neighbours){0};
}
