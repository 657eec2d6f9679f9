#include "hard_crowds.h"
#include "neighbours.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct frame frame = {.exponent = 16};

static void assert_nearest(const struct neighbours *n, const struct agents *a, int32_t self, int k,
                           float range2)
{
  int found[32];
  struct nearest_list nearest_list = {.room = k};
  const int count = (int)(a->count + a->ghost_count);
  const int right = oracle_nearest(count, a->x, a->y, a->id, self, a->x[self], a->y[self], k,
                                   (double)range2, found);
  neighbours_search_reference(n, a, (struct point){a->x[self], a->y[self]}, self, range2,
                              &nearest_list);
  cr_assert_eq(nearest_list.count, right, "%d found, not %d", nearest_list.count, right);
  for (int i = 0; i < right; i++) {
    cr_assert_eq(nearest_list.list[i].item, found[i], "neighbour %d of agent %d", i, self);
    cr_assert_eq((double)nearest_list.list[i].d2,
                 oracle_float_distance2(a->x[self], a->y[self], a->x[found[i]], a->y[found[i]]));
  }
}

static const float ranges2[] = {0, 1, 900, 1e6f, 1.1e6f, 1e10f, 3e38f};

Test(neighbours, k_nearest_are_those_of_all_pairs)
{
  static const int counts[] = {1, 2, 15, 16, 17, 31, 33, 48, 129, 256};
  static const int ks[] = {1, 2, 7, 10, 32};
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 2 * 10; c++) {
      struct agents a;
      struct neighbours n = {0};
      const int count = counts[c % 10], ghosts = count / 3;
      crowd_make(&a, (uint64_t)c, kind, count, ghosts);
      if (c < 10)
        neighbours_sort(&n, &a, NULL); // forgets the ghosts
      neighbours_build(&n, &frame, &a);
      for (int32_t s = 0; s < a.count; s += 1 + count / 24)
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
  crowd_make(&a, 1, LATTICE, 2, 0); // a thousand quanta apart
  neighbours_build(&n, &frame, &a);
  struct nearest_list none = {.room = 1}, one = {.room = 1};
  neighbours_search_reference(&n, &a, (struct point){a.x[0], a.y[0]}, 0, 1e6f, &none);
  cr_assert_eq(none.count, 0);
  neighbours_search_reference(&n, &a, (struct point){a.x[0], a.y[0]}, 0, 1000001, &one);
  cr_assert(one.count == 1 && one.list[0].item == 1);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

Test(neighbours, an_empty_crowd_has_none)
{
  struct agents a;
  struct neighbours n = {0};
  struct nearest_list nearest_list = {.room = 2};
  crowd_make(&a, 1, SPREAD, 0, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  neighbours_search_reference(&n, &a, (struct point){0, 0}, -1, 1e9f, &nearest_list);
  cr_assert_eq(nearest_list.count, 0);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// Sorting moves every field of an agent with it, loses nobody and leaves the checksum alone.
Test(neighbours, sorting_loses_nobody)
{
  uint64_t r = 1;
  struct neighbours n = {0};
  for (int round = 0; round < 30; round++) { // the index of one crowd is used for the next
    const int count = oracle_whole(&r, 0, 300);
    struct agents a;
    crowd_make(&a, (uint64_t)round, round % CROWD_KINDS, count, 0);
    for (int i = 0; i < count; i++)
      a.goal_x[i] = (int32_t)a.id[i], a.goal_y[i] = a.x[i], a.vx[i] = (float)a.y[i];
    const uint64_t before = agents_checksum(&a);
    n.width = 1e9; // worn out
    neighbours_sort(&n, &a, NULL);
    cr_assert_eq(a.count, count);
    cr_assert_eq(agents_checksum(&a), before);
    for (int i = 0; i < count; i++)
      cr_assert(a.goal_x[i] == (int32_t)a.id[i] && a.goal_y[i] == a.x[i] &&
                a.vx[i] == (float)a.y[i]);
    neighbours_build(&n, &frame, &a);
    agents_destroy(&a);
  }
  neighbours_destroy(&n);
}

// The ids found by everybody, whatever the order of people in memory and however worn the index.
Test(neighbours, the_order_in_memory_does_not_show)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a, turned;
    struct neighbours n = {0}, m = {0};
    const int count = 200;
    crowd_make(&a, 7, kind, count, 0);
    crowd_make(&turned, 7, kind, count, 0);
    neighbours_sort(&n, &a, NULL);
    neighbours_build(&n, &frame, &a);
    neighbours_build(&m, &frame, &turned); // never sorted
    for (int32_t s = 0; s < count; s++) {
      int32_t t = 0;
      struct nearest_list of_a = {.room = 10}, of_m = {.room = 10};
      while (turned.id[t] != a.id[s])
        t++;
      const struct point p = {a.x[s], a.y[s]};
      neighbours_search_reference(&n, &a, p, s, 1e8f, &of_a);
      neighbours_search_reference(&m, &turned, p, t, 1e8f, &of_m);
      cr_assert_eq(of_a.count, of_m.count);
      for (int i = 0; i < of_a.count; i++)
        cr_assert_eq(of_a.list[i].id, of_m.list[i].id);
    }
    neighbours_destroy(&n);
    neighbours_destroy(&m);
    agents_destroy(&a);
    agents_destroy(&turned);
  }
}

// Somebody who moves far away wears the order out; it is made anew then, and not before.
Test(neighbours, a_worn_order_is_made_anew)
{
  struct agents a;
  struct neighbours n = {0};
  crowd_make(&a, 3, SPREAD, 4000, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  const int64_t first = a.id[0];
  for (int64_t i = 0; i < a.count; i++) // a thousandth of the plane
    a.x[i] += (int32_t)(i % 3 * 200);
  neighbours_build(&n, &frame, &a);
  neighbours_sort(&n, &a, NULL);
  cr_assert_eq(a.id[0], first);
  uint64_t r = 1;
  for (int64_t i = 0; i < a.count; i++)
    a.x[i] = oracle_whole(&r, -200000, 200000);
  neighbours_build(&n, &frame, &a);
  const double worn = n.width;
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  cr_assert_lt(n.width, worn / 5, "%g, worn %g", n.width, worn);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// Whoever stands near the border comes last, and only they: all but a node's remainder.
Test(neighbours, the_rim_comes_last)
{
  for (int count = 0; count < 5000; count = 2 * count + 37) {
    struct agents a;
    struct neighbours n = {0};
    const struct sort_hint about = {.has_border_layer = true,
                                    .interior = {{-90000, -100000}, {INT32_MAX, 80000}}};
    crowd_make(&a, 5, SPREAD, count, 0);
    const uint64_t before = agents_checksum(&a);
    neighbours_sort(&n, &a, &about);
    cr_assert_eq(agents_checksum(&a), before);
    cr_assert(n.border_layer % BOX_TREE_NODE == 0 && n.border_layer <= count);
    int64_t late = 0;
    for (int64_t i = 0; i < count; i++) {
      const bool interior = box_holds(about.interior, (struct point){a.x[i], a.y[i]});
      cr_assert(interior || i >= n.border_layer);
      late += interior && i >= n.border_layer;
    }
    cr_assert_lt(late, BOX_TREE_NODE);
    neighbours_destroy(&n);
    agents_destroy(&a);
  }
}

static void swap_at_border(struct agents *a, int64_t border_layer, uint64_t *r, int32_t width,
                           int32_t line)
{
  const int go = oracle_whole(r, 0, 60), come = oracle_whole(r, 0, 60);
  uint8_t *gone = calloc((size_t)a->count + 60, 1);
  for (int k = 0; k < go; k++)
    for (int64_t i = oracle_whole(r, 0, (int32_t)a->count - 1), n = a->count; n > 0; n--) {
      i = (i + 1) % a->count;
      if (a->x[i] < line && !gone[i]) {
        gone[i] = 1;
        break;
      }
    }
  for (int k = 0; k < come; k++) {
    const int64_t i = agents_append(a);
    a->id[i] = 1000000 + i;
    a->radius[i] = a->yield[i] = 1;
    a->x[i] = oracle_whole(r, -width, line);
    a->y[i] = oracle_whole(r, -width, width);
  }
  agents_remove_ordered(a, border_layer, gone);
  free(gone);
}

// A hundred steps of people who come and go at the border: the order is as good as a new one, with
// the first in memory where they were.
Test(neighbours, coming_and_going_at_a_border_wears_nothing_out)
{
  const int32_t width = 1000000, line = -900000;
  const struct sort_hint about = {.has_border_layer = true,
                                  .interior = {{line, INT32_MIN}, {INT32_MAX, INT32_MAX}}};
  struct agents a;
  struct neighbours n = {0};
  uint64_t r = 8;
  agents_create(&a, 10000);
  for (int i = 0; i < 10000; i++) {
    agents_append(&a);
    a.id[i] = i;
    a.radius[i] = a.yield[i] = 1;
    a.x[i] = oracle_whole(&r, -width, width);
    a.y[i] = oracle_whole(&r, -width, width);
  }
  neighbours_sort(&n, &a, &about);
  neighbours_build(&n, &frame, &a);
  const int64_t first = a.id[0];
  for (int step = 0; step < 100; step++) {
    swap_at_border(&a, n.border_layer, &r, width, line);
    neighbours_sort(&n, &a, &about);
    neighbours_build(&n, &frame, &a);
    cr_assert_lt(n.width, 1.1 * n.sorted_width, "step %d: %g, %g", step, n.width, n.sorted_width);
    cr_assert_eq(a.id[0], first);
  }
  neighbours_destroy(&n);
  agents_destroy(&a);
}
