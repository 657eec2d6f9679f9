// Groups of ranks that cut the lower levels each for itself find the partition that all ranks find
// together, and that a rank finds alone.
#include "partition_ranks.h"

#include "rank_crowd.h"
#include <string.h>

#define REACH (1 << 16)

struct share { // the points whose number is `first` modulo `stride`
  int64_t count;
  int32_t *x, *y, *weights;
};

static struct share share_create(const struct crowd *crowd, int64_t first, int64_t stride,
                                 int32_t round)
{
  const size_t most = (size_t)crowd->count + 1;
  struct share s = {0, memory_create(most, sizeof *s.x), memory_create(most, sizeof *s.y),
                    memory_create(most, sizeof *s.weights)};
  for (int64_t id = first; id < crowd->count; id += stride) {
    const struct point at = crowd_place(crowd, round ? id / 2 : id); // the second time, elsewhere
    s.x[s.count] = round ? at.y : at.x;
    s.y[s.count] = round ? at.x : at.y;
    s.weights[s.count++] = (int32_t)((id + 3 * round) % 9);
  }
  return s;
}

static void share_destroy(struct share *s)
{
  memory_destroy(s->x);
  memory_destroy(s->y);
  memory_destroy(s->weights);
}

struct cutters { // of a plane
  struct partition_reduce reduce;
  const struct partition_groups *groups;
};

// Cuts `rank_count` boxes, then once more when the points have moved.
static struct partition cut_twice(const struct crowd *crowd, int64_t first, int64_t stride,
                                  int32_t rank_count, const struct cutters *by)
{
  struct partition p;
  for (int32_t round = 0; round < 2; round++) {
    struct share s = share_create(crowd, first, stride, round);
    const struct partition_points points = {s.count, s.x, s.y, round ? s.weights : NULL};
    if (round)
      partition_update(&p, REACH, &points, by->reduce, by->groups);
    else
      partition_create(&p, rank_count, REACH, &points, by->reduce, by->groups);
    share_destroy(&s);
  }
  return p;
}

static void check_same(const struct partition *a, const struct partition *b, const char *name,
                       int32_t group_ranks)
{
  const size_t ranks = (size_t)a->rank_count;
  law(partition_is_valid(a) && memcmp(a->cuts, b->cuts, (ranks - 1) * sizeof *a->cuts) == 0,
      "%s, groups of %d ranks", name, group_ranks);
  law(memcmp(a->boxes, b->boxes, ranks * sizeof *a->boxes) == 0, "%s, groups of %d ranks", name,
      group_ranks);
}

static void check_groups(const struct comm *c, int32_t group_ranks)
{
  const struct rank_span own = partition_group(c->size, c->rank, group_ranks);
  law(own.count >= 1 && own.count <= group_ranks, "%d of %d", own.count, group_ranks);
  law(c->rank >= own.first && c->rank < own.first + own.count, "%d in %d", c->rank, own.first);
  struct partition_ranks ranks;
  partition_ranks_create(&ranks, c, group_ranks);
  law(ranks.has_groups == (group_ranks < c->size), "%d", group_ranks);
  if (ranks.has_groups)
    law(ranks.group.size == own.count && ranks.group.rank == c->rank - own.first, "%d ranks",
        ranks.group.size);
  partition_ranks_destroy(&ranks);
}

static void check_crowd(const struct comm *c, const struct crowd *crowd)
{
  const struct cutters alone = {{0}, NULL};
  struct partition expected = cut_twice(crowd, 0, 1, c->size, &alone);
  for (int32_t group_ranks = 0; group_ranks < c->size; group_ranks++) {
    struct partition_ranks ranks;
    partition_ranks_create(&ranks, c, group_ranks);
    const struct cutters by = {partition_ranks_reduce(&ranks), partition_ranks_groups(&ranks)};
    struct partition p = cut_twice(crowd, c->rank, c->size, c->size, &by);
    check_same(&p, &expected, crowd->name, group_ranks);
    partition_destroy(&p);
    partition_ranks_destroy(&ranks);
  }
  partition_destroy(&expected);
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (int32_t group_ranks = 1; group_ranks <= c.size; group_ranks++)
    check_groups(&c, group_ranks);
  for (size_t k = 0; k < CROWDS; k++)
    check_crowd(&c, &crowds[k]);
  law(partition_ranks_choose(PARTITION_RANKS_MAX) == 0 &&
          partition_ranks_choose(PARTITION_RANKS_MAX + 1) == PARTITION_GROUP_RANKS,
      "%d", PARTITION_GROUP_RANKS);
  comm_end(&c);
  return 0;
}
