// Points and partitions for the tests of partition.h.
#pragma once
#include "hard_crowds.h"
#include "partition.h"

#include <criterion/criterion.h>
#include <string.h>

#define AGENTS 3000
#define RANKS  40
#define REACH  5000

static int32_t x[AGENTS], y[AGENTS], weights[AGENTS];

static inline void place_agents(int kind, int count, int32_t heaviest)
{
  uint64_t r = (uint64_t)kind + 1;
  for (int i = 0; i < count; i++) {
    crowd_place(&r, kind, i, count, &x[i], &y[i]);
    weights[i] = oracle_whole(&r, 1, heaviest);
  }
}

static inline void create(struct partition *p, int ranks, int count, bool weighted)
{
  const struct partition_points points = {count, x, y, weighted ? weights : NULL};
  partition_create(p, ranks, REACH, &points, (struct partition_reduce){0}, NULL);
}

static inline void update(struct partition *p, int count, const int32_t *as_x, const int32_t *as_y)
{
  const struct partition_points points = {count, as_x, as_y, weights};
  partition_update(p, REACH, &points, (struct partition_reduce){0}, NULL);
}

static inline void assert_one_owner(const struct partition *p, struct point at)
{
  const int32_t owner = partition_owner(p, at);
  for (int32_t r = 0; r < p->rank_count; r++)
    cr_assert_eq(box_holds(p->boxes[r], at), r == owner, "(%d %d): rank %d, owner %d", at.x, at.y,
                 r, owner);
}

static inline int64_t weight_in(struct box b, int count)
{
  int64_t sum = 0;
  for (int i = 0; i < count; i++)
    sum += box_holds(b, (struct point){x[i], y[i]}) ? weights[i] : 0;
  return sum;
}

static inline void assert_same(const struct partition *a, const struct partition *b)
{
  cr_assert_eq(a->rank_count, b->rank_count);
  cr_assert_eq(memcmp(a->boxes, b->boxes, (size_t)a->rank_count * sizeof *a->boxes), 0);
  cr_assert_eq(memcmp(a->cuts, b->cuts, (size_t)(a->rank_count - 1) * sizeof *a->cuts), 0);
}
