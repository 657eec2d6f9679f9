// Compiled for every width, with the searches of the backend: each lane finds what the comparison
// of all pairs finds, whatever the other lanes hold.
#include "backend_cpu.c"

#include "hard_crowds.h"
#include "lane_width.h"
#include <math.h>
#include <omp.h>

TestSuite(nearest, .init = skip_if_too_wide);

// Where nobody has moved, a list that reaches a little further than the last one had to is enough.
static void assert_range_holds(const struct job *job, int64_t leaf, const struct block *b,
                               float range2)
{
  static struct candidates c;
  struct nearest near;
  if (range2 == 0) // the range of a new leaf is estimated
    return;
  collect(&c, job, NULL, leaf, 1.1f * range2);
  cr_assert(c.overflow || search(&near, b, job, &c), "leaf %d, range^2 %g", (int)leaf, range2);
}

static void assert_lanes(const struct job *job, const struct agents *a, int64_t leaf, float range2,
                         struct next_velocity_counts *counts)
{
  struct candidates c;
  struct nearby nearby;
  const struct leaf_search in_leaf = {&nearby, leaf, &c};
  nearby_collect(&nearby, job->in->neighbours, leaf / BOX_TREE_WIDTH, range2 > 0 ? range2 : 1e6f);
  if (range2 > 0)
    collect(&c, job, NULL, leaf, range2); // the first range is often too short
  else
    collect_first(&c, job, &nearby, leaf);
  for (int64_t first = box_tree_leaf_begin(leaf);
       first < box_tree_leaf_end(&job->in->neighbours->own, leaf); first += LANES) {
    struct block b;
    struct perception s;
    struct nearest near;
    block_load(&b, &s, job, box_tree_leaf_box(&job->in->neighbours->own, leaf).lo, first);
    b.self = (int)(first - box_tree_leaf_begin(leaf));
    find_neighbours(&near, &b, job, &in_leaf, counts);
    const float range2_needed = perceive_neighbours(&s, &b, job, &c, &near, counts);
    if (!c.overflow) // else b no longer refers to the leaf's corner
      assert_range_holds(job, leaf, &b, range2_needed);
    for (int l = 0; l < LANES && first + l < a->count; l++) {
      int found[NEIGHBOURS_MAX];
      const int expected =
          oracle_nearest((int)(a->count + a->ghost_count), a->x, a->y, a->id, (int)(first + l),
                         a->x[first + l], a->y[first + l], near.room, (double)job->range2, found);
      for (int i = 0; i < near.room; i++) {
        int32_t numbers[LANES];
        lanes_store_ivec(numbers, near.number[i]);
        if (i >= s.agent_count || !(mask_bits(s.agents[i].valid) >> l & 1))
          numbers[l] = -1; // beyond the perception range
        cr_assert_eq(numbers[l] < 0 ? -1 : c.agent[numbers[l]], i < expected ? found[i] : -1,
                     "lane %d, neighbour %d of %d", l, i, expected);
      }
    }
  }
}

static int64_t overlaps_of_all_pairs(const struct agents *a)
{
  int64_t count = 0;
  for (int64_t i = 0; i < a->count; i++)
    for (int64_t j = 0; j < a->count + a->ghost_count; j++) {
      const double dx = (double)a->x[i] - a->x[j], dy = (double)a->y[i] - a->y[j];
      const double R = ((double)a->radius[i] + (double)a->radius[j]) * 65536;
      count += i != j && dx * dx + dy * dy < R * R;
    }
  return count;
}

Test(nearest, lanes_equal_all_pairs)
{
  static const int counts[] = {1, 16, 17, 47, 160, 800};
  static const int ks[] = {1, 6, 11, 32};
  const float ranges[] = {0.001f, 0.03f, 1, 1000};
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 6 * 4; c++) {
      const int count = counts[c % 6];
      struct agents a;
      struct neighbours neighbours = {0};
      struct world world = {.frame.exponent = 16};
      struct avoidance avoidance = {.neighbours = ks[c / 6],
                                    .neighbour_distance = ranges[(c + kind) % 4],
                                    .horizon_walls = 1};
      struct next_velocity_input in = {.world = &world,
                                       .avoidance = &avoidance,
                                       .neighbours = &neighbours,
                                       .dt = 0.1f,
                                       .seed = 1};
      struct next_velocity_counts counted = {0};
      crowd_make(&a, (uint64_t)c, kind, count, 0);
      for (int64_t i = 0; i < count; i++) {
        a.radius[i] = 0.015625f * (float)(i % 5); // some are points
        a.neighbours[i] = ks[c / 6];
        a.neighbour_distance[i] = avoidance.neighbour_distance;
      }
      if (c % 2)
        neighbours_sort(&neighbours, &a, NULL);
      a.count -= count / 4;
      a.ghost_count = count / 4;
      neighbours_build(&neighbours, &world.frame, &a);
      const float quantum = frame_quantum(&world.frame);
      const float range = avoidance.neighbour_distance / quantum;
      const struct job job = {.in = &in,
                              .a = &a,
                              .quantum = quantum,
                              .quanta_per_speed = in.dt / quantum,
                              .range2 = range * range,
                              .radius_max = quantum * neighbours.radius_max,
                              .contact = 1};
      for (int64_t leaf = 0; a.count > 0 && leaf < neighbours.own.level[0].count; leaf++)
        assert_lanes(&job, &a, leaf, leaf % 2 ? 0 : 1000, &counted);
      cr_assert_eq(counted.overlaps, overlaps_of_all_pairs(&a));
      neighbours_destroy(&neighbours);
      agents_destroy(&a);
    }
}

static bool is_candidate(const struct candidates *c, int64_t i)
{
  for (int k = 0; k < c->count; k++)
    if (c->agent[k] == i)
      return true;
  return false;
}

// A list holds every agent within its range of an agent of its leaf, or sets overflow.
Test(nearest, candidates_are_complete_or_overflow)
{
  int64_t overflown = 0, nearly = 0;
  for (int sorted = 0; sorted < 2; sorted++) {
    struct agents a;
    struct neighbours neighbours = {0};
    static struct candidates c;
    crowd_make(&a, 9, SPREAD, 1200, 0);
    if (sorted)
      neighbours_sort(&neighbours, &a, NULL);
    a.count = 900;
    a.ghost_count = 300;
    neighbours_build(&neighbours, &(struct frame){.exponent = 16}, &a);
    for (int64_t leaf = 0; leaf < neighbours.own.level[0].count; leaf++)
      for (float range = 1000; range < 3e5f; range *= 1.02f) {
        const int64_t i = box_tree_leaf_begin(leaf) + (int64_t)range % BOX_TREE_WIDTH;
        candidates_collect(&c, &neighbours, NULL, &a, leaf, range * range);
        overflown += c.overflow;
        nearly += !c.overflow && c.count > CANDIDATES_MAX - 20;
        for (int64_t j = 0; !c.overflow && i < a.count && j < a.count + a.ghost_count; j++) {
          const double distance = hypot((double)a.x[i] - a.x[j], (double)a.y[i] - a.y[j]);
          cr_assert(distance > (double)range * 0.999 || is_candidate(&c, j));
        }
      }
    neighbours_destroy(&neighbours);
    agents_destroy(&a);
  }
  cr_assert(overflown > 100 && nearly > 30, "%lld lists overflow, %lld nearly",
            (long long)overflown, (long long)nearly);
}
