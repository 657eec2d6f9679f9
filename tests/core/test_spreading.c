// Agents that spread: each on a line of its own beside the route.
#include "spreading_scene.h"

#include "arrive_in_box.h"
#include "backend.h"
#include "grid_cells.h"
#include "kept_corners.h"
#include "navigation.h"
#include "oracle.h"
#include "spreading_kernel.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

// One lane.
static struct spreading_place place_of(const struct spreading_grid *grid, const struct agents *a,
                                       int64_t i)
{
  const struct spreaders one = {.at = {a->x[i], a->y[i]}, .radius = a->radius[i]};
  return spreading_place_of(grid, &one);
}

// ------------------------------------------------------------------------------------- room

Test(spreading, the_room_is_the_gap_at_the_point_of_the_route)
{
  struct scene s;
  make_town(&s);
  uint64_t r = 1;
  int between = 0, less = 0;
  const struct spreading_grid grid = spreading_grid_of(&s.world);
  const float cell = 0.25f, rough = 0.71f * cell + 1.0f / NAV_GRID_GAPS_PER_METRE;
  for (int k = 0; k < 5000; k++) {
    const struct point at = random_free_point(&s, &r);
    const double angle = oracle_between(&r, 0, 6.2832);
    const float x = (float)cos(angle), y = (float)sin(angle);
    const float u = (float)oracle_between(&r, -SPREADING_SHARE, SPREADING_SHARE),
                most = (float)oracle_between(&r, 0, 5);
    s.agents.count = 0;
    const int64_t i = add_agent(&s, at.x, at.y);
    const struct spreading_place p = place_of(&grid, &s.agents, i);
    const float here = spreading_gap(&p, 0, 0);
    const float room = spreading_room(&p, (vec2){x, y}, u, most, here, not(mask_none()));
    const float gap = spreading_gap(&p, u * room * y, -u * room * x) - p.margin;
    cr_assert(room >= 0 && room <= most);
    if (room == 0)
      cr_assert(spreading_gap(&p, 0, 0) <= p.margin || most == 0);
    else
      cr_assert_leq(room, gap + 2 * rough, "%g m of %g m", (double)room, (double)gap);
    between += room > 0 && room < most;
    less += room > 0 && room < most && room < gap - 2 * rough;
    const struct point q = {at.x + (int32_t)(u * room * y * METRE),
                            at.y - (int32_t)(u * room * x * METRE)};
    if (room > 0)
      cr_assert(!obstacles_crossed(&s.world.obstacles, at, q));
  }
  cr_assert_gt(between, 500);
  cr_assert_lt(less, between / 20, "%d of %d rooms are too small", less, between);
  scene_destroy(&s);
}

// --------------------------------------------------------------------------------- the walk

// Walks the crowd as it prefers. An agent in whose way no other one is walks at its preferred
// speed.
static void walk(struct scene *s)
{
  struct agents *a = &s->agents;
  set_preferred(s);
  s->step++;
  for (int64_t i = 0; i < a->count; i++) {
    a->vx[i] = a->prefer_x[i];
    a->vy[i] = a->prefer_y[i];
    const struct point to =
        position_after((struct point){a->x[i], a->y[i]}, a->vx[i], a->vy[i], STEP_S * METRE);
    cr_assert(!obstacles_crossed(&s->world.obstacles, (struct point){a->x[i], a->y[i]}, to),
              "agent %lld walks into a wall at %g, %g", (long long)a->id[i],
              (double)a->x[i] / METRE, (double)a->y[i] / METRE);
    a->x[i] = to.x;
    a->y[i] = to.y;
  }
}

// Without avoidance: what leads around walls is the preferred velocity alone.
Test(spreading, nobody_is_led_into_a_wall_and_everybody_arrives)
{
  struct scene s;
  make_town(&s);
  s.look_period = 5;
  add_crowd(&s, 600);
  uint8_t *gone = memory_create(600, 1);
  int64_t aside = 0, arrived = 0;
  for (int step = 0; step < 1000 && s.agents.count > 0; step++) {
    walk(&s);
    for (int64_t i = 0; i < s.agents.count; i++)
      aside += displaced(&s.agents, i);
    arrived += navigation_arrived(&s.world, 0.2f, &s.agents, 0, s.agents.count, NULL, gone);
    agents_remove(&s.agents, gone);
  }
  cr_assert_eq(arrived, 600);
  cr_assert_gt(aside, 20000);
  memory_destroy(gone);
  scene_destroy(&s);
}

Test(spreading, a_mirrored_town_mirrors_the_lines)
{
  struct scene s, mirrored;
  make_town(&s);
  add_crowd(&s, 2000);
  upwards = -1;
  make_town(&mirrored);
  add_crowd(&mirrored, 2000);
  mirrored.spread = -1; // left is right
  set_preferred(&s);
  set_preferred(&mirrored);
  int aside = 0;
  for (int64_t i = 0; i < s.agents.count; i++) {
    const struct agents *a = &s.agents, *b = &mirrored.agents;
    cr_assert(a->x[i] == b->x[i] && a->y[i] == -b->y[i]);
    cr_assert(fabsf(a->prefer_x[i] - b->prefer_x[i]) < 1e-5f &&
                  fabsf(a->prefer_y[i] + b->prefer_y[i]) < 1e-5f,
              "agent %lld: %g %g, mirrored %g %g", (long long)i, (double)a->prefer_x[i],
              (double)a->prefer_y[i], (double)b->prefer_x[i], (double)b->prefer_y[i]);
    aside += displaced(a, i);
  }
  cr_assert_gt(aside, 800);
  scene_destroy(&s);
  scene_destroy(&mirrored);
}

// --------------------------------------------------------------------------- who spreads how

// Queues before an exit that is in sight head for places of their own in it.
static bool sees_exit(const struct scene *s, int64_t i)
{
  return s->agents.turn[i] & SPREADING_OWN_PLACE;
}

// Agents in a queue find no line, so each look resets their turn.
Test(spreading, a_turn_holds_until_the_next_look_but_near_walls_and_for_new_agents)
{
  struct scene s;
  make_town(&s);
  s.look_period = 5;
  add_crowd(&s, 500);
  set_preferred(&s);
  int32_t turn[500];
  bool aside[500];
  for (int64_t i = 0; i < 500; i++) {
    turn[i] = s.agents.turn[i];
    aside[i] = displaced(&s.agents, i);
    s.agents.vx[i] = 0.5f * SPEED;
  }
  int held = 0, near_wall = 0;
  for (s.step = 1; s.step < 5; s.step++) {
    s.agents.turn[7] = 0; // a new one
    set_preferred(&s);
    cr_assert_eq(s.agents.turn[7], SPREADING_STRAIGHT);
    for (int64_t i = 0; i < 500; i++) {
      const bool looks = i == 7 || turn[i] >> 16 & 1;
      cr_assert_eq(s.agents.turn[i], looks ? SPREADING_STRAIGHT : turn[i]);
      cr_assert_eq(displaced(&s.agents, i), aside[i] && !looks);
      held += aside[i] && !looks;
      near_wall += turn[i] >> 16 & 1;
    }
  }
  cr_assert(held > 400 && near_wall > 100, "%d, %d", held, near_wall);
  s.step = 10; // for sections, too
  set_preferred(&s);
  int straight = 0;
  for (int64_t i = 0; i < 500; i++) {
    cr_assert(s.agents.turn[i] == SPREADING_STRAIGHT || sees_exit(&s, i));
    straight += s.agents.turn[i] == SPREADING_STRAIGHT;
  }
  cr_assert_gt(straight, 400);
  scene_destroy(&s);
}

Test(spreading, the_facing_is_that_of_the_route)
{
  struct scene s;
  make_town(&s);
  add_crowd(&s, 500);
  set_preferred(&s);
  for (int64_t i = 0; i < s.agents.count; i++) {
    float x, y;
    field_direction(&s.world.fields[0], (struct point){s.agents.x[i], s.agents.y[i]}, &x, &y);
    cr_assert(fabsf(s.agents.facing_x[i] - x) < 1e-6f && fabsf(s.agents.facing_y[i] - y) < 1e-6f);
  }
  scene_destroy(&s);
}

Test(spreading, nobody_leaves_the_route_without_spread_in_a_queue_or_if_passive)
{
  struct scene s;
  make_town(&s);
  add_crowd(&s, 500);
  s.spread = 0;
  set_preferred(&s);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(!displaced(&s.agents, i));
  s.spread = 1;
  for (int64_t i = 0; i < s.agents.count; i++)
    s.agents.vx[i] = 0.5f * SPEED;
  set_preferred(&s);
  int seeing = 0;
  for (int64_t i = 0; i < s.agents.count; i++) {
    cr_assert(!displaced(&s.agents, i) || sees_exit(&s, i));
    seeing += sees_exit(&s, i);
  }
  cr_assert_lt(seeing, 100);
  for (int64_t i = 0; i < s.agents.count; i++) {
    s.agents.vx[i] = SPEED;
    s.agents.yield[i] = 0; // passive
  }
  set_preferred(&s);
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(!displaced(&s.agents, i));
  scene_destroy(&s);
}

// In a step without a look, where the route ends or a door has closed.
Test(spreading, an_agent_without_a_direction_stands_at_any_speed)
{
  struct scene s;
  make_town(&s);
  s.look_period = 5;
  add_crowd(&s, 100);
  set_preferred(&s);
  for (int64_t i = 0; i < 100; i++) {
    s.agents.speed[i] = 0.5f * (float)(i + 1);
    s.agents.facing_x[i] = s.agents.facing_y[i] = 0;
    s.agents.prefer_x[i] = s.agents.prefer_y[i] = 0;
    spreading_turn_apply(&s.agents, i);
    cr_assert(s.agents.prefer_x[i] == 0 && s.agents.prefer_y[i] == 0, "%g m/s: %g %g",
              (double)s.agents.speed[i], (double)s.agents.prefer_x[i],
              (double)s.agents.prefer_y[i]);
  }
  scene_destroy(&s);
}

// Where the time of the way is not read, it would not have mattered.
Test(spreading, the_rest_of_the_way_is_that_of_the_field)
{
  struct scene s;
  make_town(&s);
  uint64_t r = 4;
  int far = 0, near = 0, marked = 0, told = 0;
  const struct spreading_grid grid = spreading_grid_of(&s.world);
  const struct field *f = &s.world.fields[0];
  for (int k = 0; k < 3000; k++) {
    const struct point at = random_free_point(&s, &r);
    s.agents.count = 0;
    const int64_t i = add_agent(&s, at.x, at.y);
    const struct spreading_place p = place_of(&grid, &s.agents, i);
    const float slow = (float)oracle_between(&r, 0.125, ZONE_SPEED_MAX);
    const uint32_t time = field_time_of(f, nav_grid_cell_of(&s.world.nav_grid, at));
    const float rest = (float)time / FIELD_UNIT * 0.25f * slow;
    const float capped = rest < SPREADING_FAR ? rest : SPREADING_FAR;
    cr_assert_float_eq(spreading_rest_of_one(&grid, f, at, p.x, p.y, slow), capped, 1e-4f * capped);
    // A cell that is known to have the flag tells the same without the field.
    const ivec here = spreading_gap_index(&p, 0, 0);
    const bool has_flag = f->cells[here].flags & FIELD_FAR;
    struct spreaders one = {.at = {at.x, at.y}, .slow = slow, .field = {f}};
    one.far = has_flag ? here : -2;
    cr_assert_eq(spreading_rest(&p, &one, here, not(mask_none())),
                 spreading_rest_of_one(&grid, f, at, p.x, p.y, slow));
    one.far = here + 1; // of another cell: the field is read
    cr_assert_eq(spreading_rest(&p, &one, here, not(mask_none())),
                 spreading_rest_of_one(&grid, f, at, p.x, p.y, slow));
    told += has_flag && grid.far * slow >= SPREADING_FAR;
    far += spreading_far(&grid, f, at, slow);
    near += rest < SPREADING_FAR;
    marked += f->cells[nav_grid_cell_of(&s.world.nav_grid, at)].flags & FIELD_FAR &&
              grid.far * slow >= SPREADING_FAR && !spreading_far(&grid, f, at, slow);
  }
  cr_assert(far > 300 && near > 300 && marked > 20 && told > 20,
            "%d far, %d near, %d marked, %d told", far, near, marked, told);
  scene_destroy(&s);
}

Test(spreading, wide_agents_keep_their_radius_and_a_quarter_from_walls)
{
  struct scene s;
  make_town(&s);
  const int64_t i = add_agent(&s, M(-20), M(-10));
  const struct spreading_grid grid = spreading_grid_of(&s.world);
  for (int k = 1; k <= 10; k++) {
    const float radius = s.agents.radius[i] = 0.1f * (float)k;
    const struct spreading_place p = place_of(&grid, &s.agents, i);
    cr_assert(p.margin >= SPREADING_MARGIN && p.margin >= 1.249f * radius);
  }
  scene_destroy(&s);
}

Test(spreading, groups_keep_to_one_side)
{
  struct scene s;
  make_town(&s);
  const int64_t first = add_agent(&s, M(-25), M(-10));
  for (int k = 0; k < 20; k++)
    agent_set_group(&s.agents, add_agent(&s, M(-25), M(-10)), first);
  set_preferred(&s);
  for (int64_t i = 1; i < s.agents.count; i++)
    cr_assert(s.agents.prefer_x[i] == s.agents.prefer_x[first] &&
              s.agents.prefer_y[i] == s.agents.prefer_y[first]);
  agent_set_group(&s.agents, first + 1, -1);
  set_preferred(&s);
  cr_assert(s.agents.prefer_y[first + 1] != s.agents.prefer_y[first]);
  scene_destroy(&s);
}

// -------------------------------------------------------------------------------------- widths

#define KINDS 333

// Agents of every kind: some stand, some walk to goals of their own, some in groups.
static void add_kinds(struct scene *s)
{
  struct agents *a = &s->agents;
  add_crowd(s, KINDS);
  for (int64_t i = 0; i < a->count; i++) {
    a->yield[i] = i % 23 ? 1.0f : 0.0f;
    a->radius[i] = 0.15f + 0.01f * (float)(i % 30);
    a->doing[i] = i % 11 ? ACTIVITY_WALK : i % 2 ? ACTIVITY_REACT : ACTIVITY_STAY;
    a->until[i] = 3;
    if (i % 13 == 0)
      agent_set_destination(a, i, -1);
    if (i % 5 == 0)
      agent_set_group(a, i, i - i % 15);
  }
}

#define WIDTH_STEPS 8

// Writes the preferred velocities of all steps. After some steps agents swap positions, as a new
// order in memory does, and later the field leads to another place.
static void walk_kinds(float *to, int lanes, bool keeps_corners)
{
  struct scene s;
  make_town(&s);
  s.look_period = 3;
  s.lanes = lanes;
  s.keeps_corners = keeps_corners;
  add_kinds(&s);
  struct agents *a = &s.agents;
  for (int step = 0; step < WIDTH_STEPS; step++) {
    const int64_t n = a->count;
    set_preferred(&s);
    s.step++;
    for (int64_t i = 0; i < n; i++) {
      *to++ = a->vx[i] = a->prefer_x[i];
      *to++ = a->prefer_y[i];
      a->vy[i] = 0.5f * a->prefer_y[i];
      a->x[i] += (int32_t)(a->vx[i] * STEP_S * METRE);
      a->y[i] += (int32_t)(a->vy[i] * STEP_S * METRE);
    }
    for (int64_t i = 0; step == 3 && i < n / 2; i++) {
      const struct point p = {a->x[i], a->y[i]};
      a->x[i] = a->x[n - 1 - i];
      a->y[i] = a->y[n - 1 - i];
      a->x[n - 1 - i] = p.x;
      a->y[n - 1 - i] = p.y;
    }
    if (step == 5) {
      solve_field(&s, -28, 15, -26, 17);
      kept_corners_follow(&s.kept, 1);
    }
  }
  scene_destroy(&s);
}

Test(spreading, every_width_gives_the_same_bits)
{
  enum { NUMBERS = WIDTH_STEPS * 2 * KINDS };
  static float reference[NUMBERS], same[NUMBERS];
  walk_kinds(reference, 1, false);
  for (int k = 0; k < BACKENDS_CPU; k++)
    for (int keeps = 0; keeps < 2 && !backends_cpu[k]->unavailable(); keeps++) {
      walk_kinds(same, backends_cpu[k]->lanes, keeps);
      cr_assert_arr_eq(same, reference, sizeof reference, "%s, corners %s", backends_cpu[k]->name,
                       keeps ? "kept" : "not kept");
    }
}

#define ARRIVING 1000
#define ROUNDS   20

// Half of them within 2 m of the destination; some have none, some stay.
static void add_arriving(struct scene *s, uint64_t *r)
{
  for (int64_t i = 0; i < ARRIVING; i++) {
    const bool near = i % 2;
    const int32_t x = near ? oracle_whole(r, M(26), M(30)) : oracle_whole(r, M(-28), M(30));
    const int32_t y = near ? oracle_whole(r, M(-18), M(-13)) : oracle_whole(r, M(-18), M(18));
    add_agent(s, x, upwards * y);
    agent_set_destination(&s->agents, i, i % 17 ? 0 : -1);
    s->agents.doing[i] = i % 29 ? ACTIVITY_WALK : ACTIVITY_STAY;
  }
}

// Moves all of them by up to half a cell, one in three by just that. Returns how many are in the
// box around the destination.
static int64_t move_all(struct scene *s, uint64_t *r)
{
  struct agents *a = &s->agents;
  const int32_t most = s->world.nav_grid.cell / 2 - 2;
  int64_t in_box = 0;
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t x = oracle_whole(r, -most, most + 1), y = oracle_whole(r, -most, most + 1);
    a->x[i] += i % 3 ? x : x < 0 ? -most : most;
    a->y[i] += i % 3 ? y : y < 0 ? -most : most;
    in_box += box_holds(*s->world.fields[0].destination_box, (struct point){a->x[i], a->y[i]});
  }
  return in_box;
}

// Slanted walls at the border of the destination: agents behind it, in cells that it touches, may
// see no centre but that of a cell of the destination.
static void make_walled_destination(struct scene *s)
{
  *s = (struct scene){0};
  for (int i = 0; i < 5; i++)
    add_line(s, 2, (const double[][2]){{27.2, -17.3 + 0.41 * i}, {28.2, -17.0 + 0.41 * i}});
  solve(s, 28, -17, 30, -15);
}

// The bits of the kept corners select every agent that has arrived, and save most agents the test:
// with the bits and without them the same agents have arrived.
Test(spreading, arrivals_are_found_by_the_kept_corners)
{
  static uint8_t expected[ARRIVING], gone[ARRIVING];
  for (int n = 0; n < 2 * BACKENDS_CPU; n++) {
    const int k = n / 2;
    struct scene s;
    uint64_t r = 11;
    int64_t arrived = 0, candidates = 0, in_box = 0;
    if (backends_cpu[k]->unavailable())
      continue;
    if (n % 2)
      make_town(&s);
    else
      make_walled_destination(&s);
    s.lanes = backends_cpu[k]->lanes;
    s.keeps_corners = true;
    add_arriving(&s, &r);
    const float half = (float)(s.world.nav_grid.cell / 2);
    for (int round = 0; round < ROUNDS; round++) {
      set_preferred(&s);
      in_box += move_all(&s, &r);
      const uint16_t *may_arrive = navigation_may_arrive(&s.world, &s.kept, half - 1.5f);
      cr_assert(may_arrive && !navigation_may_arrive(&s.world, &s.kept, half));
      arrived += navigation_arrived(&s.world, 0.2f, &s.agents, 0, ARRIVING, NULL, expected);
      navigation_arrived(&s.world, 0.2f, &s.agents, 0, ARRIVING, may_arrive, gone);
      cr_assert_arr_eq(gone, expected, sizeof gone, "%s", backends_cpu[k]->name);
      for (int64_t b = 0; b < ARRIVING / KEPT_BLOCK; b++)
        candidates += bit_count(may_arrive[b]);
    }
    cr_assert(arrived > ROUNDS && in_box > arrived && candidates < ROUNDS * ARRIVING * 3 / 4,
              "%d arrived, %d in the box, %d candidates", (int)arrived, (int)in_box,
              (int)candidates);
    scene_destroy(&s);
  }
}
