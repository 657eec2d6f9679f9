#include "partition.h"

#include "base.h"
#include "bisection.h"
#include <assert.h>

static struct rank_span lower_half(struct rank_span ranks)
{
  return (struct rank_span){ranks.first, ranks.count / 2};
}

static struct rank_span upper_half(struct rank_span ranks)
{
  const int32_t lower = ranks.count / 2;
  return (struct rank_span){ranks.first + lower, ranks.count - lower};
}

// All nodes of a level of the tree have as many ranks as its last one, or one less.
static bool is_above_groups(int32_t last_rank_count, const struct partition_groups *groups)
{
  return !groups || last_rank_count > groups->group_ranks;
}

struct rank_span partition_group(int32_t rank_count, int32_t rank, int32_t group_ranks)
{
  assert(rank >= 0 && rank < rank_count && group_ranks >= 1);
  struct rank_span group = {0, rank_count};
  for (int32_t most = rank_count; most > group_ranks; most -= most / 2) {
    const struct rank_span upper = upper_half(group);
    group = rank < upper.first ? lower_half(group) : upper;
  }
  return group;
}

// ------------------------------------------------------------------------------------ the tree

// The index of the side's cut, which is the next one; or ~rank.
static int32_t number_side(struct rank_span side, struct rank_span *ranks, int32_t *next)
{
  if (side.count == 1)
    return ~side.first;
  ranks[*next] = side;
  return (*next)++;
}

// Numbers the cuts, level by level: lower and upper follow from the number of ranks.
static void number_cuts(struct partition *p)
{
  struct rank_span *ranks = memory_create((size_t)p->rank_count, sizeof *ranks); // of each cut
  int32_t next = 1;
  ranks[0] = (struct rank_span){0, p->rank_count};
  for (int32_t k = 0; k < p->rank_count - 1; k++) {
    p->cuts[k].lower = number_side(lower_half(ranks[k]), ranks, &next);
    p->cuts[k].upper = number_side(upper_half(ranks[k]), ranks, &next);
  }
  memory_destroy(ranks);
}

static int32_t root_of(const struct partition *p) // of the tree: as lower and upper of a cut
{
  return p->rank_count > 1 ? 0 : ~0;
}

static void sides_of(const struct partition_cut *cut, struct box box, struct box sides[2])
{
  sides[0] = sides[1] = box;
  *(cut->axis ? &sides[0].hi.y : &sides[0].hi.x) = cut->at;
  *(cut->axis ? &sides[1].lo.y : &sides[1].lo.x) = cut->at;
}

static void set_boxes(struct partition *p, int32_t next, struct box box)
{
  struct box sides[2];
  if (next < 0) {
    p->boxes[~next] = box;
    return;
  }
  sides_of(&p->cuts[next], box, sides);
  set_boxes(p, p->cuts[next].lower, sides[0]);
  set_boxes(p, p->cuts[next].upper, sides[1]);
}

// ------------------------------------------------------------------------------------- cutting

static void append_side(struct level *next, struct rank_span ranks, int32_t cut, struct box box)
{
  if (cut >= 0)
    next->nodes[next->count++] = (struct node){.ranks = ranks, .box = box, .cut = cut};
}

static void split(struct partition *p, const struct node *n, bool former, struct level *next)
{
  struct partition_cut *cut = &p->cuts[n->cut];
  struct box sides[2];
  const struct partition_cut found = bisection_cut(n, former ? cut->axis : -1);
  cut->axis = found.axis;
  cut->at = found.at;
  sides_of(cut, n->box, sides);
  append_side(next, lower_half(n->ranks), cut->lower, sides[0]);
  append_side(next, upper_half(n->ranks), cut->upper, sides[1]);
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

struct cutting {
  struct partition *p;
  bool former; // p has cuts of the same ranks, whose axes are preferred
  struct level level, next;
};

// Cuts the nodes of the level; then the level is their sides.
static void cut_level(struct cutting *c, struct local_points *v)
{
  bisection_level(&c->level, v);
  c->next.count = 0;
  for (int32_t k = 0; k < c->level.count; k++)
    split(c->p, &c->level.nodes[k], c->former, &c->next);
  descend(c->p, &c->level, &c->next, v);
  const struct level done = c->level;
  c->level = c->next;
  c->next = done;
}

// ------------------------------------------------------------------------------ groups of ranks

// A rank of each point's node: this one or, in another group, one that about as many ranks choose
// as any other.
static int32_t *destinations(const struct level *level, const struct local_points *v, int32_t rank)
{
  int32_t *to = memory_create((size_t)v->of->count, sizeof *to);
  for (int64_t i = 0; i < v->of->count; i++) {
    const int32_t node = v->node[i];
    const struct rank_span ranks = level->nodes[node < 0 ? 0 : node].ranks;
    const bool own = rank >= ranks.first && rank < ranks.first + ranks.count;
    to[i] = node < 0 ? -1 : own ? rank : ranks.first + rank % ranks.count;
  }
  return to;
}

// Keeps the node of this rank. A rank that is alone has none: its level is empty.
static void keep_own(struct level *level, int32_t rank)
{
  int32_t kept = 0;
  for (int32_t k = 0; k < level->count; k++) {
    const struct rank_span ranks = level->nodes[k].ranks;
    if (rank >= ranks.first && rank < ranks.first + ranks.count)
      level->nodes[kept++] = level->nodes[k];
  }
  level->count = kept;
}

static void copy_cuts_below(const struct partition *p, int32_t next, int64_t (*values)[2])
{
  if (next < 0)
    return;
  values[next][0] = p->cuts[next].axis;
  values[next][1] = p->cuts[next].at;
  copy_cuts_below(p, p->cuts[next].lower, values);
  copy_cuts_below(p, p->cuts[next].upper, values);
}

// Every rank gets the cuts from `first` on. The first rank of each group has those below its node.
static void share_cuts(struct partition *p, int32_t first, const struct node *own,
                       const struct local_points *v, int32_t rank)
{
  const int32_t count = p->rank_count - 1;
  int64_t(*values)[2] = memory_create((size_t)count, sizeof *values);
  if (own && rank == own->ranks.first)
    copy_cuts_below(p, own->cut, values);
  v->reduce.sum(v->reduce.context, &values[first][0], 2 * (int64_t)(count - first));
  for (int32_t k = first; k < count; k++) {
    p->cuts[k].axis = (int32_t)values[k][0];
    p->cuts[k].at = (int32_t)values[k][1];
  }
  memory_destroy(values);
}

// Cuts what is below the level: each group its own node.
static void cut_in_groups(struct cutting *c, const struct local_points *v,
                          const struct partition_groups *groups)
{
  const int32_t first_cut = c->level.nodes[0].cut;
  int32_t *to = destinations(&c->level, v, groups->rank);
  struct partition_points points = {0};
  int32_t *block = groups->move(groups->context, v->of, to, &points.count);
  memory_destroy(to);
  points.x = block;
  points.y = block + points.count;
  points.weights = block + 2 * points.count;
  struct local_points own_points = {&points, memory_create((size_t)points.count, sizeof(int32_t)),
                                    v->reach, groups->reduce};
  keep_own(&c->level, groups->rank);
  const bool has_node = c->level.count > 0;
  const struct node own = c->level.nodes[0];
  while (c->level.count > 0)
    cut_level(c, &own_points);
  memory_destroy(own_points.node);
  memory_destroy(block);
  share_cuts(c->p, first_cut, has_node ? &own : NULL, v, groups->rank);
}

static void cut(struct partition *p, bool former, int32_t reach, const struct partition_points *of,
                struct partition_reduce reduce, const struct partition_groups *groups)
{
  const size_t node_max = (size_t)p->rank_count;
  const struct box plane = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  struct local_points v = {of, memory_create((size_t)of->count, sizeof(int32_t)), reach, reduce};
  struct cutting c = {.p = p, .former = former};
  c.level.nodes = memory_create(node_max, sizeof(struct node));
  c.next.nodes = memory_create(node_max, sizeof(struct node));
  append_side(&c.level, (struct rank_span){0, p->rank_count}, root_of(p), plane);
  while (c.level.count > 0 && is_above_groups(c.level.nodes[c.level.count - 1].ranks.count, groups))
    cut_level(&c, &v);
  if (c.level.count > 0)
    cut_in_groups(&c, &v, groups);
  set_boxes(p, root_of(p), plane);
  memory_destroy(c.level.nodes);
  memory_destroy(c.next.nodes);
  memory_destroy(v.node);
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
                      const struct partition_points *of, struct partition_reduce reduce,
                      const struct partition_groups *groups)
{
  assert(rank_count >= 1 && reach >= 0 && partition_points_is_valid(of));
  *p = (struct partition){.rank_count = rank_count};
  p->cuts = memory_create((size_t)rank_count, sizeof *p->cuts);
  p->boxes = memory_create((size_t)rank_count, sizeof *p->boxes);
  number_cuts(p);
  cut(p, false, reach, of, reduce, groups);
  assert(partition_is_valid(p));
}

void partition_update(struct partition *p, int32_t reach, const struct partition_points *of,
                      struct partition_reduce reduce, const struct partition_groups *groups)
{
  assert(partition_is_valid(p) && reach >= 0 && partition_points_is_valid(of));
  cut(p, true, reach, of, reduce, groups);
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
