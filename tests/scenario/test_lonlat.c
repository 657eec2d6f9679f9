// Coordinates in longitude and latitude, wherever a coordinate may stand.
#include "support.h"

#include "projection.h"

// A town of about 700 x 1100 m with a house; (0, 0) m is 8.005 E 50.005 N.
#define MAP                                                                                        \
  "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {},"   \
  " \"geometry\": {\"type\": \"MultiPolygon\", \"coordinates\": [" //
#define TOWN                                                                                       \
  MAP "[[[8,50],[8.0001,50],[8.0001,50.0001],[8,50]]],"                                            \
      "[[[8.01,50.01],[8.0099,50.01],[8.0099,50.0099],[8.01,50.01]]]]}}]}"
#define WORLD  "world: {geometry: town.geojson}\n"
#define CENTRE 8.005, 50.005

static void in_metres(double longitude, double latitude, double out[2])
{
  const struct projection to = projection_create(CENTRE);
  out[0] = longitude;
  out[1] = latitude;
  projection_apply(&to, &out[0], &out[1]);
}

static uint64_t agents_of(const char *yaml)
{
  support_write("town.geojson", TOWN);
  struct scenario *s = support_load(yaml);
  struct agents a;
  support_agents(s, &a);
  uint64_t h = 0;
  for (int64_t i = 0; i < a.count; i++) {
    const int32_t words[] = {a.x[i], a.y[i], a.goal_x[i], a.goal_y[i]};
    for (int k = 0; k < 4; k++)
      h = 31 * h + (uint32_t)words[k];
  }
  agents_destroy(&a);
  scenario_destroy(s);
  return h;
}

Test(lonlat, points_and_areas_are_those_in_metres)
{
  double lo[2], hi[2], goal[2];
  char typed[900];
  in_metres(8.003, 50.004, lo);
  in_metres(8.004, 50.005, hi);
  in_metres(8.006, 50.006, goal);
  snprintf(typed, sizeof typed,
           WORLD "sources: [{area: {rectangle: [%.17g, %.17g, %.17g, %.17g]}, count: 9,"
                 " goal: [%.17g, %.17g]}]\n",
           lo[0], lo[1], hi[0], hi[1], goal[0], goal[1]);
  const uint64_t wanted = agents_of(typed);
#define SOURCE(area) "sources: [{area: " area ", count: 9, goal: {lonlat: [8.006, 50.006]}}]\n"
  const char *const same[] = {
      WORLD SOURCE("{rectangle: {lonlat: [8.003, 50.004, 8.004, 50.005]}}"),
      WORLD SOURCE("{polygon: {lonlat: [[8.003, 50.004], [8.004, 50.004], [8.004, 50.005], [8.003, "
                   "50.005]]}}"),
      WORLD SOURCE("{polygon: [{lonlat: [8.003, 50.004]}, {lonlat: [8.004, 50.004]}, {lonlat: "
                   "[8.004, 50.005]}, {lonlat: [8.003, 50.005]}]}"),
      WORLD SOURCE("{wkt: {lonlat: 'POLYGON ((8.003 50.004, 8.004 50.004, 8.004 50.005, 8.003 "
                   "50.005, 8.003 50.004))'}}")};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    cr_expect(agents_of(same[i]) == wanted, "%s", same[i]);
}

Test(lonlat, a_circle_has_its_radius_in_metres)
{
  double centre[2];
  char typed[400];
  in_metres(8.003, 50.004, centre);
  snprintf(typed, sizeof typed,
           WORLD "sources: [{area: {circle: [%.17g, %.17g, 12]}, count: 9, goal: [0, 0]}]\n",
           centre[0], centre[1]);
  cr_assert(agents_of(typed) ==
            agents_of(WORLD "sources: [{area: {circle: {lonlat: [8.003, 50.004, 12]}}, count: 9, "
                            "goal: [0, 0]}]\n"));
}

Test(lonlat, lines_and_the_extent)
{
  support_write("town.geojson", TOWN);
  struct scenario *s = support_load(
      "world: {geometry: town.geojson, extent: {lonlat: [8.001, 50.001, 8.009, 50.009]}}\n"
      "navigation: {model: field, cell: 2}\n"
      "doors: [{name: d, line: {lonlat: [[8.004, 50.004], [8.004, 50.0041]]}}]\n"
      "destinations: [{name: out, areas: [{border: 5}]}]\n"
      "sources: [{area: {circle: {lonlat: [8.003, 50.004, 12]}}, count: 9, destination: out}]\n"
      "measure: {lines: [{name: a, from: {lonlat: [8.003, 50.003]}, to: [0, 0]},\n"
      "                  {name: b, line: [{lonlat: [8.003, 50.003]}, [0, 0]]}]}\n");
  double lo[2], door[2], end[2];
  in_metres(8.001, 50.001, lo);
  in_metres(8.004, 50.0041, door);
  in_metres(8.003, 50.003, end);
  cr_assert_float_eq(support_x(s, s->world.bounds.lo.x), lo[0], 1e-3);
  cr_assert_float_eq(support_y(s, s->world.bounds.lo.y), lo[1], 1e-3);
  const struct point *at = s->environment.doors[0].shape.points;
  cr_assert_float_eq(support_y(s, at[1].y), door[1], 1e-3);
  for (int i = 0; i < 2; i++) {
    const struct measure_line *line = &s->measure.lines[i];
    cr_assert_eq(line->count, 2);
    cr_assert_float_eq(support_x(s, line->points[0].x), end[0], 1e-3);
    cr_assert_float_eq(support_x(s, line->points[1].x), 0, 1e-3);
  }
  cr_assert(memcmp(s->measure.lines[0].points, s->measure.lines[1].points,
                   2 * sizeof(struct point)) == 0);
  scenario_destroy(s);
}

// The same projection for the walls and for the places.
Test(lonlat, places_in_degrees_are_those_that_are_typed)
{
  support_write("places.geojson",
                MAP "[[[8.003,50.004],[8.004,50.004],[8.004,50.005],[8.003,50.005],"
                    "[8.003,50.004]]]]}},"
                    "{\"type\": \"Feature\", \"properties\": {\"name\": \"goal\"}, \"geometry\": "
                    "{\"type\": \"Point\", \"coordinates\": [8.006,50.006]}}]}");
  cr_assert(agents_of("world: {geometry: town.geojson, places: places.geojson}\n"
                      "sources: [{area: {feature: {}}, count: 9, goal: {feature: goal}}]\n") ==
            agents_of(WORLD SOURCE("{rectangle: {lonlat: [8.003, 50.004, 8.004, 50.005]}}")));
}

Test(lonlat, the_centre_alone_is_a_projection)
{
  support_write("places.geojson",
                MAP "[[[8.003,50.004],[8.004,50.004],[8.004,50.005],[8.003,50.005],"
                    "[8.003,50.004]]]]}}]}");
  struct scenario *s = support_load(
      "world: {centre: [8.005, 50.005], places: places.geojson}\n" SOURCE("{feature: {}}"));
  cr_assert(s->projected);
  cr_assert_float_eq(s->projection.longitude, 8.005, 1e-12);
  scenario_destroy(s);
  s = support_load(
      "world: {places: places.geojson}\n"
      "sources: [{area: {feature: {}}, count: 9, goal: {lonlat: [8.0035, 50.0045]}}]\n");
  cr_assert(s->projected);
  cr_assert_float_eq(s->projection.longitude, 8.0035, 1e-9);
  scenario_destroy(s);
}

Test(lonlat, columns_of_the_table_of_agents)
{
  support_write("town.geojson", TOWN);
  support_write("a.csv",
                "id,lon,lat,goal_lon,goal_lat\n1,8.003,50.004,8.006,50.006\n2,8.004,50.005,,\n");
  struct scenario *s = support_load("world: {geometry: town.geojson}\nagents: a.csv\n");
  struct agents a;
  double at[2], goal[2];
  support_agents(s, &a);
  in_metres(8.003, 50.004, at);
  in_metres(8.006, 50.006, goal);
  cr_assert(a.x[0] == frame_point(&s->world.frame, at[0], at[1]).x);
  cr_assert(a.y[0] == frame_point(&s->world.frame, at[0], at[1]).y);
  cr_assert(a.goal_y[0] == frame_point(&s->world.frame, goal[0], goal[1]).y);
  agents_destroy(&a);
  scenario_destroy(s);
  support_write("a.csv", "id,x,lat\n1,2,50\n");
  support_expect_refused(
      "world: {geometry: town.geojson}\nagents: a.csv\n", NULL,
      "a.csv:1:1: lon and lat go together, instead of x and y; so do goal_lon and "
      "goal_lat\n");
  support_write("a.csv", "id,lon,lat\n1,8.003,50.004\n2,50.004,8.003\n");
  support_expect_refused(
      "world: {geometry: town.geojson}\nagents: a.csv\n", NULL,
      "a.csv:3:1: lon, lat: [50.004, 8.003] lies outside the world (longitude "
      "7.98448 to 8.02552, latitude 49.99 to 50.02); longitude comes first: did you "
      "mean [8.003, 50.004]?\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\nagents: a.csv\n", NULL,
                         "a.csv:1:1: lon, lat: longitude and latitude need a map in degrees "
                         "(world.geometry), or world.centre, which is (0, 0) m\n");
}

// --------------------------------------------------------------------------------- messages

static void expect_refused(const char *yaml, const char *line)
{
  support_write("town.geojson", TOWN);
  support_expect_refused(yaml, NULL, line);
}

#define RECTANGLE "{rectangle: {lonlat: [8.003, 50.004, 8.004, 50.005]}}"

Test(lonlat, needs_a_projection)
{
  expect_refused(
      "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: {lonlat: [8, 50]}}]\n",
      "x.yaml:1:70: sources[0].goal: longitude and latitude need a map in degrees "
      "(world.geometry), or world.centre, which is (0, 0) m\n");
  support_write("places.geojson",
                MAP "[[[8.003,50.004],[8.004,50.004],[8.004,50.005],[8.003,50.004]]]]}}]}");
  expect_refused("world: {obstacles: ['POLYGON ((20 0, 22 0, 22 3, 20 0))'], places: "
                 "places.geojson}\nsources: [{area: {feature: {}}, count: 5, goal: [1, 1]}]\n",
                 "x.yaml:1:68: \"places.geojson\" is in degrees, but the walls are in metres: "
                 "world.centre must give the longitude and latitude of (0, 0) m\n");
}

Test(lonlat, lies_within_the_map)
{
  expect_refused(WORLD "sources: [{area: " RECTANGLE
                       ", count: 5, goal: {lonlat: [50.006, 8.006]}}]\n",
                 "x.yaml:2:98: sources[0].goal: [50.006, 8.006] lies outside the world (longitude "
                 "7.98448 to 8.02552, latitude 49.99 to 50.02); "
                 "longitude comes first: did you mean [8.006, 50.006]?\n");
  expect_refused(
      "world: {geometry: town.geojson, extent: {lonlat: [8.001, 50.001, 8.009, 50.009]}}\n"
      "sources: [{area: " RECTANGLE ", count: 5, goal: {lonlat: [8.0095, 50.006]}}]\n",
      "x.yaml:2:98: sources[0].goal: [8.0095, 50.006] lies outside the world (longitude 8.001 to "
      "8.009, latitude 50.001 to 50.009)\n");
  expect_refused(
      "world: {centre: [8, 50]}\n"
      "sources: [{area: " RECTANGLE ", count: 5, goal: {lonlat: [50, 95]}}]\n",
      "x.yaml:2:98: sources[0].goal: [50, 95] is not a longitude and latitude (within 180 "
      "and 85 degrees)\n");
}

Test(lonlat, other_words_are_refused)
{
  expect_refused(
      WORLD "sources: [{area: " RECTANGLE ", count: 5, goal: {latlon: [50, 8]}}]\n",
      "x.yaml:2:90: sources[0].goal: \"latlon\" says nothing about a place; numbers in m "
      "or {lonlat: ...} or {feature: ...} are expected\n");
  expect_refused(WORLD
                 "sources: [{area: {rectangle: {lonlat: [8, 50]}}, count: 5, goal: [0, 0]}]\n",
                 "x.yaml:2:39: sources[0].area: [x0, y0, x1, y1] is expected, not a list of 2\n");
  expect_refused(WORLD "sources: [{area: " RECTANGLE ", count: 5, offset: {lonlat: [8, 50]}}]\n",
                 "x.yaml:2:91: sources[0].offset: [x, y] is expected, not a section\n");
}
