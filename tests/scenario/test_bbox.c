// The member `bbox` of a map: it is the world and the middle of the projection, so that what is
// added to the map moves nothing. Streets and labels are only drawn.
#include "support.h"

#define PEOPLE "sources: [{area: {rectangle: [-9, -9, -1, -1]}, count: 5, goal: [-5, -5]}]\n"
#define HOUSE                                                                                      \
  ",\n{\"type\":\"Feature\",\"properties\":{%s},\"geometry\":{\"type\":\"%s\",\"coordinates\":%s}" \
  "}"

static void map_write(const char *head, const char *more)
{
  char text[3000];
  snprintf(
      text, sizeof text,
      "{\"type\":\"FeatureCollection\",%s\"features\":[\n{\"type\":\"Feature\","
      "\"properties\":null,\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[7.421,43.741],"
      "[7.422,43.741],[7.422,43.742],[7.421,43.741]]]}}%s\n]}",
      head, more);
  support_write("a.geojson", text);
}

// Width and height of the world, m.
static void world_size(const struct scenario *s, double *width, double *height)
{
  *width = s->extent.hi[0] - s->extent.lo[0];
  *height = s->extent.hi[1] - s->extent.lo[1];
}

#define BOX "\"bbox\":[7.41,43.73,7.43,43.75],"

static struct scenario *load_map(const char *head, const char *more)
{
  map_write(head, more);
  return support_load("world: {geometry: a.geojson, margin: 0}\n" PEOPLE);
}

Test(bbox, the_world_is_the_box_and_not_the_outermost_wall)
{
  double width, height;
  struct scenario *s = load_map(BOX, "");
  world_size(s, &width, &height);
  cr_assert_float_eq(s->projection.longitude, 7.42, 1e-12);
  cr_assert_float_eq(s->projection.latitude, 43.74, 1e-12);
  cr_assert_float_eq(width, 0.02 * s->projection.east, 0.01, "%g", width);
  cr_assert_float_eq(height, 0.02 * s->projection.north, 0.01, "%g", height);
  scenario_destroy(s);
  s = load_map("\"bbox\":[7.41,43.73,-3,7.43,43.75,90],", ""); // with heights
  cr_assert_float_eq(s->projection.longitude, 7.42, 1e-12);
  scenario_destroy(s);
  s = load_map("\"bbox\":null,", "");
  cr_assert_float_eq(s->projection.longitude, 7.4215, 1e-12);
  scenario_destroy(s);
}

static bool has_corner(const struct scenario *s, struct point p)
{
  for (int64_t i = 0; i < s->walls.start[s->walls.count]; i++)
    if (s->walls.points[i].x == p.x && s->walls.points[i].y == p.y)
      return true;
  return false;
}

Test(bbox, what_is_added_within_it_moves_nothing)
{
  static const char *const added[][3] = {
      {"", "Polygon", "[[[7.412,43.732],[7.413,43.732],[7.413,43.733],[7.412,43.732]]]"},
      {"\"throng\":\"area\",\"name\":\"x\"", "Polygon",
       "[[[7.412,43.732],[7.413,43.732],[7.413,43.733],[7.412,43.732]]]"},
      {"\"throng\":\"street\"", "MultiLineString",
       "[[[7.42,43.74],[7.425,43.74]],[[7.42,43.73],[7.43,43.75]]]"}};
  struct scenario *s = load_map(BOX, "");
  for (int i = 0; i < 3; i++) {
    char more[400];
    snprintf(more, sizeof more, HOUSE, added[i][0], added[i][1], added[i][2]);
    struct scenario *t = load_map(BOX, more);
    cr_assert_eq(memcmp(&t->projection, &s->projection, sizeof s->projection), 0, "%d", i);
    cr_assert_eq(memcmp(&t->extent, &s->extent, sizeof s->extent), 0, "%d", i);
    for (int k = 0; k < 3; k++)
      cr_assert(has_corner(t, s->walls.points[k]), "%d", i);
    cr_assert_eq(t->walls.count, i ? 1 : 2);
    scenario_destroy(t);
  }
  scenario_destroy(s);
}

Test(bbox, what_lies_outside_widens_the_world_and_moves_nothing)
{
  char more[400];
  double width, height;
  snprintf(more, sizeof more, HOUSE, "", "Polygon",
           "[[[7.438,43.742],[7.44,43.742],[7.44,43.743],[7.438,43.742]]]");
  struct scenario *s = load_map(BOX, more);
  world_size(s, &width, &height);
  cr_assert_float_eq(s->projection.longitude, 7.42, 1e-12);
  cr_assert_float_eq(width, 0.03 * s->projection.east, 0.01, "%g", width);
  scenario_destroy(s);
}

Test(bbox, streets_and_labels_are_only_drawn)
{
  char more[900], *end = more;
  end += snprintf(end, 400, HOUSE, "\"throng\":\"street\",\"name\":\"far\"", "LineString",
                  "[[9,44],[9.1,44]]");
  snprintf(end, 400, HOUSE, "\"throng\":\"label\",\"name\":\"far\"", "Point", "[9,44]");
  struct scenario *s = load_map("", ""), *t = load_map("", more);
  cr_assert_eq(memcmp(&t->projection, &s->projection, sizeof s->projection), 0);
  cr_assert_eq(memcmp(&t->extent, &s->extent, sizeof s->extent), 0);
  cr_assert_eq(t->walls.count, 1);
  scenario_destroy(s);
  scenario_destroy(t);
}

Test(bbox, metres_have_a_box_too)
{
  double width, height;
  support_write("a.json", "{\"type\":\"Polygon\",\"bbox\":[-20,-10,30,40],\"coordinates\":[[[5,5],"
                          "[10,5],[10,10],[5,5]]]}");
  struct scenario *s = support_load("world: {geometry: a.json, units: metres, margin: 2}\n" PEOPLE);
  world_size(s, &width, &height);
  cr_assert(width == 54 && height == 54, "%g x %g", width, height);
  cr_assert(!s->projected);
  scenario_destroy(s);
}

Test(bbox, places_alone_are_projected_around_their_box)
{
  support_write("p.geojson",
                "{\"type\":\"FeatureCollection\",\"bbox\":[7.41,43.73,7.43,43.75],\"features\":["
                "{\"type\":\"Feature\",\"properties\":{\"name\":\"a\"},\"geometry\":{\"type\":"
                "\"Polygon\",\"coordinates\":[[[7.412,43.732],[7.413,43.732],[7.413,43.733],"
                "[7.412,43.732]]]}}]}");
  struct scenario *s = support_load("world: {places: p.geojson}\n"
                                    "sources: [{area: {feature: a}, count: 5, offset: [1, 0]}]\n");
  cr_assert_float_eq(s->projection.longitude, 7.42, 1e-12);
  cr_assert_float_eq(s->projection.latitude, 43.74, 1e-12);
  scenario_destroy(s);
}

// ------------------------------------------------------------------------------------ mistakes

static void expect_refused(const char *head, const char *more, const char *line)
{
  map_write(head, more);
  support_expect_refused("world: {geometry: a.geojson}\n" PEOPLE, NULL, line);
}

Test(bbox, a_wrong_box_is_named)
{
  const char *const four = "a.geojson:1:36: bbox: four numbers are expected: [west, south, east, "
                           "north]\n";
  expect_refused("\"bbox\":[7.41,43.73,7.43],", "", four);
  expect_refused("\"bbox\":[7.41,43.73,7.43,43.75,1],", "", four);
  expect_refused("\"bbox\":[7.41,43.73,7.43,\"43.75\"],", "", four);
  expect_refused("\"bbox\":\"7.41,43.73,7.43,43.75\",", "", four);
  expect_refused("\"bbox\":[7.41,43.73,7.43,1e999],", "", four);
  expect_refused("\"bbox\":[7.43,43.73,7.41,43.75],", "",
                 "a.geojson:1:36: bbox: west <= east and south <= north are expected in [west, "
                 "south, east, north]\n");
  expect_refused("\"bbox\":[-180,-90,180,90],", "",
                 "a.geojson:1:36: bbox: longitudes within 180 and latitudes within 85 degrees are "
                 "expected, as in the coordinates\n");
  expect_refused("\"bbox\":[43.73,7.41,43.75,7.43],", "",
                 "a.geojson:1:36: bbox: nothing of the map lies in it: the map spans (7.421, "
                 "43.741) to (7.422, 43.742) degrees; x comes before y: did you mean [7.41, 43.73, "
                 "7.43, 43.75]?\n");
  expect_refused("\"bbox\":[8.41,43.73,8.43,43.75],", "",
                 "a.geojson:1:36: bbox: nothing of the map lies in it: the map spans (7.421, "
                 "43.741) to (7.422, 43.742) degrees\n");
}

Test(bbox, the_map_of_a_run_is_no_map_of_walls)
{
  char more[400];
  snprintf(more, sizeof more, HOUSE, "\"role\":\"ground\"", "Polygon",
           "[[[7.412,43.732],[7.413,43.732],[7.413,43.733],[7.412,43.732]]]");
  expect_refused("", more,
                 "a.geojson:3:1: feature 2: \"role\": \"ground\": this is the picture that a run "
                 "makes of its map; world.geometry needs the map that the run was made of\n");
}

Test(bbox, a_street_is_a_line_and_a_label_a_point)
{
  char more[400];
  snprintf(more, sizeof more, HOUSE, "\"throng\":\"street\"", "Polygon",
           "[[[7.412,43.732],[7.413,43.732],[7.413,43.733],[7.412,43.732]]]");
  expect_refused("", more, "a.geojson:3:1: feature 2: a line is expected of throng: street\n");
  snprintf(more, sizeof more, HOUSE, "\"throng\":\"label\"", "LineString", "[[7.4,43],[7.5,43]]");
  expect_refused("", more, "a.geojson:3:1: feature 2: a point is expected of throng: label\n");
}
