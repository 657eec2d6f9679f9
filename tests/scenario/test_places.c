// Areas, lines and points that are features of maps: as if they were typed into the scenario.
#include "support.h"

#include "fingerprint.h"
#include "hash.h"

#define HEAD                                                                                       \
  "{\"type\": \"FeatureCollection\", \"throng:projection\": \"metres\", \"features\": [\n"
#define FEATURE(properties, type, coordinates)                                                     \
  "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": {\"type\": \"" type     \
  "\", \"coordinates\": " coordinates "}}"
#define BOX(x0, y0, x1, y1)                                                                        \
  "[[[" #x0 "," #y0 "],[" #x1 "," #y0 "],[" #x1 "," #y1 "],[" #x0 "," #y1 "],[" #x0 "," #y0 "]]]"

static const char places[] = HEAD FEATURE("\"name\": \"north\", \"kind\": \"exit\", \"flow\": 2.5",
                                          "Polygon", BOX(28, 12, 30, 20)) ",\n" //
    FEATURE("\"name\": \"south\", \"kind\": \"exit\", \"flow\": null, \"level\": 1.0",
            "MultiPolygon", "[" BOX(28, 0, 30, 8) "]") ",\n" //
    FEATURE("\"name\": \"stand\", \"kind\": \"start\", \"count\": 40, \"destination\": "
            "\"{north: 2, south: 1}\"",
            "Polygon", BOX(1, 1, 15, 19)) ",\n" //
    FEATURE("\"name\": \"middle\", \"kind\": \"count\"", "LineString",
            "[[20,0],[20.5,10],[20,20]]") ",\n"                                            //
    FEATURE("\"name\": \"box\", \"kind\": \"count\"", "Polygon", BOX(18, 8, 22, 12)) ",\n" //
    FEATURE("\"name\": \"gate\", \"kind\": \"door\", \"closed\": 1", "LineString",
            "[[25,9],[25,11]]") ",\n" //
    FEATURE("\"name\": \"caf\\u00e9\", \"kind\": \"zone\", \"speed\": 0.5, \"id\": 7", "Polygon",
            BOX(16, 0, 17, 20)) ",\n" //
    FEATURE("\"name\": \"kiosk\", \"kind\": \"spot\"", "Point", "[24,4]") "]}\n";

#define WORLD                                                                                      \
  "world: {extent: [0, 0, 30, 20], places: places.geojson}\nnavigation: {model: field}\n"
#define TYPED_WORLD "world: {extent: [0, 0, 30, 20]}\nnavigation: {model: field}\n"

// The initial agents, what is measured, zones and doors, all at once.
static uint64_t everything(const char *yaml, const char *override)
{
  struct scenario *s = support_load_with(yaml, override);
  struct agents a;
  support_agents(s, &a);
  uint64_t h = HASH_START;
  for (int64_t i = 0; i < a.count; i++) {
    const struct point at = {a.x[i], a.y[i]};
    h = hash_bytes(h, &at, sizeof at);
    h = hash_bytes(h, &a.destination[i], sizeof *a.destination);
    h = hash_bytes(h, &a.goal_x[i], sizeof *a.goal_x);
    h = hash_bytes(h, &a.goal_y[i], sizeof *a.goal_y);
  }
  for (int i = 0; i < s->destination_count; i++) {
    h = hash_bytes(h, s->destination_names[i], strlen(s->destination_names[i]));
    h = hash_bytes(h, s->world.fields[i].time,
                   (size_t)nav_grid_cell_count(&s->world.nav_grid) * sizeof *s->world.fields->time);
  }
  for (int i = 0; i < s->measure.line_count; i++) {
    const struct measure_line *line = &s->measure.lines[i];
    h = hash_bytes(h, line->points, (size_t)line->count * sizeof *line->points);
    h = hash_bytes(h, line->name, strlen(line->name));
  }
  for (int i = 0; i < s->measure.area_count; i++)
    h = hash_bytes(h, &s->measure.areas[i].box, sizeof s->measure.areas[i].box);
  for (int i = 0; i < s->environment.door_count; i++) {
    const struct door *d = &s->environment.doors[i];
    h = hash_bytes(h, d->shape.points,
                   (size_t)d->shape.start[d->shape.count] * sizeof(struct point));
    h = hash_bytes(h, &d->closed, sizeof d->closed);
  }
  agents_destroy(&a);
  scenario_destroy(s);
  return h;
}

static const char typed[] =
    TYPED_WORLD "destinations:\n"
                "  - {name: north, flow: 2.5, areas: [{rectangle: [28, 12, 30, 20]}]}\n"
                "  - {name: south, areas: [{polygon: [[28, 0], [30, 0], [30, 8], [28, 8]]}]}\n"
                "sources:\n"
                "  - {name: stand, area: {rectangle: [1, 1, 15, 19]}, count: 40,\n"
                "     destination: {north: 2, south: 1}}\n"
                "zones: [{name: café, speed: 0.5, areas: [{rectangle: [16, 0, 17, 20]}]}]\n"
                "doors: [{name: gate, line: [[25, 9], [25, 11]], closed: true}]\n"
                "measure:\n"
                "  lines: [{name: middle, wkt: 'LINESTRING (20 0, 20.5 10, 20 20)'}]\n"
                "  areas: [{name: box, areas: [{rectangle: [18, 8, 22, 12]}]}]\n";

Test(places, layers_become_the_entries_that_one_would_type)
{
  support_write("places.geojson", places);
  const uint64_t wanted = everything(typed, NULL);
  cr_assert(wanted == everything(WORLD "destinations: [{features: {kind: exit}}]\n"
                                       "sources: [{features: {kind: start}}]\n"
                                       "zones: [{features: {kind: zone}}]\n"
                                       "doors: [{features: {kind: door}}]\n"
                                       "measure: {lines: [{features: {kind: count}}], "
                                       "areas: [{features: {kind: count}}]}\n",
                                 NULL));
}

Test(places, single_features_are_areas_and_lines)
{
  support_write("places.geojson", places);
  const char *yaml = WORLD
      "destinations:\n"
      "  - {name: north, flow: 2.5, areas: [{feature: north}]}\n"
      "  - {name: south, areas: [{feature: {kind: exit, level: 1}}]}\n"
      "sources: [{name: stand, area: {feature: stand}, count: 40, destination: {north: 2, south: "
      "1}}]\n"
      "zones: [{name: café, speed: 0.5, areas: [{feature: {file: places.geojson, name: café}}]}]\n"
      "doors: [{name: gate, line: {feature: gate}, closed: true}]\n"
      "measure:\n"
      "  lines: [{name: middle, line: {feature: middle}}]\n"
      "  areas: [{name: box, areas: [{feature: box}]}]\n";
  cr_assert(everything(typed, NULL) == everything(yaml, NULL));
}

Test(places, points_are_goals)
{
  support_write("places.geojson", places);
  cr_assert(everything("world: {extent: [0, 0, 30, 20], places: places.geojson}\n"
                       "sources: [{area: {feature: stand}, count: 9, goal: {feature: kiosk}}]\n",
                       NULL) ==
            everything("world: {extent: [0, 0, 30, 20]}\n"
                       "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 9, goal: [24, 4]}]\n",
                       NULL));
}

// QGIS writes layers with heights.
Test(places, heights_are_dropped)
{
  support_write(
      "high.geojson",
      HEAD FEATURE(
          "\"name\": \"stand\"", "MultiPolygon",
          "[[[[1,1,3.5],[15,1,-2e1],[15,19, 3 ],[1,19,3],[1,1,3.5]]]]") ","
                                                                        "{\"type\": \"Feature\", "
                                                                        "\"properties\": "
                                                                        "{\"name\": \"kiosk\"}, "
                                                                        "\"geometry\": "
                                                                        "{\"a\": 1, \"b\": 2, "
                                                                        "\"c\": 3, \"d\": \"[1, 2, "
                                                                        "3\", \"type\": \"Point\", "
                                                                        "\"coordinates\": [24, 4, "
                                                                        "100]}}]}");
  cr_assert(everything("world: {extent: [0, 0, 30, 20], places: high.geojson}\n"
                       "sources: [{area: {feature: stand}, count: 9, goal: {feature: kiosk}}]\n",
                       NULL) ==
            everything("world: {extent: [0, 0, 30, 20]}\n"
                       "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 9, goal: [24, 4]}]\n",
                       NULL));
}

// A layer for each purpose, without `world.places`.
Test(places, whole_files_are_lists)
{
  support_write("exits.geojson",
                HEAD FEATURE("\"name\": \"north\", \"flow\": 2.5", "Polygon",
                             BOX(28, 12, 30, 20)) "," FEATURE("\"name\": \"south\"", "Polygon",
                                                              BOX(28, 0, 30, 8)) "]}");
  support_write("places.geojson", places);
  const char *yaml =
      TYPED_WORLD "destinations: exits.geojson\n"
                  "sources: [{features: {file: places.geojson, kind: start}}]\n"
                  "zones: [{features: {file: places.geojson, kind: zone}}]\n"
                  "doors: [{features: {file: places.geojson, kind: door}}]\n"
                  "measure: {lines: [{features: {file: places.geojson, kind: count}}], "
                  "areas: [{features: {file: places.geojson, kind: count}}]}\n";
  cr_assert(everything(typed, NULL) == everything(yaml, NULL));
}

Test(places, one_entry_of_all_features)
{
  support_write("places.geojson", places);
  const char *sources =
      "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 40, destination: out}]\n";
  char features[600], areas[600];
  snprintf(features, sizeof features,
           WORLD "destinations: [{name: out, flow: 1, features: {kind: exit}}]\n%s", sources);
  snprintf(areas, sizeof areas,
           TYPED_WORLD "destinations: [{name: out, flow: 1, areas: [{rectangle: [28, 12, 30, 20]}, "
                       "{rectangle: [28, 0, 30, 8]}]}]\n%s",
           sources);
  cr_assert(everything(features, NULL) == everything(areas, NULL));
}

// What the entry says counts more than the properties, also as an alternative to one.
Test(places, the_scenario_counts_more_than_the_layer)
{
  support_write("places.geojson", places);
  struct scenario *s =
      support_load("world: {extent: [0, 0, 30, 20], places: places.geojson}\n"
                   "sources: [{features: {kind: start}, density: 0.1, goal: {feature: kiosk}}]\n");
  cr_assert_eq(s->agent_count, 25);
  scenario_destroy(s);
}

// The map of the walls may hold the places, too.
Test(places, features_of_the_map_itself)
{
  support_write(
      "map.geojson",
      HEAD FEATURE(
          "\"throng\": \"obstacle\", \"name\": \"pillar\"", "Polygon",
          BOX(10, 10, 11,
              11)) "," FEATURE("\"throng\": \"destination\", \"name\": \"out\", \"flow\": 3",
                               "Polygon",
                               BOX(28, 0, 30,
                                   20)) "," FEATURE("\"throng\": \"place\", \"name\": \"tape\"",
                                                    "LineString", "[[20,0],[20,20]]") "]}");
  struct scenario *s = support_load("world: {geometry: map.geojson, extent: [0, 0, 30, 20]}\n"
                                    "navigation: {model: field}\n"
                                    "destinations: [{features: {throng: destination}}]\n"
                                    "sources: [{area: {rectangle: [1, 1, 5, 5]}, count: 9, "
                                    "destination: out}]\n"
                                    "measure: {lines: [{features: {throng: place}}]}\n");
  cr_assert(s->destination_count == 1 && strcmp(s->destination_names[0], "out") == 0);
  cr_assert(s->measure.line_count == 1 && strcmp(s->measure.lines[0].name, "tape") == 0);
  cr_assert_eq(s->world.obstacles.count, 4); // the line is no wall
  scenario_destroy(s);
}

// One file as the map and as places; a map that is named as the file of a feature.
Test(places, the_map_as_a_file_of_places)
{
  const char *lists[] = {"{feature: tape}", "{feature: {file: map.geojson, name: tape}}"};
  const char *more[] = {", places: map.geojson", ""};
  support_write("map.geojson", HEAD FEATURE("\"throng\": \"place\", \"name\": \"tape\"",
                                            "LineString", "[[20,0],[20,20]]") "]}");
  for (int i = 0; i < 4; i++) {
    char yaml[400];
    snprintf(yaml, sizeof yaml,
             "world: {geometry: map.geojson, extent: [0, 0, 30, 20]%s}\n"
             "sources: [{area: {rectangle: [1, 1, 5, 5]}, count: 9, goal: [9, 9]}]\n"
             "measure: {lines: [{name: a, line: %s}, {features: map.geojson}]}\n",
             more[i / 2], lists[i % 2]);
    struct scenario *s = support_load(yaml);
    cr_assert_eq(s->measure.line_count, 2);
    scenario_destroy(s);
  }
}

Test(places, set_finds_entries_as_written_and_as_made)
{
  support_write("places.geojson", places);
  const char *yaml = WORLD "destinations: [{features: {kind: exit}}]\n"
                           "sources: [{features: {kind: start}}]\n";
  const char *const overrides[] = {"sources.stand.count=7", "sources.0.count=7"};
  for (int i = 0; i < 2; i++) {
    struct scenario *s = support_load_with(yaml, overrides[i]);
    cr_assert_eq(s->agent_count, 7, "%s", overrides[i]);
    scenario_destroy(s);
  }
  support_expect_refused(yaml, "sources.stnad.count=7",
                         "--set sources.stnad.count=7: there is no item stnad in a list of 1\n");
}

// A checkpoint does not fit other places; a replay may measure others.
Test(places, the_fingerprint_covers_the_places)
{
  const char *base = "world: {extent: [0, 0, 30, 20]}\n"
                     "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 9, goal: [24, 4]}]\n";
  const char *measured = "world: {extent: [0, 0, 30, 20]}\n"
                         "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 9, goal: [24, 4]}]\n"
                         "measure: {lines: [{features: {file: places.geojson, kind: count}}]}\n";
  const char *placed = "world: {extent: [0, 0, 30, 20], places: places.geojson}\n"
                       "sources: [{area: {feature: stand}, count: 9, goal: [24, 4]}]\n";
  char *prints[4], difference[200];
  const char *const yamls[] = {base, measured, placed, placed};
  for (int i = 0; i < 4; i++) {
    char *other = strdup(places);
    *(strstr(other, "\"id\": 7") + 6) = i == 3 ? '8' : '7';
    support_write("places.geojson", other);
    free(other);
    struct scenario *s = support_load(yamls[i]);
    prints[i] = scenario_fingerprint(s);
    scenario_destroy(s);
  }
  cr_assert(fingerprint_differs(prints[0], prints[1], false, difference, sizeof difference));
  cr_assert(!fingerprint_differs(prints[0], prints[1], true, difference, sizeof difference), "%s",
            difference);
  cr_assert(fingerprint_differs(prints[2], prints[3], true, difference, sizeof difference));
  cr_assert(strstr(difference, "contents of the places in places.geojson"), "%s", difference);
  for (int i = 0; i < 4; i++)
    memory_destroy(prints[i]);
}

// --------------------------------------------------------------------------------- messages

#define SOURCES "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 9, goal: [24, 4]}]\n"

static void expect_refused(const char *yaml, const char *line)
{
  support_write("places.geojson", places);
  support_expect_refused(yaml, NULL, line);
}

Test(places, what_is_not_found_is_named)
{
  expect_refused(
      WORLD SOURCES "destinations: [{name: a, areas: [{feature: nroth}]}]\n",
      "x.yaml:4:34: destinations[0].areas[0]: no feature is named \"nroth\"; did you mean "
      "north?\n");
  expect_refused(
      WORLD SOURCES "destinations: [{name: a, areas: [{feature: {knid: exit}}]}]\n",
      "x.yaml:4:34: destinations[0].areas[0]: no feature has a property \"knid\"; did you "
      "mean kind?\n");
  expect_refused(
      WORLD SOURCES "destinations: [{features: {kind: exits}}]\n",
      "x.yaml:4:27: destinations[0].features: no feature has kind: \"exits\"; did you mean "
      "exit?\n");
  expect_refused(WORLD SOURCES "destinations: [{features: {kind: exit, name: stand}}]\n",
                 "x.yaml:4:27: destinations[0].features: no feature has all of these properties\n");
  expect_refused(WORLD SOURCES "destinations: [{features: {name: middle}}]\n",
                 "x.yaml:4:27: destinations[0].features: a polygon is expected, but "
                 "places.geojson:5:1 is a line\n");
  expect_refused(
      "world: {extent: [0, 0, 30, 20], places: places.geojson}\n" SOURCES
      "measure: {lines: [{name: a, line: {feature: box}}]}\n",
      "x.yaml:3:45: measure.lines[0].line: a line is expected, but places.geojson:6:1 is a "
      "polygon\n");
  expect_refused("world: {extent: [0, 0, 30, 20], places: places.geojson}\n" SOURCES
                 "measure: {lines: [{name: a, line: {feature: {file: "
                 "places.geojson}}}]}\n",
                 "x.yaml:3:45: measure.lines[0].line: 2 lines have these properties, but one is "
                 "expected\n");
  expect_refused(
      "world: {extent: [0, 0, 30, 20]}\ndoors: [{name: d, line: [[1, 1], [2, 2]]}]\n" SOURCES
      "events: [{area: {feature: north}, count_above: 2, open: [d]}]\n",
      "x.yaml:4:17: events[0].area: there is no map with named features: world.places "
      "gives one, or world.geometry with features whose property throng is area\n");
}

Test(places, bad_files_of_places)
{
  expect_refused("world: {extent: [0, 0, 30, 20], places: [nowhere.geojson]}\n" SOURCES,
                 "x.yaml:1:42: world.places: cannot read \"nowhere.geojson\": No such file or "
                 "directory\n");
  expect_refused("world: {places: {a: b.geojson}}\n" SOURCES,
                 "x.yaml:1:17: world.places: a list of texts is expected, not a section\n");
  expect_refused("destinations: [{features: exit}]\n" SOURCES,
                 "x.yaml:1:27: features (a file, or {property: value}): cannot read \"exit\": No "
                 "such file or directory\n");
  expect_refused("destinations: nowhere.geojson\n" SOURCES,
                 "x.yaml:1:15: destinations: cannot read \"nowhere.geojson\": No such file or "
                 "directory\n");
  support_write("cut.geojson", "{\"type\": \"FeatureCollection\", \"features\": [\n{\"type\": ");
  expect_refused("world: {extent: [0, 0, 30, 20], places: cut.geojson}\n" SOURCES,
                 "cut.geojson:2:10: not JSON: unexpected end of the text\n");
  support_write("a.wkt", "POINT (1 1)\n");
  expect_refused("world: {extent: [0, 0, 30, 20], places: a.wkt}\n" SOURCES,
                 "a.wkt: places are read from GeoJSON, which begins with {\n");
  support_write("bow.geojson", HEAD "\n" FEATURE("\"name\": \"bow\"", "Polygon",
                                                 "[[[0,0],[4,4],[4,0],[0,4],[0,0]]]") "]}");
  expect_refused("world: {extent: [0, 0, 30, 20], places: bow.geojson}\n" SOURCES,
                 "bow.geojson:3:1: feature 1: the polygon crosses itself at (2.000, 2.000) m\n");
}

Test(places, bad_properties_are_named_by_their_place_in_the_map)
{
  support_write("a.geojson", HEAD FEATURE("\"name\": \"a\", \"flow\": \"much\"", "Polygon",
                                          BOX(1, 1, 2, 2)) "]}");
  expect_refused("destinations: a.geojson\n" SOURCES,
                 "a.geojson:2:1: destinations[0].flow: \"much\" is not a number\n");
  support_write("a.geojson", HEAD FEATURE("\"Name\": \"a\"", "Polygon", BOX(1, 1, 2, 2)) "]}");
  expect_refused(
      "destinations: a.geojson\n" SOURCES,
      "a.geojson:2:1: destinations[0].features: feature 1: a property \"name\" is "
      "expected, or a name in the entry, which then stands for all features; did you mean "
      "Name?\n");
  support_write("a.geojson",
                HEAD FEATURE("\"name\": \"a\", \"flow\": 1", "Polygon",
                             BOX(1, 1, 2, 2)) ",\n" FEATURE("\"name\": \"a\", \"flow\": 2",
                                                            "Polygon", BOX(5, 1, 6, 2)) "]}");
  expect_refused("destinations: a.geojson\n" SOURCES,
                 "a.geojson:3:1: destinations[0].features: the features of \"a\" differ in their "
                 "property \"flow\"\n");
  support_write("a.geojson", HEAD FEATURE("\"name\": \"far\"", "Polygon", BOX(91, 1, 92, 2)) "]}");
  expect_refused("world: {extent: [0, 0, 30, 20]}\nmeasure: {areas: a.geojson}\n" SOURCES,
                 "a.geojson:2:1: measure.areas[0].areas[0]: the area lies outside world.extent\n");
}
