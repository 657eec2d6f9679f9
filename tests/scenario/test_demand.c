// Starts of agents: inside their area, off walls, apart from each other, with a route to the
// destination, and independent of the range of agents that is created.
#include "blank_columns.h"
#include "extent.h"
#include "preferred_velocity_kernel.h"
#include "support.h"

#define CITY                                                                                       \
  "seed: 3\n"                                                                                      \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 60, 40]\n"                                                                     \
  "  obstacles:\n"                                                                                 \
  "    - POLYGON ((10 10, 30 10, 30 30, 10 30, 10 10), (12 12, 12 28, 28 28, 28 12, 12 12))\n"     \
  "    - POLYGON ((35 5, 45 8, 40 20, 35 5))\n"                                                    \
  "navigation: {model: field, cell: 0.4}\n"                                                        \
  "destinations:\n"                                                                                \
  "  - {name: border, areas: [{border: 1}]}\n"                                                     \
  "  - {name: shop, areas: [{rectangle: [50, 30, 55, 35]}, {circle: [5, 5, 2]}]}\n"                \
  "profiles:\n"                                                                                    \
  "  - {name: adult, speed: {normal: [1.34, 0.26, 0.6, 2]}, radius: {uniform: [0.2, 0.3]}}\n"      \
  "  - {name: child, speed: 0.9, radius: 0.15, max_speed: {uniform: [2, 3]}}\n"

#define TWO                                                                                        \
  CITY "sources:\n"                                                                                \
       "  - {name: a, area: {rectangle: [2, 2, 58, 38]}, count: 900, destination: border,\n"       \
       "     profile: {adult: 0.7, child: 0.3}}\n"                                                 \
       "  - {name: b, area: {polygon: [[40, 20], [58, 20], [58, 38]]}, density: 0.8,\n"            \
       "     destination: shop}\n"

static void expect_apart(const struct agents *a, const struct frame *frame)
{
  const double quantum = (double)frame_quantum(frame);
  for (int64_t i = 0; i < a->count; i++)
    for (int64_t k = 0; k < i; k++) {
      const double x = (a->x[i] - (double)a->x[k]) * quantum;
      const double y = (a->y[i] - (double)a->y[k]) * quantum;
      const double apart = (double)a->radius[i] + (double)a->radius[k];
      cr_assert(x * x + y * y >= apart * apart, "%lld and %lld", (long long)i, (long long)k);
    }
}

static void expect_off_walls(const struct scenario *s, const struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = {a->x[i], a->y[i]};
    cr_assert(box_holds(s->world.bounds, p));
    cr_assert(!obstacles_solid(&s->world.obstacles, p));
    cr_assert(!obstacles_near(&s->world.obstacles, p,
                              frame_length(&s->world.frame, (double)a->radius[i])));
  }
}

Test(demand, starts_are_apart_off_walls_inside_their_area_with_a_route)
{
  struct scenario *s = support_load(TWO);
  struct agents a;
  support_agents(s, &a);
  cr_assert(a.count > 900 + 100 && a.count < 900 + 140, "%lld", (long long)a.count);
  expect_apart(&a, &s->world.frame);
  expect_off_walls(s, &a);
  for (int64_t i = 0; i < a.count; i++) {
    const double x = support_x(s, a.x[i]), y = support_y(s, a.y[i]);
    cr_assert(i < 900 ? x > 2 && x < 58 && y > 2 && y < 38 : x > 40 && x < 58 && y > 20 && y < x);
    cr_assert(!(x > 12 && x < 28 && y > 12 && y < 28), "in the closed court");
    cr_assert_eq(agent_destination(&a, i), i < 900 ? 0 : 1);
    cr_assert(field_reachable(&s->world.fields[agent_destination(&a, i)],
                              (struct point){a.x[i], a.y[i]}));
    cr_assert_eq(a.id[i], i);
    cr_assert(a.max_speed[i] >= a.speed[i]);
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, ground_without_a_route_stays_empty_with_a_warning)
{
  support_expect_warned(TWO, "x.yaml:15:21: sources[0]: 13 % of the area cannot reach \"border\" "
                             "and stays empty\n");
}

Test(demand, agents_do_not_depend_on_the_range)
{
  struct scenario *s = support_load(TWO);
  struct agents all;
  support_agents(s, &all);
  const int64_t n = s->agent_count, cuts[] = {0, 1, 17, 899, 900, 903, n};
  struct agents parts;
  agents_create(&parts, 1);
  for (int k = 0; k < 6; k++)
    scenario_agents(s, cuts[k], cuts[k + 1], &parts);
  cr_assert_eq(parts.count, all.count);
  cr_assert_eq(agents_checksum(&parts), agents_checksum(&all));
  for (int64_t i = 0; i < n; i++)
    cr_assert(parts.id[i] == all.id[i] && parts.x[i] == all.x[i] && parts.speed[i] == all.speed[i]);
  agents_destroy(&parts);
  agents_destroy(&all);
  scenario_destroy(s);
}

Test(demand, agents_depend_on_the_seed_only)
{
  uint64_t sums[3];
  for (int i = 0; i < 3; i++) {
    struct scenario *s = support_load_with(TWO, i == 2 ? "seed=4" : NULL);
    struct agents a;
    support_agents(s, &a);
    sums[i] = agents_checksum(&a);
    agents_destroy(&a);
    scenario_destroy(s);
  }
  cr_assert(sums[0] == sums[1] && sums[0] != sums[2]);
}

// The same bits with any compiler: a changed checksum needs a reason.
Test(demand, a_known_crowd_has_a_known_checksum)
{
  struct scenario *s = support_load(
      "seed: 5\nprofiles: [{name: p, speed: {normal: [1.3, 0.3, 0.5, 2.2]}, radius: {uniform: "
      "[0.2, 0.3]}, walking: {model: none}}]\n"
      "sources:\n"
      "  - {area: {rectangle: [0, 0, 30, 30]}, count: 500, goal_area: {circle: [60, 20, 9]}}\n"
      "  - {area: {circle: [80, 0, 10]}, count: 40, layout: circle, opposite: [80, 0]}\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert_eq(agents_checksum(&a), 0x086aef3c59aaef5c, "%#llx",
               (unsigned long long)agents_checksum(&a));
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, a_dense_crowd_fits_as_densely_as_it_can)
{
  struct scenario *s =
      support_load("sources: [{area: {rectangle: [0, 0, 20, 20]}, count: 1700, goal: [5, 5]}]\n");
  struct agents a;
  support_agents(s, &a);
  expect_apart(&a, &s->world.frame);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, one_agent_in_a_tiny_area)
{
  struct scenario *s =
      support_load("sources: [{area: {rectangle: [1, 1, 1.01, 1.01]}, count: 1, goal: [5, 5]}]\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert_float_eq(support_x(s, a.x[0]), 1.005, 0.005);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, agents_on_a_circle_swap_sides)
{
  struct scenario *s = support_load("sources: [{area: {circle: [3, 4, 20]}, count: 100, layout: "
                                    "circle, opposite: [3, 4]}]\n");
  struct agents a;
  support_agents(s, &a);
  for (int64_t i = 0; i < 100; i++) {
    const double x = support_x(s, a.x[i]) - 3, y = support_y(s, a.y[i]) - 4;
    cr_assert_float_eq(sqrt(x * x + y * y), 20, 1e-4);
    cr_assert_eq(a.goal_x[i], a.x[(i + 50) % 100]);
    cr_assert_eq(a.goal_y[i], a.y[(i + 50) % 100]);
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, agents_of_a_grid_stand_in_rows)
{
  struct scenario *s = support_load("sources: [{area: {rectangle: [0, 0, 10, 10]}, count: 25, "
                                    "layout: grid, goal: [5, 5]}]\n");
  struct agents a;
  support_agents(s, &a);
  for (int64_t i = 0; i < 25; i++)
    cr_assert(a.x[i] == a.x[i % 5] && a.y[i] == a.y[i / 5 * 5]);
  cr_assert_float_eq(support_x(s, a.x[1]) - support_x(s, a.x[0]), 2.0, 0.05);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, random_goals_lie_in_their_area)
{
  struct scenario *s =
      support_load("sources: [{area: {rectangle: [0, 0, 30, 30]}, count: 300, goal_area: {wkt: "
                   "\"POLYGON ((50 0, "
                   "60 0, 60 10, 50 10, 50 0), (52 2, 52 8, 58 8, 58 2, 52 2))\"}}]\n");
  struct agents a;
  support_agents(s, &a);
  for (int64_t i = 0; i < a.count; i++) {
    const double x = support_x(s, a.goal_x[i]), y = support_y(s, a.goal_y[i]);
    cr_assert(x > 50 && x < 60 && y > 0 && y < 10 && !(x > 52 && x < 58 && y > 2 && y < 8));
    cr_assert(i == 0 || a.goal_x[i] != a.goal_x[i - 1]);
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, without_navigation_agents_walk_to_the_nearest_point_of_the_nearest_exit)
{
  struct scenario *s = support_load(
      "destinations: [{name: out, areas: [{rectangle: [50, 0, 60, 10]}, {rectangle: [-20, 0, -10, "
      "10]}]}]\n"
      "sources: [{area: {rectangle: [0, 0, 30, 10]}, count: 100, destination: out}]\n");
  struct agents a;
  support_agents(s, &a);
  for (int64_t i = 0; i < a.count; i++) {
    cr_assert_eq(agent_destination(&a, i), 0);
    cr_assert_eq(support_x(s, a.goal_x[i]), support_x(s, a.x[i]) > 20 ? 51.0 : -11.0); // 1 m inside
    cr_assert_eq(a.goal_y[i], a.y[i]);
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, a_million_agents_are_placed_quickly) // in the short form a fifth of them
{
  const int count = SHORT ? 200000 : 1000000, side = SHORT ? 447 : 1000;
  char text[120];
  snprintf(text, sizeof text,
           "sources: [{area: {rectangle: [0, 0, %d, %d]}, count: %d, goal: [5, 5]}]\n", side, side,
           count);
  struct scenario *s = support_load(text);
  cr_assert_eq(s->agent_count, count);
  scenario_destroy(s);
}

Test(demand, overlapping_areas_of_a_destination_are_merged)
{
  struct scenario *s = support_load(
      "navigation: {model: field}\nworld: {extent: [0, 0, 40, 40]}\n"
      "destinations: [{name: out, areas: [{rectangle: [10, 10, 20, 20]}, {rectangle: [15, 15, 30, "
      "30]}]}]\n"
      "sources: [{area: {rectangle: [1, 1, 9, 9]}, count: 10, destination: out}]\n");
  for (int i = 11; i < 30; i++)
    cr_assert(arrival_reached(&s->world, 0, frame_point(&s->world.frame, i, i), 0), "%d", i);
  scenario_destroy(s);
}

Test(demand, avoidance_parameters_are_sampled_from_the_profile)
{
  struct scenario *s = support_load(
      "avoidance: {horizon: 3, neighbours: 20, neighbour_distance: 4, max_acceleration: 2}\n"
      "profiles:\n"
      "  - {name: a, neighbours: {uniform: [4, 6]}, horizon: {uniform: [1, 5]}, yield: 0}\n"
      "  - {name: b, neighbour_distance: {normal: [8, 2, 5, 12]}, max_acceleration: 0}\n"
      "sources:\n"
      "  - {area: {rectangle: [0, 0, 40, 40]}, count: 300, goal: [5, 5], profile: a}\n"
      "  - {area: {rectangle: [0, 0, 40, 40]}, count: 300, goal: [5, 5], profile: b}\n");
  struct agents a;
  support_agents(s, &a);
  int seen[3] = {0};
  for (int64_t i = 0; i < 300; i++) {
    cr_assert(a.neighbours[i] >= 4 && a.neighbours[i] <= 6);
    seen[a.neighbours[i] - 4]++;
    cr_assert(a.horizon[i] >= 1 && a.horizon[i] <= 5 && a.neighbour_distance[i] == 4);
    cr_assert(a.yield[i] == 0 && a.max_acceleration[i] == 2);
  }
  for (int k = 0; k < 3; k++)
    cr_assert(seen[k] > 70 && seen[k] < 130, "%d", seen[k]);
  for (int64_t i = 300; i < 600; i++) {
    cr_assert(a.neighbours[i] == 20 && a.horizon[i] == 3 && a.yield[i] == 1);
    cr_assert(a.neighbour_distance[i] >= 5 && a.neighbour_distance[i] <= 12);
    cr_assert_eq(a.max_acceleration[i], 0);
  }
  cr_assert(s->avoidance.neighbours == 20 && s->avoidance.neighbour_distance == 12);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, a_grid_has_its_spacing_and_is_centred_in_its_area)
{
  struct scenario *s = support_load(
      "sources: [{area: {rectangle: [54, -96, 96, -54]}, spacing: 10, layout: grid, offset: "
      "[-150, 1]},\n  {area: {rectangle: [0, 0, 12, 12]}, spacing: 1.2, jitter: 1e-4, layout: "
      "grid, "
      "goal: [1, 1]}]\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert_eq(a.count, 25 + 100);
  for (int64_t i = 0; i < 25; i++) {
    cr_assert_eq(support_x(s, a.x[i]), 55.0 + 10.0 * (double)(i % 5));
    cr_assert_eq(support_y(s, a.y[i]), -95.0 + 10.0 * (double)(i / 5));
    cr_assert_eq(support_x(s, a.goal_x[i]), support_x(s, a.x[i]) - 150);
    cr_assert_eq(support_y(s, a.goal_y[i]), support_y(s, a.y[i]) + 1);
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, jitter_breaks_the_symmetry)
{
  const char *yaml = "sources: [{area: {circle: [0, 0, 20]}, count: 100, layout: circle, jitter: "
                     "1e-4, opposite: [0, 0]}]\n";
  struct scenario *exact = support_load_with(yaml, "sources.0.jitter=0");
  struct scenario *s = support_load(yaml);
  struct agents a, at;
  support_agents(s, &a);
  support_agents(exact, &at);
  int moved = 0;
  for (int64_t i = 0; i < 100; i++) {
    cr_assert(abs(a.x[i] - at.x[i]) <= 7 && abs(a.y[i] - at.y[i]) <= 7); // quanta of 15 um
    moved += a.x[i] != at.x[i] || a.y[i] != at.y[i];
    cr_assert(a.goal_x[i] == -a.x[i] && a.goal_y[i] == -a.y[i]);
  }
  cr_assert(moved > 90);
  agents_destroy(&a);
  agents_destroy(&at);
  scenario_destroy(s);
  scenario_destroy(exact);
}

Test(demand, agents_that_turn_back_walk_to_and_fro)
{
  support_write("a.csv", "id,x,y,goal_x,goal_y\n7,1,1,9,9\n41,3,1,,\n");
  struct scenario *s = support_load(
      "agents: a.csv\ngoal: {on_arrival: turn_back}\nsources:\n"
      "  - {area: {rectangle: [20, 0, 30, 10]}, count: 9, goal_area: {circle: [50, 5, 5]}}\n"
      "  - {area: {rectangle: [20, 20, 30, 30]}, count: 9, offset: [30, 0]}\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert(s->turn_back && !s->leave_at_goal);
  for (int64_t i = 0; i < a.count; i++) {
    const struct point goal = {a.goal_x[i], a.goal_y[i]};
    for (int turn = 0; turn < 3; turn++) {
      scenario_turn_back(s, &a, i);
      cr_assert(a.goal_x[i] == a.x[i] && a.goal_y[i] == a.y[i]);
      scenario_turn_back(s, &a, i);
      cr_assert(a.goal_x[i] == goal.x && a.goal_y[i] == goal.y);
    }
  }
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(demand, writes_only_the_fields_that_agents_have)
{
  struct scenario *s = support_load(
      "world: {extent: [-10, -10, 210, 210]}\n"
      "profiles: [{name: person, speed: 1.3, walking: {model: none}}]\n"
      "sources: [{area: {rectangle: [0, 0, 200, 200]}, count: 20000, goal: [5, 5]}]\n");
  struct agents a;
  agents_create(&a, 20000);
  blank_columns_protect(&a, true);
  scenario_agents(s, 0, 20000, &a);
  for (int64_t i = 0; i < a.count; i++)
    cr_assert(agent_group(&a, i) == -1 && agent_stage(&a, i) == -1 && agent_aim(&a, i) == -1 &&
              agent_target(&a, i) == -1 && agent_destination(&a, i) == -1);
  blank_columns_protect(&a, false);
  agents_destroy(&a);
  scenario_destroy(s);
}
