// Geometry that can be read and yet is not what was meant: it is refused or named. Messages are
// compared exactly.
#include "support.h"

#define PEOPLE "sources: [{area: {rectangle: [2, 2, 8, 8]}, count: 5, goal: [18, 18]}]\n"
#define WORLD  "world: {extent: [0, 0, 20, 20], "

static void expect_map_refused(const char *text, const char *line)
{
  support_write("map", text);
  support_expect_refused("world: {geometry: map}\n" PEOPLE, NULL, line);
}

static void expect_map_warned(const char *text, const char *line)
{
  support_write("map", text);
  support_expect_warned("world: {geometry: map, extent: [0, 0, 20, 20]}\n" PEOPLE, line);
}

static void expect_quiet(const char *yaml)
{
  struct scenario *s = support_load(yaml); // fails on warnings, too
  cr_assert(s->walls.count > 0);
  scenario_destroy(s);
}

Test(bad_geometry, a_missing_comma_is_not_a_point_in_four_dimensions)
{
  support_expect_refused(
      WORLD "obstacles: ['POLYGON ((18 12 22 12, 22 18, 18 18, 18 12))']}\n" PEOPLE, NULL,
      "x.yaml:1:45: feature 1: the point \"18 12 22 12\" has 4 numbers, not 2: "
      "perhaps a comma is missing; four numbers need POLYGON ZM\n");
  expect_map_refused("POINT Z (1 2 3)\n\n# a comment\nMULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)),\n"
                     " ((5 5, 6 5 6 6, 5 5)))\n",
                     "map:5:9: feature 2: the point \"6 5 6 6\" has 4 numbers, not 2: perhaps a "
                     "comma is missing; four numbers need MULTIPOLYGON ZM\n");
  support_expect_refused(
      WORLD "margin: 5}\n" PEOPLE
            "measure: {lines: [{name: a, wkt: 'LINESTRING (1 1 2 2, 3 3)'}]}\n",
      NULL,
      "x.yaml:3:34: measure.lines[0]: the point \"1 1 2 2\" has 4 numbers, not 2: perhaps a comma "
      "is missing; four numbers need LINESTRING ZM\n");
  support_expect_refused(
      "sources: [{area: {wkt: 'POLYGON ((2 2 1, 8 2 1, 8 8 1, 2 2 1))'}, count: 5, goal: [9, "
      "9]}]\n",
      NULL,
      "x.yaml:1:18: feature 1: the point \"2 2 1\" has 3 numbers, not 2: perhaps a comma is "
      "missing; a third number needs POLYGON Z or POLYGON M\n");
}

Test(bad_geometry, a_point_has_at_most_the_numbers_of_its_geometry)
{
  expect_map_refused("POLYGON Z ((1 1 0, 9 1 0 9, 9 0, 1 1 0))",
                     "map:1:20: feature 1: the point \"9 1 0 9\" has 4 numbers, not 3: perhaps a "
                     "comma is missing; four numbers need POLYGON ZM\n");
  expect_map_refused("LINESTRING zm (1 1 0 0, 9 1 0 0 9 9)",
                     "map:1:25: feature 1: the point \"9 1 0 0 9 9\" has 6 numbers, not 4: perhaps "
                     "a comma is missing\n");
  expect_map_refused("GEOMETRYCOLLECTION (POINT Z (1 1 0), LINESTRING (1 1, 9 1 9))",
                     "map:1:55: feature 1: the point \"9 1 9\" has 3 numbers, not 2: perhaps a "
                     "comma is missing; a third number needs LINESTRING Z or LINESTRING M\n");
}

Test(bad_geometry, heights_and_measures_are_dropped)
{
  expect_quiet(WORLD "obstacles: ['POLYGON Z ((9 9 1, 12 9 1, 12 12 2, 9 9 1))',\n"
                     "  'LINESTRING M (9 1 0, 12 1 3)', 'linestring zm(9 2 0 1,12 2 0 2)',\n"
                     "  'GEOMETRYCOLLECTION (POLYGON((14 1,16 1,16 3,14 1)))']}\n" PEOPLE);
}

Test(bad_geometry, a_missing_bracket_is_not_a_point_in_four_dimensions)
{
  expect_map_refused("{\"type\": \"LineString\", \"bbox\": [0, 0, 3, 3],\n"
                     " \"coordinates\": [[0, 0, 0.1, 0.1], [0.2, 0.3]]}",
                     "map:1:1: feature 1: the position [0, 0, 0.1, 0.1] has more than 3 numbers: "
                     "perhaps brackets are missing, [x, y], [x, y]\n");
  expect_map_refused("{\"type\": \"GeometryCollection\", \"geometries\": [\n"
                     " {\"type\": \"Point\", \"coordinates\": [0, 0, 2]},\n"
                     " {\"type\": \"Point\", \"coordinates\": [0, 0, 2, 2]}]}",
                     "map:1:1: feature 1: the position [0, 0, 2, 2] has more than 3 numbers: "
                     "perhaps brackets are missing, [x, y], [x, y]\n");
}

#define TOWN "POLYGON ((7.41 43.72, 7.43 43.72, 7.43 43.74, 7.41 43.72))"

Test(bad_geometry, degrees_are_not_taken_for_metres)
{
  expect_map_refused(TOWN, "map: the geometry spans 0.02 x 0.02 m at (7.41, 43.72): it looks like "
                           "longitude and latitude; set world.units: degrees, or metres if it is "
                           "in metres\n");
  expect_quiet("world: {geometry: map, units: metres}\n" PEOPLE);
  expect_quiet("world: {geometry: map, units: degrees}\n"
               "sources: [{area: {rectangle: [-30, 20, -20, 30]}, count: 5, goal: [-40, 40]}]\n");
  // Houses of 10 m in a region of 60 km.
  expect_map_refused("POLYGON ((8.1 50.1, 8.1001 50.1, 8.1001 50.1001, 8.1 50.1))"
                     "POLYGON ((8.7 50.5, 8.7001 50.5, 8.7001 50.5001, 8.7 50.5))",
                     "map: the geometry spans 0.6 x 0.4 m at (8.1, 50.1): it looks like longitude "
                     "and latitude; set world.units: degrees, or metres if it is in metres\n");
  support_expect_warned(
      "world: {obstacles: ['" TOWN "']}\n" PEOPLE,
      "x.yaml:1:21: the WKT of this scenario spans 0.02 x 0.02 m at (7.41, 43.72): it looks like "
      "longitude and latitude, but WKT in a scenario is in metres; for degrees, use a file with "
      "world.geometry and world.units: degrees\n");
}

// A pillar of 0.2 m among 64 vertices, and one beyond the range of latitudes.
Test(bad_geometry, small_obstacles_are_not_taken_for_degrees)
{
  char text[4000] = "POLYGON ((";
  for (int i = 0; i <= 64; i++) {
    const double angle = acos(-1.0) / 32 * (i % 64);
    snprintf(text + strlen(text), 60, "%s%.7f %.7f", i ? ", " : "", 12 + 0.1 * cos(angle),
             12 + 0.1 * sin(angle));
  }
  strcat(text, "))");
  support_write("map", text);
  expect_quiet("world: {geometry: map}\n" PEOPLE);
  support_write("map", "LINESTRING (3 90.01, 3.01 90.01)");
  expect_quiet("world: {geometry: map}\n" PEOPLE);
}

Test(bad_geometry, metres_are_not_taken_for_degrees)
{
  const char *hall = "{\"type\": \"LineString\", \"coordinates\": [[0, 0], [30, 0], [30, 20]]}";
  expect_map_refused(hall, "map: the geometry spans 30 x 20 degrees: it looks like metres, but "
                           "GeoJSON without a crs is in degrees; set world.units: metres (or "
                           "degrees if it is in degrees), or \"throng:projection\": \"metres\" in "
                           "the file\n");
  expect_quiet("world: {geometry: map, units: metres}\n" PEOPLE);
  expect_quiet("world: {geometry: map, units: degrees}\n" PEOPLE);
  support_write("map", "{\"type\": \"LineString\", \"throng:projection\": \"metres\", "
                       "\"coordinates\": [[0, 0], [30, 0]]}");
  expect_quiet("world: {geometry: map}\n" PEOPLE);
}

Test(bad_geometry, without_any_shape)
{
  const char *warning = "map: world.geometry: it contains no geometry and has no effect; check how "
                        "it was made, or leave it out\n";
  expect_map_warned("{\"type\": \"FeatureCollection\", \"features\": []}", warning);
  expect_map_warned("{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", "
                    "\"properties\": null, \"geometry\": null}]}",
                    warning);
  expect_map_warned("GEOMETRYCOLLECTION EMPTY", warning);
  support_expect_refused("world: {geometry: map, geometry_is: walkable}\n" PEOPLE, NULL,
                         "map: world.geometry: it contains no polygon, so nothing would be "
                         "walkable\n");
  support_expect_warned(WORLD "obstacles: [POLYGON EMPTY]}\n" PEOPLE,
                        "x.yaml:1:45: world.obstacles[0]: it contains no geometry and has no "
                        "effect; check how it was made, or leave it out\n");
  support_expect_warned(WORLD "obstacles: ['LINESTRING (9 9, 9 12)', POINT (1 1)]}\n" PEOPLE,
                        "x.yaml:1:71: 1 points are ignored: a point is neither a wall nor an "
                        "area\n" SUPPORT_HIDDEN("60"));
  support_expect_refused(WORLD "walkable: [POINT (1 1)]}\n" PEOPLE, NULL,
                         "x.yaml:1:44: world.walkable[0]: it contains no polygon, so nothing would "
                         "be walkable\n");
}

Test(bad_geometry, outside_the_extent)
{
  support_expect_warned(
      WORLD "obstacles: ['LINESTRING (9 9, 9 12)', 'LINESTRING (30 0, 40 9)', "
            "'LINESTRING (-9 0, -1 9)']}\n" PEOPLE,
      "x.yaml:1:71: world.obstacles[1]: it lies outside world.extent and has no "
      "effect (and 1 more): it spans (30, 0) to (40, 9) m\n" SUPPORT_HIDDEN("60"));
  support_expect_refused(WORLD "walkable: ['POLYGON ((30 30, 40 30, 40 40, 30 30))']}\n" PEOPLE,
                         NULL,
                         "x.yaml:1:17: world.extent: no walkable ground lies inside; it spans (30, "
                         "30) to (40, 40) m\n");
  support_write("map", "{\"type\": \"LineString\", \"coordinates\": [[7, 43], [7, 43.01]]}");
  support_expect_warned("world: {geometry: map, extent: [1000, 1000, 1020, 1020]}\n"
                        "sources: [{area: {rectangle: [1002, 1002, 1008, 1008]}, count: 5, goal: "
                        "[1018, 1018]}]\n",
                        "map: world.geometry: it lies outside world.extent and has no effect: it "
                        "spans (0, -555.464) to (0, 555.464) m; (0, 0) m is world.centre, the "
                        "centre of the map by default\n");
}

Test(bad_geometry, repairs_are_named_in_files_and_in_the_scenario)
{
  support_expect_warned(WORLD "repair: true, obstacles: ['LINESTRING (9 9, 9 12)', "
                              "'POLYGON ((10 10, 14 14, 14 10, 10 14, 10 10))']}\n" PEOPLE,
                        "x.yaml:1:85: feature 1: the polygon crosses itself at (12.000, 12.000) m: "
                        "repaired; its area was 0 m^2 and is 8 m^2\n" SUPPORT_HIDDEN("100"));
}
