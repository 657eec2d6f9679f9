// Agents head for places of their own where their route comes nearest to a wall, and close in on
// its middle in a queue.
#include "spreading_scene.h"

#include "spreading_section_kernel.h"

#include "navigation.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>

#define DOOR 4.0 // m, its width; around y = 0

// A room with a door in its right wall, x = 0 to 1 m, and the destination beyond it.
static void make_room(struct scene *s)
{
  *s = (struct scene){0};
  add_box(s, -30, 18, 30, 20);
  add_box(s, -30, -20, 30, -18);
  add_box(s, 0, -18, 1, -DOOR / 2);
  add_box(s, 0, DOOR / 2, 1, 18);
  solve(s, 28, -18, 30, 18);
  s->queue = 0.3f;
}

// Adds people who stand still in front of the door.
static void add_queue(struct scene *s, int count)
{
  uint64_t r = 3;
  for (int k = 0; k < count; k++) {
    const int64_t i =
        add_agent(s, oracle_whole(&r, M(-6), M(-0.6)), upwards * oracle_whole(&r, M(-6), M(6)));
    s->agents.vx[i] = 0;
  }
}

// Where the way that agent i prefers meets the middle of the door's wall, m.
static double met_at(const struct agents *a, int64_t i)
{
  const double x = (double)a->x[i] / METRE, y = (double)a->y[i] / METRE;
  return y + (double)a->prefer_y[i] / (double)a->prefer_x[i] * (0.5 - x);
}

// The places at which a queue meets the door's wall with a share; NAN: along it.
static void meet(float share, int count, double *met)
{
  struct scene s;
  make_room(&s);
  s.queue = share;
  add_queue(&s, count);
  set_preferred(&s);
  for (int64_t i = 0; i < count; i++)
    met[i] = s.agents.prefer_x[i] > 0.5f * SPEED ? fabs(met_at(&s.agents, i)) : NAN;
  scene_destroy(&s);
}

#define PEOPLE 2000

// Nearly no share: straight to the route's own place in the door.
Test(queue, closes_in_on_the_middle_of_a_door_from_both_sides)
{
  static double met[2][PEOPLE];
  double sum[2] = {0};
  int count = 0, closer = 0;
  meet(0.001f, PEOPLE, met[0]);
  meet(0.3f, PEOPLE, met[1]);
  for (int i = 0; i < PEOPLE; i++) {
    if (isnan(met[0][i] + met[1][i]))
      continue;
    for (int k = 0; k < 2; k++)
      sum[k] += met[k][i];
    closer += met[1][i] <= met[0][i];
    count++;
  }
  cr_assert_gt(count, PEOPLE / 2);
  cr_assert_gt(closer, 0.9 * count, "%d of %d", closer, count);
  cr_assert_lt(sum[1], 0.7 * sum[0], "%g, %g m from the middle", sum[0] / count, sum[1] / count);
}

// Each walker heads for its own share of the door's width, whatever the route: people at the left
// of the crowd and at its right mix no more than their shares do.
Test(section, walkers_use_the_whole_width_of_a_door)
{
  struct scene s;
  make_room(&s);
  uint64_t r = 3;
  for (int k = 0; k < PEOPLE; k++)
    add_agent(&s, oracle_whole(&r, M(-3), M(-1.5)), oracle_whole(&r, M(-1), M(1)));
  set_preferred(&s);
  const struct navigation_input in = {.seed = 3}; // as set_preferred
  int heads = 0, own = 0;
  for (int64_t i = 0; i < PEOPLE; i++) {
    if (!(s.agents.turn[i] & SPREADING_OWN_PLACE))
      continue;
    const double room = DOOR / 2 - 0.25, u = (double)spreading_side(&in, &s.agents, i);
    heads++;
    own += fabs(met_at(&s.agents, i) - 0.95 * u * room) < 0.35;
  }
  cr_assert_gt(heads, PEOPLE / 2);
  cr_assert_gt(own, 0.9 * heads, "%d of %d", own, heads);
  scene_destroy(&s);
}

// In a wide section they use SECTION_HALF to either side of a place as far from the nearest wall.
Test(section, walkers_use_part_of_a_wide_section)
{
  struct scene s = {0};
  add_box(&s, -30, 18, 30, 20); // a street of 18 m to the right of a corner at (0, 0)
  add_box(&s, -30, -20, 0, 0);
  solve(&s, 0, -18, 18, -16);
  uint64_t r = 3;
  for (int k = 0; k < PEOPLE; k++)
    add_agent(&s, oracle_whole(&r, M(-6), M(-3)), oracle_whole(&r, M(1), M(3)));
  set_preferred(&s);
  int heads = 0, beyond = 0, nearer = 0;
  for (int64_t i = 0; i < PEOPLE; i++) {
    if (!(s.agents.turn[i] & SPREADING_OWN_PLACE))
      continue;
    const double x = (double)s.agents.x[i] / METRE, y = (double)s.agents.y[i] / METRE;
    const double at = y - (double)s.agents.prefer_y[i] / (double)s.agents.prefer_x[i] * x;
    heads++;
    nearer += at < 0;
    beyond += at > 2 * (double)SECTION_HALF + 1;
  }
  cr_assert_gt(heads, PEOPLE / 2);
  cr_assert(nearer < 0.02 * heads && beyond < 0.02 * heads, "%d, %d", nearer, beyond);
  scene_destroy(&s);
}

// m: from a place in a corridor between y = -width / 2 and width / 2, whose way leads along x.
static double middle_from(const struct scene *s, double x, double y)
{
  const struct spreading_grid grid = spreading_grid_of(&s->world);
  const struct spreaders one = {.at = {splat_ivec(M(x)), splat_ivec(M(y))}, .radius = splat(0.2f)};
  const struct spreading_place from = spreading_place_of(&grid, &one);
  const real zero = splat(0);
  const struct section p = {
      mask_from_bits(1), mask_none(), zero, zero, spreading_gap(&from, zero, zero),
      {splat(1), zero}};
  float middle[LANES];
  lanes_store(middle, section_middle(&from, &p));
  return (double)middle[0];
}

Test(queue, finds_the_middle_of_a_corridor_of_any_width)
{
  uint64_t r = 9;
  for (int tenths = 12; tenths <= 80; tenths += 4) {
    const double half = tenths / 20.0;
    struct scene s = {0};
    add_box(&s, -30, half, 30, 20);
    add_box(&s, -30, -20, 30, -half);
    solve(&s, 28, -half, 30, half);
    for (int i = 0; i < 100; i++) {
      const double y = oracle_between(&r, -half + 0.2, half - 0.2);
      const double middle = middle_from(&s, oracle_between(&r, -20, 20), y);
      cr_assert_float_eq(y + middle, 0, 0.5, "%g m wide, at %g m: %g", 2 * half, y, middle);
    }
    scene_destroy(&s);
  }
}

Test(queue, changes_nothing_without_a_share_or_in_a_corridor)
{
  struct scene s;
  make_room(&s);
  add_queue(&s, 500);
  s.queue = 0;
  set_preferred(&s);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(!displaced(&s.agents, i));
  scene_destroy(&s);
  s = (struct scene){0}; // a corridor of 4 m
  add_box(&s, -30, 2, 30, 20);
  add_box(&s, -30, -20, 30, -2);
  solve(&s, 28, -2, 30, 2);
  s.queue = 0.3f;
  uint64_t r = 5;
  for (int k = 0; k < 500; k++) {
    const int64_t i =
        add_agent(&s, oracle_whole(&r, M(-25), M(20)), oracle_whole(&r, M(-1.7), M(1.7)));
    s.agents.vx[i] = 0;
  }
  set_preferred(&s);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(!displaced(&s.agents, i), "at %g, %g m", s.agents.x[i] / (double)METRE,
              s.agents.y[i] / (double)METRE);
  scene_destroy(&s);
}

Test(queue, in_a_mirrored_room_is_mirrored)
{
  struct scene s, mirrored;
  make_room(&s);
  add_queue(&s, 1000);
  set_preferred(&s);
  upwards = -1;
  make_room(&mirrored);
  add_queue(&mirrored, 1000);
  mirrored.spread = -1;
  set_preferred(&mirrored);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(fabsf(s.agents.prefer_x[i] - mirrored.agents.prefer_x[i]) < 1e-4f &&
                  fabsf(s.agents.prefer_y[i] + mirrored.agents.prefer_y[i]) < 1e-4f,
              "agent %lld", (long long)i);
  upwards = 1;
  scene_destroy(&s);
  scene_destroy(&mirrored);
}

// Who stands looks every second time; who is new, or walks, each time.
Test(queue, keeps_its_turn_at_every_second_look)
{
  struct scene s;
  make_room(&s);
  s.look_period = 5;
  add_queue(&s, 1000);
  set_preferred(&s);
  int32_t first[1000];
  int turned = 0;
  for (int64_t i = 0; i < 1000; i++)
    first[i] = s.agents.turn[i];
  for (int64_t i = 0; i < 1000; i++)
    s.agents.y[i] += M(0.3);
  for (s.step = 5; s.step <= 10; s.step += 5) {
    set_preferred(&s);
    for (int64_t i = 0; i < 1000; i++)
      if (s.step == 5)
        cr_assert_eq(s.agents.turn[i], first[i]);
      else
        turned += s.agents.turn[i] != first[i];
  }
  cr_assert_gt(turned, 300);
  scene_destroy(&s);
}
