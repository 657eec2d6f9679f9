// The axis along which a node is cut.
#include "extent.h"
#include "partition_points.h"

#include <stdlib.h>

// All coordinates are distinct, so every cut can be exact. Clusters: dense and sparse regions.
static void place_distinct(int count)
{
  uint64_t r = (uint64_t)count;
  int32_t middle[9][2];
  for (int k = 0; k < 9; k++)
    for (int axis = 0; axis < 2; axis++)
      middle[k][axis] = oracle_whole(&r, -200000, 200000);
  for (int i = 0; i < count; i++) {
    const int32_t spread = 1000 << i % 9;
    x[i] = (middle[i % 9][0] + oracle_whole(&r, -spread, spread)) / AGENTS * AGENTS + i;
    y[i] = (middle[i % 9][1] + oracle_whole(&r, -spread, spread)) / AGENTS * AGENTS +
           i * 7919 % AGENTS;
    weights[i] = 1;
  }
}

Test(partition, shares_differ_by_one_if_coordinates_are_distinct)
{
  place_distinct(AGENTS);
  for (int ranks = 1; ranks <= 1024; ranks *= 2) {
    struct partition p;
    create(&p, ranks, AGENTS, false);
    for (int32_t b = 0; b < ranks; b++) {
      const int64_t share = weight_in(p.boxes[b], AGENTS);
      cr_assert(share == AGENTS / ranks || share == (AGENTS + ranks - 1) / ranks, "%d ranks: %lld",
                ranks, (long long)share);
    }
    partition_destroy(&p);
  }
}

static int by_value(const void *a, const void *b)
{
  return *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

static int near_median(const int32_t *at, int count) // number of agents within reach of it
{
  static int32_t sorted[AGENTS];
  int near_count = 0;
  memcpy(sorted, at, (size_t)count * sizeof *at);
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  for (int i = 0; i < count; i++)
    near_count += at[i] >= sorted[count / 2] - REACH && at[i] < sorted[count / 2] + REACH;
  return near_count;
}

Test(partition, the_cut_has_the_fewest_agents_within_reach)
{
  int chosen[2] = {0, 0};
  for (int count = 40; count <= AGENTS; count += 40) {
    struct partition p;
    place_distinct(count);
    create(&p, 2, count, false);
    const int near_x = near_median(x, count), near_y = near_median(y, count);
    if (near_x != near_y)
      cr_assert_eq(p.cuts[0].axis, near_y < near_x, "%d agents: %d or %d", count, near_x, near_y);
    chosen[p.cuts[0].axis]++;
    partition_destroy(&p);
  }
  cr_assert(chosen[0] && chosen[1], "%d and %d: always the same axis", chosen[0], chosen[1]);
}

// Fewer agents are near the cut across x, but most of them are in one column that it cannot split.
Test(partition, equal_shares_take_precedence_over_a_small_halo)
{
  struct partition p;
  for (int i = 0; i < AGENTS; i++) {
    x[i] = i % 10 < 4 ? 0 : (i % 2 ? 2 : -2) * REACH + i;
    y[i] = 7 * i;
    weights[i] = 1;
  }
  create(&p, 2, AGENTS, false);
  cr_assert_eq(weight_in(p.boxes[0], AGENTS), weight_in(p.boxes[1], AGENTS));
  partition_destroy(&p);
}

static int turned_cuts(const struct partition *p, const struct partition *q)
{
  int count = 0;
  for (int32_t c = 0; c < p->rank_count - 1; c++)
    count += p->cuts[c].axis != q->cuts[c].axis;
  return count;
}

static void shake(int count)
{
  uint64_t r = 2;
  for (int i = 0; i < count; i++) {
    x[i] += oracle_whole(&r, -REACH / 50, REACH / 50);
    y[i] += oracle_whole(&r, -REACH / 50, REACH / 50);
  }
}

// If cuts of nearly equal cost alternated, half of the agents would migrate.
Test(partition, update_keeps_good_axes)
{
  int turned_by_update = 0, turned_by_create = 0;
  for (int count = 400; count <= AGENTS; count += 100) {
    struct partition former, updated, fresh;
    place_distinct(count);
    create(&former, 64, count, true);
    create(&updated, 64, count, true);
    update(&updated, count, x, y);
    assert_same(&former, &updated); // the points have not changed
    shake(count);
    create(&fresh, 64, count, true);
    update(&updated, count, x, y);
    for (int i = 0; i < count; i += 50)
      assert_one_owner(&updated, (struct point){x[i], y[i]});
    turned_by_update += turned_cuts(&former, &updated);
    turned_by_create += turned_cuts(&former, &fresh);
    partition_destroy(&former);
    partition_destroy(&updated);
    partition_destroy(&fresh);
  }
  cr_assert(4 * turned_by_update < turned_by_create, "%d cuts turned by update, %d by create",
            turned_by_update, turned_by_create);
}

Test(partition, update_follows_the_crowd)
{
  for (int count = 400; count <= AGENTS; count += 400) {
    struct partition p, q;
    place_distinct(count);
    create(&p, 16, count, true);
    create(&q, 16, count, true);
    for (int i = 0; i < count; i++)
      y[i] /= 8; // now many more agents are near a cut across y
    update(&q, count, x, y);
    cr_assert(turned_cuts(&p, &q) > 0, "%d agents", count);
    partition_destroy(&p);
    partition_destroy(&q);
  }
}

static struct box swapped(struct box b)
{
  return (struct box){{b.lo.y, b.lo.x}, {b.hi.y, b.hi.x}};
}

Test(partition, commutes_with_swapping_the_axes)
{
  for (int ranks = 2; ranks <= 3 * RANKS; ranks += SHORT && ranks > 8 ? 7 : 1) {
    struct partition p, q;
    place_distinct(AGENTS);
    create(&p, ranks, AGENTS, true);
    for (int i = 0; i < AGENTS; i++) {
      const int32_t old_x = x[i];
      x[i] = y[i];
      y[i] = old_x;
    }
    create(&q, ranks, AGENTS, true);
    for (int32_t c = 0; c < ranks - 1; c++)
      cr_assert(p.cuts[c].axis != q.cuts[c].axis && p.cuts[c].at == q.cuts[c].at);
    for (int32_t b = 0; b < ranks; b++) {
      const struct box expected = swapped(q.boxes[b]);
      cr_assert_eq(memcmp(&p.boxes[b], &expected, sizeof expected), 0, "%d ranks, box %d", ranks,
                   b);
    }
    partition_destroy(&p);
    partition_destroy(&q);
  }
}
