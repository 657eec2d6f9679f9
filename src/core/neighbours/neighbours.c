#include "neighbours.h"

#include "box_tree_query.h"
#include <assert.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------ order

// Growth of the leaves' width, relative to the last sort, from which the steps lose more time than
// a sort costs. Found by trial on the standard crowd and in a city, where arriving agents leave
// gaps.
#define STALE_RUNS 1.2  // sort
#define STALE_ALL  1.05 // sort everything, because sorting runs did not restore the width
#define STALE_TOO  1.1  // sort if another rank sorts, because all ranks wait for it

static void reserve(struct neighbours *n, int64_t count)
{
  if (count <= n->capacity)
    return;
  const int64_t leaves = n->capacity ? n->capacity / BOX_TREE_WIDTH + 1 : 0;
  n->capacity = count + count / 8 + BOX_TREE_WIDTH;
  const int64_t more = n->capacity / BOX_TREE_WIDTH + 1;
  n->reach2 = memory_grow(n->reach2, (size_t)leaves, (size_t)more, sizeof *n->reach2);
  n->neighbour_counts =
      memory_grow(n->neighbour_counts, (size_t)leaves, (size_t)more, sizeof *n->neighbour_counts);
}

struct sorting { // of agents [first, first + count)
  int64_t first, count;
  struct box_tree_key *keys; // [count]
  int32_t *from;             // [count]
  void *scratch;             // [count] of 8 bytes
};

// memory: AGENTS_SPARE bytes per agent.
static struct sorting sorting_of(const struct agents *a, int64_t first, int64_t count, void *memory)
{
  const size_t room = (size_t)(count + AGENT_PADDING - 1) / AGENT_PADDING * AGENT_PADDING;
  struct sorting s = {.first = first, .count = count, .keys = memory};
  s.from = (void *)(s.keys + room);
  s.scratch = s.from + room;
  _Static_assert(sizeof *s.keys + sizeof *s.from + sizeof(int64_t) <= AGENTS_SPARE, "room for all");
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN_ITEMS)
  for (int64_t k = 0; k < count; k++)
    s.keys[k] = (struct box_tree_key){{a->x[first + k], a->y[first + k]}, (int32_t)k};
  return s;
}

// from[k] = the item of the k-th of keys, less `first`
static void set_from(const struct sorting *s, int64_t begin, int64_t end, int64_t first)
{
#pragma omp parallel for schedule(static) if (end - begin > PARALLEL_MIN_ITEMS)
  for (int64_t k = begin; k < end; k++)
    s->from[k] = s->keys[k].item - (int32_t)first;
}

static void apply_order(const struct sorting *s, struct agents *a, enum agent_scope scope)
{
  set_from(s, 0, s->count, 0);
  agents_reorder(a, s->first, s->count, scope, s->from, s->scratch);
}

static void sort_run(const struct sorting *s, struct agents *a, enum agent_scope scope)
{
  box_tree_sort(s->keys, s->count);
  apply_order(s, a, scope);
}

// Moves the keys inside to the front; returns their number.
static int64_t interior_first(struct box_tree_key *keys, int64_t count, struct box interior)
{
  int64_t inside = 0;
  for (int64_t k = 0; k < count; k++) {
    const struct box_tree_key key = keys[k];
    keys[k] = keys[inside];
    keys[inside] = key;
    inside += box_holds(interior, key.at);
  }
  return inside;
}

// Interior agents fill whole nodes; the remainder joins the border layer.
static void sort_all(struct neighbours *n, struct agents *a, const struct box *interior)
{
  const struct sorting s = sorting_of(a, 0, a->count, agents_spare(a));
  const int64_t inside = interior ? interior_first(s.keys, a->count, *interior) : a->count;
  box_tree_sort(s.keys, inside);
  n->border_layer = inside / BOX_TREE_NODE * BOX_TREE_NODE;
  box_tree_sort(s.keys + n->border_layer, a->count - n->border_layer);
  apply_order(&s, a, SCOPE_STATE);
}

static void sort_runs(const struct neighbours *n, struct agents *a)
{
  const struct sorting s = sorting_of(a, 0, a->count, agents_spare(a));
  const int64_t border = n->border_layer;
  box_tree_sort_runs(s.keys, border);
  box_tree_sort(s.keys + border, a->count - border);
  set_from(&s, 0, border, 0);
  agents_reorder_runs(a, border, BOX_TREE_RUN, SCOPE_STATE, s.from);
  set_from(&s, border, a->count, border);
  agents_reorder(a, border, a->count - border, SCOPE_STATE, s.from + border, s.scratch);
}

// ------------------------------------------------------------------------------------ boxes

struct leaf_sum {
  double width;
  bool uniform_yield;
};

static struct leaf_sum refit_leaf(struct box_tree *t, int64_t leaf, const struct agents *a,
                                  int64_t first, float quanta_per_metre)
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
  return (struct leaf_sum){(double)b.hi.x - b.lo.x + (double)b.hi.y - b.lo.y, uniform_yield};
}

static struct leaf_sum refit_run(struct box_tree *t, const struct agents *a, int64_t first,
                                 int64_t count, float quanta_per_metre)
{
  double width = 0; // rounding may vary: it decides only the order in memory
  bool uniform_yield = true;
  box_tree_reserve(t, count);
  const int64_t leaves = count ? t->level[0].count : 0;
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN_ITEMS) reduction(+ : width)          \
    reduction(&& : uniform_yield)
  for (int64_t leaf = 0; leaf < leaves; leaf++) {
    const struct leaf_sum sum = refit_leaf(t, leaf, a, first, quanta_per_metre);
    width += sum.width;
    uniform_yield = uniform_yield && sum.uniform_yield;
  }
  box_tree_refit(t);
  return (struct leaf_sum){width, uniform_yield};
}

bool neighbours_stale(const struct neighbours *n)
{
  return n->sorted_width <= 0 || n->width > STALE_RUNS * n->last_width;
}

// Sorts runs when the leaves have become too wide, and everything when that did not help enough.
void neighbours_sort(struct neighbours *n, struct agents *a, const struct sort_hint *hint)
{
  assert(agents_is_valid(a));
  const bool known = n->own.count > 0 && n->sorted_width > 0;
  const double stale_from = hint && hint->others_sort ? STALE_TOO : STALE_RUNS;
  a->ghost_count = 0;
  n->border_layer =
      n->border_layer < a->count ? n->border_layer : a->count / BOX_TREE_NODE * BOX_TREE_NODE;
  if (a->count == 0)
    return;
  reserve(n, a->count);
  if (known && n->width <= stale_from * n->last_width) {
    // A border layer of half the agents or more is left to become stale like the rest.
    if (hint && hint->has_border_layer && 2 * n->border_layer >= a->count) {
      const struct sorting border =
          sorting_of(a, n->border_layer, a->count - n->border_layer, agents_spare(a));
      sort_run(&border, a, SCOPE_STATE);
    }
    return;
  }
  const bool runs = known && n->last_width <= STALE_ALL * n->sorted_width;
  n->last_width = 0;
  if (runs) {
    sort_runs(n, a); // a leaf's reach2 remains a good guess: it moves within its run
    return;
  }
  sort_all(n, a, hint && hint->has_border_layer ? &hint->interior : NULL);
  n->sorted_width = 0;
  memset(n->reach2, 0, (size_t)(n->capacity / BOX_TREE_WIDTH + 1) * sizeof *n->reach2);
}

void neighbours_invalidate(struct neighbours *n)
{
  n->sorted_width = 0;
}

int32_t neighbours_count_hint(const struct neighbours *n, int64_t i)
{
  const int64_t leaf = i / BOX_TREE_WIDTH, leaves = n->leaf_count;
  return leaves == 0 ? 0 : n->neighbour_counts[leaf < leaves ? leaf : leaves - 1];
}

void neighbours_reserve_counts(struct neighbours *n, int64_t agents)
{
  reserve(n, agents);
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
  reserve(n, a->count);
  n->first_ghost = a->count;
  n->quanta_per_metre = 1 / frame_quantum(frame);
  const struct leaf_sum own = refit_run(&n->own, a, 0, a->count, n->quanta_per_metre);
  n->leaf_count = a->count ? n->own.level[0].count : 0;
  box_tree_reserve(&n->ghosts, 0);
  n->uniform_yield = own.uniform_yield;
  n->width = own.width;
  n->radius_max = top_radius_max(&n->own);
  if (n->last_width <= 0)
    n->last_width = own.width;
  if (n->sorted_width <= 0)
    n->sorted_width = own.width;
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
  const struct sorting ghosts = sorting_of(a, a->count, a->ghost_count, n->ghost_memory);
  sort_run(&ghosts, a, SCOPE_GHOST);
}

void neighbours_build_ghosts(struct neighbours *n, struct agents *a)
{
  const int64_t first = a->count, count = a->ghost_count;
  assert(agents_is_valid(a) && neighbours_is_valid(n, a));
  sort_ghosts(n, a);
  const struct leaf_sum ghosts = refit_run(&n->ghosts, a, first, count, n->quanta_per_metre);
  const float radius = top_radius_max(&n->ghosts);
  n->uniform_yield = n->uniform_yield && ghosts.uniform_yield;
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
  memory_destroy(n->ghost_memory);
  *n = (struct neighbours){0};
}
