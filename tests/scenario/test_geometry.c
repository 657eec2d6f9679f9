// Walls from shapes: union, orientation of outlines, projection.
#include "support.h"

#include "circle.h"
#include "preferred_velocity_kernel.h"
#include "random.h"
#include "spans.h"

#define PEOPLE "sources: [{area: {rectangle: [-90, -90, -80, -80]}, count: 5, goal: [-85, -85]}]\n"

// Twice the signed area of outline l, m^2.
static double area2(const struct scenario *s, int64_t l)
{
  double area = 0;
  for (int64_t i = s->walls.start[l]; i < s->walls.start[l + 1]; i++) {
    const int64_t next = i + 1 < s->walls.start[l + 1] ? i + 1 : s->walls.start[l];
    const struct point a = s->walls.points[i], b = s->walls.points[next];
    area += support_x(s, a.x) * support_y(s, b.y) - support_x(s, b.x) * support_y(s, a.y);
  }
  return area;
}

static bool solid(const struct scenario *s, double x, double y)
{
  return obstacles_solid(&s->world.obstacles, frame_point(&s->world.frame, x, y));
}

Test(geometry, adjacent_obstacles_are_merged)
{
  struct scenario *s = support_load("world:\n  obstacles:\n"
                                    "    - POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))\n"
                                    "    - POLYGON ((10 0, 10 10, 20 10, 20 0, 10 0))\n"
                                    "    - POLYGON ((5 5, 15 5, 15 8, 5 8, 5 5))\n" PEOPLE);
  cr_assert_eq(s->walls.count, 1);
  cr_assert_eq(s->walls.start[1], 4); // a point on a straight wall is not a vertex
  cr_assert_eq(s->world.obstacles.count, 4);
  cr_assert_float_eq(area2(s, 0), 400, 1e-3);
  scenario_destroy(s);
}

Test(geometry, obstacles_run_counter_clockwise_and_holes_clockwise)
{
  struct scenario *s = support_load("world: {obstacles: [\"POLYGON ((0 0, 0 10, 10 10, 10 0, 0 0), "
                                    "(2 2, 8 2, 8 8, 2 8, 2 2))\"]}\n" PEOPLE);
  cr_assert_eq(s->walls.count, 2);
  cr_assert_float_eq(area2(s, 0), 200, 1e-3);
  cr_assert_float_eq(area2(s, 1), -72, 1e-3);
  cr_assert(solid(s, 1, 1) && !solid(s, 5, 5) && !solid(s, -1, 5));
  scenario_destroy(s);
}

Test(geometry, walkable_ground_is_clockwise_and_solid_outside)
{
  struct scenario *s = support_load(
      "world:\n  walkable: [\"POLYGON ((-95 -95, 0 -95, 0 0, -95 0, -95 -95))\"]\n"
      "  obstacles: [\"POLYGON ((-50 -50, -40 -50, -40 -40, -50 -40, -50 -50))\"]\n" PEOPLE);
  cr_assert(s->world.obstacles.outside_solid);
  cr_assert_eq(s->walls.count, 2);
  cr_assert(area2(s, 0) < 0 && area2(s, 1) > 0);
  cr_assert(solid(s, 2, 2) && !solid(s, -10, -10) && solid(s, -45, -45));
  scenario_destroy(s);
}

Test(geometry, lines_are_walls_both_ways_and_points_are_nothing)
{
  support_write("a.wkt", "# two shapes\nLINESTRING (0 0, 5 0, 10 0, 10 10, 10 5)\nPOINT (1 1)\n");
  struct scenario *s = support_load("world: {geometry: a.wkt}\n" PEOPLE);
  cr_assert_eq(s->walls.count, 1);
  cr_assert_eq(s->walls.closed[0], 0);
  cr_assert(!solid(s, 9, 1));
  scenario_destroy(s);
  support_expect_warned("world: {geometry: a.wkt}\n" PEOPLE,
                        "a.wkt: 1 points are ignored: a point is neither a wall nor an area\n");
}

Test(geometry, shapes_smaller_than_a_quantum_are_dropped)
{
  struct scenario *s =
      support_load("world:\n  simplify: 0\n  obstacles:\n"
                   "    - POLYGON ((0 0, 1e-7 0, 1e-7 1e-7, 0 0))\n"
                   "    - POLYGON ((10 0, 20 0, 20 1e-9, 20 10, 10 10, 10 0))\n" PEOPLE);
  cr_assert_eq(s->walls.count, 1);
  cr_assert_eq(s->walls.start[1], 4);
  scenario_destroy(s);
}

Test(geometry, clipping_cuts_lie_outside_the_extent)
{
  struct scenario *s = support_load("world:\n  extent: [-100, -100, 0, 0]\n"
                                    "  obstacles: [\"POLYGON ((-10 -10, 1e6 -10, 1e6 50, -10 50, "
                                    "-10 -10))\"]\n" PEOPLE);
  cr_assert_eq(s->walls.count, 1);
  for (int64_t i = 0; i < s->walls.start[1]; i++) {
    const double x = support_x(s, s->walls.points[i].x), y = support_y(s, s->walls.points[i].y);
    cr_assert((x == -10.0 || x > 0.0) && (y == -10.0 || y > 0.0), "(%g, %g)", x, y);
  }
  cr_assert(solid(s, -1, -1));
  scenario_destroy(s);
}

Test(geometry, geojson_in_metres_says_so)
{
  const char *square = "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}}]}";
  char text[600];
  const char *heads[] = {"\"throng:projection\":\"metres\",",
                         "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":"
                         "\"urn:ogc:def:crs:EPSG::25832\"}},"};
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",%s\"features\":[{\"type\":\"Feature\","
             "\"properties\":null,\"geometry\":{\"type\":\"Polygon\",\"coordinates\":%s",
             heads[i], square);
    support_write("a.geojson", text);
    struct scenario *s = support_load("world: {geometry: a.geojson}\n" PEOPLE);
    cr_assert(!s->projected);
    cr_assert_float_eq(area2(s, 0), 200, 1e-3);
    scenario_destroy(s);
  }
}

Test(geometry, features_become_obstacles_ground_and_named_areas)
{
  support_write(
      "a.geojson",
      "{\"type\":\"FeatureCollection\",\"throng:projection\":\"metres\",\"features\":["
      "{\"type\":\"Feature\",\"properties\":{\"throng\":\"walkable\"},\"geometry\":{\"type\":"
      "\"Polygon\",\"coordinates\":[[[0,0],[50,0],[50,50],[0,50],[0,0]]]}},"
      "{\"type\":\"Feature\",\"properties\":{\"throng\":\"obstacle\"},\"geometry\":{\"type\":"
      "\"MultiPolygon\",\"coordinates\":[[[[20,20],[30,20],[30,30],[20,30],[20,20]]],"
      "[[[40,40],[45,40],[45,45],[40,45],[40,40]]]]}},"
      "{\"type\":\"Feature\",\"properties\":null,\"geometry\":null},"
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"gate\",\"throng\":\"destination\"},"
      "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[5,0],[5,5],[0,5],[0,0]]]}}]}");
  const char *yaml = "world: {geometry: a.geojson}\nnavigation: {model: field}\n"
                     "destinations: [{name: out, areas: [{feature: %s}]}]\n"
                     "sources: [{area: {rectangle: [10, 10, 48, 48]}, count: 50, destination: "
                     "out}]\n";
  char text[400];
  snprintf(text, sizeof text, yaml, "gate");
  struct scenario *s = support_load(text);
  cr_assert(s->world.obstacles.outside_solid && solid(s, 25, 25) && solid(s, 42, 42));
  cr_assert_eq(s->walls.count, 3);
  cr_assert(arrival_reached(&s->world, 0, frame_point(&s->world.frame, 2, 2), 0));
  scenario_destroy(s);
  snprintf(text, sizeof text, yaml, "gaet");
  support_expect_refused(text, NULL,
                         "x.yaml:3:36: destinations[0].areas[0]: no feature is named "
                         "\"gaet\"; did you mean gate?\n");
}

// Geodesic lengths on the WGS84 ellipsoid at latitude 43.74: a degree of latitude is
// 111,100.1 m, one of longitude 80,540.4 m there (series of the meridian arc and N cos).
Test(geometry, degrees_become_metres)
{
  support_write("a.geojson",
                "{\"type\":\"LineString\",\"coordinates\":[[7.414,43.735],[7.426,43.735],"
                "[7.426,43.745]]}");
  struct scenario *s = support_load("world: {geometry: a.geojson, simplify: 0}\n"
                                    "sources: [{area: {rectangle: [-9, -9, -1, -1]}, count: 5, "
                                    "goal: [-5, -5]}]\n");
  cr_assert(s->projected);
  cr_assert_float_eq(s->projection.longitude, 7.42, 1e-12);
  cr_assert_float_eq(s->projection.latitude, 43.74, 1e-12);
  const struct point *p = s->walls.points;
  const double latitude = 43.74 * acos(-1.0) / 180, degree = acos(-1.0) / 180;
  const double metres_north = 111132.954 - 559.822 * cos(2 * latitude) + 1.175 * cos(4 * latitude);
  const double e2 = 0.00669437999014;
  const double metres_east =
      degree * 6378137.0 * cos(latitude) / sqrt(1 - e2 * sin(latitude) * sin(latitude));
  const double east = support_x(s, p[1].x) - support_x(s, p[0].x);
  const double north = support_y(s, p[2].y) - support_y(s, p[1].y);
  cr_assert_float_eq(east / (0.012 * metres_east), 1.0, 1e-6, "%g", east);
  cr_assert_float_eq(north / (0.01 * metres_north), 1.0, 1e-6, "%g", north);
  cr_assert_float_eq(support_x(s, p[0].x), -east / 2, 1e-3); // (0, 0) is the centre
  scenario_destroy(s);
}

Test(geometry, wkt_and_geojson_give_the_same_walls)
{
  support_write("a.wkt",
                "MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 8, 8 8, 8 2, 2 2)), "
                "((20 0, 30 0, 25 9, 20 0)))");
  support_write("a.json",
                "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[10,0],[10,10],[0,10],"
                "[0,0]],[[2,2],[2,8],[8,8],[8,2],[2,2]]],[[[20,0],[30,0],[25,9],[20,0]]]"
                "]}");
  struct scenario *a = support_load("world: {geometry: a.wkt}\n" PEOPLE);
  struct scenario *b = support_load("world: {geometry: a.json, units: metres}\n" PEOPLE);
  cr_assert(a->walls.count == 3 && b->walls.count == 3);
  cr_assert_eq(a->walls.start[3], b->walls.start[3]);
  cr_assert(memcmp(a->walls.points, b->walls.points,
                   (size_t)a->walls.start[3] * sizeof(struct point)) == 0);
  scenario_destroy(a);
  scenario_destroy(b);
}

Test(geometry, circles_are_symmetric_to_the_last_bit)
{
  for (int64_t n = 4; n < 260; n += 4)
    for (int64_t i = 0; i < n; i++) {
      double x, y, x2, y2;
      circle_point(i, n, &x, &y);
      circle_point((i + n / 4) % n, n, &x2, &y2);
      cr_assert(x2 == -y && y2 == x);
      circle_point((n - i) % n, n, &x2, &y2);
      cr_assert(x2 == x && y2 == -y);
      cr_assert_float_eq(x, cos(2 * acos(-1.0) * (double)i / (double)n), 4e-15);
    }
}

// Placement searches along the spans only, so they must cover the area.
Test(geometry, spans_hold_every_point_of_an_area_near_their_row)
{
  for (int64_t round = 0; round < 60; round++) {
    struct point points[9]; // two rings that may cross themselves
    int64_t start[3] = {0, 4, 9};
    uint8_t closed[2] = {1, 1};
    for (int64_t i = 0; i < 9; i++) {
      const struct random4 r = random_words(8, round, i, RANDOM_TEST);
      points[i] = (struct point){(int32_t)(r.word[0] % 200), (int32_t)(r.word[1] % 200)};
    }
    const struct outlines area = {2, start, points, closed};
    struct obstacles inside;
    obstacles_create(&inside, &area, false);
    struct spans spans = {0};
    for (int64_t y = -10; y < 210; y += 13) {
      spans_find(&spans, &area, y, 5);
      for (int32_t x = -2; x < 202; x++)
        for (int32_t at = (int32_t)y - 5; at <= y + 5; at++) {
          bool covered = false;
          for (int64_t k = 0; k < spans.count; k++)
            covered = covered || (x >= spans.list[k].lo && x <= spans.list[k].hi);
          cr_assert(covered || !obstacles_solid(&inside, (struct point){x, at}), "(%d, %d)", x, at);
        }
      for (int64_t k = 1; k < spans.count; k++)
        cr_assert(spans.list[k - 1].hi < spans.list[k].lo);
    }
    spans_destroy(&spans);
    obstacles_destroy(&inside);
  }
}
