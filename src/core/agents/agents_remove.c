// Removes agents, and keeps the order in memory good for the tree over it.
#include "agent_kernel.h"
#include "box_tree.h"
#include "marks.h"

#include <assert.h>
#include <math.h>

void agents_remove(struct agents *a, const uint8_t *gone)
{
  assert(agents_is_valid(a));
  a->ghost_count = 0;
  int64_t last = a->count;
  for (int64_t i = 0; (i = marks_next(gone, i, last)) < last; i++) {
    do
      last--;
    while (last > i && gone[last]);
    if (last > i)
      agent_copy(a, i, last);
  }
  a->count = last;
}

// Rounding may vary in what follows: no result depends on the order in memory.

// The agent of [begin, end) that stays and is nearest to agent i; -1 if none stays.
static int64_t nearest_remaining(const struct agents *a, int64_t i, int64_t begin, int64_t end,
                                 const uint8_t *gone)
{
  int64_t nearest = -1;
  double least = HUGE_VAL;
  for (int64_t k = begin; k < end; k++) {
    const double x = (double)a->x[k] - a->x[i], y = (double)a->y[k] - a->y[i];
    if (gone[k] || x * x + y * y >= least)
      continue;
    least = x * x + y * y;
    nearest = k;
  }
  return nearest;
}

// Of the agents of a leaf that stay.
struct leaf_extent {
  struct box box; // hi inside; empty where lo > hi
  int64_t count;
};

static struct leaf_extent leaf_extent_of(const struct agents *a, int64_t begin, const uint8_t *gone)
{
  struct leaf_extent e = {{{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}, 0};
  for (int64_t i = begin; i < begin + BOX_TREE_WIDTH; i++)
    if (!gone[i]) {
      e.box = box_union(e.box, (struct box){{a->x[i], a->y[i]}, {a->x[i], a->y[i]}});
      e.count++;
    }
  return e;
}

static double half_perimeter(struct box b) // of b, hi inside
{
  return (double)b.hi.x - b.lo.x + (double)b.hi.y - b.lo.y;
}

// By how much the leaf of a gap becomes wider.
struct refill {
  int64_t from; // an agent or the first one of a leaf; -1: none
  double growth;
};

static struct refill refill_by_agent(const struct agents *a, int64_t gap, int64_t begin,
                                     const struct leaf_extent *leaf, const uint8_t *gone)
{
  const int64_t k = leaf->count > 0 ? nearest_remaining(a, gap, begin, a->count, gone) : -1;
  if (k < 0)
    return (struct refill){-1, HUGE_VAL};
  const struct box at = {{a->x[k], a->y[k]}, {a->x[k], a->y[k]}};
  return (struct refill){k, half_perimeter(box_union(leaf->box, at)) - half_perimeter(leaf->box)};
}

#define AWAY (1.0 / BOX_TREE_WIDTH) // a leaf from afar widens one node of sixteen leaves

// By a full leaf from `begin` on.
static struct refill refill_by_leaf(const struct agents *a, int64_t begin,
                                    const struct leaf_extent *leaf, const uint8_t *gone)
{
  struct refill best = {-1, HUGE_VAL};
  const double width = leaf->count ? half_perimeter(leaf->box) : 0;
  for (int64_t k = begin; k + BOX_TREE_WIDTH <= a->count; k += BOX_TREE_WIDTH) {
    const struct leaf_extent other = leaf_extent_of(a, k, gone);
    if (other.count < BOX_TREE_WIDTH)
      continue;
    const double own = half_perimeter(other.box),
                 both = half_perimeter(box_union(leaf->box, other.box));
    const double growth = own - width + AWAY * (both - own);
    if (growth < best.growth)
      best = (struct refill){k, growth};
  }
  return best;
}

enum {
  RECORD_BYTES = 0 // of all fields
#define X(type, name, unit, scope) +sizeof(type)
  AGENT_FIELDS(X)
#undef X
};

static void exchange_leaves(struct agents *a, int64_t one, int64_t other, uint8_t *gone)
{
  uint64_t memory[(RECORD_BYTES + 7) / 8];
  char *record = (char *)memory;
  for (int64_t k = 0; k < BOX_TREE_WIDTH; k++) {
    agent_pack(a, one + k, SCOPE_STEP, record);
    agent_copy(a, one + k, other + k);
    agent_unpack(a, other + k, SCOPE_STEP, record);
    const uint8_t mark = gone[one + k];
    gone[one + k] = gone[other + k];
    gone[other + k] = mark;
  }
}

// Fills the gap at i, before the border layer. Without a leaf to exchange, the border layer takes
// in another node.
static void refill(struct agents *a, int64_t i, int64_t *border_layer, uint8_t *gone)
{
  const int64_t pool = (a->count - AGENTS_REFILL_POOL) / BOX_TREE_WIDTH * BOX_TREE_WIDTH;
  const int64_t begin = *border_layer > pool ? *border_layer : pool;
  const int64_t first = i / BOX_TREE_WIDTH * BOX_TREE_WIDTH;
  const struct leaf_extent leaf = leaf_extent_of(a, first, gone);
  const struct refill agent = refill_by_agent(a, i, begin, &leaf, gone);
  const struct refill other = refill_by_leaf(a, begin, &leaf, gone);
  if (agent.from >= 0 && agent.growth <= (other.from < 0 ? 0 : other.growth)) {
    agent_copy(a, i, agent.from);
    gone[i] = 0;
    gone[agent.from] = 1;
  } else if (other.from >= 0) {
    exchange_leaves(a, first, other.from, gone);
  } else {
    *border_layer -= BOX_TREE_NODE;
  }
}

static void clamp_to_count(int64_t *border_layer, const struct agents *a)
{
  if (*border_layer > a->count)
    *border_layer = a->count / BOX_TREE_NODE * BOX_TREE_NODE;
}

void agents_remove_ordered(struct agents *a, int64_t *border_layer, uint8_t *gone)
{
  assert(*border_layer >= 0 && *border_layer % BOX_TREE_NODE == 0);
  int64_t i = 0;
  clamp_to_count(border_layer, a);
  for (int left = AGENTS_REFILL_MAX; left > 0; left--) {
    i = marks_next(gone, i, *border_layer);
    if (i >= *border_layer)
      break;
    refill(a, i, border_layer, gone);
  }
  agents_remove(a, gone);
  clamp_to_count(border_layer, a); // what is appended later lies behind it
}
