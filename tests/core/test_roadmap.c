// Laws of shortest ways, and the reduced visibility graph against the whole one.
#include "random_town.h"

#include "base.h"
#include "extent.h"
#include "integer_length.h"
#include "oracle.h"
#include "roadmap_reference.h"
#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>

Test(roadmap, equals_the_whole_visibility_graph)
{
  for (uint64_t seed = 1; seed <= 5; seed++) {
    struct town t;
    struct reference_paths w;
    uint64_t r = seed;
    town_create(&t, seed, town_crossing);
    reference_paths_create(&w, &t.roadmap, town_bounds);
    double *to = reference_paths_to(&w, 0);
    for (int i = 0; i < 200; i++) {
      const struct point p = town_free_point(&t, &r);
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
  town_create(&t, 7, town_crossing);
  for (int i = 0; i < TRIAL_ROUNDS(100); i++) {
    struct point p = town_free_point(&t, &r);
    const int64_t said = roadmap_path_length(&t.roadmap, 0, p);
    int32_t aim = ROADMAP_NONE;
    int64_t walked = 0, rest = said;
    for (int step = 0; !destination_holds(&t.roadmap.destinations[0], p); step++) {
      const struct roadmap_agent walker = town_follower(&t, p, (uint64_t)(step + i));
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
  town_create(&t, 3, town_crossing);
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
  town_create(&t, 11, town_crossing);
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
  square_add(&area, -town_crossing.x, town_crossing.y, METRE / 2);
  town_finish(&mirrored, &area, 1);
  for (int i = 0; i < 300; i++) {
    const struct point p = town_free_point(&t, &r);
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
  town_create(&one, 5, town_crossing);
  omp_set_num_threads(5);
  town_create(&five, 5, town_crossing);
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
  const struct roadmap_agent inside = town_follower(&t, (struct point){3 * METRE, 0}, 0);
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
