#include "partition.h"

#include "base.h"
#include "bisection.h"
#include <assert.h>

// Makes one side of a cut a rank's box or a node of the next level; returns ~rank or the cut's
// index.
static int32_t assign_side(struct partition *p, struct level *next, int32_t *cut_count,
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

static void split(struct partition *p, const struct node *n, int32_t former, struct level *next,
                  int32_t *cut_count)
{
  struct partition_cut *cut = &p->cuts[n->cut];
  const int32_t lower_ranks = n->rank_count / 2;
  struct node lower = *n, upper = *n;
  *cut = bisection_cut(n, former);
  *(cut->axis ? &lower.box.hi.y : &lower.box.hi.x) = cut->at;
  *(cut->axis ? &upper.box.lo.y : &upper.box.lo.x) = cut->at;
  lower.rank_count = lower_ranks;
  upper.first_rank += lower_ranks;
  upper.rank_count -= lower_ranks;
  cut->lower = assign_side(p, next, cut_count, &lower);
  cut->upper = assign_side(p, next, cut_count, &upper);
}

static int32_t child_of(const struct partition *p, int32_t cut, struct point at)
{
  const struct partition_cut *c = &p->cuts[cut];
  return (c->axis ? at.y : at.x) < c->at ? c->lower : c->upper;
}

// Moves each point to its node of the next level.
static void descend(const struct partition *p, const struct level *level, const struct level *next,
                    struct local_points *v)
{
  const int32_t first =
      next->count ? next->nodes[0].cut : 0; // cuts of a level are numbered consecutively
  for (int64_t i = 0; i < v->of->count; i++)
    if (v->node[i] >= 0) {
      const int32_t cut =
          child_of(p, level->nodes[v->node[i]].cut, (struct point){v->of->x[i], v->of->y[i]});
      v->node[i] = cut < 0 ? -1 : cut - first;
    }
}

// former: p has cuts of the same ranks, whose axes are preferred.
static void cut_levels(struct partition *p, bool former, struct local_points *v)
{
  const size_t node_max = (size_t)p->rank_count;
  struct level level = {memory_create(node_max, sizeof(struct node)), p->rank_count > 1};
  struct level next = {memory_create(node_max, sizeof(struct node)), 0};
  const struct box plane = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  level.nodes[0] = (struct node){.rank_count = p->rank_count, .box = plane};
  int32_t cut_count = 1;
  while (level.count > 0) {
    bisection_level(&level, v);
    next.count = 0;
    for (int32_t k = 0; k < level.count; k++)
      split(p, &level.nodes[k], former ? p->cuts[level.nodes[k].cut].axis : -1, &next, &cut_count);
    descend(p, &level, &next, v);
    const struct level done = level;
    level = next;
    next = done;
  }
  memory_destroy(level.nodes);
  memory_destroy(next.nodes);
}

static int32_t root_of(const struct partition *p) // of the tree: as lower and upper of a cut
{
  return p->rank_count > 1 ? 0 : ~0;
}

bool partition_points_is_valid(const struct partition_points *of)
{
  bool valid = of->count >= 0;
  for (int64_t i = 0; of->weights && i < of->count; i++)
    valid = valid && of->weights[i] >= 0;
  return valid;
}

static bool subtree_is_valid(const struct partition *p, int32_t next, int32_t *first_rank)
{
  if (next < 0)
    return ~next == (*first_rank)++; // the leaves are the ranks in ascending order
  return next < p->rank_count - 1 && subtree_is_valid(p, p->cuts[next].lower, first_rank) &&
         subtree_is_valid(p, p->cuts[next].upper, first_rank);
}

bool partition_is_valid(const struct partition *p)
{
  int32_t ranks = 0;
  return p->rank_count >= 1 && p->cuts && p->boxes && subtree_is_valid(p, root_of(p), &ranks) &&
         ranks == p->rank_count;
}

void partition_create(struct partition *p, int32_t rank_count, int32_t reach,
                      const struct partition_points *of, struct partition_reduce reduce)
{
  assert(rank_count >= 1 && reach >= 0 && partition_points_is_valid(of));
  *p = (struct partition){.rank_count = rank_count};
  p->cuts = memory_create((size_t)rank_count, sizeof *p->cuts);
  p->boxes = memory_create((size_t)rank_count, sizeof *p->boxes);
  if (rank_count == 1)
    p->boxes[0] = (struct box){{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  struct local_points local_points = {of, memory_create((size_t)of->count, sizeof(int32_t)), reach,
                                      reduce};
  cut_levels(p, false, &local_points);
  memory_destroy(local_points.node);
  assert(partition_is_valid(p));
}

void partition_update(struct partition *p, int32_t reach, const struct partition_points *of,
                      struct partition_reduce reduce)
{
  assert(partition_is_valid(p) && reach >= 0 && partition_points_is_valid(of));
  struct local_points local_points = {of, memory_create((size_t)of->count, sizeof(int32_t)), reach,
                                      reduce};
  cut_levels(p, true, &local_points);
  memory_destroy(local_points.node);
}

void partition_destroy(struct partition *p)
{
  memory_destroy(p->cuts);
  memory_destroy(p->boxes);
  *p = (struct partition){0};
}

int32_t partition_owner(const struct partition *p, struct point at)
{
  int32_t next = root_of(p);
  while (next >= 0)
    next = child_of(p, next, at);
  return ~next;
}

// The lower side has the lower ranks, so the result is ascending. Recursion depth is the tree's.
static int32_t overlapping_below(const struct partition *p, int32_t next, struct box b,
                                 int32_t *ranks)
{
  if (next < 0) {
    ranks[0] = ~next;
    return 1;
  }
  const struct partition_cut *c = &p->cuts[next];
  int32_t count = 0;
  if ((c->axis ? b.lo.y : b.lo.x) < c->at)
    count += overlapping_below(p, c->lower, b, ranks);
  if ((c->axis ? b.hi.y : b.hi.x) > c->at)
    count += overlapping_below(p, c->upper, b, ranks + count);
  return count;
}

int32_t partition_overlapping(const struct partition *p, struct box b, int32_t *ranks)
{
  return overlapping_below(p, root_of(p), b, ranks);
}
