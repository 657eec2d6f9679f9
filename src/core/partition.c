#include "partition.h"

#include "base.h"

// All nodes of one level of the tree are cut together. The weighted median of a node is found by
// histograms: BINS bins over the range of its agents, then over the bin that holds the median,
// until that bin is one coordinate wide. Integers only, so every rank finds the same cuts.
#define BINS 64

struct node {
  int32_t first_rank, rank_count;
  struct box box;
  int32_t cut;         // its index in partition->cuts
  struct point lo, hi; // of its agents, hi inside
  int64_t weight;      // of its agents
  int32_t axis;
  int64_t low, width; // the cut is sought in [low, low + width)
  int64_t below;      // weight before low
  int64_t inside;     // weight in the range, once it is one wide
};

struct level {
  struct node *nodes;
  int32_t count;
};

struct view { // what a rank knows of its own agents
  int64_t count;
  const int32_t *x, *y, *weights;
  int32_t *node; // [count] index in the level; -1: its rank is known
  struct partition_reduce reduce;
};

static int64_t weight_of(const struct view *v, int64_t i)
{
  return v->weights ? v->weights[i] : 1;
}

static int64_t target_of(const struct node *n) // weight that should go to the lower ranks
{
  return (int64_t)((double)n->weight * (n->rank_count / 2) / n->rank_count);
}

static int64_t bin_width(const struct node *n)
{
  return (n->width + BINS - 1) / BINS;
}

static void weigh(struct level *level, const struct view *v)
{
  int64_t *total = memory_create((size_t)level->count, sizeof *total);
  for (int64_t i = 0; i < v->count; i++)
    if (v->node[i] >= 0)
      total[v->node[i]] += weight_of(v, i);
  if (v->reduce.sum)
    v->reduce.sum(v->reduce.context, total, level->count);
  for (int32_t k = 0; k < level->count; k++)
    level->nodes[k].weight = total[k];
  memory_destroy(total);
}

static void at_least(int64_t *most, int64_t value)
{
  *most = value > *most ? value : *most;
}

static void measure(struct level *level, const struct view *v)
{
  int64_t(*most)[4] = memory_create((size_t)level->count, sizeof *most); // -lo, hi
  for (int32_t k = 0; k < level->count; k++)
    for (int e = 0; e < 4; e++)
      most[k][e] = INT32_MIN;
  for (int64_t i = 0; i < v->count; i++) {
    if (v->node[i] < 0)
      continue;
    int64_t *m = most[v->node[i]];
    at_least(&m[0], -(int64_t)v->x[i]);
    at_least(&m[1], -(int64_t)v->y[i]);
    at_least(&m[2], v->x[i]);
    at_least(&m[3], v->y[i]);
  }
  if (v->reduce.max)
    v->reduce.max(v->reduce.context, &most[0][0], 4 * (int64_t)level->count);
  for (int32_t k = 0; k < level->count; k++) {
    level->nodes[k].lo = (struct point){(int32_t)-most[k][0], (int32_t)-most[k][1]};
    level->nodes[k].hi = (struct point){(int32_t)most[k][2], (int32_t)most[k][3]};
  }
  memory_destroy(most);
}

static void aim(struct node *n) // the cut goes across the longer side of where its agents are
{
  n->axis = (int64_t)n->hi.y - n->lo.y > (int64_t)n->hi.x - n->lo.x;
  n->low = n->axis ? n->lo.y : n->lo.x;
  n->width = (n->axis ? n->hi.y : n->hi.x) - n->low + 1;
  n->below = 0;
  n->inside = n->weight;
}

static void fill_histograms(int64_t *bins, const struct level *level, const struct view *v)
{
  for (int64_t i = 0; i < v->count; i++) {
    if (v->node[i] < 0)
      continue;
    const struct node *n = &level->nodes[v->node[i]];
    const int64_t at = (int64_t)(n->axis ? v->y[i] : v->x[i]) - n->low;
    if (at >= 0 && at < n->width)
      bins[v->node[i] * BINS + at / bin_width(n)] += weight_of(v, i);
  }
}

// Into the bin that holds the target. Whether there is more to do.
static bool narrow(struct node *n, const int64_t *bins)
{
  const int64_t step = bin_width(n), target = target_of(n);
  int bin = 0;
  while (bin < BINS - 1 && n->below + bins[bin] <= target && (bin + 1) * step < n->width)
    n->below += bins[bin++];
  const int64_t end = n->low + n->width;
  n->low += bin * step;
  n->width = n->low + step < end ? step : end - n->low;
  n->inside = bins[bin];
  return n->width > 1;
}

static void search(struct level *level, const struct view *v)
{
  bool more = true;
  for (int32_t k = 0; k < level->count; k++)
    aim(&level->nodes[k]);
  while (more) {
    int64_t *bins = memory_create((size_t)level->count * BINS, sizeof *bins);
    fill_histograms(bins, level, v);
    if (v->reduce.sum)
      v->reduce.sum(v->reduce.context, bins, (int64_t)level->count * BINS);
    more = false;
    for (int32_t k = 0; k < level->count; k++)
      if (level->nodes[k].weight > 0)
        more |= narrow(&level->nodes[k], bins + (int64_t)k * BINS);
    memory_destroy(bins);
  }
}

static int32_t cut_place(const struct node *n)
{
  if (n->weight == 0) { // nobody there: any place will do
    const int64_t lo = n->box.lo.x, hi = n->box.hi.x;
    return (int32_t)(lo + (hi - lo) / 2);
  }
  const int64_t target = target_of(n);
  const bool above = n->below + n->inside - target <= target - n->below;
  return (int32_t)(n->low + above);
}

// One side of a cut node: a rank, or a node of the next level.
static int32_t settle_side(struct partition *p, struct level *next, int32_t *cut_count,
                           const struct node *side)
{
  if (side->rank_count == 1) {
    p->boxes[side->first_rank] = side->box;
    return ~side->first_rank;
  }
  next->nodes[next->count] = *side;
  next->nodes[next->count++].cut = *cut_count;
  return (*cut_count)++;
}

static void split(struct partition *p, const struct node *n, struct level *next, int32_t *cut_count)
{
  struct cut *cut = &p->cuts[n->cut];
  const int32_t lower_ranks = n->rank_count / 2;
  struct node lower = *n, upper = *n;
  *cut = (struct cut){.axis = n->weight ? n->axis : 0, .at = cut_place(n)};
  *(cut->axis ? &lower.box.hi.y : &lower.box.hi.x) = cut->at;
  *(cut->axis ? &upper.box.lo.y : &upper.box.lo.x) = cut->at;
  lower.rank_count = lower_ranks;
  upper.first_rank += lower_ranks;
  upper.rank_count -= lower_ranks;
  cut->lower = settle_side(p, next, cut_count, &lower);
  cut->upper = settle_side(p, next, cut_count, &upper);
}

static int32_t next_of(const struct partition *p, int32_t cut, struct point at)
{
  const struct cut *c = &p->cuts[cut];
  return (c->axis ? at.y : at.x) < c->at ? c->lower : c->upper;
}

// Which node of the next level every agent fell into.
static void descend(const struct partition *p, const struct level *level, const struct level *next,
                    struct view *v)
{
  const int32_t first = next->count ? next->nodes[0].cut : 0; // a level's cuts are consecutive
  for (int64_t i = 0; i < v->count; i++)
    if (v->node[i] >= 0) {
      const int32_t cut =
          next_of(p, level->nodes[v->node[i]].cut, (struct point){v->x[i], v->y[i]});
      v->node[i] = cut < 0 ? -1 : cut - first;
    }
}

void partition_create(struct partition *p, int32_t rank_count, int64_t count, const int32_t *x,
                      const int32_t *y, const int32_t *weights, struct partition_reduce reduce)
{
  const struct box plane = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  *p = (struct partition){.rank_count = rank_count};
  p->cuts = memory_create((size_t)rank_count, sizeof *p->cuts);
  p->boxes = memory_create((size_t)rank_count, sizeof *p->boxes);
  p->boxes[0] = plane;
  struct view view = {count, x, y, weights, memory_create((size_t)count, sizeof(int32_t)), reduce};
  struct level level = {memory_create((size_t)rank_count, sizeof(struct node)), rank_count > 1};
  struct level next = {memory_create((size_t)rank_count, sizeof(struct node)), 0};
  level.nodes[0] = (struct node){.rank_count = rank_count, .box = plane};
  int32_t cut_count = 1;
  while (level.count > 0) {
    weigh(&level, &view);
    measure(&level, &view);
    search(&level, &view);
    next.count = 0;
    for (int32_t k = 0; k < level.count; k++)
      split(p, &level.nodes[k], &next, &cut_count);
    descend(p, &level, &next, &view);
    const struct level done = level;
    level = next;
    next = done;
  }
  memory_destroy(level.nodes);
  memory_destroy(next.nodes);
  memory_destroy(view.node);
}

void partition_destroy(struct partition *p)
{
  memory_destroy(p->cuts);
  memory_destroy(p->boxes);
  *p = (struct partition){0};
}

int32_t partition_owner(const struct partition *p, struct point at)
{
  int32_t next = p->rank_count > 1 ? 0 : ~0;
  while (next >= 0)
    next = next_of(p, next, at);
  return ~next;
}
