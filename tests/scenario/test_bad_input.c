// Errors of files, syntax, types, geometry and agents name the location, the fault and what would
// be right. Messages are compared exactly.
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
                         "x.yaml:1:1: seed: a number is expected, but nothing is given\n");
}

Test(bad_input, all_errors_are_reported_in_one_run)
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

// Its text may be a secret.
Test(bad_input, no_scenario_at_all)
{
  support_expect_refused("token: secret\nlist: [1]\n", NULL,
                         "x.yaml:1:1: not a scenario: none of its keys is an option (throng "
                         "options)\n");
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
      "cross.wkt:2:3: feature 2: the polygon crosses itself at (5.000, 5.000) m: repaired; its "
      "area "
      "was 0 m^2 and is 50 m^2\n" SUPPORT_HIDDEN("100"));
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
  support_write("a.wkt", "root:secret:19000 (0 0\n");
  support_expect_refused("world: {geometry: a.wkt}\n" PEOPLE, NULL,
                         "a.wkt:1:1: not WKT: a type of geometry is expected, such as POLYGON\n");
  support_write("a.wkt", "\n");
  support_expect_refused("world: {geometry: a.wkt}\n" PEOPLE, NULL,
                         "a.wkt: the file is empty; WKT or GeoJSON is expected\n");
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
                         "a.json:1:1: feature 1: (500000, 4700000) is not a longitude and latitude "
                         "(within 180 and 85 degrees), the units of GeoJSON; for metres, set "
                         "world.units: metres\n");
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
  support_write("a.csv", "id,x,y,goal_x,goal_y\n3,1,1,2,2\n1,7,7,1,1\n2,8,8,1,1\n");
  support_expect_refused(ROOM "agents: a.csv\n", NULL,
                         "a.csv:3:1: agent 1 is inside a wall (and 1 more)\n");
}

Test(bad_input, unreachable_destinations)
{
  support_expect_refused(CLOSED "sources:\n  - area: {rectangle: [7, 7, 13, 13]}\n    count: 4\n"
                                "    destination: exit\n",
                         NULL,
                         "x.yaml:7:18: sources[0]: unreachable destination: no route leads from "
                         "its area to \"exit\"\n");
  support_write("a.csv", "id,x,y,destination\n7,10,10,exit\n8,1,1,exit\n9,11,11,exit\n");
  support_expect_refused(CLOSED "agents: a.csv\n", NULL,
                         "a.csv:2:1: agent 7 cannot reach its destination (and 1 more)\n");
  support_expect_refused(ROOM "navigation: {model: field}\ndestinations:\n  - name: wall\n"
                              "    areas: [{rectangle: [7, 7, 9, 9]}]\n"
                              "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 2, destination: "
                              "wall}]\n",
                         NULL,
                         "x.yaml:4:5: destinations[0]: unreachable destination: \"wall\" lies "
                         "entirely inside walls\n");
}

Test(bad_input, more_agents_than_fit)
{
  support_expect_refused(
      "sources: [{area: {rectangle: [0, 0, 2, 2]}, count: 500, goal: [5, 5]}]\n", NULL,
      "x.yaml:1:52: sources[0]: 500 agents do not fit; there is room for 27 (radius "
      "0.2 m)\n");
  support_expect_refused(
      "sources: [{area: {circle: [0, 0, 1]}, layout: circle, count: 50, "
      "opposite: [0, 0]}]\n",
      NULL,
      "x.yaml:1:62: sources[0]: 50 agents do not fit; there is room for 15 (radius "
      "0.2 m)\n");
}

Test(bad_input, too_large_a_world)
{
  support_expect_refused("world:\n  extent: [-9e7, -100, 9e7, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:11: world too large: 180000 x 0.2 km; with a resolution of a "
                         "millimetre, a side has at most 15728.6 km\n");
  support_expect_refused("world:\n  extent: [0, 0, nan, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:18: world.extent: \"nan\" is not a number\n");
  support_expect_refused("world:\n  extent: [0, 0, -5, 100]\n" PEOPLE, NULL,
                         "x.yaml:2:11: world.extent: x0 < x1 and y0 < y1 are expected in [x0, y0, "
                         "x1, y1]\n");
}

Test(bad_input, no_agents)
{
  support_expect_refused("", NULL, "x.yaml: no agents: sources and agents are missing\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\n", NULL,
                         "x.yaml: no agents: sources and agents yield none\n");
  support_write("a.csv", "id,x,y\n\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\nagents: a.csv\n", NULL,
                         "x.yaml: no agents: sources and agents yield none\n");
  support_expect_refused("sources: [{area: {rectangle: [0, 0, 2, 2]}, count: 0, goal: [5, 5]}]\n",
                         NULL,
                         "x.yaml:1:52: sources[0].count: 0 is out of range (1 to 2000000000 "
                         "people)\n");
}

Test(bad_input, sources_with_too_many_or_too_few_options)
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

static void expect_map_refused(const char *text, const char *why)
{
  char line[200];
  support_write("map", text);
  snprintf(line, sizeof line, "map: %s; WKT or GeoJSON is expected\n", why);
  support_expect_refused("world: {geometry: map}\n", NULL, line);
}

Test(bad_input, other_files_than_maps_are_named)
{
  expect_map_refused("", "the file is empty");
  expect_map_refused("\xef\xbb\xbf \n", "the file is empty");
  expect_map_refused("<?xml version='1.0'?>\n<!-- by hand -->\n<osm version='0.6'>",
                     "this is OpenStreetMap XML; tools/osm2geojson.sh makes GeoJSON of it");
  expect_map_refused("<!DOCTYPE html><html>", "this is an HTML page, perhaps an error message of "
                                              "the server");
  expect_map_refused(" <HTML>", "this is an HTML page, perhaps an error message of the server");
  expect_map_refused("<?xml version='1.0'?><kml>", "this is XML");
  expect_map_refused("<", "this is XML");
}

// Windows writes a byte-order mark before UTF-8.
Test(bad_input, a_byte_order_mark_changes_nothing)
{
  support_write("map", "\xef\xbb\xbf{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", "
                       "\"coordinates\": [[[1, 1], [3, 1], [3, 3], [1, 1]]]}, \"crs\": {\"type\": "
                       "\"name\", \"properties\": {\"name\": \"EPSG:3857\"}}}");
  struct scenario *s =
      support_load("\xef\xbb\xbfworld: {geometry: map, units: metres, extent: [0, 0, 9, 9]}\n"
                   "sources: [{area: {rectangle: [5, 5, 6, 6]}, count: 1, goal: [8, 8]}]\n");
  cr_assert_eq(s->world.obstacles.count, 3);
  scenario_destroy(s);
}
