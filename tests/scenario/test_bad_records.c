// Errors of methods, profiles, sources, zones, groups and measurements. Messages are compared
// exactly.
#include "support.h"

#define PEOPLE "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [5, 5]}]\n"

Test(bad_records, options_of_methods)
{
  support_expect_refused("avoidance: {clearpath: {variant: loose}}\n" PEOPLE, NULL,
                         "x.yaml:1:34: avoidance.clearpath.variant: \"loose\" is not a variant "
                         "(relaxed, guaranteed)\n");
  support_expect_refused(
      "avoidance: {rvo: {samples: 0, safety: -1}}\n" PEOPLE, NULL,
      "x.yaml:1:28: avoidance.rvo.samples: 0 is out of range (1 to 10000)\n"
      "x.yaml:1:39: avoidance.rvo.safety: -1 is out of range (0 to 1000000 m)\n");
  support_expect_refused("avoidance: {rvo: 5}\n" PEOPLE, NULL,
                         "x.yaml:1:18: avoidance.rvo: a section (key: value) is expected\n");
  support_expect_refused("avoidance: {steering: {alignmnt: 1}}\n" PEOPLE, NULL,
                         "x.yaml:1:24: avoidance.steering.alignmnt: unknown option; did you mean "
                         "avoidance.steering.alignment?\n");
  support_expect_refused("avoidance: {clearpth: {variant: relaxed}}\n" PEOPLE, NULL,
                         "x.yaml:1:13: avoidance.clearpth: unknown option; did you mean "
                         "avoidance.clearpath?\n");
  support_expect_refused("avoidance: {steering: {separation: 1}}\n" PEOPLE, NULL,
                         "x.yaml:1:36: avoidance.steering.separation: needs "
                         "avoidance.steering.separation_distance above 0\n");
}

Test(bad_records, profiles_with_too_many_neighbours)
{
  support_expect_refused("profiles: [{name: p, neighbours: 33}]\n" PEOPLE, NULL,
                         "x.yaml:1:34: profiles[0].neighbours: 33 is out of range (1 to 32 "
                         "people)\n");
  support_expect_refused("profiles: [{name: p, neighbours: {uniform: [4, 40]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:48: profiles[0].neighbours: 40 is out of range (1 to 32 "
                         "people)\n");
  support_expect_refused("profiles: [{name: p, neighbours: {uniform: [4, 7.5]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:44: profiles[0].neighbours: 7.5 is not a whole number\n");
  support_expect_refused("profiles: [{name: p, neighbours: 2.5}]\n" PEOPLE, NULL,
                         "x.yaml:1:34: profiles[0].neighbours: 2.5 is not a whole number\n");
  support_expect_refused("profiles: [{name: p, neighbour_distance: 2e3, horizon: 0}]\n" PEOPLE,
                         NULL,
                         "x.yaml:1:56: profiles[0].horizon: 0 is out of range (0.01 to 60 s)\n"
                         "x.yaml:1:42: profiles[0].neighbour_distance: 2e3 is out of range (0.01 "
                         "to 1000 m)\n");
  support_expect_refused("profiles: [{name: p, yield: -1, max_acceleration: fast}]\n" PEOPLE, NULL,
                         "x.yaml:1:51: profiles[0].max_acceleration: \"fast\" is not a number\n"
                         "x.yaml:1:29: profiles[0].yield: -1 is out of range (0 to 1000)\n");
}

#define BLOCK(more) "sources:\n  - {area: {rectangle: [0, 0, 9, 9]}, goal: [5, 5], " more "}\n"

Test(bad_records, spacing_jitter_and_offset)
{
  support_expect_refused(BLOCK("spacing: 1"), NULL,
                         "x.yaml:2:62: sources[0].spacing: needs layout: grid\n");
  support_expect_refused(BLOCK("count: 4, jitter: 0.1"), NULL,
                         "x.yaml:2:71: sources[0].jitter: needs layout: circle or grid\n");
  support_expect_refused(BLOCK("spacing: 1, count: 4, layout: grid"), NULL,
                         "x.yaml:2:5: sources[0]: only one of count, density, spacing, rate, "
                         "timetable and trips is expected\n");
  support_expect_refused(BLOCK("spacing: 0.6, jitter: 0.1, layout: grid"), NULL,
                         "x.yaml:2:62: sources[0].spacing: 0.6 m is too small for radius 0.2 m "
                         "and jitter 0.1 m; at least 0.6002 m is needed\n");
  support_expect_refused("world: {extent: [0, 0, 20, 9]}\nsources:\n  - {area: {rectangle: [0, 0, "
                         "9, 9]}, count: 5, offset: [30, 0]}\n",
                         NULL, "x.yaml:3:57: sources[0].offset: goals lie outside world.extent\n");
  support_expect_refused(
      "world: {extent: [0, 0, 9, 9], obstacles: [\"POLYGON ((0 0, 9 0, 9 9, 0 9, "
      "0 0), (4.9 4.9, 4.9 5.1, 5.1 5.1, 4.9 4.9))\"]}\n" BLOCK("spacing: 8, layout: grid"),
      NULL,
      "x.yaml:3:62: sources[0]: 1 agents do not fit; there is room for 0 (radius 0.2 "
      "m)\n");
}

Test(bad_records, turning_back_in_a_field)
{
  support_expect_refused(
      "navigation: {model: field}\ngoal: {on_arrival: turn_back}\n"
      "destinations: [{name: exit, areas: [{circle: [9, 9, 2]}]}]\n"
      "sources: [{area: {rectangle: [0, 0, 5, 5]}, count: 3, destination: "
      "exit}]\n",
      NULL, "x.yaml:2:20: goal.on_arrival: turn_back needs navigation.model: direct\n");
}

Test(bad_records, density)
{
  support_expect_refused("profiles: [{name: p, density: {model: weidman}}]\n" PEOPLE, NULL,
                         "x.yaml:1:39: profiles[0].density.model: \"weidman\" is not a model "
                         "(none, weidmann, table); did you mean weidmann?\n");
  support_expect_refused("profiles: [{name: p, density: weidmann}]\n" PEOPLE, NULL,
                         "x.yaml:1:31: density: a section (key: value) is expected\n");
  support_expect_refused("profiles: [{name: p, density: {window: [2.5, 0]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:46: profiles[0].density.window: 0 is out of range (0.2 to 20 "
                         "m)\n");
  support_expect_refused(
      "profiles: [{name: p, density: {model: table}}]\n" PEOPLE, NULL,
      "x.yaml:1:31: profiles[0].density.table is missing: density.model: table needs it\n");
  support_expect_refused("profiles: [{name: p, density: {table: [[0, 1]]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:39: profiles[0].density.table: needs density.model: table\n");
  support_expect_refused(
      "profiles: [{name: p, density: {model: table, table: [[1, 1], [1, 2]]}}]\n" PEOPLE, NULL,
      "x.yaml:1:53: profiles[0].density.table: densities must increase: 1 comes after 1\n"
      "x.yaml:1:53: profiles[0].density.table: the share 2 is above 1\n");
  support_expect_refused("profiles: [{name: p, density: {model: table, table: [[1]]}}]\n" PEOPLE,
                         NULL,
                         "x.yaml:1:54: profiles[0].density.table: [x, y] is expected, not a list "
                         "of 1\n");
}

Test(bad_records, walking_and_density)
{
  support_expect_refused(
      "profiles: [{name: p, walking: {model: headway}, density: {model: weidmann}}]\n" PEOPLE, NULL,
      "x.yaml:1:58: profiles[0].density.model: walking.model: headway slows agents down already; "
      "give only one of the two\n");
  support_expect_refused("profiles: [{name: p, density: {model: weidmann}}]\n" PEOPLE,
                         "profiles.0.walking.model=headway",
                         "x.yaml:1:31: profiles[0].density.model: walking.model: headway slows "
                         "agents down already; give only one of the two\n");
  support_expect_refused(
      "profiles: [{name: p, walking: {model: hedway}}]\n" PEOPLE, NULL,
      "x.yaml:1:39: profiles[0].walking.model: \"hedway\" is not a walking model "
      "(none, headway, weidmann); did you mean headway?\n");
}

Test(bad_records, zones)
{
#define FIELD                                                                                      \
  "navigation: {model: field}\n"                                                                   \
  "destinations: [{name: d, areas: [{rectangle: [8, 8, 9, 9]}]}]\n"                                \
  "sources: [{area: {rectangle: [0, 0, 5, 5]}, count: 5, destination: d}]\n"
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], speed: 0}]\n" PEOPLE, NULL,
      "x.yaml:1:62: zones[0].speed: 0 is out of range (0.125 to 1.3)\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [90, 0, 91, 1]}], speed: 1.2}]\n" PEOPLE, NULL,
      "x.yaml:1:27: zones[0].areas[0]: the area lies outside world.extent\n");
  support_expect_refused("zones: [{name: z, areas: [], speed: 1.2}]\n" PEOPLE, NULL,
                         "x.yaml:1:26: zones[0].areas: a list of areas is expected, not a list of "
                         "0\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}]}]\n" PEOPLE, NULL,
      "x.yaml:1:9: zones[0]: the zone has no effect; speed, no_go or one_way is expected\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], no_go: true}]\n" PEOPLE, NULL,
      "x.yaml:1:62: zones[0].no_go: needs navigation.model: field\n");
  support_expect_refused("navigation: {routes: {count: 3}}\n" PEOPLE, NULL,
                         "x.yaml:1:30: navigation.routes.count: needs navigation.model: field\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], one_way: [0, 0]}]\n" FIELD, NULL,
      "x.yaml:1:64: zones[0].one_way: [0, 0] is not a direction\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], speed: 1.2},\n"
      "        {name: z, areas: [{rectangle: [0, 0, 1, 1]}], speed: 1.2}]\n" PEOPLE,
      NULL, "x.yaml:2:16: zones[1].name: zones[0] already has this name\n");
  support_expect_refused(
      "world: {obstacles: [\"POLYGON ((6 0, 8 0, 8 2, 6 2, 6 0))\"]}\n"
      "zones: [{name: z, areas: [{rectangle: [6.6, 0.6, 7.4, 1.4]}], speed: 1.2}]\n" FIELD,
      NULL, "x.yaml:2:9: zones[0]: \"z\" lies entirely inside walls\n");
}

Test(bad_records, groups)
{
  support_expect_refused("sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [5, 5], "
                         "group: 17}]\n",
                         NULL,
                         "x.yaml:1:76: sources[0].group: 17 is out of range (1 to 16 people)\n");
  support_expect_refused("sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [5, 5], "
                         "group: 2.5}]\n",
                         NULL, "x.yaml:1:76: sources[0].group: 2.5 is not a whole number\n");
}

#define HALL "world: {extent: [0, 0, 20, 20]}\n" PEOPLE

Test(bad_records, measured_lines_and_areas)
{
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [3, 3], to: [3, 3]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: the line has no length\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [30, 3], to: [30, 9]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: the line lies outside world.extent\n");
  support_expect_refused(
      HALL "measure: {lines: [{name: a, from: [3, 3]}]}\n", NULL,
      "x.yaml:3:19: measure.lines[0]: from and to are expected, or line or wkt\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, wkt: 'POINT (1 1)'}]}\n", NULL,
                         "x.yaml:3:34: measure.lines[0]: a WKT LINESTRING inside the world is "
                         "expected\n");
  support_expect_refused(HALL "measure: {lines: [{from: [3, 3], to: [3, 9]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: name is missing\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, form: [3, 3], to: [3, 9]}]}\n", NULL,
                         "x.yaml:3:29: measure.lines[0].form: unknown option; did you mean "
                         "measure.lines[0].from?\n");
  support_expect_refused(
      HALL "measure: {lines: [{name: a, from: [3, 3], to: [3, 9]}, {name: a, "
           "from: [4, 3], to: [4, 9]}]}\n",
      NULL, "x.yaml:3:63: measure.lines[1].name: another record already has this name\n");
  support_expect_refused(
      HALL "measure: {areas: [{name: a, areas: [{rectangle: [30, 3, 40, 9]}]}]}\n", NULL,
      "x.yaml:3:37: measure.areas[0].areas[0]: the area lies outside "
      "world.extent\n");
  support_expect_refused(HALL "measure: {areas: [{name: a}]}\n", NULL,
                         "x.yaml:3:19: measure.areas[0]: areas is missing\n");
  support_expect_refused("world: {extent: [0, 0, 20, 20], "
                         "obstacles: ['POLYGON ((10 10, 18 10, 18 18, 10 18, 10 10))']}\n" PEOPLE
                         "measure: {areas: [{name: a, areas: [{rectangle: [12, 12, 14, 14]}]}]}\n",
                         NULL,
                         "x.yaml:3:19: measure.areas[0]: the area lies entirely inside walls\n");
  support_expect_refused(HALL "measure: {gird: {cell: 1}}\n", NULL,
                         "x.yaml:3:11: measure.gird: unknown option; did you mean measure.grid?\n");
  support_expect_refused(
      "world: {extent: [0, 0, 2000, 2000]}\n" PEOPLE "measure: {grid: {cell: 0.05, every: 1}}\n",
      NULL,
      "x.yaml:3:24: measure.grid.cell: 39998 x 39998 cells are too many; the limit is 67108864, "
      "that is, at least 0.247 m\n");
  support_expect_refused(
      "world: {extent: [0, 0, 200, 200]}\n"
      "destinations: [{name: d, areas: [{rectangle: [1, 1, 9, 9]}]}]\n"
      "navigation: {model: field, cell: 65}\n"
      "sources: [{area: {rectangle: [50, 50, 90, 90]}, count: 1, destination: d}]\n",
      NULL,
      "x.yaml:3:34: navigation.cell: 65 m is too large for a world of this size; the limit is 64 "
      "m\n");
  support_expect_refused(HALL "alarms: {jam: -1}\n", NULL,
                         "x.yaml:3:15: alarms.jam: -1 is out of range (0 to 1000000 s)\n");
  support_expect_refused(HALL "avoidance: {jam: reroute}\n", NULL,
                         "x.yaml:3:18: avoidance.jam: \"reroute\" is not a jam response (report, "
                         "perturb, re_route); did you mean re_route?\n");
}

Test(bad_records, walls_are_not_part_of_a_measured_area)
{
  struct scenario *s =
      support_load("world: {extent: [0, 0, 20, 20], simplify: 0, "
                   "obstacles: ['POLYGON ((4 4, 8 4, 8 8, 4 8, 4 4))']}\n"
                   "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [9, 9]}]\n"
                   "measure: {areas: [{name: a, areas: [{rectangle: [2, 2, 6, 6]}, "
                   "{rectangle: [5, 0, 7, 10]}]}]}\n");
  // Areas: 16 + 20 - 4 of their overlap. Walls in them: 4 + 8 - 2 of the overlap.
  cr_expect_float_eq(s->measure.areas[0].walkable_area, 32 - 10, 1e-9, "%g",
                     s->measure.areas[0].walkable_area);
  scenario_destroy(s);
}
