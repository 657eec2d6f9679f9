#include "neighbours.h"

#include "tree_walk.h"
#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- the order

// How much wider the leaves may be than in a new order: beyond, what a step loses to them costs
// more than the order, within runs or of all. Found by trial on the standard crowd and in a city,
// where those who arrive leave gaps.
#define WORN_RUNS 1.25
#define WORN_ALL  1.08
#define WORN_TOO  1.1 // enough where another rank orders anyway: all wait for it

static void reserve(struct neighbours *n, int64_t count)
{
  if (count <= n->capacity)
    return;
  const int64_t leaves = n->capacity ? n->capacity / TREE_WIDTH + 1 : 0;
  memory_destroy(n->keys);
  memory_destroy(n->from);
  n->capacity = count + count / 8 + TREE_WIDTH;
  n->keys = memory_create((size_t)n->capacity, sizeof *n->keys);
  n->from = memory_create((size_t)n->capacity, sizeof *n->from);
  const int64_t more = n->capacity / TREE_WIDTH + 1;
  n->reach2 = memory_grow(n->reach2, (size_t)leaves, (size_t)more, sizeof *n->reach2);
  n->seen = memory_grow(n->seen, (size_t)leaves, (size_t)more, sizeof *n->seen);
}

static struct tree_key *keys_of(struct neighbours *n, const struct agents *a, int64_t first,
                                int64_t count)
{
  reserve(n, count);
#pragma omp parallel for schedule(static) if (count > PARALLEL_FROM)
  for (int64_t k = 0; k < count; k++)
    n->keys[k] = (struct tree_key){{a->x[first + k], a->y[first + k]}, (int32_t)k};
  return n->keys;
}

static void follow_keys(struct neighbours *n, struct agents *a, int64_t first, int64_t count,
                        enum agent_reach reach)
{
#pragma omp parallel for schedule(static) if (count > PARALLEL_FROM)
  for (int64_t k = 0; k < count; k++)
    n->from[k] = n->keys[k].item;
  agents_reorder(a, first, count, reach, n->from);
}

static void sort_run(struct neighbours *n, struct agents *a, int64_t first, int64_t count,
                     enum agent_reach reach)
{
  tree_order(keys_of(n, a, first, count), count);
  follow_keys(n, a, first, count, reach);
}

// Those inside come first; how many.
static int64_t settled_first(struct tree_key *keys, int64_t count, struct box settled)
{
  int64_t inside = 0;
  for (int64_t k = 0; k < count; k++) {
    const struct tree_key key = keys[k];
    keys[k] = keys[inside];
    keys[inside] = key;
    inside += box_holds(settled, key.at);
  }
  return inside;
}

// The settled make whole nodes; who is left over goes with the rim.
static void sort_all(struct neighbours *n, struct agents *a, const struct box *settled)
{
  struct tree_key *keys = keys_of(n, a, 0, a->count);
  const int64_t inside = settled ? settled_first(keys, a->count, *settled) : a->count;
  tree_order(keys, inside);
  n->rim = inside / TREE_NODE * TREE_NODE;
  tree_order(keys + n->rim, a->count - n->rim);
  follow_keys(n, a, 0, a->count, KEPT);
}

static void sort_runs(struct neighbours *n, struct agents *a)
{
  struct tree_key *keys = keys_of(n, a, 0, a->count);
  tree_order_runs(keys, n->rim);
  tree_order(keys + n->rim, a->count - n->rim);
  follow_keys(n, a, 0, a->count, KEPT);
}

// ---------------------------------------------------------------------------- the boxes

struct leaf_sum {
  double width;
  bool alike;
};

static struct leaf_sum fit_leaf(struct tree *t, int64_t leaf, const struct agents *a, int64_t first,
                                float per_quantum)
{
  const int64_t begin = first + leaf_first(leaf), end = first + leaf_end(t, leaf);
  struct box b = {{a->x[begin], a->y[begin]}, {a->x[begin], a->y[begin]}};
  float radius = a->radius[begin];
  bool alike = true;
  for (int64_t i = begin; i < end; i++) {
    b.lo.x = a->x[i] < b.lo.x ? a->x[i] : b.lo.x;
    b.lo.y = a->y[i] < b.lo.y ? a->y[i] : b.lo.y;
    b.hi.x = a->x[i] > b.hi.x ? a->x[i] : b.hi.x;
    b.hi.y = a->y[i] > b.hi.y ? a->y[i] : b.hi.y;
    radius = a->radius[i] > radius ? a->radius[i] : radius;
    alike &= a->yield[i] == 1.0f;
  }
  tree_set_leaf(t, leaf, b, radius * per_quantum);
  return (struct leaf_sum){(double)b.hi.x - b.lo.x + (double)b.hi.y - b.lo.y, alike};
}

static struct leaf_sum fit_run(struct tree *t, const struct agents *a, int64_t first, int64_t count,
                               float per_quantum)
{
  double width = 0; // steers the order, which shows in no result: its rounding may vary
  bool alike = true;
  tree_reserve(t, count);
  const int64_t leaves = count ? t->level[0].count : 0;
#pragma omp parallel for schedule(static) if (count > PARALLEL_FROM) reduction(+ : width)          \
    reduction(&& : alike)
  for (int64_t leaf = 0; leaf < leaves; leaf++) {
    const struct leaf_sum sum = fit_leaf(t, leaf, a, first, per_quantum);
    width += sum.width;
    alike = alike && sum.alike;
  }
  tree_fit(t);
  return (struct leaf_sum){width, alike};
}

bool neighbours_worn(const struct neighbours *n)
{
  return n->sorted_width <= 0 || n->width > WORN_RUNS * n->last_width;
}

// The runs are ordered anew when the leaves have worn; all of it, when that has not helped enough.
void neighbours_sort(struct neighbours *n, struct agents *a, const struct order_about *about)
{
  const bool known = n->own.count > 0 && n->sorted_width > 0;
  const double worn = about && about->others ? WORN_TOO : WORN_RUNS;
  a->ghost_count = 0;
  n->rim = n->rim < a->count ? n->rim : a->count / TREE_NODE * TREE_NODE;
  if (a->count == 0)
    return;
  if (known && n->width <= worn * n->last_width) {
    // Where nearly all stand at a border it wears like any other.
    if (about && about->has_rim && 2 * n->rim >= a->count)
      sort_run(n, a, n->rim, a->count - n->rim, KEPT);
    return;
  }
  const bool runs = known && n->last_width <= WORN_ALL * n->sorted_width;
  n->last_width = 0;
  if (runs) {
    sort_runs(n, a); // the reach of a leaf is a good guess for the one that took its place
    return;
  }
  sort_all(n, a, about && about->has_rim ? &about->settled : NULL);
  n->sorted_width = 0;
  memset(n->reach2, 0, (size_t)(n->capacity / TREE_WIDTH + 1) * sizeof *n->reach2);
}

void neighbours_forget(struct neighbours *n)
{
  n->sorted_width = 0;
}

int32_t neighbours_seen(const struct neighbours *n, int64_t i)
{
  const int64_t leaf = i / TREE_WIDTH, leaves = n->seen_count;
  return leaves == 0 ? 0 : n->seen[leaf < leaves ? leaf : leaves - 1];
}

void neighbours_expect_seen(struct neighbours *n, int64_t agents)
{
  reserve(n, agents);
  n->seen_count = (agents + TREE_WIDTH - 1) / TREE_WIDTH;
}

static float tree_radius_max(const struct tree *t)
{
  float most = 0;
  const struct tree_level *top = t->level_count ? &t->level[t->level_count - 1] : NULL;
  for (int64_t i = 0; top && i < top->count; i++)
    most = top->radius[i] > most ? top->radius[i] : most;
  return most;
}

void neighbours_build_own(struct neighbours *n, const struct frame *frame, struct agents *a)
{
  reserve(n, a->count);
  n->first_ghost = a->count;
  n->per_quantum = 1 / frame_quantum(frame);
  const struct leaf_sum own = fit_run(&n->own, a, 0, a->count, n->per_quantum);
  n->seen_count = a->count ? n->own.level[0].count : 0;
  tree_reserve(&n->ghosts, 0);
  n->alike = own.alike;
  n->width = own.width;
  n->radius_max = tree_radius_max(&n->own);
  if (n->last_width <= 0)
    n->last_width = own.width;
  if (n->sorted_width <= 0)
    n->sorted_width = own.width;
}

void neighbours_build_ghosts(struct neighbours *n, struct agents *a)
{
  const int64_t first = a->count, count = a->ghost_count;
  sort_run(n, a, first, count, SEEN);
  const struct leaf_sum ghosts = fit_run(&n->ghosts, a, first, count, n->per_quantum);
  const float radius = tree_radius_max(&n->ghosts);
  n->alike = n->alike && ghosts.alike;
  n->radius_max = radius > n->radius_max ? radius : n->radius_max;
}

void neighbours_build(struct neighbours *n, const struct frame *frame, struct agents *a)
{
  neighbours_build_own(n, frame, a);
  neighbours_build_ghosts(n, a);
}

// ---------------------------------------------------------------------------- one by one

static void search_tree(const struct tree *t, int64_t first, const struct agents *a, struct point p,
                        int32_t self, float range2, struct ranking *r)
{
  struct tree_walk walk;
  int64_t leaf;
  walk_begin(&walk, t, (struct tree_query){{p, p}, range2, 0});
  while (walk_next(&walk, &leaf)) {
    for (int64_t i = first + leaf_first(leaf); i < first + leaf_end(t, leaf); i++) {
      const float d2 = distance2(p, a->x[i], a->y[i]);
      if (i != self && d2 < range2)
        ranking_insert(r, (struct ranked){d2, (int32_t)i, a->id[i]});
    }
    if (r->count == r->room && r->room > 0)
      walk.query.range2 = r->list[r->count - 1].d2;
  }
}

void neighbours_of_one(const struct neighbours *n, const struct agents *a, struct point p,
                       int32_t self, float range2, struct ranking *r)
{
  search_tree(&n->own, 0, a, p, self, range2, r);
  search_tree(&n->ghosts, n->first_ghost, a, p, self, range2, r);
}

bool neighbours_touch(const struct neighbours *n, const struct agents *a, const struct disc *disc,
                      float per_speed)
{
  struct tree_walk walk;
  int64_t leaf;
  walk_begin(&walk, &n->own,
             (struct tree_query){{disc->at, disc->at}, disc->reach * disc->reach, 0});
  while (walk_next(&walk, &leaf))
    for (int64_t i = leaf_first(leaf); i < leaf_end(&n->own, leaf); i++) {
      const float room = disc->radius + a->radius[i] * n->per_quantum + a->max_speed[i] * per_speed;
      if (distance2(disc->at, a->x[i], a->y[i]) < room * room)
        return true;
    }
  return false;
}

static void overlaps_in(struct overlaps *o, const struct tree *t, int64_t first,
                        const struct agents *a, int64_t i, float quantum)
{
  const struct point p = {a->x[i], a->y[i]};
  struct tree_walk walk;
  int64_t leaf;
  walk_begin(&walk, t, (struct tree_query){{p, p}, 0, a->radius[i] / quantum});
  while (walk_next(&walk, &leaf))
    for (int64_t j = first + leaf_first(leaf); j < first + leaf_end(t, leaf); j++) {
      const float d2 = distance2(p, a->x[j], a->y[j]), R = a->radius[i] + a->radius[j];
      const float touch = R * (1 / quantum), depth = R - sqrtf(d2) * quantum;
      if (j == i || !(d2 < touch * touch))
        continue;
      o->count++;
      o->deepest = depth > o->deepest ? depth : o->deepest;
      o->with = a->id[j] < o->with ? a->id[j] : o->with;
    }
}

struct overlaps neighbours_overlaps(const struct neighbours *n, const struct agents *a, int64_t i,
                                    float quantum)
{
  struct overlaps o = {0, 0, INT64_MAX};
  overlaps_in(&o, &n->own, 0, a, i, quantum);
  overlaps_in(&o, &n->ghosts, n->first_ghost, a, i, quantum);
  return o;
}

void neighbours_destroy(struct neighbours *n)
{
  tree_destroy(&n->own);
  tree_destroy(&n->ghosts);
  memory_destroy(n->reach2);
  memory_destroy(n->seen);
  memory_destroy(n->keys);
  memory_destroy(n->from);
  *n = (struct neighbours){0};
}
