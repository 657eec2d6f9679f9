#include "partition_ranks.h"

#include "sparse_exchange.h"
#include <assert.h>
#include <string.h>

#define POINTS_TAG 40

static void sum_ranks(void *comm, int64_t *values, int64_t count)
{
  comm_sum(comm, values, count);
}

static void max_ranks(void *comm, int64_t *values, int64_t count)
{
  comm_max(comm, values, count);
}

static struct partition_reduce reduce_over(const struct comm *c)
{
  return (struct partition_reduce){sum_ranks, max_ranks, (void *)(uintptr_t)c};
}

// ----------------------------------------------------------------------------- moving points

struct weighted_point {
  int32_t x, y, weight;
};

struct point_list {
  struct weighted_point *points;
  int64_t count, capacity;
};

static void append_points(void *list, const char *bytes, int64_t count)
{
  struct point_list *l = list;
  if (l->count + count > l->capacity) {
    const int64_t capacity = 2 * (l->count + count);
    l->points = memory_grow(l->points, (size_t)l->count, (size_t)capacity, sizeof *l->points);
    l->capacity = capacity;
  }
  memcpy(l->points + l->count, bytes, (size_t)count * sizeof *l->points);
  l->count += count;
}

// Those that stay are appended to `kept`.
static void pack_points(const struct partition_points *of, const int32_t *to, int32_t rank,
                        struct sparse_outbox *outbox, struct point_list *kept)
{
  for (int64_t i = 0; i < of->count; i++) {
    const struct weighted_point p = {of->x[i], of->y[i], of->weights ? of->weights[i] : 1};
    if (to[i] == rank)
      append_points(kept, (const char *)&p, 1);
    else if (to[i] >= 0)
      memcpy(sparse_outbox_next(outbox, to[i]), &p, sizeof p);
  }
}

static int32_t *columns_of(const struct point_list *l) // x, y, weights
{
  int32_t *block = memory_create(3 * (size_t)l->count, sizeof *block);
  for (int64_t i = 0; i < l->count; i++) {
    block[i] = l->points[i].x;
    block[l->count + i] = l->points[i].y;
    block[2 * l->count + i] = l->points[i].weight;
  }
  return block;
}

static int32_t *move_points(void *ranks, const struct partition_points *of, const int32_t *to,
                            int64_t *count)
{
  const struct partition_ranks *r = ranks;
  const struct comm *c = r->all;
  int32_t *elsewhere = memory_create((size_t)of->count, sizeof *elsewhere);
  for (int64_t i = 0; i < of->count; i++)
    elsewhere[i] = to[i] == c->rank ? -1 : to[i];
  struct sparse_outbox outbox;
  struct point_list here = {0};
  sparse_outbox_create(&outbox, c, sizeof(struct weighted_point), elsewhere, of->count);
  pack_points(of, to, c->rank, &outbox, &here);
  sparse_exchange(c, POINTS_TAG, outbox.record_size, outbox.messages, outbox.message_count,
                  (struct sparse_receiver){append_points, &here});
  int32_t *block = columns_of(&here);
  *count = here.count;
  sparse_outbox_destroy(&outbox);
  memory_destroy(elsewhere);
  memory_destroy(here.points);
  return block;
}

// --------------------------------------------------------------------------------- the ranks

int32_t partition_ranks_choose(int32_t ranks)
{
  return ranks > PARTITION_RANKS_MAX ? PARTITION_GROUP_RANKS : 0;
}

void partition_ranks_create(struct partition_ranks *r, const struct comm *all, int32_t group_ranks)
{
  assert(comm_is_valid(all) && group_ranks >= 0);
  *r = (struct partition_ranks){.all = all,
                                .has_groups = group_ranks > 0 && group_ranks < all->size};
  if (!r->has_groups)
    return;
  r->group = comm_split(all, partition_group(all->size, all->rank, group_ranks).first);
  r->groups = (struct partition_groups){.group_ranks = group_ranks,
                                        .rank = all->rank,
                                        .move = move_points,
                                        .context = r,
                                        .reduce = reduce_over(&r->group)};
}

void partition_ranks_destroy(struct partition_ranks *r)
{
  if (r->has_groups)
    comm_part_destroy(&r->group);
  *r = (struct partition_ranks){0};
}

struct partition_reduce partition_ranks_reduce(const struct partition_ranks *r)
{
  return reduce_over(r->all);
}

const struct partition_groups *partition_ranks_groups(const struct partition_ranks *r)
{
  return r->has_groups ? &r->groups : NULL;
}
