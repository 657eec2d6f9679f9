// What agents cannot do: reach a goal in a wall, enter after the end. What has no sense is refused;
// what has no effect gives a warning. Messages are compared exactly.
#include "support.h"

// A block of 8 m, whose inner half is farther than goal.radius from free ground.
#define BLOCK                                                                                      \
  "world: {extent: [0, 0, 20, 20], obstacles: ['POLYGON ((10 10, 18 10, 18 18, 10 18, 10 "         \
  "10))']}\n"
#define SOURCE  "sources:\n  - {area: {rectangle: [2, 2, 8, 8]}, count: 5, "
#define INFLOW  "sources:\n  - {area: {rectangle: [2, 2, 8, 8]}, rate: 1, "
#define WALKERS SOURCE "goal: [9, 9]}\n"

static void expect_quiet(const char *yaml)
{
  scenario_destroy(support_load(yaml)); // fails on warnings, too
}

Test(bad_aims, goals_of_sources)
{
  support_expect_refused(BLOCK SOURCE "goal: [20.1, 5]}\n", NULL,
                         "x.yaml:3:55: sources[0].goal: (20.1, 5) lies outside world.extent\n");
  support_expect_refused(BLOCK SOURCE "goal: [1e8, 5]}\n", NULL,
                         "x.yaml:3:55: sources[0].goal: (100000000, 5) lies outside "
                         "world.extent\n");
  support_expect_refused(
      BLOCK SOURCE "goal: [14, 10.6]}\n", NULL,
      "x.yaml:3:55: sources[0].goal: (14, 10.6) lies inside a wall, with no free "
      "ground within goal.radius (0.5 m)\n");
  support_expect_warned(BLOCK SOURCE "goal: [14, 10.4]}\n",
                        "x.yaml:3:55: sources[0].goal: (14, 10.4) lies inside a wall\n");
  expect_quiet(BLOCK SOURCE "goal: [14, 10]}\n");
  expect_quiet(BLOCK SOURCE "goal: [20, 0]}\n");
}

Test(bad_aims, goals_of_sources_relative_to_the_start)
{
  support_expect_refused(BLOCK SOURCE "offset: [15, 0]}\n", NULL,
                         "x.yaml:3:57: sources[0].offset: goals lie outside world.extent\n");
  support_expect_refused(BLOCK INFLOW "offset: [19, 0]}\n", NULL,
                         "x.yaml:3:56: sources[0].offset: goals lie outside world.extent\n");
  // An offset may mean a direction, and lead into a wall.
  expect_quiet(BLOCK "sources: [{area: {rectangle: [2, 2, 3, 3]}, count: 3, offset: [11, 11]}]\n");
}

Test(bad_aims, areas_in_walls)
{
  support_expect_refused(BLOCK SOURCE "goal_area: {rectangle: [11, 11, 17, 17]}}\n", NULL,
                         "x.yaml:3:60: sources[0].goal_area: found no free ground in it: it lies "
                         "inside walls\n");
  expect_quiet(BLOCK SOURCE "goal_area: {rectangle: [11, 11, 17, 19]}}\n");
  support_expect_refused(
      BLOCK "destinations: [{name: rock, areas: [{rectangle: [12, 12, 14, 14]}]}]\n" SOURCE
            "destination: rock}\n",
      NULL,
      "x.yaml:2:16: destinations[0]: unreachable destination: \"rock\" lies entirely inside "
      "walls\n");
  expect_quiet(BLOCK
               "destinations: [{name: rock, areas: [{rectangle: [12, 10.3, 14, 14]}]}]\n" SOURCE
               "destination: rock}\n"); // its edge is within goal.radius of free ground
}

static void expect_rows(const char *rows, const char *errors, const char *warnings)
{
  support_write("a.csv", rows);
  if (errors)
    support_expect_refused(BLOCK "agents: a.csv\n", NULL, errors);
  if (warnings)
    support_expect_warned(BLOCK "agents: a.csv\n", warnings);
}

Test(bad_aims, goals_of_rows)
{
  expect_rows("id,x,y,goal_x,goal_y\n1,1,1,14,14\n2,3,1,5,5\n3,5,1,13,13\n",
              "a.csv:2:1: agent 1 has a goal inside a wall, with no free ground within goal.radius "
              "(and 1 more)\n",
              NULL);
  expect_rows("id,x,y,goal_x,goal_y\n1,1,1,5,5\n2,3,1,5,24\n3,5,1,5,1e8\n",
              "a.csv:3:1: agent 2 has a goal outside world.extent (and 1 more)\n", NULL);
  expect_rows("id,x,y,goal_x,goal_y\n1,30,1,14,14\n",
              "a.csv:2:1: agent 1 lies outside world.extent\n"
              "a.csv:2:1: agent 1 has a goal inside a wall, with no free ground within "
              "goal.radius\n",
              NULL);
  expect_rows("id,x,y,goal_x,goal_y\n1,1,1,10.4,14\n", NULL,
              "a.csv:2:1: agent 1 has a goal inside a wall\n");
}

Test(bad_aims, rows_with_two_aims)
{
  const char *yaml = BLOCK "destinations: [{name: exit, areas: [{rectangle: [1, 18, 3, 20]}]}]\n"
                           "agents: a.csv\n";
  support_write("a.csv", "id,x,y,goal_x,goal_y,destination\n1,1,1,,,exit\n2,3,1,5,5,exit\n");
  support_expect_refused(yaml, NULL,
                         "a.csv:3:1: only one of destination and goal_x, goal_y is expected in a "
                         "row\n");
  support_write("a.csv", "id,x,y,goal_x,goal_y,destination\n1,1,1,,,exit\n2,3,1,5,5,\n");
  expect_quiet(yaml);
}

// A door that opens may set a goal free.
Test(bad_aims, goals_behind_doors_that_open)
{
#define GATE "doors: [{name: gate, area: {rectangle: [12, 2, 16, 6]}, closed: true}]\n"
#define HALL "world: {extent: [0, 0, 20, 20]}\n"
  support_expect_refused(HALL GATE SOURCE "goal: [14, 4]}\n", NULL,
                         "x.yaml:4:55: sources[0].goal: (14, 4) lies inside a wall, with no free "
                         "ground within goal.radius (0.5 m)\n");
  support_expect_warned(HALL GATE SOURCE "goal: [14, 4]}\nevents: [{at: 5, open: [gate]}]\n",
                        "x.yaml:4:55: sources[0].goal: (14, 4) lies inside a wall\n");
}

Test(bad_aims, doors_outside_the_world)
{
  support_expect_refused(HALL "doors: [{name: gate, line: [[30, 5], [30, 9]]}]\n" WALKERS, NULL,
                         "x.yaml:2:28: doors[0].line: it lies outside world.extent\n");
  support_expect_refused(HALL "doors: [{name: gate, area: {rectangle: [30, 5, 31, 9]}}]\n" WALKERS,
                         NULL, "x.yaml:2:28: doors[0].area: the area lies outside world.extent\n");
  expect_quiet(HALL "doors: [{name: gate, line: [[19, 5], [30, 5]]}]\n" WALKERS);
}

#define FIELD                                                                                      \
  "navigation: {model: field}\n"                                                                   \
  "destinations: [{name: exit, areas: [{rectangle: [18, 18, 20, 20]}]}]\n" SOURCE                  \
  "destination: exit}\n"

Test(bad_aims, no_go_over_everything)
{
  support_expect_refused(
      HALL FIELD "zones:\n  - {name: slow, areas: [{rectangle: [1, 1, 2, 2]}], speed: 0.5}\n"
                 "  - {name: west, areas: [{rectangle: [0, 0, 10, 20]}], no_go: true}\n"
                 "  - {name: east, areas: [{rectangle: [10, 0, 20, 20]}], no_go: true}\n",
      NULL,
      "x.yaml:8:63: zones[1].no_go: no ground is left for routes: the zones with no_go cover all "
      "of "
      "it\n");
  expect_quiet(HALL FIELD
               "zones: [{name: west, areas: [{rectangle: [0, 0, 10, 20]}], no_go: true}]\n");
}

Test(bad_aims, nobody_enters_after_the_end)
{
  support_write("od.csv", "from,to,people,begin,end\nhall,exit,4,5,9\nhall,exit,3,90,99\n"
                          "hall,exit,2,60,99\n");
#define TRIPS                                                                                      \
  HALL "time: {end: 60}\ntrips: od.csv\n"                                                          \
       "destinations: [{name: exit, areas: [{rectangle: [18, 18, 20, 20]}]}]\n"                    \
       "sources: [{name: hall, area: {rectangle: [2, 2, 8, 8]}}]\n"
  support_expect_warned(TRIPS, "od.csv:3:1: begin: 90 s is not before time.end, 60 s: these people "
                               "never enter (and 1 more rows)\n");
  support_write("od.csv", "from,to,people,begin,end\nhall,exit,4,5,99\n");
  expect_quiet(TRIPS);
  support_expect_warned(HALL
                        "time: {end: 60}\nsources:\n  - {area: {rectangle: [2, 2, 8, 8]}, goal: "
                        "[9, 9],\n     timetable: [[5, 10], [60, 20], [99, 3]]}\n",
                        "x.yaml:5:17: sources[0].timetable: 2 of 3 times are not before time.end, "
                        "60 s: their 23 people never enter\n");
}

// As in a table of all pairs of zones.
Test(bad_aims, sources_of_which_trips_send_nobody)
{
#define ZONES(yard)                                                                                \
  HALL "time: {end: 60}\ntrips: od.csv\n"                                                          \
       "destinations: [{name: exit, areas: [{rectangle: [18, 18, 20, 20]}]}]\n"                    \
       "sources:\n  - {name: hall, area: {rectangle: [2, 2, 8, 8]}}\n"                             \
       "  - {name: yard, area: {rectangle: [2, 12, 8, 18]}" yard "}\n"
#define NOBODY "no people of trips are from \"yard\""
  support_write("od.csv", "from,to,people\nhall,exit,4\n");
  support_expect_warned(ZONES(""), "x.yaml:7:5: sources[1]: " NOBODY ": nobody enters there\n");
  support_write("od.csv", "from,to,people,begin,end\nyard,exit,0,5,9\nhall,exit,4,5,9\n");
  support_expect_warned(ZONES(""), "x.yaml:7:5: sources[1]: " NOBODY ": nobody enters there\n");
  support_expect_refused(
      ZONES(", destination: exit"), NULL,
      "x.yaml:7:5: sources[1]: one of count, density, spacing, rate, timetable and "
      "trips is expected; " NOBODY "\n");
  support_write("od.csv", "from,to,people\nyard,exit,4\nhall,exit,4\n");
  expect_quiet(ZONES(""));
}

Test(bad_aims, nothing_happens_after_the_end)
{
#define DOOR HALL "time: {end: 60}\ndoors: [{name: gate, line: [[9, 5], [9, 9]]}]\n" WALKERS
  support_expect_warned(DOOR "events: [{at: 60, close: [gate]}]\n",
                        "x.yaml:6:15: events[0].at: 60 s is not before time.end, 60 s: the event "
                        "never happens\n");
  expect_quiet(DOOR "events: [{at: 59, close: [gate]}]\n");
}

#define STOPS                                                                                      \
  HALL                                                                                             \
      "destinations:\n  - {name: exit, areas: [{rectangle: [18, 18, 20, 20]}]}\n"                  \
      "  - {name: kiosk, areas: [{rectangle: [10, 2, 12, 4]}], queue: {line: [[10, 4], [10, 9]], " \
      "service: 1}}\n  - {name: bench, areas: [{rectangle: [14, 2, 16, 4]}], stay: 9}\n"
#define TRAVELS(journey) "sources: [{area: {rectangle: [2, 2, 8, 8]}, count: 5, " journey "}]\n"

Test(bad_aims, stops_and_journeys_that_nobody_uses)
{
  support_expect_warned(STOPS TRAVELS("destination: kiosk"),
                        "x.yaml:4:64: destinations[1].queue: it has no effect: no journey goes to "
                        "\"kiosk\"\n"
                        "x.yaml:5:63: destinations[2].stay: it has no effect: no journey goes to "
                        "\"bench\"\n");
  expect_quiet(STOPS TRAVELS("journey: round") "journeys: [{name: round, via: [kiosk, {least: "
                                               "[bench, exit]}]}]\n");
  support_expect_warned(STOPS TRAVELS("destination: exit") "journeys: [{name: round, via: [kiosk, "
                                                           "bench]}]\n",
                        "x.yaml:7:19: journeys[0]: no source has the journey \"round\"\n");
}
