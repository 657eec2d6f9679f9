// Bad input ends in words that say where, what, and what would be right. These are exact.
#include "support.h"

#define PEOPLE "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [5, 5]}]\n"

Test(bad_input, unknown_keys)
{
  support_expect_refused("sed: 3\n" PEOPLE, NULL,
                         "x.yaml:1:1: sed: unknown option; did you mean seed?\n");
  support_expect_refused("avoidance: {horizn: 3}\n" PEOPLE, NULL,
                         "x.yaml:1:13: avoidance.horizn: unknown option; did you mean "
                         "avoidance.horizon?\n");
  support_expect_refused("horizon: 3\n" PEOPLE, NULL,
                         "x.yaml:1:1: horizon: unknown option; did you mean avoidance.horizon?\n");
  support_expect_refused("avoidence: {horizon: 3}\n" PEOPLE, NULL,
                         "x.yaml:1:1: avoidence: unknown option; did you mean avoidance?\n");
  support_expect_refused("quux: {zork: 3}\n" PEOPLE, NULL, "x.yaml:1:1: quux: unknown option\n");
}

Test(bad_input, duplicate_keys)
{
  support_expect_refused("seed: 3\nname: a\nseed: 4\n" PEOPLE, NULL,
                         "x.yaml:3:1: seed: given twice, first in line 1\n");
}

Test(bad_input, wrong_types_and_ranges)
{
  support_expect_refused("time: {step: fast}\n" PEOPLE, NULL,
                         "x.yaml:1:14: time.step: \"fast\" is not a number\n");
  support_expect_refused("time: {step: \"0.1\"}\n" PEOPLE, NULL,
                         "x.yaml:1:14: time.step: \"0.1\" is not a number\n");
  support_expect_refused("time: {step: .nan}\n" PEOPLE, NULL,
                         "x.yaml:1:14: time.step: \".nan\" is not a number\n");
  support_expect_refused("time: {step: 1e999}\n" PEOPLE, NULL,
                         "x.yaml:1:14: time.step: \"1e999\" is not a number\n");
  support_expect_refused("time:\n  step: 11\n" PEOPLE, NULL,
                         "x.yaml:2:9: time.step: 11 is out of range (0.001 to 10 s)\n");
  support_expect_refused("time: 3\n" PEOPLE, NULL,
                         "x.yaml:1:7: time: a section (key: value) is expected\n");
  support_expect_refused("avoidance: {neighbours: 2.5}\n" PEOPLE, NULL,
                         "x.yaml:1:25: avoidance.neighbours: 2.5 is not a whole number\n");
  support_expect_refused("avoidance: {method: orcaa}\n" PEOPLE, NULL,
                         "x.yaml:1:21: avoidance.method: \"orcaa\" is not a method (none, orca, "
                         "clearpath, rvo, hrvo, directional); did you mean orca?\n");
  support_expect_refused("world: {repair: maybe}\n" PEOPLE, NULL,
                         "x.yaml:1:17: world.repair: \"maybe\" is not true or false\n");
  support_expect_refused("profiles: 5\n" PEOPLE, NULL,
                         "x.yaml:1:11: profiles: \"5\" is not a list\n");
  support_expect_refused("seed:\n" PEOPLE, NULL,
                         "x.yaml:1:1: seed: a number is expected, nothing is given\n");
}

Test(bad_input, all_problems_are_told_at_once)
{
  support_expect_refused("seed: -1\nsed: 2\nseed: 3\n" PEOPLE, NULL,
                         "x.yaml:3:1: seed: given twice, first in line 1\n"
                         "x.yaml:1:7: seed: -1 is out of range (0 to 9007199254740992)\n"
                         "x.yaml:2:1: sed: unknown option; did you mean seed?\n");
}

Test(bad_input, syntax)
{
  support_expect_refused("a: b: c\n", NULL,
                         "x.yaml:1:5: not YAML: invalid nested block mapping on the same line\n");
  support_expect_refused("a: [1, 2\n", NULL,
                         "x.yaml:2:1: not YAML: flow sequence without a closing bracket\n");
  support_expect_refused("- 1\n- 2\n", NULL,
                         "x.yaml:1:1: a scenario is a map (key: value), this is a list\n");
  support_expect_refused("hello\n", NULL,
                         "x.yaml:1:1: a scenario is a map (key: value), this is one word\n");
  support_expect_refused("name: *x\n" PEOPLE, NULL,
                         "x.yaml:1:7: aliases (*name) are not supported\n");
  support_expect_refused("seed: 1\n---\nseed: 2\n", NULL,
                         "x.yaml: one YAML document is expected, not several\n");
}

Test(bad_input, deep_nesting)
{
  char yaml[20002] = "";
  for (int i = 0; i < 5000; i++)
    yaml[i] = '[';
  support_write("x.yaml", yaml);
  struct diagnostics p = {0};
  cr_assert_null(scenario_create("x.yaml", NULL, 0, NULL, &p));
  cr_assert_eq(p.count, 1);
  diagnostics_destroy(&p);
}

Test(bad_input, missing_files)
{
  struct diagnostics p = {0};
  cr_assert_null(scenario_create("/no/such.yaml", NULL, 0, NULL, &p));
  cr_assert_str_eq(p.text, "/no/such.yaml: cannot read \"/no/such.yaml\": No such "
                           "file or directory\n");
  diagnostics_destroy(&p);
  cr_assert_null(scenario_create("/tmp", NULL, 0, NULL, &p));
  cr_assert_str_eq(p.text, "/tmp: cannot read \"/tmp\": it is a directory\n");
  diagnostics_destroy(&p);
  support_expect_refused("world:\n  geometry: maps/none.geojson\n" PEOPLE, NULL,
                         "x.yaml:2:13: world.geometry: cannot read \"maps/none.geojson\": No such "
                         "file or directory\n");
  support_expect_refused("agents: none.csv\n", NULL,
                         "x.yaml:1:9: agents: cannot read \"none.csv\": No such file or "
                         "directory\n");
}

Test(bad_input, self_crossing_polygons)
{
  support_write("cross.wkt", "POLYGON ((0 0, 1 0, 1 1, 0 0))\n"
                             "  POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))\n");
  support_expect_refused(
      "world: {geometry: cross.wkt}\n" PEOPLE, NULL,
      "cross.wkt:2:3: feature 2: the polygon crosses itself at (5.000, 5.000) m\n");
  support_write(
      "cross.geojson",
      "{\"type\": \"FeatureCollection\", \"features\": [\n"
      "  {\"type\": \"Feature\", \"properties\": {}, \"geometry\": {\"type\": \"Polygon\","
      " \"coordinates\": [[[7, 43], [7.1, 43.1], [7.1, 43], [7, 43.1], [7, 43]]]}}]}\n");
  support_expect_refused("world: {geometry: cross.geojson}\n" PEOPLE, NULL,
                         "cross.geojson:2:3: feature 1: the polygon crosses itself at (7.0500000, "
                         "43.0500000) degrees\n");
  support_expect_refused(
      "world:\n  obstacles:\n    - POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))\n" PEOPLE, NULL,
      "x.yaml:3:7: feature 1: the polygon crosses itself at (5.000, 5.000) m\n");
  support_expect_warned(
      "world: {geometry: cross.wkt, repair: true}\n"
      "sources: [{area: {rectangle: [20, 20, 29, 29]}, count: 5, goal: [5, 5]}]\n",
      "cross.wkt: 1 invalid polygons were repaired\n");
}

Test(bad_input, broken_geometry)
{
  support_write("a.wkt", "POLYGON ((0 0, 1 0, 1 1, 0 0)\n");
  support_expect_refused("world: {geometry: a.wkt}\n" PEOPLE, NULL,
                         "a.wkt:1:1: not WKT: \"POLYGON ((0 0, 1 0, \" has no matching "
                         "parentheses\n");
  support_write("a.wkt", "POLYGONE ((0 0, 1 0, 1 1, 0 0))\n");
  support_expect_refused("world: {geometry: a.wkt}\n" PEOPLE, NULL,
                         "a.wkt:1:1: not WKT: Unknown type: 'POLYGONE'\n");
  support_write("a.wkt", "\n");
  support_expect_refused("world: {geometry: a.wkt}\n" PEOPLE, NULL, "a.wkt: no WKT shape in it\n");
  support_write("a.json", "{\"type\": \"FeatureCollection\",\n \"features\": [1, 2}\n");
  support_expect_refused("world: {geometry: a.json}\n" PEOPLE, NULL,
                         "a.json:2:19: not JSON: a comma or ] is expected\n");
  support_write("a.json", "{\"type\": \"Topology\"}\n");
  support_expect_refused("world: {geometry: a.json}\n" PEOPLE, NULL,
                         "a.json:1:1: not GeoJSON: a FeatureCollection, a Feature or a geometry is "
                         "expected\n");
  support_write("a.json", "{\"type\": \"LineString\", \"coordinates\": [[1, 2], [ ]]}\n");
  support_expect_refused("world: {geometry: a.json}\n" PEOPLE, NULL,
                         "a.json:1:1: feature 1: not a GeoJSON geometry: an empty list among the "
                         "coordinates\n");
  support_write("a.json", "{\"type\": \"Point\", \"coordinates\": [500000, 4700000]}\n");
  support_expect_refused("world: {geometry: a.json}\n" PEOPLE, NULL,
                         "a.json:1:1: feature 1: (500000, 4700000) is no longitude and latitude "
                         "(within 180 and 85 degrees); if these are metres, say world.units: "
                         "metres\n");
}

#define ROOM                                                                                       \
  "world: {extent: [0, 0, 20, 20], obstacles: [\"POLYGON ((5 5, 15 5, 15 15, 5 15, 5 5))\"]}\n"
#define CLOSED                                                                                     \
  "world: {extent: [0, 0, 30, 30], obstacles: [\"POLYGON ((5 5, 15 5, 15 15, 5 15, 5 5), "         \
  "(6 6, 6 14, 14 14, 14 6, 6 6))\"]}\n"                                                           \
  "navigation: {model: field}\n"                                                                   \
  "destinations: [{name: exit, areas: [{rectangle: [20, 20, 25, 25]}]}]\n"

Test(bad_input, agents_inside_walls)
{
  support_write("a.csv", "id,x,y,goal_x,goal_y\n3,1,1,9,9\n1,7,7,1,1\n2,8,8,1,1\n");
  support_expect_refused(ROOM "agents: a.csv\n", NULL,
                         "a.csv:3:1: agent 1 stands inside a wall (and 1 more)\n");
}

Test(bad_input, unreachable_destinations)
{
  support_expect_refused(CLOSED "sources:\n  - area: {rectangle: [7, 7, 13, 13]}\n    count: 4\n"
                                "    destination: exit\n",
                         NULL,
                         "x.yaml:7:18: sources[0]: unreachable destination: no way leads from its "
                         "area to \"exit\"\n");
  support_write("a.csv", "id,x,y,destination\n7,10,10,exit\n8,1,1,exit\n9,11,11,exit\n");
  support_expect_refused(CLOSED "agents: a.csv\n", NULL,
                         "a.csv:2:1: agent 7 cannot reach its destination (and 1 more)\n");
  support_expect_refused(ROOM "navigation: {model: field}\ndestinations:\n  - name: wall\n"
                              "    areas: [{rectangle: [7, 7, 9, 9]}]\n"
                              "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 2, destination: "
                              "wall}]\n",
                         NULL,
                         "x.yaml:4:5: destinations[0]: unreachable destination: all of \"wall\" "
                         "lies in walls\n");
}

Test(bad_input, more_people_than_fit)
{
  support_expect_refused("sources: [{area: {rectangle: [0, 0, 2, 2]}, count: 500, goal: [5, 5]}]\n",
                         NULL,
                         "x.yaml:1:52: sources[0]: 500 people do not fit: at most 18 do (radius "
                         "0.25 m)\n");
  support_expect_refused("sources: [{area: {circle: [0, 0, 1]}, layout: circle, count: 50, "
                         "opposite: [0, 0]}]\n",
                         NULL,
                         "x.yaml:1:62: sources[0]: 50 people do not fit: at most 12 do (radius "
                         "0.25 m)\n");
}

Test(bad_input, too_large_a_world)
{
  support_expect_refused("world:\n  extent: [-9e7, -100, 9e7, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:11: world too large: 180000 x 0.2 km; at most 15728.6 km a side "
                         "can be told apart by millimetres\n");
  support_expect_refused("world:\n  extent: [0, 0, nan, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:18: world.extent: \"nan\" is not a number\n");
  support_expect_refused("world:\n  extent: [0, 0, -5, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:11: world.extent: x0 < x1 and y0 < y1 are expected in [x0, y0, "
                         "x1, y1]\n");
}

Test(bad_input, nobody)
{
  support_expect_refused("", NULL, "x.yaml: no agents: sources and agents are missing\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\n", NULL,
                         "x.yaml: no agents: sources and agents give nobody\n");
  support_write("a.csv", "id,x,y\n\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\nagents: a.csv\n", NULL,
                         "x.yaml: no agents: sources and agents give nobody\n");
  support_expect_refused("sources: [{area: {rectangle: [0, 0, 2, 2]}, count: 0, goal: [5, 5]}]\n",
                         NULL,
                         "x.yaml:1:52: sources[0].count: 0 is out of range (1 to 2000000000 "
                         "people)\n");
}

Test(bad_input, sources_that_say_too_much_or_too_little)
{
  support_expect_refused(
      "sources:\n  - {area: {rectangle: [0, 0, 9, 9]}}\n", NULL,
      "x.yaml:2:5: sources[0]: one of count, density, spacing, rate, timetable and trips is "
      "expected\n"
      "x.yaml:2:5: sources[0]: one of destination, journey, goal, goal_area, opposite "
      "and offset is expected\n");
  support_expect_refused("sources:\n  - {count: 4, goal: [1, 1]}\n", NULL,
                         "x.yaml:2:5: sources[0]: area is missing\n");
  support_expect_refused(
      "destinations: [{name: exit, areas: [{circle: [9, 9, 2]}]}]\n"
      "sources:\n  - {area: {rectangle: [0, 0, 9, 9]}, count: 3, destination: "
      "exi, profile: {persn: 1}}\n",
      NULL,
      "x.yaml:3:77: sources[0].profile: \"persn\" is not a profile; did you mean "
      "person?\n"
      "x.yaml:3:62: sources[0].destination: \"exi\" is not a destination (exit); "
      "did you mean exit?\n");
  support_expect_refused("sources:\n  - {area: {rectangl: [0, 0, 9, 9]}, count: 3, goal: [1, 1]}\n",
                         NULL,
                         "x.yaml:2:13: sources[0].area: \"rectangl\" is not an area (rectangle, "
                         "circle, polygon, wkt, border, feature); did you mean rectangle?\n");
}

Test(bad_input, options_of_methods)
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
                         "x.yaml:1:36: avoidance.steering.separation: "
                         "avoidance.steering.separation_distance above 0 is expected with it\n");
}

Test(bad_input, profiles_that_see_too_much)
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

Test(bad_input, spacing_jitter_and_offset)
{
  support_expect_refused(BLOCK("spacing: 1"), NULL,
                         "x.yaml:2:62: sources[0].spacing: needs layout: grid\n");
  support_expect_refused(BLOCK("count: 4, jitter: 0.1"), NULL,
                         "x.yaml:2:71: sources[0].jitter: needs layout: circle or grid\n");
  support_expect_refused(BLOCK("spacing: 1, count: 4, layout: grid"), NULL,
                         "x.yaml:2:5: sources[0]: only one of count, density, spacing, rate, "
                         "timetable and trips is expected\n");
  support_expect_refused(BLOCK("spacing: 0.6, jitter: 0.1, layout: grid"), NULL,
                         "x.yaml:2:62: sources[0].spacing: 0.6 m is too narrow for radius 0.25 m "
                         "and jitter 0.1 m: at least 0.7002 m\n");
  support_expect_refused("world: {extent: [0, 0, 20, 9]}\nsources:\n  - {area: {rectangle: [0, 0, "
                         "9, 9]}, count: 5, offset: [30, 0]}\n",
                         NULL, "x.yaml:3:57: sources[0].offset: goals lie outside world.extent\n");
  support_expect_refused(
      "world: {extent: [0, 0, 9, 9], obstacles: [\"POLYGON ((0 0, 9 0, 9 9, 0 9, "
      "0 0))\"]}\n" BLOCK("spacing: 8, layout: grid"),
      NULL,
      "x.yaml:3:62: sources[0]: 1 people do not fit: at most 0 do (radius 0.25 "
      "m)\n");
}

Test(bad_input, turning_back_along_a_field)
{
  support_expect_refused(
      "navigation: {model: field}\ngoal: {on_arrival: turn_back}\n"
      "destinations: [{name: exit, areas: [{circle: [9, 9, 2]}]}]\n"
      "sources: [{area: {rectangle: [0, 0, 5, 5]}, count: 3, destination: "
      "exit}]\n",
      NULL, "x.yaml:2:20: goal.on_arrival: turn_back needs navigation.model: direct\n");
}

Test(bad_input, density)
{
  support_expect_refused("profiles: [{name: p, density: {model: weidman}}]\n" PEOPLE, NULL,
                         "x.yaml:1:39: profiles[0].density.model: \"weidman\" is not a model "
                         "(none, weidmann, table); did you mean weidmann?\n");
  support_expect_refused("profiles: [{name: p, density: weidmann}]\n" PEOPLE, NULL,
                         "x.yaml:1:31: density: a section (key: value) is expected\n");
  support_expect_refused("profiles: [{name: p, density: {window: [2.5, 0]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:46: profiles[0].density.window: 0 is out of range (0.2 to 20 "
                         "m)\n");
  support_expect_refused("profiles: [{name: p, density: {model: table}}]\n" PEOPLE, NULL,
                         "x.yaml:1:31: profiles[0].density.table: model: table needs it\n");
  support_expect_refused("profiles: [{name: p, density: {table: [[0, 1]]}}]\n" PEOPLE, NULL,
                         "x.yaml:1:39: profiles[0].density.table: needs density.model: table\n");
  support_expect_refused(
      "profiles: [{name: p, density: {model: table, table: [[1, 1], [1, 2]]}}]\n" PEOPLE, NULL,
      "x.yaml:1:53: profiles[0].density.table: the density 1 does not come "
      "after 1\n"
      "x.yaml:1:53: profiles[0].density.table: a share of 2 is above 1\n");
  support_expect_refused("profiles: [{name: p, density: {model: table, table: [[1]]}}]\n" PEOPLE,
                         NULL,
                         "x.yaml:1:54: profiles[0].density.table: [x, y] is expected, not a list "
                         "of 1\n");
}

Test(bad_input, zones)
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
  support_expect_refused("zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}]}]\n" PEOPLE, NULL,
                         "x.yaml:1:9: zones[0]: it does nothing: speed, no_go or one_way is "
                         "expected\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], no_go: true}]\n" PEOPLE, NULL,
      "x.yaml:1:62: zones[0].no_go: needs navigation.model: field\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], one_way: [0, 0]}]\n" FIELD, NULL,
      "x.yaml:1:64: zones[0].one_way: [0, 0] is no direction\n");
  support_expect_refused(
      "zones: [{name: z, areas: [{rectangle: [0, 0, 1, 1]}], speed: 1.2},\n"
      "        {name: z, areas: [{rectangle: [0, 0, 1, 1]}], speed: 1.2}]\n" PEOPLE,
      NULL, "x.yaml:2:16: zones[1].name: zones[0] is called so already\n");
  support_expect_refused(
      "world: {obstacles: [\"POLYGON ((6 0, 8 0, 8 2, 6 2, 6 0))\"]}\n"
      "zones: [{name: z, areas: [{rectangle: [6.6, 0.6, 7.4, 1.4]}], speed: 1.2}]\n" FIELD,
      NULL, "x.yaml:2:9: zones[0]: all of \"z\" lies in walls\n");
}

Test(bad_input, groups)
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

Test(bad_input, lines_and_areas_to_measure)
{
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [3, 3], to: [3, 3]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: the line has no length\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [30, 3], to: [30, 9]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: the line lies outside world.extent\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [3, 3]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: from and to are expected, or wkt\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, wkt: 'POINT (1 1)'}]}\n", NULL,
                         "x.yaml:3:34: measure.lines[0]: a WKT LINESTRING inside the world is "
                         "expected\n");
  support_expect_refused(HALL "measure: {lines: [{from: [3, 3], to: [3, 9]}]}\n", NULL,
                         "x.yaml:3:19: measure.lines[0]: name is missing\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, form: [3, 3], to: [3, 9]}]}\n", NULL,
                         "x.yaml:3:29: measure.lines[0].form: unknown option; did you mean "
                         "measure.lines[0].from?\n");
  support_expect_refused(HALL "measure: {lines: [{name: a, from: [3, 3], to: [3, 9]}, {name: a, "
                              "from: [4, 3], to: [4, 9]}]}\n",
                         NULL,
                         "x.yaml:3:63: measure.lines[1].name: another is called so already\n");
  support_expect_refused(
      HALL "measure: {areas: [{name: a, areas: [{rectangle: [30, 3, 40, 9]}]}]}\n", NULL,
      "x.yaml:3:37: measure.areas[0].areas[0]: the area lies outside "
      "world.extent\n");
  support_expect_refused(HALL "measure: {areas: [{name: a}]}\n", NULL,
                         "x.yaml:3:19: measure.areas[0]: areas is missing\n");
  support_expect_refused("world: {extent: [0, 0, 20, 20], "
                         "obstacles: ['POLYGON ((10 10, 18 10, 18 18, 10 18, 10 10))']}\n" PEOPLE
                         "measure: {areas: [{name: a, areas: [{rectangle: [12, 12, 14, 14]}]}]}\n",
                         NULL, "x.yaml:3:19: measure.areas[0]: all of it lies in walls\n");
  support_expect_refused(HALL "measure: {gird: {cell: 1}}\n", NULL,
                         "x.yaml:3:11: measure.gird: unknown option; did you mean measure.grid?\n");
  support_expect_refused("world: {extent: [0, 0, 2000, 2000]}\n" PEOPLE
                         "measure: {grid: {cell: 0.05, every: 1}}\n",
                         NULL,
                         "x.yaml:3:24: measure.grid.cell: 39998 x 39998 cells are too many "
                         "(268435456)\n");
  support_expect_refused(HALL "alarms: {jam: -1}\n", NULL,
                         "x.yaml:3:15: alarms.jam: -1 is out of range (0 to 1000000 s)\n");
  support_expect_refused(HALL "avoidance: {jam: reroute}\n", NULL,
                         "x.yaml:3:18: avoidance.jam: \"reroute\" is not a jam response (report, "
                         "perturb, re_route); did you mean re_route?\n");
}

Test(bad_input, walls_are_no_part_of_a_measured_area)
{
  struct scenario *s =
      support_load("world: {extent: [0, 0, 20, 20], simplify: 0, "
                   "obstacles: ['POLYGON ((4 4, 8 4, 8 8, 4 8, 4 4))']}\n" PEOPLE
                   "measure: {areas: [{name: a, areas: [{rectangle: [2, 2, 6, 6]}, "
                   "{rectangle: [5, 0, 7, 10]}]}]}\n");
  // 16 + 20 - 4 in both, less the walls: 4 + 8 - 2 in both.
  cr_expect_float_eq(s->measure.areas[0].walkable_area, 32 - 10, 1e-9, "%g",
                     s->measure.areas[0].walkable_area);
  scenario_destroy(s);
}
