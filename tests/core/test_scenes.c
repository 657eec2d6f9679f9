// Crowds that must reach their goals, and walls that no agent may enter.
#include "extent.h"
#include "fixture.h"
#include "oracle.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>

#define M(metres) ((int32_t)((metres)*METRE))

static double to_goal(const struct agents *a, int64_t i)
{
  return hypot((double)a->goal_x[i] - a->x[i], (double)a->goal_y[i] - a->y[i]) / METRE;
}

static double furthest(const struct agents *a)
{
  double most = 0;
  for (int64_t i = 0; i < a->count; i++)
    most = fmax(most, to_goal(a, i));
  return most;
}

// Steps until all agents are within `near` (m) of the goal; the deepest overlap on the way.
static int steps_to_arrive(struct fixture *s, double near, int limit, float *deepest)
{
  *deepest = 0;
  for (int t = 1; t <= limit; t++) {
    fixture_step(s);
    *deepest = fmaxf(*deepest, s->counts.deepest.depth);
    if (furthest(&s->agents) < near)
      return t;
  }
  return limit + 1;
}

Test(scenes, two_who_meet_head_on_pass)
{
  for (int32_t aside = 0; aside <= 1; aside++) { // exactly head-on, and a quantum off
    struct fixture s;
    float deepest;
    fixture_create(&s, "simd");
    fixture_add_agent(&s, M(-5), 0, M(5), 0);
    fixture_add_agent(&s, M(5), aside, M(-5), aside);
    const int steps = steps_to_arrive(&s, 0.05, 200, &deepest);
    cr_assert(steps <= 110, "%d steps, 77 straight", steps);
    cr_assert(deepest < 0.005f, "%g m", (double)deepest);
    fixture_destroy(&s);
  }
}

// All agents walk to the opposite place, displaced by up to `aside` m by id, as exact circles may
// deadlock. They may take `patience` times as long as the straight path. With ORCA, agents overlap
// in a crowd that is too dense: here by up to `depth` (m), with agents .5 m wide.
static void circle(int count, double aside, double patience, float depth)
{
  struct fixture s;
  float deepest;
  fixture_create(&s, "simd");
  const double radius = fmax(5, count * 1.2 / 6.283185307179586);
  for (int i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * i / count;
    const struct random4 r = random_words(1, i, 0, RANDOM_TEST);
    const int32_t x = M(radius * cos(angle)), y = M(radius * sin(angle));
    fixture_add_agent(&s, x + M(aside * (2 * random_unit(r.word[0]) - 1)),
                      y + M(aside * (2 * random_unit(r.word[1]) - 1)), -x, -y);
  }
  const double straight = 2 * radius / 1.3 / (double)s.dt;
  const int steps = steps_to_arrive(&s, 0.3, (int)(straight * patience), &deepest);
  cr_log_info("%d people: %d steps, %.0f straight, deepest overlap %g m", count, steps, straight,
              (double)deepest);
  cr_assert(steps <= straight * patience, "%d people: %d steps are not enough, %.0f straight",
            count, steps, straight);
  cr_assert(deepest <= depth, "%d people: overlap of %g m", count, (double)deepest);
  fixture_destroy(&s);
}

// A ring of 8 that is all but exact turns into the centre, stands, and takes minutes to part.
// A ring of agents that change places; *without: how often an agent found no permitted velocity.
static float deepest_of_ring(enum avoidance_method method, int count, int64_t *without)
{
  struct fixture s;
  float deepest = 0;
  fixture_create(&s, "simd");
  s.avoidance.method = method;
  s.avoidance.clearpath.guaranteed = true;
  s.avoidance.rvo = (struct rvo_options){249, 7.5f};
  s.avoidance.directional = (struct directional_options){0.1f, 10};
  const double radius = fmax(5, count * 1.2 / 6.283185307179586);
  for (int i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * (i + 0.001 * (i % 3)) / count;
    const int32_t x = M(radius * cos(angle)), y = M(radius * sin(angle));
    fixture_add_agent(&s, x, y, -x, -y);
  }
  *without = 0;
  for (int t = 0; t < 600; t++) {
    fixture_step(&s);
    *without += s.counts.infeasible + s.counts.relaxed;
    deepest = fmaxf(deepest, s.counts.deepest.depth);
  }
  if (method != METHOD_orca) // ORCA deadlocks in some rings; the deadlock timeout handles that
    cr_assert(furthest(&s.agents) < 0.3, "%s, %d people", avoidance_names[method], count);
  fixture_destroy(&s);
  return deepest;
}

// A crowd that overlaps from the start: some walk, some prefer to stand. turned: by 90 degrees.
static void add_heap(struct fixture *s, bool turned)
{
  for (int i = 0; i < 70; i++) {
    const struct random4 r = random_words(9, i, 0, RANDOM_TEST);
    int32_t at[4];
    for (int k = 0; k < 4; k++)
      at[k] = M((k < 2 ? 4 : 20) * ((double)random_unit(r.word[k]) - 0.5));
    if (i % 3 == 0)
      at[2] = at[0], at[3] = at[1];
    if (turned)
      fixture_add_agent(s, -at[1], at[0], -at[3], at[2]);
    else
      fixture_add_agent(s, at[0], at[1], at[2], at[3]);
    s->agents.max_acceleration[i] = i % 2 ? 4.0f : 0.0f;
  }
}

Test(scenes, a_turned_crowd_of_rvo_moves_exactly_turned)
{
  struct fixture s[2];
  int64_t overlaps = 0;
  for (int turned = 0; turned < 2; turned++) {
    fixture_create(&s[turned], "simd");
    s[turned].avoidance.method = METHOD_rvo;
    s[turned].avoidance.rvo = (struct rvo_options){100, 7.5f};
    add_heap(&s[turned], turned);
  }
  for (int t = 0; t < 100; t++) {
    const struct agents *a = &s[0].agents, *b = &s[1].agents;
    fixture_step(&s[0]);
    fixture_step(&s[1]);
    overlaps += s[0].counts.overlaps;
    for (int64_t i = 0; i < a->count; i++)
      cr_assert(b->x[i] == -a->y[i] && b->y[i] == a->x[i], "agent %d in step %d: %d, %d and %d, %d",
                (int)i, t, a->x[i], a->y[i], b->x[i], b->y[i]);
  }
  cr_assert(overlaps > 500, "%d overlaps", (int)overlaps);
  fixture_destroy(&s[0]);
  fixture_destroy(&s[1]);
}

// ORCA and ClearPath-1 promise no overlap if all agents always find a velocity. The others
// promise less; RVO is held to what its sampling comes to.
Test(scenes, rings_cross_by_every_method)
{
  static const int counts[] = {2, 5, 9, 12};
  int promised = 0;
  for (int c = 0; c < 4; c++)
    for (enum avoidance_method m = METHOD_orca; m < METHOD_COUNT; m++) {
      int64_t without;
      const float deepest = deepest_of_ring(m, counts[c], &without);
      const bool promises = (m == METHOD_orca || m == METHOD_clearpath) && without == 0;
      promised += promises;
      cr_assert(deepest < (promises                ? 1e-4f
                           : m == METHOD_clearpath ? 0.2f
                                                   : 0.05f),
                "%s: %g m", avoidance_names[m], (double)deepest);
    }
  cr_assert(promised >= 7, "%d rings", promised);
}

Test(scenes, an_all_but_exact_circle_of_8_changes_places)
{
  circle(8, 1e-4, 40, 0.001f);
}

Test(scenes, a_circle_of_8_changes_places)
{
  circle(8, 0.05, 2, 0.001f);
}

Test(scenes, a_circle_of_25_changes_places)
{
  circle(25, 1e-4, 4, 0.1f);
}

Test(scenes, a_circle_of_80_changes_places)
{
  circle(80, 1e-4, 4, 0.22f);
}

Test(scenes, a_circle_of_250_changes_places)
{
  circle(250, 1e-4, 4, 0.27f);
}

// --- walls ---

static void square(struct fixture *s, double west, double south, double side)
{
  const int32_t w = M(west), e = M(west + side), b = M(south), t = M(south + side);
  fixture_add_line(s, 4, (const int32_t[][2]){{w, b}, {e, b}, {e, t}, {w, t}}, true);
}

static void buildings(struct fixture *s)
{
  square(s, -6, -6, 3);
  square(s, -2.6, -6, 3); // a slit of 40 cm between this and the one before
  square(s, 2, 2, 4);
  fixture_add_line(
      s, 6, // a corner to be caught in
      (const int32_t[][2]){
          {M(-6), M(1)}, {M(-1), M(1)}, {M(-1), M(6)}, {M(-2), M(6)}, {M(-2), M(2)}, {M(-6), M(2)}},
      true);
  fixture_add_line(s, 3, (const int32_t[][2]){{M(2), M(-5)}, {M(4), M(-2)}, {M(6), M(-5)}}, false);
  fixture_add_line(s, 5, // tilted, with an arrow's notch
                   (const int32_t[][2]){{M(-8.1), M(-0.7)},
                                        {M(-7), M(-2.3)},
                                        {M(-7.4), M(-0.2)},
                                        {M(-6.7), M(0.6)},
                                        {M(-8), M(0.4)}},
                   true);
}

static void assert_outside_after(struct fixture *s, int steps)
{
  struct agents *a = &s->agents;
  const struct obstacles *o = &s->world.obstacles;
  struct point *before = memory_create((size_t)a->count, sizeof *before);
  for (int t = 0; t < steps; t++) {
    for (int64_t i = 0; i < a->count; i++)
      before[i] = (struct point){a->x[i], a->y[i]};
    fixture_step(s);
    for (int64_t i = 0; i < a->count; i++) {
      const struct point now = {a->x[i], a->y[i]};
      const bool moved = now.x != before[i].x || now.y != before[i].y;
      cr_assert_not(moved && obstacles_crossed(o, before[i], now),
                    "step %d, agent %lld: (%d %d) -> (%d %d) touches a wall", t,
                    (long long)a->id[i], before[i].x, before[i].y, now.x, now.y);
      cr_assert_not(obstacles_solid(o, now), "step %d: agent %lld is in a wall", t,
                    (long long)a->id[i]);
    }
  }
  memory_destroy(before);
}

#if SHORT
#define STEPS_AMONG_WALLS 60
#else
#define STEPS_AMONG_WALLS 300
#endif

// All prefer to walk straight through the walls, and some push the others.
Test(scenes, nobody_ever_enters_a_wall)
{
  for (int k = 0; k < 3; k++) {
    struct fixture s;
    fixture_create(&s, k == 1 ? "scalar" : "simd");
    buildings(&s);
    fixture_build_walls(&s);
    fixture_add_crowd(&s, (uint64_t)k + 1, 300, 16);
    if (k == 2) // wide ones, with the speed of runners
      for (int64_t i = 0; i < s.agents.count; i++) {
        s.agents.radius[i] = 0.6f;
        s.agents.speed[i] = s.agents.max_speed[i] = 6;
      }
    assert_outside_after(&s, STEPS_AMONG_WALLS);
    fixture_destroy(&s);
  }
}

Test(scenes, nobody_goes_through_a_slit_narrower_than_himself)
{
  struct fixture s;
  fixture_create(&s, "simd");
  square(&s, -3.2, -1.5, 3);
  square(&s, 0.2, -1.5, 3); // .4 m between them; people are .5 m wide
  fixture_build_walls(&s);
  for (int32_t i = 0; i < 30; i++)
    fixture_add_agent(&s, M(0.3) * (i % 6 - 3), M(-2) - M(0.6) * (i / 6), M(0.01) * i, M(8));
  assert_outside_after(&s, 300);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert_not(abs(s.agents.x[i]) < M(0.2) && abs(s.agents.y[i]) < M(1.5),
                  "agent %lld is in the slit", (long long)i);
  fixture_destroy(&s);
}

// An agent exactly on the line of a thin wall stands on neither side of it.
Test(scenes, nobody_walks_along_inside_a_thin_wall)
{
  static const int32_t ways[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {2, -1}};
  for (int w = 0; w < 6; w++) {
    const int32_t x = ways[w][0], y = ways[w][1];
    struct fixture s;
    fixture_create(&s, "simd");
    fixture_add_line(&s, 2, (const int32_t[][2]){{0, 0}, {M(4) * x, M(4) * y}}, false);
    fixture_build_walls(&s);
    fixture_add_agent(&s, -M(2) * x, -M(2) * y, M(8) * x, M(8) * y);
    assert_outside_after(&s, 100);
    fixture_destroy(&s);
  }
}

Test(scenes, nobody_comes_nearer_to_the_end_of_a_thin_wall_than_his_radius)
{
  struct fixture s;
  fixture_create(&s, "simd");
  fixture_add_line(&s, 2, (const int32_t[][2]){{0, 0}, {M(4), 0}}, false);
  fixture_build_walls(&s);
  fixture_add_agent(&s, M(-2), 0, M(8), 0);
  for (int t = 0; t < 100; t++) {
    fixture_step(&s);
    cr_assert_not(
        obstacles_near(&s.world.obstacles, (struct point){s.agents.x[0], s.agents.y[0]}, M(0.24)));
  }
  fixture_destroy(&s);
}

// Long slanted walls: from the far end the float line of a wall is off by more than a quantum.
Test(scenes, nobody_slips_through_a_long_wall)
{
  struct fixture s;
  uint64_t r = 9;
  fixture_create(&s, "simd");
  fixture_add_line(
      &s, 3, (const int32_t[][2]){{M(-900), M(-411.3)}, {M(901.7), M(377.7)}, {M(-900), M(900)}},
      true);
  fixture_build_walls(&s);
  for (int i = 0; i < 400; i++) {
    const double x = oracle_between(&r, -800, 800);
    const double y = -411.3 + (x + 900) * (377.7 + 411.3) / (901.7 + 900);
    struct point at = {(int32_t)lrint(x * METRE), (int32_t)lrint(y * METRE)};
    while (obstacles_solid(&s.world.obstacles, at) || obstacles_near(&s.world.obstacles, at, 1))
      at.y--;
    const int64_t who = fixture_add_agent(&s, at.x, at.y, at.x, at.y + M(20));
    s.agents.radius[who] = (float)(i % 2) * 0.001f;
  }
  assert_outside_after(&s, 20);
  fixture_destroy(&s);
}

Test(scenes, a_wall_in_the_way_is_stopped_at_not_bounced_from)
{
  struct fixture s;
  fixture_create(&s, "simd");
  square(&s, 0, -5, 10);
  fixture_build_walls(&s);
  fixture_add_agent(&s, M(-3), 0, M(3), 0);
  for (int t = 0; t < 100; t++)
    fixture_step(&s);
  cr_assert(abs(s.agents.x[0] + M(0.25)) < M(0.01), "stands %g m from the wall",
            -(double)s.agents.x[0] / METRE);
  fixture_destroy(&s);
}

// The bounds are no wall to ORCA: who would pass round a wall's end outside of them, and be put
// back behind it, must be stopped.
Test(scenes, nobody_gets_round_a_wall_that_ends_at_the_bounds)
{
  struct fixture s;
  fixture_create(&s, "simd");
  s.dt = 0.5f;
  s.world.bounds = (struct box){{-10 * METRE, 0}, {10 * METRE, 10 * METRE}};
  fixture_add_line(&s, 2, (const int32_t[][2]){{0, 0}, {0, 10 * METRE}}, false);
  fixture_build_walls(&s);
  for (int k = 0; k < 20; k++) {
    const int64_t i =
        fixture_add_agent(&s, -METRE / 8 - k * METRE / 8, k * METRE / 50, 5 * METRE, -5 * METRE);
    s.agents.radius[i] = 0.01f;
    s.agents.speed[i] = s.agents.max_speed[i] = 4.0f;
  }
  for (int step = 0; step < 50; step++) {
    fixture_step(&s);
    for (int64_t i = 0; i < s.agents.count; i++)
      cr_assert_lt(s.agents.x[i], 0, "agent %lld is past the wall in step %d",
                   (long long)s.agents.id[i], step);
  }
  fixture_destroy(&s);
}
