// All backends, any number of threads and any order in memory give the same bits; a scene turned,
// moved or mirrored gives the result turned, moved or mirrored.
#include "backend_gpu.h"
#include "extent.h"
#include "fixture.h"
#include "grid_cells.h"
#include "lanes.h"
#include "navigation.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define M(metres) ((int32_t)((metres)*METRE))

static void add_square(struct fixture *s, double west, double south, double side)
{
  const int32_t w = M(west), e = M(west + side), b = M(south), t = M(south + side);
  fixture_add_line(s, 4, (const int32_t[][2]){{w, b}, {e, b}, {e, t}, {w, t}}, true);
}

static void dense(struct fixture *s)
{
  fixture_add_crowd(s, 1, 160, 9.6);
}

static void lattice(struct fixture *s) // ties everywhere
{
  for (int32_t i = 0; i < 144; i++) {
    const int32_t x = (i % 12 - 6) * (METRE / 2 + METRE / 8),
                  y = (i / 12 - 6) * (METRE / 2 + METRE / 8);
    fixture_add_agent(s, x, y, -x, -y);
  }
}

static void rooms(struct fixture *s) // corners, a thin wall, a courtyard with a gate
{
  add_square(s, -4, -4, 2);
  add_square(s, 1.5, -3, 2.5);
  fixture_add_line(s, 3, (const int32_t[][2]){{M(-3), M(2)}, {M(0), M(3)}, {M(3), M(2)}}, false);
  fixture_add_line(s, 5,
                   (const int32_t[][2]){
                       {M(-1), M(-6)}, {M(-7), M(-6)}, {M(-7), M(6)}, {M(7), M(6)}, {M(7), M(-6)}},
                   false);
  fixture_build_walls(s);
  fixture_add_crowd(s, 2, 110, 13);
}

static void motley(struct fixture *s)
{
  uint64_t r = 3;
  fixture_add_crowd(s, 4, 120, 14);
  for (int64_t i = 0; i < s->agents.count; i++) {
    s->agents.radius[i] = (float)oracle_between(&r, 0, 0.8);
    s->agents.max_speed[i] = (float)oracle_between(&r, 0, 3);
    s->agents.speed[i] = (float)oracle_between(&r, 0, 3);
    s->agents.vx[i] = (float)oracle_between(&r, -1, 1);
  }
}

static void alone(struct fixture *s)
{
  fixture_add_agent(s, 7, -7, M(3), M(4));
}

static void one_place(struct fixture *s)
{
  for (int i = 0; i < 40; i++)
    fixture_add_agent(s, M(1), M(1), M(1), M(i % 2 ? 9 : -9));
}

static void in_threes(struct fixture *s) // each sees the same half-planes twice
{
  uint64_t r = 6;
  fixture_add_crowd(s, 5, 50, 30);
  for (int64_t i = 0; i < 100; i++) {
    const int64_t first = i % 50;
    struct agents *a = &s->agents;
    fixture_add_agent(s, a->x[first], a->y[first], a->goal_x[first], a->goal_y[first]);
  }
  for (int64_t i = 0; i < s->agents.count; i++) {
    s->agents.max_speed[i] = s->agents.speed[i] = 3;
    s->agents.radius[i] = i < 50 ? (float)oracle_between(&r, 0.2, 0.6) : s->agents.radius[i % 50];
    s->agents.vx[i] = i < 50 ? (float)oracle_between(&r, -2, 2) : s->agents.vx[i % 50];
    s->agents.vy[i] = i < 50 ? (float)oracle_between(&r, -2, 2) : s->agents.vy[i % 50];
  }
}

// Two streams through a street with a pillar: agents may spread.
static void street(struct fixture *s)
{
  struct world *w = &s->world;
  fixture_add_line(s, 2, (const int32_t[][2]){{M(-20), M(-5)}, {M(20), M(-5)}}, false);
  fixture_add_line(s, 2, (const int32_t[][2]){{M(20), M(5)}, {M(-20), M(5)}}, false);
  add_square(s, 2, -1, 2);
  fixture_build_walls(s);
  nav_grid_create(&w->nav_grid, (struct box){{M(-20), M(-5)}, {M(20), M(5)}}, M(0.25), M(0.25),
                  &w->obstacles);
  nav_grid_measure_gaps(&w->nav_grid, METRE);
  nav_grid_raise_costs_near_walls(&w->nav_grid);
  world_create_fields(w, 2, 1, 0, &node_group_self);
  uint8_t *ends = memory_create((size_t)nav_grid_cell_count(&w->nav_grid), 1);
  for (int32_t f = 0; f < 2; f++) {
    for (int64_t cell = 0; cell < nav_grid_cell_count(&w->nav_grid); cell++)
      ends[cell] = nav_grid_place(&w->nav_grid, cell).column == (f ? w->nav_grid.columns - 1 : 0);
    field_solve(&w->fields[f], ends, w->nav_grid.cost);
  }
  memory_destroy(ends);
  uint64_t r = 8;
  for (int i = 0; i < 120; i++) {
    const int64_t k = fixture_add_agent(s, oracle_whole(&r, M(-19), M(0)),
                                        oracle_whole(&r, M(-4.5), M(4.5)), 0, 0);
    agent_set_destination(&s->agents, k, i % 4 > 0);
    s->agents.vx[k] = i % 4 > 0 ? 1.3f : -1.3f;
  }
}

static void nobody(struct fixture *s)
{
  (void)s;
}

struct test_case {
  const char *name;
  void (*make)(struct fixture *s);
};
#if SHORT
#define STEPS 10
#else
#define STEPS 100
#endif
static const struct test_case casts[] = {
    {"dense", dense},   {"lattice", lattice},     {"rooms", rooms},
    {"alone", alone},   {"one place", one_place}, {"in threes", in_threes},
    {"motley", motley}, {"nobody", nobody},       {"street", street}};
#define CASTS (int)(sizeof casts / sizeof *casts)

struct outcome {
  uint64_t checksums[STEPS];
  struct next_velocity_counts counts[STEPS];
  bool has_places; // of the deepest overlaps: a device finds them by find_deepest
};

static enum avoidance_method method = METHOD_orca;
static const struct headway_options *headway; // NULL: no agent walks by headway

static void create(struct fixture *s, const char *backend) // with that method and its options
{
  fixture_create(s, backend);
  s->avoidance.method = method;
  s->avoidance.rvo = (struct rvo_options){60, 7.5f};
  s->avoidance.directional = (struct directional_options){0.1f, 10};
  s->headway = headway;
  if (headway) {
    s->world.facings = s->neighbours.facings = true;
    s->avoidance.squeeze = s->neighbours.squeeze = 0.2f;
  }
}

static void run_case(const struct test_case *test_case, const char *backend, int threads,
                     uint64_t shuffle, struct outcome *out)
{
  struct fixture s;
  memset(out, 0, sizeof *out);
  create(&s, backend);
  out->has_places = !s.backend->device_crowd;
  omp_set_num_threads(threads);
  test_case->make(&s);
  for (int t = 0; t < STEPS; t++) {
    if (shuffle)
      fixture_shuffle(&s, shuffle + (uint64_t)t);
    fixture_step(&s);
    out->checksums[t] = agents_checksum(&s.agents);
    out->counts[t] = s.counts;
  }
  char message[200];
  cr_assert(agents_check(&s.agents, s.world.bounds, message, sizeof message), "%s: %s",
            test_case->name, message);
  fixture_destroy(&s);
}

static bool same_counts(const struct next_velocity_counts *a, const struct next_velocity_counts *b)
{
  bool same = a->deepest.depth == b->deepest.depth;
#define X(name, where) same = same && a->name == b->name;
  STEP_COUNTERS(X)
#undef X
  return same;
}

static bool same_place(const struct deepest_overlap *a, const struct deepest_overlap *b)
{
  return a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y;
}

static void assert_same_outcome(const struct outcome *a, const struct outcome *b,
                                const char *fixture, const char *who)
{
  for (int t = 0; t < STEPS; t++) {
    cr_assert_eq(a->checksums[t], b->checksums[t], "%s, %s: parts in step %d", fixture, who, t + 1);
    cr_assert(same_counts(&a->counts[t], &b->counts[t]), "%s, %s: counts differ in step %d",
              fixture, who, t + 1);
    cr_assert(!a->has_places || !b->has_places ||
                  same_place(&a->counts[t].deepest, &b->counts[t].deepest),
              "%s, %s: deepest overlap elsewhere in step %d", fixture, who, t + 1);
  }
}

static struct outcome plain, other;

Test(backend, every_width_gives_the_same_bits)
{
  static const char *const names[] = {
      "simd4", "simd8", "simd16", "simd", "emulated", "emulated-reversed", "emulated-permuted"};
  for (int c = 0; c < CASTS; c++) {
    run_case(&casts[c], "scalar", 1, 0, &plain);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
      const char *why;
      if (!backend_named(names[n], &why)) {
        cr_log_info("%s: not on this machine, not tested", names[n]); // a warning fails the test
        continue;
      }
      run_case(&casts[c], names[n], 1, 0, &other);
      assert_same_outcome(&plain, &other, casts[c].name, names[n]);
    }
  }
}

Test(backend, threads_and_the_order_in_memory_do_not_show)
{
  for (int c = 0; c < CASTS; c++) {
    run_case(&casts[c], "simd", 1, 0, &plain);
    run_case(&casts[c], "simd", 2, 0, &other);
    assert_same_outcome(&plain, &other, casts[c].name, "2 threads");
    run_case(&casts[c], "simd", 2, 5, &other);
    assert_same_outcome(&plain, &other, casts[c].name, "shuffled");
    run_case(&casts[c], "scalar", 2, 9, &other);
    assert_same_outcome(&plain, &other, casts[c].name, "scalar, shuffled");
  }
}

static void run_method(const struct test_case *test_case)
{
  run_case(test_case, "scalar", 1, 0, &plain);
  run_case(test_case, "simd", 2, 3, &other);
  assert_same_outcome(&plain, &other, test_case->name, avoidance_names[method]);
  run_case(test_case, "simd4", 1, 0, &other);
  assert_same_outcome(&plain, &other, test_case->name, avoidance_names[method]);
  run_case(test_case, "emulated-permuted", 1, 4, &other);
  assert_same_outcome(&plain, &other, test_case->name, avoidance_names[method]);
}

static void walk_by_headway(struct headway_options *h, enum side_preference side)
{
  headway_options_create(h, 1);
  headway_options_set(h, 0,
                      &(struct headway_profile){.time_gap = 1,
                                                .length = 0.4,
                                                .anticipation = 1,
                                                .sight = 5,
                                                .side = side,
                                                .shoulders = 0.46,
                                                .steps_aside = 1});
  headway_options_set_step(h, 0.1);
  headway = h;
}

Test(backend, headway_gives_the_same_bits_under_every_method)
{
  struct headway_options h;
  walk_by_headway(&h, SIDE_RIGHT);
  for (method = METHOD_none; method < METHOD_COUNT; method++)
    for (int c = 0; c < CASTS; c += method == METHOD_orca ? 1 : 3)
      run_method(&casts[c]);
  headway_options_destroy(&h);
}

// A vehicle follows nobody: as without the model.
Test(backend, passive_agents_do_not_walk_by_headway)
{
  struct headway_options h;
  walk_by_headway(&h, SIDE_RIGHT);
  for (int passive = 0; passive <= 1; passive++) {
    struct fixture s;
    create(&s, "simd");
    fixture_add_agent(&s, 0, 0, 100 * METRE, 0);
    fixture_add_agent(&s, METRE, 0, 100 * METRE, 0);
    s.agents.speed[1] = 0.5f;
    s.agents.yield[0] = passive ? 0 : 1;
    fixture_step(&s);
    cr_assert_eq(fabsf(s.agents.vx[0] - s.agents.speed[0]) < 1e-6f, passive, "%g m/s",
                 (double)s.agents.vx[0]);
    fixture_destroy(&s);
  }
  headway_options_destroy(&h);
}

Test(backend, spreading_gives_the_same_bits_and_shows)
{
  const struct test_case spreading = {"street", street};
  struct headway_options h;
  walk_by_headway(&h, SIDE_RIGHT);
  h.spread[0] = 1;
  h.spreads = true;
  run_method(&spreading);
  run_case(&spreading, "scalar", 1, 0, &plain);
  h.spreads = false;
  h.spread[0] = 0;
  run_case(&spreading, "scalar", 1, 0, &other);
  cr_assert_neq(plain.checksums[STEPS - 1], other.checksums[STEPS - 1]);
  headway_options_destroy(&h);
}

Test(backend, every_method_gives_the_same_bits)
{
  for (method = METHOD_none; method < METHOD_COUNT; method++)
    for (int c = 0; c < CASTS; c += 2) // every other one: all four are hard
      run_method(&casts[c]);
}

// On a GPU. What the build says of a run without one is looked for by tests/gpu/CMakeLists.txt.
Test(cuda, gives_the_same_bits)
{
  const char *why;
  if (!backend_named("cuda", &why)) {
    printf("SKIPPED: no GPU: %s\n", why);
    fflush(stdout);
    cr_skip_test("%s", why);
  }
  for (method = METHOD_none; method < METHOD_COUNT; method++)
    for (int c = 0; c < CASTS; c++) {
      run_case(&casts[c], "simd", 2, 0, &plain);
      run_case(&casts[c], "cuda", 1, 0, &other);
      assert_same_outcome(&plain, &other, casts[c].name, avoidance_names[method]);
    }
}

static void city(struct fixture *s)
{
  add_square(s, -30, -10, 6);
  add_square(s, -6, 5, 8);
  fixture_build_walls(s);
  fixture_add_crowd(s, 11, 3000, 80);
  uint64_t r = 12;
  for (int64_t i = 0; i < s->agents.count; i++) {
    s->agents.vx[i] = (float)oracle_between(&r, -1, 1);
    s->agents.vy[i] = (float)oracle_between(&r, -1, 1);
  }
}

// Those west of the line are ours; the others come as ghosts, when ours have chosen inside.
static int64_t choose_in_parts(const struct fixture *all, struct fixture *own, int32_t line)
{
  char one[256];
  struct agents *a = &own->agents;
  const int32_t width = M(own->avoidance.neighbour_distance) + 2;
  const struct box interior = {{INT32_MIN, INT32_MIN}, {line - width, INT32_MAX}};
  uint8_t *east = memory_create((size_t)a->count, 1);
  for (int64_t i = 0; i < a->count; i++)
    east[i] = a->x[i] >= line;
  agents_remove(a, east);
  memory_destroy(east);
  neighbours_sort(&own->neighbours, a, NULL);
  fixture_set_preferred(own);
  neighbours_build_own(&own->neighbours, &own->world.frame, a);
  for (int64_t i = 0; i < a->count; i++)
    a->next_vx[i] = NAN;
  fixture_compute_velocities_part(own, PART_INTERIOR, interior);
  int64_t early = 0;
  for (int64_t i = 0; i < a->count; i++)
    early += !isnan(a->next_vx[i]);
  agents_reserve(a, all->agents.count);
  for (int64_t i = 0; i < all->agents.count; i++)
    if (all->agents.x[i] >= line) {
      agents_pack(&all->agents, i, SCOPE_GHOST, one);
      agents_unpack(a, a->count + a->ghost_count++, SCOPE_GHOST, one);
    }
  neighbours_build_ghosts(&own->neighbours, a);
  fixture_compute_velocities_part(own, PART_BORDER, interior);
  return early;
}

Test(backend, who_sees_no_ghost_may_choose_before_they_are_here)
{
  omp_set_num_threads(2);
  for (method = METHOD_none; method < METHOD_COUNT; method++) {
    struct fixture all, own;
    create(&all, "simd");
    create(&own, "simd");
    city(&all);
    city(&own);
    const int64_t early = choose_in_parts(&all, &own, M(20));
    cr_assert(early > 300 && early < own.agents.count, "%lld", (long long)early);
    fixture_set_preferred(&all);
    fixture_compute_velocities(&all);
    for (int64_t i = 0; i < own.agents.count; i++) {
      const int64_t k = fixture_index(&all, own.agents.id[i]);
      cr_assert(own.agents.next_vx[i] == all.agents.next_vx[k] &&
                    own.agents.next_vy[i] == all.agents.next_vy[k],
                "%s: agent %lld", avoidance_names[method], (long long)own.agents.id[i]);
    }
    fixture_destroy(&all);
    fixture_destroy(&own);
  }
}

Test(backend, names_are_known_or_refused)
{
  cr_assert_eq(backend_find("scalar")->lanes, 1);
  cr_assert(backend_find("simd")->lanes >= 4);
  cr_assert_null(backend_find("simd5"));
  cr_assert_null(backend_find(""));
  const char *why;
  cr_assert(backend_named("simd4", &why) == backend_find("simd4") && !why);
  cr_assert(strcmp(backend_named("emulated", &why)->name, "emulated") == 0 && !why);
  cr_assert(!backend_named("simd5", &why) && why);
  const struct backend *cuda = backend_named("cuda", &why);
  cr_assert((cuda == NULL) == (why != NULL));
  cr_assert(backend_named("auto", &why) == backend_find("simd"));
}

// x' = xx x + xy y + dx, y' = yx x + yy y + dy
struct motion {
  int32_t xx, xy, yx, yy, dx, dy;
};

static void transform(struct agents *a, struct motion m)
{
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t x = a->x[i], y = a->y[i], gx = a->goal_x[i], gy = a->goal_y[i];
    const float vx = a->vx[i], vy = a->vy[i];
    a->x[i] = m.xx * x + m.xy * y + m.dx;
    a->y[i] = m.yx * x + m.yy * y + m.dy;
    a->goal_x[i] = m.xx * gx + m.xy * gy + m.dx;
    a->goal_y[i] = m.yx * gx + m.yy * gy + m.dy;
    a->vx[i] = (float)m.xx * vx + (float)m.xy * vy;
    a->vy[i] = (float)m.yx * vx + (float)m.yy * vy;
  }
}

static void transform_walls(struct fixture *s, struct motion m)
{
  for (int64_t i = 0; i < s->points_count; i++) {
    const struct point p = s->points[i];
    s->points[i] = (struct point){m.xx * p.x + m.xy * p.y + m.dx, m.yx * p.x + m.yy * p.y + m.dy};
  }
  obstacles_destroy(&s->world.obstacles);
  fixture_build_walls(s);
}

// On which side agents of the moved crowd pass; 0: as the others.
static float mirrored_side[LOOK_UP_STEP];

// The largest difference, in quanta, between the moved result and the result of the moved.
static int64_t disagreement(void (*make)(struct fixture *s), struct motion m)
{
  struct fixture s, moved;
  create(&s, "simd");
  create(&moved, "simd");
  make(&s);
  make(&moved);
  if (moved.line_count)
    transform_walls(&moved, m);
  transform(&moved.agents, m);
  struct headway_options with = headway ? *headway : (struct headway_options){0};
  with.side = mirrored_side;
  if (headway && mirrored_side[0])
    moved.headway = &with;
  for (int t = 0; t < 50; t++) {
    fixture_step(&s);
    fixture_step(&moved);
  }
  transform(&s.agents, m);
  int64_t most = 0;
  for (int64_t i = 0; i < s.agents.count; i++) {
    const int64_t dx = llabs((int64_t)s.agents.x[i] - moved.agents.x[i]);
    const int64_t dy = llabs((int64_t)s.agents.y[i] - moved.agents.y[i]);
    most = dx > most ? dx : most;
    most = dy > most ? dy : most;
    if (dx == 0 && dy == 0) // equal, not the same bits: -0 is 0
      most += s.agents.vx[i] != moved.agents.vx[i] || s.agents.vy[i] != moved.agents.vy[i];
  }
  fixture_destroy(&s);
  fixture_destroy(&moved);
  return most;
}

static const struct motion quarter_turn = {0, -1, 1, 0, 0, 0}, half_turn = {-1, 0, 0, -1, 0, 0},
                           mirror = {-1, 0, 0, 1, 0, 0}, shift = {1, 0, 0, 1, 12345677, -7654321};

Test(backend, a_turned_crowd_gives_the_turned_result)
{
  cr_assert_eq(disagreement(dense, quarter_turn), 0);
  cr_assert_eq(disagreement(dense, half_turn), 0);
  cr_assert_eq(disagreement(motley, quarter_turn), 0);
}

Test(backend, a_moved_crowd_gives_the_moved_result)
{
  cr_assert_eq(disagreement(dense, shift), 0);
  cr_assert_eq(disagreement(lattice, shift), 0);
  cr_assert_eq(disagreement(one_place, shift), 0);
}

Test(backend, a_mirrored_crowd_gives_the_mirrored_result)
{
  cr_assert_eq(disagreement(dense, mirror), 0);
  cr_assert_eq(disagreement(motley, mirror), 0);
}

// RVO's candidates are drawn in the world's directions: they neither turn nor have a mirror image.
Test(backend, every_method_turns_and_moves_with_the_crowd)
{
  for (method = METHOD_none; method < METHOD_COUNT; method++) {
    cr_assert_eq(disagreement(dense, shift), 0, "%s", avoidance_names[method]);
    cr_assert_eq(disagreement(rooms, shift), 0, "%s", avoidance_names[method]);
    if (method == METHOD_rvo)
      continue;
    cr_assert_eq(disagreement(dense, quarter_turn), 0, "%s", avoidance_names[method]);
    cr_assert_eq(disagreement(motley, half_turn), 0, "%s", avoidance_names[method]);
    if (method != METHOD_directional) // of equals it takes the left direction
      cr_assert_eq(disagreement(dense, mirror), 0, "%s", avoidance_names[method]);
  }
}

Test(backend, headway_turns_moves_and_mirrors_with_the_crowd)
{
  struct headway_options h;
  walk_by_headway(&h, SIDE_NONE);
  cr_assert_eq(disagreement(dense, quarter_turn), 0);
  cr_assert_eq(disagreement(motley, half_turn), 0);
  cr_assert_eq(disagreement(rooms, quarter_turn), 0);
  cr_assert_eq(disagreement(rooms, shift), 0);
  cr_assert_eq(disagreement(dense, mirror), 0);
  cr_assert_eq(disagreement(motley, mirror), 0);
  h.side[0] = SIDE_RIGHT;
  mirrored_side[0] = SIDE_LEFT;
  cr_assert_eq(disagreement(dense, mirror), 0);
  cr_assert_eq(disagreement(motley, mirror), 0);
  mirrored_side[0] = SIDE_RIGHT;
  cr_assert_neq(disagreement(dense, mirror), 0);
  headway_options_destroy(&h);
}

Test(backend, walls_turn_and_move_with_the_crowd)
{
  cr_assert_eq(disagreement(rooms, quarter_turn), 0);
  cr_assert_eq(disagreement(rooms, half_turn), 0);
  cr_assert_eq(disagreement(rooms, shift), 0);
}

// A mirror turns solid ground to the other side of a line, so its points must be taken backwards:
// a wall's foot is then measured from its other end and rounded otherwise. So one step, and
// close, is what can be asked.
static void transform_mirror_walls(struct fixture *s)
{
  for (int64_t l = 0; l < s->line_count; l++)
    for (int64_t i = s->start[l], j = s->start[l + 1] - 1; i < j; i++, j--) {
      const struct point p = s->points[i];
      s->points[i] = s->points[j];
      s->points[j] = p;
    }
  transform_walls(s, mirror);
}

Test(backend, walls_mirrored_with_the_crowd_give_about_the_mirrored_step)
{
  struct fixture s, mirrored;
  fixture_create(&s, "simd");
  fixture_create(&mirrored, "simd");
  rooms(&s);
  for (int t = 0; t < 10; t++) { // let them take up some speed
    fixture_step(&s);
    fixture_destroy(&mirrored);
    fixture_create(&mirrored, "simd");
    rooms(&mirrored);
    transform_mirror_walls(&mirrored);
    fixture_copy_agents(&mirrored, &s);
    transform(&mirrored.agents, mirror);
    struct fixture next = s;
    next.neighbours = (struct neighbours){0};
    next.wall_lists = (struct wall_lists){0};
    agents_create(&next.agents, 1);
    fixture_copy_agents(&next, &s);
    fixture_step(&next);
    fixture_step(&mirrored);
    int64_t apart = 0;
    for (int64_t i = 0; i < next.agents.count; i++)
      apart += fabsf(next.agents.vx[i] + mirrored.agents.vx[i]) > 1e-3f ||
               fabsf(next.agents.vy[i] - mirrored.agents.vy[i]) > 1e-3f;
    cr_assert(apart <= 2, "step %d: %lld of %lld", t, (long long)apart,
              (long long)next.agents.count);
    agents_destroy(&next.agents);
    neighbours_destroy(&next.neighbours);
    wall_lists_destroy(&next.wall_lists);
  }
  fixture_destroy(&s);
  fixture_destroy(&mirrored);
}

// --- counts ---

struct pairs {
  int64_t seen, in_contact;
  double deepest;
};

static struct pairs count_all_pairs(const struct fixture *s)
{
  const struct agents *a = &s->agents;
  struct pairs all = {0};
  for (int64_t i = 0; i < a->count; i++) {
    const int64_t seen = all.seen;
    for (int64_t j = 0; j < a->count; j++) {
      const double dx = (double)a->x[i] - a->x[j], dy = (double)a->y[i] - a->y[j];
      const double R = ((double)a->radius[i] + (double)a->radius[j]) * METRE;
      if (i == j || dx * dx + dy * dy >= R * R)
        continue;
      all.seen++;
      all.deepest = fmax(all.deepest, (R - hypot(dx, dy)) / METRE);
    }
    all.in_contact += all.seen > seen;
  }
  return all;
}

// The deepest overlap of agent i with any other, by the arithmetic of the backend.
static float depth_of(const struct fixture *s, int64_t i)
{
  const struct agents *a = &s->agents;
  const struct overlaps o = neighbours_overlaps(&s->neighbours, a, i, 1.0f / METRE);
  return o.count ? o.deepest : 0;
}

// The place of the deepest overlap is that of the least id with that depth; before the move.
static void assert_deepest_place(const struct fixture *s)
{
  const struct deepest_overlap *deepest = &s->counts.deepest;
  const struct agents *a = &s->agents;
  for (int64_t i = 0; i < a->count; i++) {
    const float depth = depth_of(s, i);
    cr_assert(depth <= deepest->depth &&
              (depth < deepest->depth || a->id[i] >= deepest->id || deepest->depth == 0));
    if (deepest->depth > 0 && a->id[i] == deepest->id)
      cr_assert(depth == deepest->depth && deepest->at.x == a->x[i] && deepest->at.y == a->y[i]);
  }
}

Test(backend, every_overlap_is_counted_whatever_is_seen)
{
  for (int c = 0; c < CASTS; c++)
    for (int32_t k = 1; k <= 32; k += 31) {
      struct fixture s;
      fixture_create(&s, "simd");
      casts[c].make(&s);
      s.avoidance.neighbours = k;
      s.avoidance.neighbour_distance = k == 1 ? 0.05f : 5;
      for (int t = 0; t < 5; t++) {
        const struct pairs all = count_all_pairs(&s);
        s.counts = (struct next_velocity_counts){0};
        fixture_set_preferred(&s);
        fixture_compute_velocities(&s);
        assert_deepest_place(&s);
        cr_assert_eq(s.counts.overlaps, all.seen, "%s, k = %d: %lld, not %lld", casts[c].name, k,
                     (long long)s.counts.overlaps, (long long)all.seen);
        cr_assert_eq(s.counts.in_contact, all.in_contact);
        cr_assert(fabs((double)s.counts.deepest.depth - all.deepest) < 1e-5);
        fixture_step(&s);
      }
      fixture_destroy(&s);
    }
}

Test(backend, who_only_touches_does_not_overlap)
{
  struct fixture s;
  fixture_create(&s, "simd");
  for (int32_t i = 0; i < 40; i++)
    fixture_add_agent(&s, i % 8 * M(0.5), i / 8 * M(0.5), 0, 0);
  fixture_step(&s);
  cr_assert_eq(s.counts.overlaps, 0);
  fixture_destroy(&s);
}

Test(backend, nobody_outruns_the_greatest_speed)
{
  struct fixture s;
  fixture_create(&s, "simd");
  motley(&s);
  for (int t = 0; t < 50; t++) {
    fixture_step(&s);
    for (int64_t i = 0; i < s.agents.count; i++)
      cr_assert(hypotf(s.agents.vx[i], s.agents.vy[i]) <= s.agents.max_speed[i] * 1.00001f);
  }
  fixture_destroy(&s);
}

// Ghosts are seen like anybody else and are not moved: cut in two, each half with the other as
// ghosts, the crowd chooses as it does whole.
Test(backend, ghosts_are_seen_like_anybody_else)
{
  struct fixture whole;
  fixture_create(&whole, "simd");
  dense(&whole);
  for (int t = 0; t < 5; t++)
    fixture_step(&whole);
  struct fixture half = whole;
  half.neighbours = (struct neighbours){0};
  half.wall_lists = (struct wall_lists){0};
  agents_create(&half.agents, whole.agents.count);
  fixture_copy_agents(&half, &whole);
  half.agents.count = 117;
  half.agents.ghost_count = whole.agents.count - 117;
  fixture_step(&half);
  fixture_step(&whole);
  cr_assert_eq(half.agents.ghost_count, 0);
  for (int64_t i = 0; i < half.agents.count; i++) {
    cr_assert_eq(half.agents.x[i], whole.agents.x[i]);
    cr_assert_eq(half.agents.y[i], whole.agents.y[i]);
  }
  agents_destroy(&half.agents);
  neighbours_destroy(&half.neighbours);
  wall_lists_destroy(&half.wall_lists);
  fixture_destroy(&whole);
}
