#include "crowds.h"
#include "neighbours.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>

static void assert_nearest(const struct neighbours *n, const struct agents *a, int32_t slot, int k,
                           float range2)
{
  float d2[32];
  int32_t slots[32];
  int found[32];
  const struct neighbour *self = &n->sorted[slot];
  const int count = (int)(a->count + a->ghost_count);
  const int right = oracle_nearest(count, a->x, a->y, a->id, self->agent, self->x, self->y, k,
                                   (double)range2, found);
  neighbours_of_one(n, (struct point){self->x, self->y}, slot, k, range2, d2, slots);
  for (int i = 0; i < k; i++) {
    if (i >= right) {
      cr_assert(slots[i] == -1 && d2[i] == range2, "place %d of %d is not empty", i, right);
      continue;
    }
    cr_assert(slots[i] >= 0, "%d found, not %d", i, right);
    cr_assert_eq(n->sorted[slots[i]].agent, found[i], "neighbour %d of agent %d", i, self->agent);
    cr_assert_eq((double)d2[i],
                 oracle_float_distance2(self->x, self->y, a->x[found[i]], a->y[found[i]]));
  }
}

static const float ranges2[] = {0, 1, 900, 1e6f, 1.1e6f, 1e10f, 3e38f};

Test(neighbours, k_nearest_are_those_of_all_pairs)
{
  static const int counts[] = {1, 2, 15, 16, 17, 31, 33, 48, 129, 256};
  static const int ks[] = {1, 2, 7, 10, 32};
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 10; c++) {
      struct agents a;
      struct neighbours n = {0};
      crowd_make(&a, (uint64_t)c, kind, counts[c], counts[c] / 3);
      neighbours_build(&n, &a);
      for (int32_t s = 0; s < counts[c]; s += 1 + counts[c] / 24)
        for (int k = 0; k < 5; k++)
          assert_nearest(&n, &a, s, ks[k], ranges2[(s + k + c) % 7]);
      neighbours_destroy(&n);
      agents_destroy(&a);
    }
}

Test(neighbours, the_edge_of_the_range_is_outside)
{
  struct agents a;
  struct neighbours n = {0};
  float d2;
  int32_t slot;
  crowd_make(&a, 1, LATTICE, 2, 0); // a thousand quanta apart
  neighbours_build(&n, &a);
  neighbours_of_one(&n, (struct point){n.sorted[0].x, n.sorted[0].y}, 0, 1, 1e6f, &d2, &slot);
  cr_assert_eq(slot, -1);
  neighbours_of_one(&n, (struct point){n.sorted[0].x, n.sorted[0].y}, 0, 1, 1000001, &d2, &slot);
  cr_assert_eq(slot, 1);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

Test(neighbours, an_empty_crowd_has_none)
{
  struct agents a;
  struct neighbours n = {0};
  float d2[2];
  int32_t slots[2];
  crowd_make(&a, 1, SPREAD, 0, 0);
  neighbours_build(&n, &a);
  neighbours_of_one(&n, (struct point){0, 0}, -1, 2, 1e9f, d2, slots);
  cr_assert(slots[0] == -1 && slots[1] == -1 && n.own_count == 0);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

Test(neighbours, everybody_is_there_once_and_owned_ones_are_marked)
{
  struct agents a;
  struct neighbours n = {0};
  uint64_t r = 1;
  for (int round = 0; round < 20; round++) { // the index of one crowd is used for the next
    const int count = oracle_whole(&r, 0, 300), ghosts = oracle_whole(&r, 0, count);
    uint8_t seen[300] = {0};
    crowd_make(&a, (uint64_t)round, round % CROWD_KINDS, count, ghosts);
    neighbours_build(&n, &a);
    cr_assert_eq(n.own_count, count - ghosts);
    for (int32_t s = 0; s < count; s++) {
      const struct neighbour *who = &n.sorted[s];
      cr_assert(who->x == a.x[who->agent] && who->y == a.y[who->agent] &&
                who->id == a.id[who->agent] && !seen[who->agent]);
      seen[who->agent] = 1;
    }
    for (int64_t o = 0; o < n.own_count; o++)
      cr_assert(n.sorted[n.own[o]].agent < a.count && (o == 0 || n.own[o] > n.own[o - 1]));
    agents_destroy(&a);
  }
  neighbours_destroy(&n);
}

// The ids found by everybody, whatever the order of people in memory and the index of the step
// before.
Test(neighbours, the_order_in_memory_does_not_show)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a, turned;
    struct neighbours n = {0}, m = {0};
    const int count = 200;
    crowd_make(&a, 7, kind, count, 0);
    crowd_make(&turned, 7, SPREAD, count, 0);
    neighbours_build(&m, &turned); // leaves an index that has nothing to do with what follows
    for (int i = 0; i < count; i++) {
      turned.id[i] = a.id[count - 1 - i];
      turned.x[i] = a.x[count - 1 - i];
      turned.y[i] = a.y[count - 1 - i];
    }
    neighbours_build(&n, &a);
    neighbours_build(&m, &turned);
    for (int32_t s = 0; s < count; s++) {
      int32_t t = 0, of_a[10], of_m[10];
      float d2[10];
      while (m.sorted[t].id != n.sorted[s].id)
        t++;
      neighbours_of_one(&n, (struct point){n.sorted[s].x, n.sorted[s].y}, s, 10, 1e8f, d2, of_a);
      neighbours_of_one(&m, (struct point){m.sorted[t].x, m.sorted[t].y}, t, 10, 1e8f, d2, of_m);
      for (int i = 0; i < 10; i++)
        cr_assert(of_a[i] < 0 ? of_m[i] < 0 : n.sorted[of_a[i]].id == m.sorted[of_m[i]].id);
    }
    neighbours_destroy(&n);
    neighbours_destroy(&m);
    agents_destroy(&a);
    agents_destroy(&turned);
  }
}
