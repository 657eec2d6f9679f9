#include "neighbours_order.h"

#include "box_tree_query.h"
#include <assert.h>
#include <math.h>

// ------------------------------------------------------------------------------------ boxes

// Returns whether every agent of the leaf has yield 1. Adds half the leaf's perimeter to *width.
static bool refit_leaf(struct box_tree *t, int64_t leaf, const struct agents *a, int64_t first,
                       float quanta_per_metre, double *width)
{
  const int64_t begin = first + box_tree_leaf_begin(leaf), end = first + box_tree_leaf_end(t, leaf);
  struct box b = {{a->x[begin], a->y[begin]}, {a->x[begin], a->y[begin]}};
  float radius = a->radius[begin];
  bool uniform_yield = true;
  for (int64_t i = begin; i < end; i++) {
    b.lo.x = a->x[i] < b.lo.x ? a->x[i] : b.lo.x;
    b.lo.y = a->y[i] < b.lo.y ? a->y[i] : b.lo.y;
    b.hi.x = a->x[i] > b.hi.x ? a->x[i] : b.hi.x;
    b.hi.y = a->y[i] > b.hi.y ? a->y[i] : b.hi.y;
    radius = a->radius[i] > radius ? a->radius[i] : radius;
    uniform_yield &= a->yield[i] == 1.0f;
  }
  box_tree_set_leaf(t, leaf, b, radius * quanta_per_metre);
  *width += (double)b.hi.x - b.lo.x + (double)b.hi.y - b.lo.y;
  return uniform_yield;
}

// node_width: NULL or [nodes of the second level], set. Returns whether every agent has yield 1.
static bool refit_run(struct box_tree *t, const struct agents *a, int64_t first, int64_t count,
                      float quanta_per_metre, double *node_width)
{
  bool uniform_yield = true;
  box_tree_reserve(t, count);
  const int64_t leaves = count ? t->level[0].count : 0;
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN_ITEMS)                          \
    reduction(&& : uniform_yield)
  for (int64_t begin = 0; begin < leaves; begin += BOX_TREE_WIDTH) {
    const int64_t end = begin + BOX_TREE_WIDTH < leaves ? begin + BOX_TREE_WIDTH : leaves;
    double width = 0;
    for (int64_t leaf = begin; leaf < end; leaf++)
      uniform_yield = refit_leaf(t, leaf, a, first, quanta_per_metre, &width) && uniform_yield;
    if (node_width)
      node_width[begin / BOX_TREE_WIDTH] = width;
  }
  box_tree_refit(t);
  return uniform_yield;
}

int32_t neighbours_count_hint(const struct neighbours *n, int64_t i)
{
  const int64_t leaf = i / BOX_TREE_WIDTH, leaves = n->leaf_count;
  return leaves == 0 ? 0 : n->neighbour_counts[leaf < leaves ? leaf : leaves - 1];
}

void neighbours_reserve_counts(struct neighbours *n, int64_t agents)
{
  neighbours_order_reserve(n, agents);
  n->leaf_count = (agents + BOX_TREE_WIDTH - 1) / BOX_TREE_WIDTH;
}

static float top_radius_max(const struct box_tree *t)
{
  float most = 0;
  const struct box_tree_level *top = t->level_count ? &t->level[t->level_count - 1] : NULL;
  for (int64_t i = 0; top && i < top->count; i++)
    most = top->radius[i] > most ? top->radius[i] : most;
  return most;
}

bool neighbours_is_valid(const struct neighbours *n, const struct agents *a)
{
  return n->own.count == a->count && n->first_ghost == a->count &&
         (n->ghosts.count == 0 || n->ghosts.count == a->ghost_count) && n->quanta_per_metre > 0 &&
         n->border_layer % BOX_TREE_NODE == 0;
}

void neighbours_build_own(struct neighbours *n, const struct frame *frame, struct agents *a)
{
  assert(agents_is_valid(a));
  neighbours_order_reserve(n, a->count);
  n->first_ghost = a->count;
  n->quanta_per_metre = 1 / frame_quantum(frame);
  n->uniform_yield = refit_run(&n->own, a, 0, a->count, n->quanta_per_metre, n->node_width);
  n->leaf_count = a->count ? n->own.level[0].count : 0;
  box_tree_reserve(&n->ghosts, 0);
  n->radius_max = top_radius_max(&n->own);
  neighbours_order_note_widths(n);
}

// The columns of SCOPE_STEP are in use.
static void sort_ghosts(struct neighbours *n, struct agents *a)
{
  if (a->ghost_count > n->ghost_capacity) {
    memory_destroy(n->ghost_memory);
    n->ghost_capacity = a->ghost_count + a->ghost_count / 8 + AGENT_PADDING;
    n->ghost_memory = memory_create((size_t)n->ghost_capacity + AGENT_PADDING, AGENTS_SPARE);
  }
  if (a->ghost_count == 0)
    return;
  neighbours_order_sort(a, a->count, a->ghost_count, SCOPE_GHOST, n->ghost_memory);
}

void neighbours_build_ghosts(struct neighbours *n, struct agents *a)
{
  const int64_t first = a->count, count = a->ghost_count;
  assert(agents_is_valid(a) && neighbours_is_valid(n, a));
  sort_ghosts(n, a);
  const bool uniform_yield = refit_run(&n->ghosts, a, first, count, n->quanta_per_metre, NULL);
  const float radius = top_radius_max(&n->ghosts);
  n->uniform_yield = n->uniform_yield && uniform_yield;
  n->radius_max = radius > n->radius_max ? radius : n->radius_max;
}

void neighbours_build(struct neighbours *n, const struct frame *frame, struct agents *a)
{
  neighbours_build_own(n, frame, a);
  neighbours_build_ghosts(n, a);
}

// --------------------------------------------------------------------------------- queries

struct search {
  struct point p;
  int32_t self;
  float range2; // quanta^2
};

// first: index of the agent that is item 0 of the tree.
static void search_tree(const struct box_tree *t, int64_t first, const struct agents *a,
                        const struct search *s, struct nearest_list *r)
{
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, t, (struct box_tree_query){{s->p, s->p}, s->range2, 0});
  while (box_tree_query_next(&cursor, &leaf)) {
    for (int64_t i = first + box_tree_leaf_begin(leaf); i < first + box_tree_leaf_end(t, leaf);
         i++) {
      const float d2 = float_distance2(s->p, a->x[i], a->y[i]);
      if (i != s->self && d2 < s->range2)
        nearest_list_insert(r, (struct nearest_entry){d2, (int32_t)i, a->id[i]});
    }
    if (r->count == r->room && r->room > 0)
      cursor.query.range2 = r->list[r->count - 1].d2;
  }
}

void neighbours_search_reference(const struct neighbours *n, const struct agents *a, struct point p,
                                 int32_t self, float range2, struct nearest_list *r)
{
  assert(neighbours_is_valid(n, a) && r->room <= NEIGHBOURS_MAX);
  const struct search search = {p, self, range2};
  search_tree(&n->own, 0, a, &search, r);
  search_tree(&n->ghosts, n->first_ghost, a, &search, r);
}

bool neighbours_probe(const struct neighbours *n, const struct agents *a, const struct disc *disc,
                      float quanta_per_speed)
{
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, &n->own,
                       (struct box_tree_query){{disc->at, disc->at}, disc->reach * disc->reach, 0});
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t i = box_tree_leaf_begin(leaf); i < box_tree_leaf_end(&n->own, leaf); i++) {
      const float room =
          disc->radius + a->radius[i] * n->quanta_per_metre + a->max_speed[i] * quanta_per_speed;
      if (float_distance2(disc->at, a->x[i], a->y[i]) < room * room)
        return true;
    }
  return false;
}

static void overlaps_in(struct overlaps *o, const struct neighbours *n, bool ghosts,
                        const struct agents *a, int64_t i, float quantum)
{
  const struct box_tree *t = ghosts ? &n->ghosts : &n->own;
  const int64_t first = ghosts ? n->first_ghost : 0;
  const float contact = 1 - n->squeeze;
  const struct point p = {a->x[i], a->y[i]};
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, t, (struct box_tree_query){{p, p}, 0, a->radius[i] / quantum});
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t j = first + box_tree_leaf_begin(leaf); j < first + box_tree_leaf_end(t, leaf);
         j++) {
      const float d2 = float_distance2(p, a->x[j], a->y[j]);
      const float R = contact * (a->radius[i] + a->radius[j]);
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
  assert(neighbours_is_valid(n, a) && i >= 0 && i < a->count);
  overlaps_in(&o, n, false, a, i, quantum);
  overlaps_in(&o, n, true, a, i, quantum);
  return o;
}

void neighbours_destroy(struct neighbours *n)
{
  box_tree_destroy(&n->own);
  box_tree_destroy(&n->ghosts);
  memory_destroy(n->reach2);
  memory_destroy(n->neighbour_counts);
  memory_destroy(n->node_width);
  memory_destroy(n->run_width);
  memory_destroy(n->first_width);
  memory_destroy(n->ghost_memory);
  *n = (struct neighbours){0};
}
