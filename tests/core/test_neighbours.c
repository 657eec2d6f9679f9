#include "extent.h"
#include "hard_crowds.h"
#include "neighbours.h"

#include <criterion/criterion.h>
#include <math.h>
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
  const int expected = oracle_nearest(count, a->x, a->y, a->id, self, a->x[self], a->y[self], k,
                                      (double)range2, found);
  neighbours_search_reference(n, a, (struct point){a->x[self], a->y[self]}, self, range2,
                              &nearest_list);
  cr_assert_eq(nearest_list.count, expected, "%d found, not %d", nearest_list.count, expected);
  for (int i = 0; i < expected; i++) {
    cr_assert_eq(nearest_list.list[i].item, found[i], "neighbour %d of agent %d", i, self);
    cr_assert_eq((double)nearest_list.list[i].d2,
                 oracle_float_distance2(a->x[self], a->y[self], a->x[found[i]], a->y[found[i]]));
  }
}

static const float ranges2[] = {0, 1, 900, 1e6f, 1.1e6f, 1e10f, 3e38f};

Test(neighbours, search_equals_all_pairs)
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
        neighbours_sort(&n, &a, NULL); // drops the ghosts
      neighbours_build(&n, &frame, &a);
      cr_assert(neighbours_is_valid(&n, &a));
      for (int32_t s = 0; s < a.count; s += 1 + count / 24)
        for (int k = 0; k < 5; k++)
          assert_nearest(&n, &a, s, ks[k], ranges2[(s + k + c) % 7]);
      neighbours_destroy(&n);
      agents_destroy(&a);
    }
}

Test(neighbours, the_range_is_exclusive)
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

Test(neighbours, empty_crowd)
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

// Sorting moves all fields of an agent together.
Test(neighbours, sort_permutes_the_agents)
{
  uint64_t r = 1;
  struct neighbours n = {0};
  for (int round = 0; round < 30; round++) { // n is reused for the next crowd
    const int count = oracle_whole(&r, 0, 300);
    struct agents a;
    crowd_make(&a, (uint64_t)round, round % CROWD_KINDS, count, 0);
    for (int i = 0; i < count; i++)
      a.goal_x[i] = (int32_t)a.id[i], a.goal_y[i] = a.x[i], a.vx[i] = (float)a.y[i];
    const uint64_t before = agents_checksum(&a);
    n.width = 1e9; // stale
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

// The ids found are the same for any order in memory, however bad it is.
Test(neighbours, independent_of_the_order_in_memory)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++) {
    struct agents a, unsorted;
    struct neighbours n = {0}, m = {0};
    const int count = 200;
    crowd_make(&a, 7, kind, count, 0);
    crowd_make(&unsorted, 7, kind, count, 0);
    neighbours_sort(&n, &a, NULL);
    neighbours_build(&n, &frame, &a);
    neighbours_build(&m, &frame, &unsorted); // never sorted
    for (int32_t s = 0; s < count; s++) {
      int32_t t = 0;
      struct nearest_list of_a = {.room = 10}, of_m = {.room = 10};
      while (unsorted.id[t] != a.id[s])
        t++;
      const struct point p = {a.x[s], a.y[s]};
      neighbours_search_reference(&n, &a, p, s, 1e8f, &of_a);
      neighbours_search_reference(&m, &unsorted, p, t, 1e8f, &of_m);
      cr_assert_eq(of_a.count, of_m.count);
      for (int i = 0; i < of_a.count; i++)
        cr_assert_eq(of_a.list[i].id, of_m.list[i].id);
    }
    neighbours_destroy(&n);
    neighbours_destroy(&m);
    agents_destroy(&a);
    agents_destroy(&unsorted);
  }
}

// Small moves keep the order; random positions make it stale.
Test(neighbours, a_stale_order_is_sorted)
{
  struct agents a;
  struct neighbours n = {0};
  crowd_make(&a, 3, SPREAD, 4000, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  const int64_t first = a.id[0];
  for (int64_t i = 0; i < a.count; i++) // at most a thousandth of the crowd's width
    a.x[i] += (int32_t)(i % 3 * 200);
  neighbours_build(&n, &frame, &a);
  neighbours_sort(&n, &a, NULL);
  cr_assert_eq(a.id[0], first);
  uint64_t r = 1;
  for (int64_t i = 0; i < a.count; i++)
    a.x[i] = oracle_whole(&r, -200000, 200000);
  neighbours_build(&n, &frame, &a);
  const double stale = n.width;
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  cr_assert_lt(n.width, stale / 5, "%g, stale %g", n.width, stale);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// Agents near a border come last, with less than a node of interior agents.
Test(neighbours, the_border_layer_comes_last)
{
  for (int count = 0; count < 5000; count = 2 * count + 37) {
    struct agents a;
    struct neighbours n = {0};
    const struct sort_hint hint = {.has_border_layer = true,
                                   .interior = {{-90000, -100000}, {INT32_MAX, 80000}}};
    crowd_make(&a, 5, SPREAD, count, 0);
    const uint64_t before = agents_checksum(&a);
    neighbours_sort(&n, &a, &hint);
    cr_assert_eq(agents_checksum(&a), before);
    cr_assert(n.border_layer % BOX_TREE_NODE == 0 && n.border_layer <= count);
    int64_t late = 0;
    for (int64_t i = 0; i < count; i++) {
      const bool interior = box_holds(hint.interior, (struct point){a.x[i], a.y[i]});
      cr_assert(interior || i >= n.border_layer);
      late += interior && i >= n.border_layer;
    }
    cr_assert_lt(late, BOX_TREE_NODE);
    neighbours_destroy(&n);
    agents_destroy(&a);
  }
}

static void exchange_at_border(struct agents *a, int64_t *border_layer, uint64_t *r, int32_t width,
                               int32_t line)
{
  const int leaving = oracle_whole(r, 0, 60), entering = oracle_whole(r, 0, 60);
  uint8_t *gone = calloc((size_t)a->count + 60, 1);
  for (int k = 0; k < leaving; k++)
    for (int64_t i = oracle_whole(r, 0, (int32_t)a->count - 1), n = a->count; n > 0; n--) {
      i = (i + 1) % a->count;
      if (a->x[i] < line && !gone[i]) {
        gone[i] = 1;
        break;
      }
    }
  for (int k = 0; k < entering; k++) {
    const int64_t i = agents_append(a);
    a->id[i] = 1000000 + i;
    a->radius[i] = a->yield[i] = 1;
    a->x[i] = oracle_whole(r, -width, line);
    a->y[i] = oracle_whole(r, -width, width);
  }
  agents_remove_ordered(a, border_layer, gone);
  free(gone);
}

// Over a hundred steps agents enter and leave at a border: the order stays as good as a new one
// without a full sort.
Test(neighbours, traffic_at_a_border_keeps_the_order_good)
{
  const int32_t width = 1000000, line = -900000;
  const struct sort_hint hint = {.has_border_layer = true,
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
  neighbours_sort(&n, &a, &hint);
  neighbours_build(&n, &frame, &a);
  const int64_t first = a.id[0];
  const double sorted = n.width;
  for (int step = 0; step < 100; step++) {
    exchange_at_border(&a, &n.border_layer, &r, width, line);
    neighbours_sort(&n, &a, &hint);
    neighbours_build(&n, &frame, &a);
    cr_assert_lt(n.width, 1.1 * sorted, "step %d: %g, %g", step, n.width, sorted);
    cr_assert_eq(a.id[0], first);
  }
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// The agent nearest to a place leaves, and again.
static void leave_at(struct agents *a, int64_t *border_layer, struct point place, int leaving)
{
  uint8_t *gone = calloc((size_t)a->count, 1);
  for (int k = 0; k < leaving; k++) {
    int64_t nearest = -1;
    float least = INFINITY;
    for (int64_t i = 0; i < a->count; i++) {
      const float d2 = float_distance2(place, a->x[i], a->y[i]);
      if (gone[i] || d2 >= least)
        continue;
      nearest = i;
      least = d2;
    }
    cr_assert(nearest >= 0);
    gone[nearest] = 1;
  }
  agents_remove_ordered(a, border_layer, gone);
  free(gone);
}

// Agents leave at four exits within the crowd, as in a city on one rank: the leaves stay as compact
// as after a full sort, without another one.
Test(neighbours, exits_keep_the_order_good)
{
  static const struct point exits[] = {
      {-600000, -500000}, {700000, 100000}, {10000, 20000}, {-300000, 800000}};
  struct agents a;
  struct neighbours n = {0};
  crowd_make(&a, 9, SPREAD, 20000, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  const double sorted = n.width;
  static int64_t ids[20000];
  for (int step = 0; step < (SHORT ? 12 : 100); step++) {
    int64_t stay = 0;
    const uint64_t before = agents_checksum(&a);
    memcpy(ids, a.id, (size_t)a.count * sizeof *ids);
    leave_at(&a, &n.border_layer, exits[step % 4], 3);
    const uint64_t left = agents_checksum(&a);
    neighbours_sort(&n, &a, NULL);
    neighbours_build(&n, &frame, &a);
    cr_assert(before != left && left == agents_checksum(&a));
    cr_assert_lt(n.width, 1.1 * sorted, "step %d: %g, %g", step, n.width, sorted);
    for (int64_t i = 0; i < a.count; i++)
      stay += a.id[i] == ids[i];
    cr_assert(2 * stay > a.count && !neighbours_stale(&n));
  }
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// Only a run whose leaves have become wider is sorted.
Test(neighbours, a_run_is_sorted_alone)
{
  struct agents a;
  struct neighbours n = {0};
  uint64_t r = 2;
  crowd_make(&a, 4, SPREAD, 8 * BOX_TREE_RUN, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  const double sorted = n.width;
  const int64_t first = 3 * BOX_TREE_RUN;
  for (int64_t k = 0; k < BOX_TREE_RUN; k++) { // mixes the agents of a run
    const int64_t i = first + k, j = first + oracle_whole(&r, 0, BOX_TREE_RUN - 1);
    const struct point p = {a.x[i], a.y[i]};
    a.x[i] = a.x[j];
    a.y[i] = a.y[j];
    a.x[j] = p.x;
    a.y[j] = p.y;
  }
  int64_t *ids = calloc((size_t)a.count, sizeof *ids);
  memcpy(ids, a.id, (size_t)a.count * sizeof *ids);
  neighbours_build(&n, &frame, &a);
  const double mixed = n.width;
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  int64_t moved = 0;
  for (int64_t i = 0; i < a.count; i++) {
    cr_assert(a.id[i] == ids[i] || (i >= first && i < first + BOX_TREE_RUN));
    moved += a.id[i] != ids[i];
  }
  cr_assert(moved > BOX_TREE_RUN / 2);
  cr_assert_lt(n.width, 0.9 * mixed);
  cr_assert_lt(n.width, 1.02 * sorted);
  free(ids);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

static void stir(struct agents *a, uint64_t *r, int32_t most)
{
  for (int64_t i = 0; i < a->count; i++) {
    a->x[i] += oracle_whole(r, -most, most);
    a->y[i] += oracle_whole(r, -most, most);
  }
}

// A step that is long already leaves a sort of all agents to the next one.
Test(neighbours, a_sort_can_wait)
{
  const struct sort_hint later = {.can_wait = true};
  struct agents a;
  struct neighbours n = {0};
  uint64_t r = 6;
  crowd_make(&a, 5, SPREAD, 8 * BOX_TREE_RUN, 0);
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  for (int step = 0; !neighbours_stale(&n); step++) {
    cr_assert_lt(step, 2000);
    neighbours_sort(&n, &a, NULL);
    stir(&a, &r, 700);
    neighbours_build(&n, &frame, &a);
  }
  neighbours_sort(&n, &a, &later);
  neighbours_build(&n, &frame, &a);
  cr_assert(neighbours_stale(&n));
  neighbours_sort(&n, &a, NULL);
  neighbours_build(&n, &frame, &a);
  cr_assert_not(neighbours_stale(&n));
  neighbours_destroy(&n);
  agents_destroy(&a);
}

// Half of the agents from `first` on change places with others.
static void mix(struct agents *a, int64_t first)
{
  uint64_t r = 3;
  for (int64_t i = first; i < a->count; i += 2) {
    const int64_t j = first + oracle_whole(&r, 0, (int32_t)(a->count - first) - 1);
    const struct point p = {a->x[i], a->y[i]};
    a->x[i] = a->x[j];
    a->y[i] = a->y[j];
    a->x[j] = p.x;
    a->y[j] = p.y;
  }
}

// However large the border layer is, runs that have become wide are noticed, and an order that is
// invalid stays so until everything is sorted, although a build comes first.
Test(neighbours, all_agents_are_sorted_when_their_order_is_worthless)
{
  const struct sort_hint hint = {.has_border_layer = true,
                                 .interior = {{INT32_MIN, INT32_MIN}, {20000, INT32_MAX}}};
  for (int round = 0; round < 2; round++) {
    struct agents a;
    struct neighbours n = {0};
    crowd_make(&a, 12, SPREAD, 20000, 0);
    neighbours_sort(&n, &a, &hint);
    neighbours_build(&n, &frame, &a);
    const double sorted = n.width;
    cr_assert(n.border_layer > 0 && n.border_layer < a.count && !neighbours_stale(&n));
    if (round == 0)
      mix(&a, 0);
    else
      neighbours_invalidate(&n);
    neighbours_build(&n, &frame, &a);
    cr_assert(neighbours_stale(&n));
    neighbours_sort(&n, &a, &hint);
    neighbours_build(&n, &frame, &a);
    cr_assert_not(neighbours_stale(&n));
    cr_assert_lt(n.width, 1.02 * sorted);
    neighbours_destroy(&n);
    agents_destroy(&a);
  }
}
