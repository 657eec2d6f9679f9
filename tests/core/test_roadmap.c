// Laws of shortest ways, and the reduced visibility graph against the whole one.
#include "roadmap_kernel.h"

#include "base.h"
#include "extent.h"
#include "integer_length.h"
#include "oracle.h"
#include "roadmap_reference.h"
#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#define METRE 65536
#define SIDE  6  // blocks a side
#define BLOCK 20 // m

static const struct box bounds = {{-SIDE * BLOCK / 2 * METRE, -SIDE *BLOCK / 2 * METRE},
                                  {SIDE * BLOCK / 2 * METRE, SIDE *BLOCK / 2 * METRE}};

struct town {
  struct outlines lines; // grown
  struct outlines inner; // the walls as they are: within the grown ones
  struct obstacles walls;
  struct roadmap roadmap;
};

static void ring_add(struct outlines *o, const struct point *points, int64_t count)
{
  o->start = memory_grow(o->start, (size_t)o->count + 1, (size_t)o->count + 2, sizeof *o->start);
  o->closed = memory_grow(o->closed, (size_t)o->count, (size_t)o->count + 1, 1);
  const int64_t first = o->start[o->count];
  o->points = memory_grow(o->points, (size_t)first, (size_t)(first + count), sizeof *o->points);
  memcpy(o->points + first, points, (size_t)count * sizeof *points);
  o->closed[o->count] = 1;
  o->start[++o->count] = first + count;
}

static void outlines_begin(struct outlines *o)
{
  *o = (struct outlines){0, memory_create(1, sizeof *o->start), NULL, NULL};
}

static void outlines_end(struct outlines *o)
{
  memory_destroy(o->start);
  memory_destroy(o->points);
  memory_destroy(o->closed);
}

static void square_add(struct outlines *o, int32_t x, int32_t y, int32_t half)
{
  ring_add(
      o,
      (struct point[]){
          {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}},
      4);
}

static struct point turned(struct point p, int quarters)
{
  for (; quarters > 0; quarters--)
    p = (struct point){-p.y, p.x};
  return p;
}

// A triangle, a rectangle, or an L with its reflex corner, in a block of its own.
static void block_add(struct town *t, uint64_t *r, struct point at)
{
  const int kind = oracle_whole(r, 0, 3), quarters = oracle_whole(r, 0, 4);
  const int32_t a = oracle_whole(r, 2 * METRE, 9 * METRE),
                b = oracle_whole(r, 2 * METRE, 9 * METRE);
  struct point p[6] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
  int count = 4;
  if (kind == 0) {
    p[2] = (struct point){-a / 3, b};
    count = 3;
  } else if (kind == 1) {
    const struct point l[6] = {{-a, -b}, {a, -b}, {a, 0}, {0, 0}, {0, b}, {-a, b}};
    memcpy(p, l, sizeof l);
    count = 6;
  }
  struct point inner[6];
  for (int i = 0; i < count; i++) {
    const struct point q = {p[i].x - (p[i].x + a / 4) / 8, p[i].y - (p[i].y + b / 2) / 8};
    const struct point to = turned(p[i], quarters), in = turned(q, quarters);
    p[i] = (struct point){to.x + at.x, to.y + at.y};
    inner[i] = (struct point){in.x + at.x, in.y + at.y};
  }
  ring_add(&t->lines, p, count);
  ring_add(&t->inner, inner, count);
}

static void town_finish(struct town *t, const struct outlines *areas, int count)
{
  obstacles_create(&t->walls, t->inner.count ? &t->inner : &t->lines, false);
  roadmap_create(&t->roadmap, &t->walls, &t->lines, false, bounds, METRE / 4);
  for (int i = 0; i < count; i++)
    cr_assert(roadmap_add_destination(&t->roadmap, &areas[i], bounds));
  roadmap_build_edges(&t->roadmap);
  roadmap_build_trees(&t->roadmap);
}

static void town_create(struct town *t, uint64_t seed, struct point target)
{
  struct outlines area;
  outlines_begin(&t->lines);
  outlines_begin(&t->inner);
  for (int k = 0; k < SIDE * SIDE; k++)
    block_add(t, &seed,
              (struct point){(k % SIDE * BLOCK - SIDE * BLOCK / 2 + BLOCK / 2) * METRE,
                             (k / SIDE * BLOCK - SIDE * BLOCK / 2 + BLOCK / 2) * METRE});
  outlines_begin(&area);
  square_add(&area, target.x, target.y, METRE / 2);
  town_finish(t, &area, 1);
  outlines_end(&area);
}

static void town_destroy(struct town *t)
{
  roadmap_destroy(&t->roadmap);
  obstacles_destroy(&t->walls);
  outlines_end(&t->lines);
  outlines_end(&t->inner);
}

static struct point free_point(const struct town *t, uint64_t *r)
{
  for (;;) {
    const struct point p = {oracle_whole(r, bounds.lo.x, bounds.hi.x),
                            oracle_whole(r, bounds.lo.y, bounds.hi.y)};
    if (!obstacles_solid(&t->roadmap.inflated.walls, p))
      return p;
  }
}

static struct roadmap_agent follower(const struct town *t, struct point p, uint64_t phase)
{
  return (struct roadmap_agent){
      .r = &t->roadmap, .p = p, .reach = t->roadmap.clearance, .phase = phase};
}

// Streets cross at multiples of 20 m: no block comes near.
static const struct point crossing = {20 * METRE, -20 * METRE};

Test(roadmap, equals_the_whole_visibility_graph)
{
  for (uint64_t seed = 1; seed <= 5; seed++) {
    struct town t;
    struct reference_paths w;
    uint64_t r = seed;
    town_create(&t, seed, crossing);
    reference_paths_create(&w, &t.roadmap, bounds);
    double *to = reference_paths_to(&w, 0);
    for (int i = 0; i < 200; i++) {
      const struct point p = free_point(&t, &r);
      const double right = reference_path(&w, to, 0, p);
      const double found = (double)roadmap_path_length(&t.roadmap, 0, p);
      cr_assert(fabs(found - right) <= 30, "seed %d: %.0f instead of %.1f", (int)seed, found,
                right);
      cr_assert(found + 1 >=
                (double)length_between(
                    p, waypoints_nearest_point(&t.roadmap.destinations[0].edges, 0, p)) -
                    2 * METRE);
    }
    memory_destroy(to);
    reference_paths_destroy(&w);
    town_destroy(&t);
  }
}

// An agent that follows the roadmap always sees its waypoint, comes nearer with every step, and
// walks exactly the length that the roadmap gave.
Test(roadmap, agents_that_follow_it_walk_the_shortest_path)
{
  struct town t;
  uint64_t r = 7;
  town_create(&t, 7, crossing);
  for (int i = 0; i < TRIAL_ROUNDS(100); i++) {
    struct point p = free_point(&t, &r);
    const int64_t said = roadmap_path_length(&t.roadmap, 0, p);
    int32_t aim = ROADMAP_NONE;
    int64_t walked = 0, rest = said;
    for (int step = 0; !destination_holds(&t.roadmap.destinations[0], p); step++) {
      const struct roadmap_agent walker = follower(&t, p, (uint64_t)(step + i));
      aim = roadmap_next_aim(&walker, aim);
      const struct point to = roadmap_steer_point(&walker, aim);
      const int64_t length = length_between(p, to), stride = METRE / 8;
      cr_assert(length > 0 && step < 10000, "walker %d, step %d: %lld to aim %d, %lld said", i,
                step, (long long)length, aim, (long long)said);
      struct point next = to;
      if (length > stride)
        next = (struct point){p.x + (int32_t)(((int64_t)to.x - p.x) * stride / length),
                              p.y + (int32_t)(((int64_t)to.y - p.y) * stride / length)};
      cr_assert(!segment_crosses(&t.walls, p, next), "through a wall");
      walked += length_between(p, next);
      p = next;
      rest = roadmap_path_length(&t.roadmap, 0, p);
      cr_assert(walked + rest <= said + said / 50 + METRE, "%lld walked, %lld left of %lld",
                (long long)walked, (long long)rest, (long long)said);
    }
  }
  town_destroy(&t);
}

Test(roadmap, remaining_falls_along_next_and_obeys_the_triangle)
{
  struct town t;
  town_create(&t, 3, crossing);
  const struct roadmap *r = &t.roadmap;
  const struct shortest_path_tree *tree = &r->trees[0];
  cr_assert(r->node_count > 100 && r->first[r->node_count] > r->node_count);
  for (int64_t u = 0; u < r->node_count; u++) {
    cr_assert(tree->cost_to_go.of[u] != WAYPOINTS_UNREACHED);
    if (tree->next[u] >= 0)
      cr_assert_eq(tree->cost_to_go.of[u],
                   tree->cost_to_go.of[tree->next[u]] +
                       length_between(r->nodes[u], r->nodes[tree->next[u]]));
    for (int64_t e = r->first[u]; e < r->first[u + 1]; e++) {
      cr_assert_leq(tree->cost_to_go.of[u], tree->cost_to_go.of[r->to[e]] + r->length[e]);
      cr_assert(roadmap_visible(r, true, r->nodes[u], r->nodes[r->to[e]]));
      bool back = false;
      for (int64_t k = r->first[r->to[e]]; k < r->first[r->to[e] + 1]; k++)
        back |= r->to[k] == u;
      cr_assert(back, "an edge leads one way only");
    }
  }
  town_destroy(&t);
}

// A square of 10 m half way between p and a destination: round one of its corners.
Test(roadmap, round_one_square_the_length_is_known)
{
  struct town t = {0};
  struct outlines area;
  outlines_begin(&t.lines);
  outlines_begin(&area);
  square_add(&t.lines, 0, 0, 5 * METRE);
  square_add(&area, 20 * METRE, 0, METRE);
  town_finish(&t, &area, 1);
  cr_assert_eq(t.roadmap.node_count, 4);
  cr_assert_eq(t.roadmap.first[4], 8); // its sides; the diagonals lead through it
  // To the corner (-5, 5), along to (5, 5), and to the nearest point (19, 1).
  const double right = hypot(15, 5) + 10 + hypot(14, 4);
  const struct point from = {-20 * METRE, 0};
  cr_assert_float_eq((double)roadmap_path_length(&t.roadmap, 0, from) / METRE, right, 1e-4);
  cr_assert_float_eq(
      (double)roadmap_path_length(&t.roadmap, 0, (struct point){20 * METRE, 9 * METRE}) / METRE, 8,
      1e-4);
  cr_assert_eq(roadmap_path_length(&t.roadmap, 0, (struct point){20 * METRE, 0}), 0);
  outlines_end(&area);
  town_destroy(&t);
}

Test(roadmap, a_mirrored_world_gives_mirrored_lengths)
{
  struct town t, mirrored = {0};
  struct outlines area;
  uint64_t r = 11;
  town_create(&t, 11, crossing);
  outlines_begin(&mirrored.lines);
  for (int64_t l = 0; l < t.lines.count; l++) {
    struct point p[8];
    const int64_t first = t.lines.start[l], count = t.lines.start[l + 1] - first;
    for (int64_t i = 0; i < count; i++) { // the other way round, to keep the solid on the left
      const struct point q = t.lines.points[first + count - 1 - i];
      p[i] = (struct point){-q.x, q.y};
    }
    ring_add(&mirrored.lines, p, count);
  }
  outlines_begin(&area);
  square_add(&area, -crossing.x, crossing.y, METRE / 2);
  town_finish(&mirrored, &area, 1);
  for (int i = 0; i < 300; i++) {
    const struct point p = free_point(&t, &r);
    const int64_t a = roadmap_path_length(&t.roadmap, 0, p);
    const int64_t b = roadmap_path_length(&mirrored.roadmap, 0, (struct point){-p.x, p.y});
    cr_assert(llabs(a - b) <= 1, "%lld and %lld", (long long)a, (long long)b);
  }
  outlines_end(&area);
  town_destroy(&t);
  town_destroy(&mirrored);
}

Test(roadmap, does_not_depend_on_threads)
{
  struct town one, five;
  omp_set_num_threads(1);
  town_create(&one, 5, crossing);
  omp_set_num_threads(5);
  town_create(&five, 5, crossing);
  const struct roadmap *a = &one.roadmap, *b = &five.roadmap;
  const size_t nodes = (size_t)a->node_count;
  cr_assert_eq(a->node_count, b->node_count);
  cr_assert_arr_eq(a->first, b->first, (nodes + 1) * sizeof *a->first);
  cr_assert_arr_eq(a->to, b->to, (size_t)a->first[nodes] * sizeof *a->to);
  cr_assert_arr_eq(a->trees[0].next, b->trees[0].next, nodes * sizeof *a->trees[0].next);
  cr_assert_arr_eq(a->trees[0].cost_to_go.of, b->trees[0].cost_to_go.of, nodes * sizeof(int64_t));
  town_destroy(&one);
  town_destroy(&five);
}

// A room without a door: no destination is reachable from inside, and the roadmap says so.
Test(roadmap, where_no_way_leads_nothing_is_reached)
{
  struct town t = {0};
  struct outlines area;
  outlines_begin(&t.lines);
  outlines_begin(&area);
  square_add(&t.lines, 0, 0, 6 * METRE);
  const int32_t in = 5 * METRE;
  ring_add(&t.lines, (struct point[]){{-in, -in}, {-in, in}, {in, in}, {in, -in}}, 4);
  square_add(&t.lines, 0, 0, METRE);
  square_add(&area, 20 * METRE, 0, METRE);
  town_finish(&t, &area, 1);
  cr_assert_not(roadmap_reachable(&t.roadmap, 0, (struct point){3 * METRE, 0}));
  cr_assert_eq(roadmap_path_length(&t.roadmap, 0, (struct point){3 * METRE, 0}),
               WAYPOINTS_UNREACHED);
  cr_assert(roadmap_reachable(&t.roadmap, 0, (struct point){-9 * METRE, 0}));
  // Pushed in there, one heads for somewhere and looks again.
  const struct roadmap_agent inside = follower(&t, (struct point){3 * METRE, 0}, 0);
  cr_assert_neq(roadmap_next_aim(&inside, ROADMAP_NONE), ROADMAP_NONE);
  outlines_end(&area);
  town_destroy(&t);
}

// Grazing along a wall and past a corner is seeing; cutting the corner is not.
Test(roadmap, sight_goes_along_walls_and_not_through)
{
  struct town t = {0};
  outlines_begin(&t.lines);
  square_add(&t.lines, 0, 0, 5);
  town_finish(&t, NULL, 0);
  const struct inflated *g = &t.roadmap.inflated;
  const struct point sw = {-5, -5}, se = {5, -5}, ne = {5, 5};
  cr_assert(!inflated_blocks(g, sw, se) && !inflated_blocks(g, se, sw) &&
            inflated_blocks(g, sw, ne));
  cr_assert(!inflated_blocks(g, (struct point){-20, -5}, (struct point){20, -5}));
  cr_assert(inflated_blocks(g, (struct point){-20, -4}, (struct point){20, -4}));
  cr_assert(!inflated_blocks(g, (struct point){0, -10}, (struct point){10, 0}));   // by the corner
  cr_assert(inflated_blocks(g, (struct point){-10, -10}, (struct point){10, 10})); // through two
  cr_assert(inflated_blocks(g, (struct point){-5, 0}, (struct point){9, 0})); // from a wall inwards
  cr_assert(!inflated_blocks(g, (struct point){5, 0}, (struct point){9, 0}));
  town_destroy(&t);
}
