// The table of agents: tolerated variations, and errors with line and column.
#include "support.h"

#define CSV "world: {extent: [0, 0, 20, 20]}\nagents: a.csv\n"

static struct scenario *load_csv(const char *csv, struct agents *a)
{
  support_write("a.csv", csv);
  struct scenario *s = support_load(CSV);
  support_agents(s, a);
  return s;
}

Test(agent_table, complete_rows_are_used_unchanged)
{
  struct agents a;
  struct scenario *s = load_csv("id,x,y,vx,vy,radius,speed,goal_x,goal_y\n"
                                "9223372036854775,1.5,2,0.25,-0.5,0.375,1.25,18,19\n"
                                "0,3,4,0,0,0.25,1,1,1\n",
                                &a);
  cr_assert_eq(a.count, 2);
  cr_assert_eq(a.id[0], 0); // sorted by id
  cr_assert_eq(a.id[1], 9223372036854775);
  cr_assert_eq(support_x(s, a.x[1]), 1.5);
  cr_assert_eq(support_y(s, a.y[1]), 2.0);
  cr_assert(a.vx[1] == 0.25f && a.vy[1] == -0.5f && a.radius[1] == 0.375f && a.speed[1] == 1.25f);
  cr_assert_eq(support_x(s, a.goal_x[1]), 18.0);
  cr_assert_eq(agent_destination(&a, 1), -1);
  cr_assert_float_eq((double)a.max_speed[1], 1.625, 1e-6);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(agent_table, avoidance_parameters_may_be_given_in_a_row)
{
  support_write("a.csv", "id,x,y,goal_x,goal_y,yield,horizon,neighbours,neighbour_distance,"
                         "max_acceleration\n"
                         "0,1,1,9,9,0,4.5,12,25,0.75\n"
                         "1,3,3,9,9,,,,,\n");
  struct scenario *s = support_load(CSV "avoidance: {horizon: 3, neighbours: 6}\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert(a.yield[0] == 0 && a.horizon[0] == 4.5f && a.neighbours[0] == 12 &&
            a.neighbour_distance[0] == 25 && a.max_acceleration[0] == 0.75f);
  cr_assert(a.yield[1] == 1 && a.horizon[1] == 3 && a.neighbours[1] == 6 &&
            a.neighbour_distance[1] == 5 && a.max_acceleration[1] == 0);
  cr_assert(s->avoidance.neighbours == 12 && s->avoidance.neighbour_distance == 25);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(agent_table, order_spaces_crlf_and_empty_lines_do_not_matter)
{
  struct agents a;
  struct scenario *s =
      load_csv("\xef\xbb\xbf y , x,id , radius\r\n 2 ,1e0,\t7, \r\n\r\n4,3,8,0.5\r\n\n  \n", &a);
  cr_assert_eq(a.count, 2);
  cr_assert_eq(a.id[0], 7);
  cr_assert_eq(support_x(s, a.x[0]), 1.0);
  cr_assert(a.radius[0] == 0.2f && a.radius[1] == 0.5f);
  agents_destroy(&a);
  scenario_destroy(s);
}

// The same table as a spreadsheet writes it where the comma is the decimal mark.
Test(agent_table, semicolons_quotes_and_decimal_commas_do_not_matter)
{
  struct agents a;
  support_write("a.csv", "id;x;y;radius;destination\r\n7;1,25;2;\"0,5\";\"to \"\"b\"\"; c\"\r\n");
  struct scenario *s =
      support_load(CSV "destinations:\n"
                       "  - {name: 'to \"b\"; c', areas: [{rectangle: [15, 15, 18, 18]}]}\n");
  support_agents(s, &a);
  cr_assert_eq(a.count, 1);
  cr_assert_eq(support_x(s, a.x[0]), 1.25);
  cr_assert(a.radius[0] == 0.5f && support_x(s, a.goal_x[0]) > 15);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(agent_table, sources_get_the_ids_after_it)
{
  support_write("a.csv", "id,x,y,goal_x,goal_y\n41,1,1,9,9\n");
  struct scenario *s =
      support_load(CSV "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 30, goal: [5, 5]}]\n");
  struct agents a;
  support_agents(s, &a);
  cr_assert_eq(a.count, 31);
  cr_assert_eq(a.id[0], 41);
  for (int64_t i = 1; i < 31; i++)
    cr_assert_eq(a.id[i], 41 + i);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(agent_table, destinations_by_name)
{
  support_write("a.csv", "id,x,y,destination\n1,1,1,b\n2,3,1,a\n");
  const char *yaml = CSV "navigation: {model: field}\ndestinations:\n"
                         "  - {name: a, areas: [{rectangle: [15, 15, 18, 18]}]}\n"
                         "  - {name: b, areas: [{rectangle: [15, 1, 18, 3]}]}\n";
  struct scenario *s = support_load(yaml);
  struct agents a;
  support_agents(s, &a);
  cr_assert_eq(s->world.destination_count, 2);
  cr_assert(agent_destination(&a, 0) == 1 && agent_destination(&a, 1) == 0);
  agents_destroy(&a);
  scenario_destroy(s);
  s = support_load_with(yaml, "navigation.model=direct");
  support_agents(s, &a);
  cr_assert(agent_destination(&a, 0) == 1 && !world_has_routes(&s->world));
  cr_assert_eq(support_x(s, a.goal_x[0]), 15.0); // the nearest point of b
  cr_assert_eq(support_y(s, a.goal_y[0]), 1.0);
  agents_destroy(&a);
  scenario_destroy(s);
}

static void expect(const char *csv, const char *lines)
{
  support_write("a.csv", csv);
  support_expect_refused(CSV, NULL, lines);
}

Test(agent_table, bad_rows_are_reported_with_line_and_column)
{
  expect("id,x,y\n1,2,3\n2,zwei,3\n", "a.csv:3:3: x: \"zwei\" is not a number\n");
  expect("id,x,y\n1,2\n", "a.csv:2:1: 3 columns are expected, as in the header, not 2\n");
  expect("id,x,y\n1,2,3,4\n", "a.csv:2:1: 3 columns are expected, as in the header, not 4\n");
  expect("id,x,y\n1, ,3\n", "a.csv:2:4: x: a number is expected, but nothing is given\n");
  expect("id,x,y\n-1,2,3\n",
         "a.csv:2:1: id: \"-1\" is not a whole number (0 to 9223372036854775807)\n");
  expect("id,x,y\n99999999999999999999,2,3\n",
         "a.csv:2:1: id: \"99999999999999999999\" is not a whole number (0 to "
         "9223372036854775807)\n");
  expect("id,x,y\n1,inf,3\n2,nan,3\n", "a.csv:2:3: x: \"inf\" is not a number\n"
                                       "a.csv:3:3: x: \"nan\" is not a number\n");
  expect("id,x,y\n1,1e300,3\n", "a.csv:2:3: x: 1e300 is out of range (-100000000 to 100000000)\n");
  expect("id,x,y,radius\n1,1,3,-1\n", "a.csv:2:7: radius: -1 is out of range (0.01 to 64)\n");
  expect("id,x,y,yield\n1,1,3,-1\n", "a.csv:2:7: yield: -1 is out of range (0 to 1000)\n");
  expect("id,x,y,neighbours\n1,1,3,2.5\n2,1,3,33\n",
         "a.csv:2:7: neighbours: 2.5 is not a whole number\n"
         "a.csv:3:7: neighbours: 33 is out of range (1 to 32)\n");
  expect("id,x,y,horizon,neighbour_distance,max_acceleration\n1,1,3,0,0,-1\n",
         "a.csv:2:7: horizon: 0 is out of range (0.01 to 60)\n"
         "a.csv:2:9: neighbour_distance: 0 is out of range (0.01 to 1000)\n"
         "a.csv:2:11: max_acceleration: -1 is out of range (0 to 1000000)\n");
  expect("id,x,y\n1,2,3\n1,4,5\n", "a.csv:3:1: id 1 is already used in line 2\n");
  expect("id,x,y\n1,2,3\n2,25,3\n", "a.csv:3:1: agent 2 lies outside world.extent\n");
}

Test(agent_table, bad_quotes_are_reported_once)
{
  expect("id,x,y\n1,2,\"3\n2,4,5\n", "a.csv:2:5: this quote is not closed\n");
  expect("id,\"x\"1,y\n1,2,3\n", "a.csv:1:7: the cell goes on after its closing quote; a quote "
                                 "inside is doubled\n");
  expect("id;x;y\n\n1;2,5,1;3\n", "a.csv:3:3: x: \"2,5,1\" is not a number\n");
}

Test(agent_table, bad_headers)
{
  expect("", "a.csv:1:1: a header is expected: id,x,y[,vx,vy,radius,speed,goal_x,goal_y,"
             "destination,horizon,neighbours,neighbour_distance,max_acceleration,yield]\n");
  expect("id,x\n1,2\n", "a.csv:1:1: column y is missing from the header\n");
  expect("id,x,y,raduis\n1,2,3,1\n",
         "a.csv:1:8: \"raduis\" is not a column (id,x,y,vx,vy,radius,speed,goal_x,goal_y,"
         "destination,horizon,neighbours,neighbour_distance,max_acceleration,yield); did you mean "
         "radius?\n");
  expect("root:secret:19000\nbin:*:1\n",
         "a.csv:1:1: not a table of agents: the first line names its columns (id,x,y,vx,vy,radius,"
         "speed,goal_x,goal_y,destination,horizon,neighbours,neighbour_distance,max_acceleration,"
         "yield)\n");
  expect("id,x,y,x\n", "a.csv:1:8: column x: given twice\n");
  expect("id,x,y,goal_x\n", "a.csv:1:1: column goal_y is missing: goal_x and goal_y go together\n");
  expect("id,x,y,destination\n1,2,3,home\n",
         "a.csv:2:7: destination: \"home\" is not a destination (there is none)\n");
}

Test(agent_table, overlaps_and_missing_goals_give_warnings)
{
  support_write("a.csv", "id,x,y,goal_x,goal_y\n1,2,3,9,9\n2,2.1,3,9,9\n3,2,3.2,1,1\n");
  support_expect_warned(CSV, "a.csv:3:1: agent 2 overlaps another agent (and 1 more)\n");
  support_write("a.csv", "id,x,y\n1,2,3\n");
  support_expect_warned(CSV,
                        "a.csv:2:1: agent 1 has neither goal nor destination and will not move\n");
}
