#include "box_tree_query.h"
#include "extent.h"
#include "hard_crowds.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>

static const int counts[] = {1, 2, 15, 16, 17, 32, 33, 47, 100, 255, 256, 257, 1000, 4097, 70000};

static struct box_tree_key *ordered_keys(const struct agents *a)
{
  struct box_tree_key *keys = memory_create((size_t)a->count, sizeof *keys);
  for (int64_t i = 0; i < a->count; i++)
    keys[i] = (struct box_tree_key){{a->x[i], a->y[i]}, (int32_t)i};
  box_tree_sort(keys, a->count);
  return keys;
}

Test(box_tree, sort_permutes_the_items)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < (SHORT && kind > 0 ? 14 : 15); c++) {
      struct agents a;
      crowd_make(&a, (uint64_t)c, kind, counts[c], 0);
      struct box_tree_key *keys = ordered_keys(&a);
      uint8_t *visited = memory_create((size_t)a.count, 1);
      for (int64_t k = 0; k < a.count; k++) {
        const int32_t i = keys[k].item;
        cr_assert(keys[k].at.x == a.x[i] && keys[k].at.y == a.y[i] && !visited[i]++);
      }
      memory_destroy(visited);
      memory_destroy(keys);
      agents_destroy(&a);
    }
}

// Two leaves are split along the wider axis: exactly, unless the keys spread over more than 2^25
// quanta.
Test(box_tree, two_leaves_are_split_at_their_border)
{
  const int64_t widths[] = {0, 1, 7, 400000, 1 << 25, 4294967295};
  uint64_t r = 3;
  for (int w = 0; w < 6; w++)
    for (int count = BOX_TREE_WIDTH + 1; count <= 2 * BOX_TREE_WIDTH; count++) {
      struct box_tree_key keys[2 * BOX_TREE_WIDTH];
      const int64_t slack = (widths[w] + 1) >> 25;
      int32_t below = INT32_MIN, above = INT32_MAX;
      for (int i = 0; i < count; i++) {
        const int64_t x = INT32_MIN + (int64_t)(oracle_word(&r) % (uint64_t)(widths[w] + 1));
        keys[i] = (struct box_tree_key){{w % 2 ? 5 : (int32_t)x, w % 2 ? (int32_t)x : 5}, i};
      }
      box_tree_sort(keys, count);
      for (int i = 0; i < count; i++) {
        const int32_t at = w % 2 ? keys[i].at.y : keys[i].at.x;
        if (i < BOX_TREE_WIDTH)
          below = at > below ? at : below;
        else
          above = at < above ? at : above;
      }
      cr_assert((int64_t)below - above <= (slack > 1 ? slack : 0), "%d keys over %lld", count,
                (long long)widths[w]);
    }
}

// In a uniform crowd, the box of a leaf is about a square of its share of the area.
Test(box_tree, sort_makes_compact_leaves)
{
  struct agents a;
  crowd_make(&a, 1, SPREAD, 70000, 0);
  struct box_tree_key *keys = ordered_keys(&a);
  const double side = 400001 / sqrt(70000.0 / BOX_TREE_WIDTH);
  double width = 0;
  for (int64_t k = 0; k + BOX_TREE_WIDTH <= a.count; k += BOX_TREE_WIDTH) {
    struct box b = {keys[k].at, keys[k].at};
    for (int64_t i = k; i < k + BOX_TREE_WIDTH; i++)
      b = box_union(b, (struct box){keys[i].at, keys[i].at});
    width += (double)b.hi.x - b.lo.x + (double)b.hi.y - b.lo.y;
  }
  cr_assert_lt(width / (70000 / BOX_TREE_WIDTH), 2.1 * side);
  memory_destroy(keys);
  agents_destroy(&a);
}

static void build(struct box_tree *t, const struct agents *a, const float *radius)
{
  box_tree_reserve(t, a->count);
  for (int64_t first = 0; first < a->count; first += BOX_TREE_WIDTH) {
    struct box b = {{a->x[first], a->y[first]}, {a->x[first], a->y[first]}};
    float most = 0;
    for (int64_t i = first; i < a->count && i < first + BOX_TREE_WIDTH; i++) {
      b = box_union(b, (struct box){{a->x[i], a->y[i]}, {a->x[i], a->y[i]}});
      most = radius[i] > most ? radius[i] : most;
    }
    box_tree_set_leaf(t, first / BOX_TREE_WIDTH, b, most);
  }
  box_tree_refit(t);
}

// The query visits each leaf at most once and every leaf with an item in range, in any order of
// items.
Test(box_tree, query_finds_every_item_in_range)
{
  uint64_t r = 5;
  struct box_tree t = {0}; // reused, as by the steps of a run
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 14; c++) {
      struct agents a;
      crowd_make(&a, (uint64_t)c, kind, counts[c], 0); // not sorted
      for (int64_t i = 0; i < a.count; i++)
        a.radius[i] = (float)oracle_whole(&r, 0, 50000);
      build(&t, &a, a.radius);
      cr_assert(box_tree_is_valid(&t));
      for (int query = 0; query < 20; query++) {
        const int64_t self = oracle_whole(&r, 0, (int32_t)a.count - 1);
        const struct point p = {a.x[self], a.y[self]};
        const float range = (float)oracle_whole(&r, 0, query < 10 ? 2000 : 200000);
        uint8_t *visited = memory_create((size_t)a.count / BOX_TREE_WIDTH + 1, 1);
        struct box_tree_cursor cursor;
        int64_t leaf;
        box_tree_query_begin(&cursor, &t,
                             (struct box_tree_query){{p, p}, range * range, a.radius[self]});
        while (box_tree_query_next(&cursor, &leaf))
          cr_assert_not(visited[leaf]++);
        for (int64_t i = 0; i < a.count; i++) {
          const double distance = hypot((double)a.x[i] - p.x, (double)a.y[i] - p.y);
          if (distance < (double)range * 0.9999 ||
              distance < ((double)a.radius[i] + (double)a.radius[self]) * 0.9999)
            cr_assert(visited[i / BOX_TREE_WIDTH], "agent %lld of %lld", (long long)i,
                      (long long)a.count);
        }
        memory_destroy(visited);
      }
      agents_destroy(&a);
    }
  box_tree_destroy(&t);
}

Test(box_tree, empty_tree)
{
  struct box_tree t = {0};
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_sort(NULL, 0);
  box_tree_reserve(&t, 0);
  box_tree_refit(&t);
  box_tree_query_begin(&cursor, &t, (struct box_tree_query){{{0, 0}, {0, 0}}, 1e18f, 0});
  cr_assert(t.count == 0 && t.level_count == 0 && !box_tree_query_next(&cursor, &leaf));
  box_tree_destroy(&t);
}
