// Compiled for every width. The leaves near a node, which are listed once for all its agents: the
// list visits the leaves that a search of the trees visits, and these are the leaves that a test of
// each leaf's box finds.
#include "near_walls.h"

#include "hard_crowds.h"
#include "lane_width.h"
#include <omp.h>
#include <string.h>

TestSuite(nearby, .init = skip_if_too_wide);

#define LEAVES_MAX 600

struct leaf {
  int32_t first, end; // items
  struct box box;     // quanta
  float radius;       // quanta
};

struct leaves {
  int count;
  struct leaf leaf[LEAVES_MAX];
};

// Lists by the number of their leaves; the last number stands for an overflow.
struct tally {
  int64_t lists[NEARBY_MAX + 2];
};

static void append(struct leaves *l, int64_t first, int64_t end)
{
  cr_assert_lt(l->count, LEAVES_MAX);
  l->leaf[l->count++] = (struct leaf){.first = (int32_t)first, .end = (int32_t)end};
}

static void assert_same(const struct leaves *l, const struct leaves *expected, const char *what)
{
  cr_assert_eq(l->count, expected->count, "%s: %d leaves, not %d", what, l->count, expected->count);
  for (int k = 0; k < l->count; k++) {
    const struct leaf *have = &l->leaf[k], *want = &expected->leaf[k];
    cr_assert(have->first == want->first && have->end == want->end,
              "%s: leaf %d of %d holds %d to %d, not %d to %d", what, k, l->count, have->first,
              have->end, want->first, want->end);
  }
}

// ----------------------------------------------------------------------- a test of every leaf

static int32_t gap_between(int32_t lo, int32_t hi, int32_t other_lo, int32_t other_hi)
{
  return lo > other_hi ? lo - other_hi : other_lo > hi ? other_lo - hi : 0;
}

static bool box_matches(const struct box_tree_query *q, struct box b, float radius)
{
  const int32_t x = gap_between(b.lo.x, b.hi.x, q->box.lo.x, q->box.hi.x);
  const int32_t y = gap_between(b.lo.y, b.hi.y, q->box.lo.y, q->box.hi.y);
  const float d2 = (float)oracle_float_distance2(x, y, 0, 0), touch = radius + q->radius;
  return d2 <= q->range2 || d2 <= touch * touch;
}

// except: the first item of a leaf that is left out; -1: none.
static struct leaves leaves_that_match(const struct leaves *all, const struct box_tree_query *q,
                                       int64_t except)
{
  struct leaves l;
  l.count = 0;
  for (int k = 0; k < all->count; k++)
    if (all->leaf[k].first != except && box_matches(q, all->leaf[k].box, all->leaf[k].radius))
      append(&l, all->leaf[k].first, all->leaf[k].end);
  return l;
}

// ------------------------------------------------------------------------------------- the list

// What is not set is far from any number that could be right.
static void spoil(struct nearby *near)
{
  memset(near, 0xa5, sizeof *near);
}

// The list is complete or known not to be; complete lists are counted.
static void assert_complete(const struct nearby *near, const struct leaves *expected,
                            struct tally *t)
{
  struct leaves listed;
  listed.count = 0;
  cr_assert_eq(near->overflow, expected->count > NEARBY_MAX, "%d leaves", expected->count);
  t->lists[near->overflow ? NEARBY_MAX + 1 : near->count]++;
  for (int k = 0; !near->overflow && k < near->count; k++)
    append(&listed, near->first[k], near->end[k]);
  if (!near->overflow)
    assert_same(&listed, expected, "list");
}

static struct leaves leaves_by_list(const struct nearby *near, const struct box_tree_query *q,
                                    int64_t except)
{
  struct nearby_cursor cursor = nearby_cursor_begin(near, q, (int32_t)except);
  struct leaves l;
  int k;
  l.count = 0;
  while (nearby_next(&cursor, &k))
    append(&l, near->first[k], near->end[k]);
  return l;
}

static void assert_sizes_occurred(const struct tally *t)
{
  static const int sizes[] = {1, 16, 63, 64, 65, 128, NEARBY_MAX + 1};
  int64_t more = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    cr_assert_gt(t->lists[sizes[k]], 0, "no list of %d leaves", sizes[k]);
  for (int k = 66; k < 128; k++)
    more += t->lists[k];
  cr_assert_gt(more, 100);
}

// ----------------------------------------------------------------------------------- of agents

struct crowd {
  struct agents a;
  struct neighbours n;
  struct leaves all;
};

static void add_leaves_of_agents(struct crowd *c, int64_t begin, int64_t end)
{
  const struct agents *a = &c->a;
  for (int64_t first = begin; first < end; first += BOX_TREE_WIDTH) {
    const int64_t last = first + BOX_TREE_WIDTH < end ? first + BOX_TREE_WIDTH : end;
    append(&c->all, first, last);
    struct leaf *l = &c->all.leaf[c->all.count - 1];
    l->box = (struct box){{a->x[first], a->y[first]}, {a->x[first], a->y[first]}};
    for (int64_t i = first; i < last; i++) {
      const float radius = a->radius[i] * 65536;
      l->box = box_union(l->box, (struct box){{a->x[i], a->y[i]}, {a->x[i], a->y[i]}});
      l->radius = radius > l->radius ? radius : l->radius;
    }
  }
}

// Most are narrow: the others touch agents of leaves that are out of range.
static void crowd_begin(struct crowd *c, int kind, int own, int ghosts, bool sorted)
{
  uint64_t r = (uint64_t)own + (uint64_t)ghosts;
  memset(c, 0, sizeof *c);
  crowd_make(&c->a, r, kind, own + ghosts, 0);
  for (int64_t i = 0; i < c->a.count; i++)
    c->a.radius[i] = (float)oracle_between(&r, 0, i % 50 ? 0.02 : 0.5);
  if (sorted)
    neighbours_sort(&c->n, &c->a, NULL);
  c->a.count = own;
  c->a.ghost_count = ghosts;
  neighbours_build(&c->n, &(struct frame){.exponent = 16}, &c->a);
  add_leaves_of_agents(c, 0, own);
  add_leaves_of_agents(c, own, own + ghosts);
}

static void crowd_end(struct crowd *c)
{
  neighbours_destroy(&c->n);
  agents_destroy(&c->a);
}

static struct leaves leaves_by_trees(const struct crowd *c, const struct box_tree_query *q,
                                     int64_t except)
{
  struct leaves l;
  l.count = 0;
  for (int k = 0; k < 2; k++) {
    const struct box_tree *t = k ? &c->n.ghosts : &c->n.own;
    const int64_t offset = k ? c->a.count : 0;
    struct box_tree_cursor cursor;
    int64_t leaf;
    box_tree_query_begin(&cursor, t, *q);
    while (box_tree_query_next(&cursor, &leaf))
      if (offset + box_tree_leaf_begin(leaf) != except)
        append(&l, offset + box_tree_leaf_begin(leaf), offset + box_tree_leaf_end(t, leaf));
  }
  return l;
}

// The leaf itself is left out, as where its own agents come first, or not.
static void assert_leaf_visits(const struct crowd *c, const struct nearby *near,
                               const struct leaf *own, float range2)
{
  const struct box_tree_query query = {own->box, range2, own->radius};
  const int64_t except[] = {own->first, -1};
  for (int k = 0; k < 2; k++) {
    const struct leaves expected = leaves_that_match(&c->all, &query, except[k]);
    const struct leaves listed = leaves_by_list(near, &query, except[k]);
    const struct leaves searched = leaves_by_trees(c, &query, except[k]);
    assert_same(&searched, &expected, "trees");
    assert_same(&listed, &expected, "list of agents");
  }
}

static void assert_node_visits(const struct crowd *c, int64_t node, float range2, struct tally *t)
{
  static struct nearby near;
  const struct leaf *own = &c->all.leaf[node * BOX_TREE_WIDTH];
  struct box_tree_query query = {own->box, range2, 0};
  int count = (int)(c->n.own.level[0].count - node * BOX_TREE_WIDTH);
  count = count < BOX_TREE_WIDTH ? count : BOX_TREE_WIDTH;
  for (int k = 0; k < count; k++) {
    query.box = box_union(query.box, own[k].box);
    query.radius = own[k].radius > query.radius ? own[k].radius : query.radius;
  }
  const struct leaves expected = leaves_that_match(&c->all, &query, -1);
  spoil(&near);
  nearby_collect(&near, &c->n, node, range2);
  assert_complete(&near, &expected, t);
  for (int k = 0; !near.overflow && k < count; k++) {
    assert_leaf_visits(c, &near, &own[k], range2);
    assert_leaf_visits(c, &near, &own[k], k % 2 ? 0 : 0.2f * range2);
  }
}

// From none at all to beyond everything, quanta.
static const float reaches[] = {0, 300, 4000, 15000, 30000, 50000, 80000, 130000, 300000, 1e19f};
#define REACHES (int)(sizeof reaches / sizeof *reaches)

Test(nearby, a_leaf_visits_by_the_list_what_it_visits_by_the_trees)
{
  static const int counts[] = {1, 17, 240, 257, 1008, 1024, 1025, 1400, 2048, 2049, 3000};
  static struct crowd c;
  struct tally t = {{0}};
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int k = 0; k < 2 * (int)(sizeof counts / sizeof *counts); k++) {
      const int count = counts[k / 2], ghosts = k % 2 ? count / 3 : 0;
      crowd_begin(&c, kind, count - ghosts, ghosts, kind % 2 == k % 2 || kind == SPREAD);
      const int64_t nodes = c.n.own.level[1].count;
      for (int reach = 0; reach < REACHES; reach++) // one node for each, but of large crowds all
        for (int64_t node = reach % (int)nodes; node < nodes; node += kind == SPREAD ? 1 : nodes)
          assert_node_visits(&c, node, reaches[reach] * reaches[reach], &t);
      crowd_end(&c);
    }
  assert_sizes_occurred(&t);
}

// ------------------------------------------------------------------------------------ of walls

#define WALLS 3000

struct walls {
  struct obstacles o;
  int64_t start[WALLS / 2 + 1];
  struct point points[WALLS];
  uint8_t closed[WALLS / 2];
  struct leaves all;
};

static struct box wall_box(const struct wall *w)
{
  return box_union((struct box){w->a, w->a}, (struct box){w->b, w->b});
}

// Short lines that are open: each is two walls.
static void walls_begin(struct walls *w, uint64_t seed, int count)
{
  memset(w, 0, sizeof *w);
  for (int k = 0; k < count; k += 2) {
    struct point *p = &w->points[k];
    p[0] = (struct point){oracle_whole(&seed, -400000, 400000), oracle_whole(&seed, -90000, 90000)};
    p[1] =
        (struct point){p[0].x + oracle_whole(&seed, 1, 9000), p[0].y + oracle_whole(&seed, 0, 9)};
    w->start[k / 2 + 1] = k + 2;
  }
  const struct outlines lines = {count / 2, w->start, w->points, w->closed};
  obstacles_create(&w->o, &lines, false);
  cr_assert_eq(w->o.count, count);
  for (int64_t first = 0; first < count; first += BOX_TREE_WIDTH) {
    const int64_t end = first + BOX_TREE_WIDTH < count ? first + BOX_TREE_WIDTH : count;
    append(&w->all, first, end);
    struct box *b = &w->all.leaf[w->all.count - 1].box;
    *b = wall_box(&w->o.walls[w->o.order[first]]);
    for (int64_t k = first; k < end; k++)
      *b = box_union(*b, wall_box(&w->o.walls[w->o.order[k]]));
  }
}

static struct leaves leaves_of_walls(const struct walls *w, const struct nearby *near,
                                     struct box box, float range)
{
  struct wall_cursor cursor;
  struct leaves l;
  l.count = 0;
  wall_cursor_begin(&cursor, &w->o, near, box, range);
  while (wall_cursor_next_leaf(&cursor))
    append(&l, box_tree_leaf_begin(cursor.leaf), box_tree_leaf_end(&w->o.tree, cursor.leaf));
  return l;
}

// Every wall whose own box is in reach comes once, in the order of the tree, and no other one.
static void assert_walls_visited(const struct walls *w, const struct nearby *near,
                                 const struct box_tree_query *q, float range)
{
  struct wall_cursor cursor;
  wall_cursor_begin(&cursor, &w->o, near, q->box, range);
  for (int64_t k = 0; k < w->o.count; k++) {
    const struct wall *wall = &w->o.walls[w->o.order[k]];
    if (box_matches(q, wall_box(wall), 0))
      cr_assert_eq(wall_cursor_next(&cursor, &w->o), wall, "wall %d", w->o.order[k]);
  }
  cr_assert_null(wall_cursor_next(&cursor, &w->o));
}

static void assert_box_visits(const struct walls *w, const struct nearby *near, struct box box,
                              float range)
{
  const float far = wall_search_range(range);
  const struct box_tree_query query = {box, far * far, 0};
  const struct leaves expected = leaves_that_match(&w->all, &query, -1);
  const struct leaves searched = leaves_of_walls(w, NULL, box, range);
  const struct leaves listed = leaves_of_walls(w, near, box, range);
  assert_same(&searched, &expected, "tree");
  assert_same(&listed, &expected, "list of walls");
  assert_walls_visited(w, near, &query, range);
  assert_walls_visited(w, NULL, &query, range);
}

static struct box random_box_within(struct box b, uint64_t *r)
{
  const struct point lo = {oracle_whole(r, b.lo.x, b.hi.x), oracle_whole(r, b.lo.y, b.hi.y)};
  return (struct box){lo, {oracle_whole(r, lo.x, b.hi.x), oracle_whole(r, lo.y, b.hi.y)}};
}

// Also where the range exceeds that of the list, which then is of no use.
static void assert_list_visits(const struct walls *w, struct box box, float range, uint64_t *r,
                               struct tally *t)
{
  static struct nearby near;
  const float far = wall_search_range(range);
  const struct box_tree_query query = {box, far * far, 0};
  const struct leaves expected = leaves_that_match(&w->all, &query, -1);
  const float inner[] = {0, 0.5f * range, range, 1.5f * range + 1000};
  spoil(&near);
  near_walls_collect(&near, &w->o, box, range);
  assert_complete(&near, &expected, t);
  for (int k = 0; k < 4; k++) {
    assert_box_visits(w, &near, box, inner[k]);
    assert_box_visits(w, &near, random_box_within(box, r), inner[k]);
  }
}

Test(nearby, walls_are_visited_by_the_list_as_by_the_tree)
{
  static const int counts[] = {0, 2, 16, 18, 240, 256, 258, 1008, 1024, 1026, 2048, 2050, WALLS};
  static struct walls w;
  struct tally t = {{0}};
  uint64_t r = 8;
  omp_set_num_threads(1);
  for (int c = 0; c < (int)(sizeof counts / sizeof *counts); c++) {
    walls_begin(&w, (uint64_t)c, counts[c]);
    for (int k = 0; k < 40 * REACHES; k++) {
      const struct point at = {oracle_whole(&r, -600000, 600000),
                               oracle_whole(&r, -200000, 200000)};
      const int32_t side = k % 4 ? oracle_whole(&r, 0, 60000) : 0;
      const float reach = k % 3 ? reaches[k % REACHES] : (float)oracle_whole(&r, 0, 400000);
      assert_list_visits(&w, (struct box){at, {at.x + side, at.y + side}}, reach, &r, &t);
    }
    obstacles_destroy(&w.o);
  }
  cr_assert_gt(t.lists[0], 100, "no list is empty");
  assert_sizes_occurred(&t);
}
