// What a map means is kept when its polygons are repaired, its rings closed and its lines of one
// point left out; and all of that is said.
#include "support.h"

#define PEOPLE "sources: [{area: {rectangle: [-9, -6, -2, 6]}, count: 5, goal: [-5, 5]}]\n"

static double free_area(const struct scenario *s)
{
  double area = 0;
  for (int64_t l = 0; l < s->walls.count; l++)
    for (int64_t i = s->walls.start[l]; i < s->walls.start[l + 1]; i++) {
      const int64_t next = i + 1 < s->walls.start[l + 1] ? i + 1 : s->walls.start[l];
      const struct point a = s->walls.points[i], b = s->walls.points[next];
      area -= 0.5 * (support_x(s, a.x) * support_y(s, b.y) - support_x(s, b.x) * support_y(s, a.y));
    }
  return area;
}

// Walkable ground that is repaired: its area, m^2, and what is said of it.
static void expect_ground(const char *wkt, double area, const char *said)
{
  char yaml[2000];
  snprintf(yaml, sizeof yaml,
           "world: {repair: true, extent: [-12, -8, 8, 8], simplify: 0, walkable: ['%s']}\n" PEOPLE,
           wkt);
  struct diagnostics p = {0};
  support_write("x.yaml", yaml);
  struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
  cr_assert(s, "%s", p.text);
  cr_expect_float_eq(free_area(s), area, 1e-2, "%s: %g", wkt, free_area(s));
  cr_assert(p.warnings && strstr(p.warnings, said), "%s", p.warnings);
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

#define HALL "(-10 6.5, -10 -6.5, 6 -6.5, 6 6.5, -10 6.5)"

Test(mending, holes_along_an_edge_stay_walls)
{
  expect_ground("POLYGON (" HALL ", (0 6.5, 0 0.35, 2.2 0.35, 2.2 6.5, 0 6.5), "
                "(0 -6.5, 0 -0.35, 2.2 -0.35, 2.2 -6.5, 0 -6.5))",
                208 - 2 * 2.2 * 6.15, "its area was 180.94 m^2 and is 180.94 m^2\n");
  expect_ground("POLYGON (" HALL ", (0 6.5, 1 0, 2 6.5, 0 6.5))", 208 - 6.5,
                "its area was 201.5 m^2 and is 201.5 m^2\n");
  expect_ground("POLYGON (" HALL ", (-1 7.5, 0 0, 1 7.5, -1 7.5))", 208 - 0.5 * 26. / 15 * 6.5,
                "its area was 200.5 m^2 and is 202.367 m^2\n"); // crosses the edge
  expect_ground("POLYGON (" HALL ", (0 0, 2 0, 2 2, 0 2, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))", 208 - 7,
                "its area was 200 m^2 and is 201 m^2\n"); // holes that overlap
  expect_ground("MULTIPOLYGON ((" HALL ", (0 6.5, 0 0, 2 0, 2 6.5, 0 6.5)))", 208 - 13,
                "its area was 195 m^2 and is 195 m^2\n");
}

Test(mending, an_outline_over_itself_is_all_inside)
{
  expect_ground("POLYGON ((-10 -5, 0 -5, 0 5, -5 5, -5 -7, -2 -7, -2 7, -10 7, -10 -5))",
                10 * 10 + 3 * 2 + 8 * 2, "m: repaired; its area was ");
}

Test(mending, of_an_outline_in_degrees_is_told_in_square_metres)
{
  support_write("map",
                "{\"type\": \"Polygon\", \"coordinates\": [[[7, 43], [7.001, 43.001], [7.001, "
                "43], [7, 43.001], [7, 43]]]}");
  support_expect_warned(
      "world: {geometry: map, repair: true, extent: [-60, -60, 60, 60]}\n"
      "sources: [{area: {rectangle: [-59, -59, -50, -57]}, count: 5, goal: [-55, 58]}]\n",
      "map:1:1: feature 1: the polygon crosses itself at (7.0005000, 43.0005000) degrees: "
      "repaired; "
      "its area was 0 m^2 and is 4529.27 m^2\n");
}

Test(mending, many_repairs_are_counted)
{
  char text[4000] = "";
  for (int i = 0; i < 23; i++)
    snprintf(text + strlen(text), 100, "POLYGON ((%d 0, %d 1, %d 0, %d 1, %d 0))\n", 2 * i,
             2 * i + 1, 2 * i + 1, 2 * i, 2 * i);
  support_write("map", text);
  struct diagnostics p = {0};
  support_write("x.yaml",
                "world: {geometry: map, repair: true, extent: [-12, -8, 50, 8]}\n" PEOPLE);
  struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
  cr_assert(s && strstr(p.warnings, "feature 20: ") && !strstr(p.warnings, "feature 21: "));
  cr_assert(strstr(p.warnings, "map: further invalid polygons repaired: 3\n"), "%s", p.warnings);
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

// -------------------------------------------------------------------------- rings and lines

#define WORLD  "world: {geometry: map, extent: [-12, -8, 8, 8], units: metres}\n"
#define CLOSED "map: rings closed whose first and last points are not the same, but within 1 mm: "

static void expect_said(const char *map, const char *said)
{
  support_write("map", map);
  support_expect_warned(WORLD PEOPLE, said);
}

Test(mending, rings_that_are_open_by_less_than_a_millimetre_are_closed)
{
  expect_said("{\"type\": \"Polygon\", \"coordinates\": [[[0,0], [5,0], [5,5], [0,5], [1e-9,0]]]}",
              CLOSED "1\n");
  expect_said("{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0,0], [5,0,1], [5,5], [0,5], "
              "[0,-0.0009,7]]], [[[6, 6], [7, 6], [7, 7], [6.0000001, 6]]]]}",
              CLOSED "2\n");
  expect_said("{\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"Point\", "
              "\"coordinates\": [1, 1]}, {\"type\": \"Polygon\", \"coordinates\": [[[0,0], [5,0], "
              "[5,5], [0,5], [0,0]], [[1,1], [2, 1], [2, 2], [1, 1.000001]]]}]}",
              "map: 1 points are ignored: a point is neither a wall nor an area\n" CLOSED "1\n");
  expect_said("POLYGON ((0 0, 5 0, 5 5, 0 5, 1e-9 0))", CLOSED "1\n");
  expect_said(
      "MULTIPOLYGON Z (((0 0 1, 5 0 1, 5 5 1, 0 5 2, -1e-9 1e-9 3)), ((6 6 0, 7 6 0, 7 7 0, "
      "6 6 0)))",
      CLOSED "1\n");
  support_write("map", "POLYGON ((0 0, 5 0, 5 5, 0 5, 0.0011 0))");
  support_expect_refused(WORLD PEOPLE, NULL,
                         "map:1:1: not WKT: Points of LinearRing do not form a closed "
                         "linestring\n");
  support_write("map", "{\"type\": \"Polygon\", \"coordinates\": [[[7, 43], [7.001, 43], [7.001, "
                       "43.001], [7.000000009, 43.000000009]]]}");
  support_expect_warned("world: {geometry: map, extent: [-60, -60, 60, 60]}\n"
                        "sources: [{area: {rectangle: [-59, 50, -50, 58]}, count: 5, goal: [-55, "
                        "58]}]\n",
                        CLOSED "1\n");
}

#define SKIPPED "map: lines skipped because all their points are the same: "

Test(mending, lines_of_one_point_are_skipped)
{
  const char *wall = "{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1]]}";
  char text[400];
  snprintf(text, sizeof text,
           "{\"type\": \"GeometryCollection\", \"geometries\": [%s, {\"type\": \"LineString\", "
           "\"coordinates\": [[3, 3]]}]}",
           wall);
  expect_said(text, SKIPPED "1\n");
  expect_said("{\"type\": \"MultiLineString\", \"coordinates\": [[[3, 3]], [[0, 0], [1, 1]], "
              "[[4, 4], [4, 4]]]}",
              SKIPPED "2\n");
  expect_said("MULTILINESTRING ((3 3), (0 0, 1 1))", SKIPPED "1\n");
  expect_said("LINESTRING (3 3)\nLINESTRING (0 0, 1 1)\nMULTILINESTRING Z ((2 2 1))",
              SKIPPED "2\n");
}
