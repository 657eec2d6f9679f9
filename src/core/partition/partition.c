#include "partition.h"

#include "base.h"
#include "bisection.h"

// One side of a cut node: a rank, or a node of the next level.
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

// Which node of the next level every agent fell into.
static void descend(const struct partition *p, const struct level *level, const struct level *next,
                    struct local_points *v)
{
  const int32_t first = next->count ? next->nodes[0].cut : 0; // a level's cuts are consecutive
  for (int64_t i = 0; i < v->of->count; i++)
    if (v->node[i] >= 0) {
      const int32_t cut =
          child_of(p, level->nodes[v->node[i]].cut, (struct point){v->of->x[i], v->of->y[i]});
      v->node[i] = cut < 0 ? -1 : cut - first;
    }
}

// former: p has cuts; each is replaced by that of the same ranks.
static void cut_levels(struct partition *p, bool former, struct local_points *v)
{
  const size_t most = (size_t)p->rank_count; // nodes
  struct level level = {memory_create(most, sizeof(struct node)), p->rank_count > 1};
  struct level next = {memory_create(most, sizeof(struct node)), 0};
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

void partition_create(struct partition *p, int32_t rank_count, int32_t reach,
                      const struct partition_points *of, struct partition_reduce reduce)
{
  *p = (struct partition){.rank_count = rank_count};
  p->cuts = memory_create((size_t)rank_count, sizeof *p->cuts);
  p->boxes = memory_create((size_t)rank_count, sizeof *p->boxes);
  if (rank_count == 1)
    p->boxes[0] = (struct box){{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  struct local_points local_points = {of, memory_create((size_t)of->count, sizeof(int32_t)), reach,
                                      reduce};
  cut_levels(p, false, &local_points);
  memory_destroy(local_points.node);
}

void partition_update(struct partition *p, int32_t reach, const struct partition_points *of,
                      struct partition_reduce reduce)
{
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

static int32_t root_of(const struct partition *p) // of the tree
{
  return p->rank_count > 1 ? 0 : ~0;
}

int32_t partition_owner(const struct partition *p, struct point at)
{
  int32_t next = root_of(p);
  while (next >= 0)
    next = child_of(p, next, at);
  return ~next;
}

// As deep as the tree: the lower side has the lower ranks, so they come in order.
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
