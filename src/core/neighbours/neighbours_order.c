#include "neighbours_order.h"

#include <assert.h>
#include <string.h>

// Growth of the leaves' width since the last sort from which the steps lose more time than a sort
// costs. Found by trial on the standard crowd, in a city and on its matchday.
#define STALE_RUN     1.2   // of a run: sort it
#define STALE_ALL     1.03  // of all runs, each as it was after its own sort: sort everything
#define STALE_TOO     1.015 // the same if another rank sorts everything: all ranks wait for it
#define STALE_NOW     1.25  // of all runs as they are
#define STALE_LATER   1.05  // times as much where the next step suits better
#define BORDER_GROWTH 0.125 // of the border layer, relative to all agents: the same

_Static_assert(BOX_TREE_RUN <= AGENTS_RUN_MAX, "a run is reordered in the cache");
#define RUN_NODES (BOX_TREE_RUN / BOX_TREE_NODE)

void neighbours_order_reserve(struct neighbours *n, int64_t agents)
{
  if (agents <= n->capacity)
    return;
  const int64_t had = n->capacity;
  n->capacity = agents + agents / 8 + BOX_TREE_WIDTH;
#define GROW(column, size)                                                                         \
  n->column = memory_grow(n->column, had ? (size_t)(had / (size) + 1) : 0,                         \
                          (size_t)(n->capacity / (size) + 1), sizeof *n->column)
  GROW(reach2, BOX_TREE_WIDTH);
  GROW(neighbour_counts, BOX_TREE_WIDTH);
  GROW(node_width, BOX_TREE_NODE);
  GROW(run_width, BOX_TREE_RUN);
  GROW(first_width, BOX_TREE_RUN);
#undef GROW
}

// ---------------------------------------------------------------------------------- widths

static int64_t run_count(const struct neighbours *n) // of the agents before the border layer
{
  return (n->border_layer + BOX_TREE_RUN - 1) / BOX_TREE_RUN;
}

static int64_t run_end(const struct neighbours *n, int64_t run) // agent
{
  const int64_t end = (run + 1) * BOX_TREE_RUN;
  return end < n->border_layer ? end : n->border_layer;
}

static double nodes_width(const struct neighbours *n, int64_t first, int64_t end) // of nodes
{
  double width = 0;
  for (int64_t k = first; k < end; k++)
    width += n->node_width[k];
  return width;
}

static double run_width_now(const struct neighbours *n, int64_t run)
{
  return nodes_width(n, run * RUN_NODES, run_end(n, run) / BOX_TREE_NODE);
}

static double border_width_now(const struct neighbours *n)
{
  return nodes_width(n, n->border_layer / BOX_TREE_NODE,
                     (n->own.count + BOX_TREE_NODE - 1) / BOX_TREE_NODE);
}

void neighbours_order_note_widths(struct neighbours *n)
{
  n->border_width = border_width_now(n);
  n->width = n->border_width;
  for (int64_t run = 0; run < run_count(n); run++) {
    const double now = run_width_now(n, run);
    n->width += now;
    if (n->run_width[run] <= 0)
      n->run_width[run] = now;
    if (n->first_width[run] <= 0)
      n->first_width[run] = now;
  }
  if (n->sorted_border_width <= 0)
    n->sorted_border_width = n->border_width;
}

// now: growth of all runs as they are.
static bool all_stale(const struct neighbours *n, double from, double from_now)
{
  double first = 0, sorted = 0, now = 0;
  if (n->own.count == 0)
    return false; // no agents, or none yet
  for (int64_t run = 0; run < run_count(n); run++) {
    const bool noted = n->first_width[run] > 0; // else it has just lost nodes
    first += n->first_width[run];
    sorted += n->run_width[run];
    now += noted ? run_width_now(n, run) : 0;
  }
  const int64_t border = n->own.count - n->border_layer;
  return !n->sorted || sorted > from * first || now > from_now * first ||
         (double)(border - n->sorted_border) > BORDER_GROWTH * (double)n->own.count;
}

bool neighbours_stale(const struct neighbours *n)
{
  return all_stale(n, STALE_ALL, STALE_NOW);
}

void neighbours_invalidate(struct neighbours *n)
{
  n->sorted = false;
  n->border_layer = 0;
}

// --------------------------------------------------------------------------------- sorting

struct sorting { // of agents [first, first + count)
  int64_t first, count;
  struct box_tree_key *keys; // [count]
  int32_t *from;             // [count]
  void *scratch;             // [count] of 8 bytes
};

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

static void apply_order(const struct sorting *s, struct agents *a, enum agent_scope scope)
{
#pragma omp parallel for schedule(static) if (s->count > PARALLEL_MIN_ITEMS)
  for (int64_t k = 0; k < s->count; k++)
    s->from[k] = s->keys[k].item;
  agents_reorder(a, s->first, s->count, scope, s->from, s->scratch);
}

void neighbours_order_sort(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                           void *memory)
{
  const struct sorting s = sorting_of(a, first, count, memory);
  box_tree_sort(s.keys, count);
  apply_order(&s, a, scope);
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
  memset(n->reach2, 0, (size_t)(n->capacity / BOX_TREE_WIDTH + 1) * sizeof *n->reach2);
  memset(n->run_width, 0, (size_t)(n->capacity / BOX_TREE_RUN + 1) * sizeof *n->run_width);
  memset(n->first_width, 0, (size_t)(n->capacity / BOX_TREE_RUN + 1) * sizeof *n->first_width);
  n->sorted = true;
  n->sorted_border = a->count - n->border_layer;
  n->noted_border = n->border_layer;
  n->sorted_border_width = 0;
}

// A leaf's reach2 remains a good guess: it moves within its run.
static void sort_run(struct agents *a, int64_t first, int64_t count)
{
  struct box_tree_key keys[BOX_TREE_RUN];
  int32_t from[BOX_TREE_RUN];
  for (int64_t k = 0; k < count; k++)
    keys[k] = (struct box_tree_key){{a->x[first + k], a->y[first + k]}, (int32_t)k};
  box_tree_sort_run(keys, count);
  for (int64_t k = 0; k < count; k++)
    from[k] = keys[k].item;
  agents_reorder_run(a, first, count, SCOPE_STATE, from);
}

static void sort_stale_runs(struct neighbours *n, struct agents *a)
{
#pragma omp parallel for schedule(dynamic, 1) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t run = 0; run < run_count(n); run++)
    if (run_width_now(n, run) > STALE_RUN * n->run_width[run]) {
      sort_run(a, run * BOX_TREE_RUN, run_end(n, run) - run * BOX_TREE_RUN);
      n->run_width[run] = 0;
    }
}

// Agents come and go in the border layer: it is sorted when it has changed. Where it is half of the
// agents or more it is left to become stale like a run.
static void sort_border(struct neighbours *n, struct agents *a, const struct sort_hint *hint)
{
  const int64_t count = a->count - n->border_layer;
  const bool changed = a->count != n->own.count || (hint && hint->has_border_layer);
  const bool stale = n->border_width > STALE_RUN * n->sorted_border_width;
  if (count == 0 || !(stale || (changed && count <= n->border_layer)))
    return;
  neighbours_order_sort(a, n->border_layer, count, SCOPE_STATE, agents_spare(a));
  n->sorted_border_width = 0;
}

// The border layer may have taken in a part of the last run, which then has another width.
static void clamp_border(struct neighbours *n, const struct agents *a)
{
  if (n->border_layer > a->count)
    n->border_layer = a->count / BOX_TREE_NODE * BOX_TREE_NODE;
  const int64_t last = n->border_layer / BOX_TREE_RUN;
  if (n->border_layer % BOX_TREE_RUN != 0 && n->border_layer != n->noted_border)
    n->run_width[last] = n->first_width[last] = 0;
  n->noted_border = n->border_layer;
}

static bool sorts_all(const struct neighbours *n, const struct sort_hint *hint)
{
  const double later = hint && hint->can_wait ? STALE_LATER : 1;
  const double from = hint && hint->others_sort ? STALE_TOO : STALE_ALL;
  return !n->sorted || all_stale(n, later * from, later * STALE_NOW);
}

void neighbours_sort(struct neighbours *n, struct agents *a, const struct sort_hint *hint)
{
  assert(agents_is_valid(a));
  const bool built = n->own.count > 0; // else the first sort has just been made
  a->ghost_count = 0;
  neighbours_order_reserve(n, a->count);
  clamp_border(n, a);
  if (a->count == 0) {
    n->sorted = false; // agents that come are sorted
    return;
  }
  if (sorts_all(n, hint)) {
    sort_all(n, a, hint && hint->has_border_layer ? &hint->interior : NULL);
  } else if (built) {
    sort_stale_runs(n, a);
    sort_border(n, a, hint);
  }
}
