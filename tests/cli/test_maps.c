// Maps on the command line: `throng check MAP`, its picture, and a run with places from a map.
#include "cli.h"

#define HEAD                                                                                       \
  "{\"type\": \"FeatureCollection\", \"attribution\": \"Map of the hall\", \"features\": [\n"
#define FEATURE(properties, type, coordinates)                                                     \
  "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": {\"type\": \"" type     \
  "\", \"coordinates\": " coordinates "}}"
#define BOX(x0, y0, x1, y1)                                                                        \
  "[[[" #x0 "," #y0 "],[" #x1 "," #y0 "],[" #x1 "," #y1 "],[" #x0 "," #y1 "],[" #x0 "," #y0 "]]]"

TestSuite(maps, .init = launch_without_leaks);

static void expect_output(const struct launched *l, const char *part)
{
  cr_expect(strstr(l->out, part), "\"%s\" is missing in\n%s%s", part, l->out, l->err);
}

static void write_hall(void)
{
  write_file("hall.geojson",
             HEAD FEATURE("\"kind\": \"wall\"", "Polygon", BOX(8, 50, 8.0001, 50.0002)) ",\n" //
             FEATURE("\"kind\": \"wall\"", "Polygon", BOX(8.0003, 50, 8.0004, 50.0002)) ",\n" //
             FEATURE("\"throng\": \"area\", \"name\": \"caf\\u00e9\"", "Polygon",
                     BOX(8.0001, 50, 8.0002, 50.0001)) ",\n" //
             FEATURE("\"throng\": \"place\", \"name\": \"tape\"", "LineString",
                     "[[8.0001,50.0001],[8.0003,50.0001]]") ",\n" //
             FEATURE("", "LineString", "[[8.0001,50.0002],[8.0003,50.0002]]") "]}\n");
}

// The picture is drawn where this machine has matplotlib, and otherwise told to be missing.
static void expect_picture(const struct launched *l, const char *path)
{
  char line[200];
  snprintf(line, sizeof line, "picture       %s\n", path);
  if (strstr(l->out, "picture       none: ")) {
    cr_log_info("%s", l->out);
    return;
  }
  expect_output(l, line);
  FILE *file = fopen(path, "rb");
  char begin[5] = "";
  cr_assert(file && fread(begin, 1, 4, file) == 4, "%s", path);
  fclose(file);
  cr_expect(memcmp(begin, "\x89PNG", 4) == 0, "%s", path);
}

Test(maps, a_map_is_described)
{
  write_hall();
  struct launched l = launch("'%s' check hall.geojson", THRONG);
  expect_success(&l);
  static const char *const parts[] = {
      "map           hall.geojson: GeoJSON, 5 features\n",
      "contents      2 obstacles, 1 wall line, 1 area, 1 line to refer to\n",
      "  kind: wall 2\n",
      "  name: café, tape\n",
      "  throng: area, place\n",
      "m: 28.6782 x 22.2458 m, 0.000638 km^2, around all that is in the file\n",
      "longitude 8.0000000 to 8.0004000, latitude 50.0000000 to 50.0002000\n",
      "projection    (0, 0) m is 8.0002000 E 50.0001000 N",
      "walkable      318.842 m^2",
      "geometry      all polygons are valid\n",
      "attribution   Map of the hall\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    expect_output(&l, parts[i]);
  expect_picture(&l, "hall-map.png");
  cr_expect(!*l.err, "%s", l.err);
  launched_destroy(&l);
}

Test(maps, a_map_is_described_once_and_drawn_elsewhere)
{
  write_hall();
  write_file("hall.wkt", "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (5 5, 9 5, 9 9, 5 9, 5 5))\n");
  struct launched l = launch_ranks(2, "'%s' check hall.geojson -o pictures", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.out, "contents") == 1, "%s", l.out);
  expect_picture(&l, "pictures/hall-map.png");
  launched_destroy(&l);
  l = launch("'%s' check hall.wkt", THRONG);
  expect_success(&l);
  expect_output(&l, "map           hall.wkt: WKT\n");
  expect_output(&l, "if people walk inside this polygon: world.geometry_is: walkable\n");
  launched_destroy(&l);
  l = launch("'%s' check hall.wkt --set world.geometry_is=walkable", THRONG);
  expect_output(&l, "walkable      584 m^2\n");
  launched_destroy(&l);
}

Test(maps, invalid_polygons_are_named_and_drawn)
{
  write_file("bow.geojson", HEAD FEATURE("", "Polygon",
                                         "[[[8,50],[8.001,50.001],[8.001,50],"
                                         "[8,50.001],[8,50]]]") "]}\n");
  struct launched l = launch("'%s' check bow.geojson", THRONG);
  expect_refusal(&l, 64, "bow.geojson:2:1: feature 1: the polygon crosses itself at");
  expect_output(&l, "geometry      1 invalid polygons: a run refuses them, world.repair: true "
                    "repairs them\n");
  expect_picture(&l, "bow-map.png");
  launched_destroy(&l);
  l = launch("'%s' check bow.geojson --set world.repair=true", THRONG);
  expect_success(&l);
  expect_output(&l, "geometry      1 invalid polygons: repaired\n");
  launched_destroy(&l);
}

// Python finds this matplotlib first.
Test(maps, a_missing_matplotlib_is_no_error)
{
  write_hall();
  write_file("matplotlib.py", "raise ImportError(\"No module named 'matplotlib'\")\n");
  struct launched l = launch("env PYTHONPATH=. '%s' check hall.geojson", THRONG);
  expect_success(&l);
  expect_output(&l, "picture       none: No module named 'matplotlib'. On Debian and Ubuntu: "
                    "apt-get install python3-matplotlib");
  cr_expect(!exists("hall-map.png"));
  launched_destroy(&l);
}

Test(maps, what_is_no_map_is_refused)
{
  write_hall();
  write_file("town.osm", "<osm/>");
  write_file("page.geojson", "<!DOCTYPE html><html></html>");
  write_file("square.json", "{\"world\": {\"extent\": [0, 0, 20, 20]}, \"sources\": [{\"area\": "
                            "{\"rectangle\": [2, 2, 8, 8]}, \"count\": 3, \"goal\": [18, 18]}]}");
  struct launched l = launch("'%s' check nowhere.geojson", THRONG);
  expect_refusal(&l, 64, "cannot read \"nowhere.geojson\": No such file");
  launched_destroy(&l);
  l = launch("'%s' check page.geojson", THRONG);
  expect_refusal(&l, 64, "page.geojson: this is an HTML page");
  launched_destroy(&l);
  l = launch("'%s' check hall.geojson --set world.unit=metres", THRONG);
  expect_refusal(&l, 64, "did you mean world.units?");
  launched_destroy(&l);
  l = launch("'%s' run hall.geojson", THRONG);
  expect_refusal(&l, 64, "hall.geojson: this is a map, not a scenario");
  launched_destroy(&l);
  l = launch("'%s' check square.json", THRONG); // JSON is YAML
  expect_success(&l);
  expect_output(&l, "agents        3\n");
  launched_destroy(&l);
}

// The checksum of a run; the caller frees it.
static char *checksum(int ranks, const char *scenario)
{
  struct launched l =
      launch_ranks(ranks, "'%s' run %s --output out --quiet --threads 1", THRONG, scenario);
  expect_success(&l);
  launched_destroy(&l);
  char *summary = launch_read("out/summary.json"), *found = strstr(summary, "\"checksum\"");
  cr_assert(found);
  char *copy = strndup(found, strcspn(found, "\n"));
  free(summary);
  return copy;
}

Test(maps, places_of_a_map_give_the_bits_of_typed_ones)
{
  write_file(
      "places.geojson",
      "{\"type\": \"FeatureCollection\", \"throng:projection\": \"metres\", \"features\": [\n" //
      FEATURE("\"name\": \"out\", \"kind\": \"exit\", \"flow\": 3", "Polygon",
              BOX(17, 5, 20, 15)) ",\n" //
      FEATURE("\"name\": \"in\", \"kind\": \"start\", \"count\": 30, \"destination\": \"out\"",
              "MultiPolygon", "[" BOX(1, 1, 8, 19) "]") ",\n" //
      FEATURE("\"name\": \"door\", \"kind\": \"tape\"", "LineString",
              "[[12,0],[12.5,9],[12,20]]") ",\n" //
      FEATURE("\"name\": \"exit only drawn\", \"kind\": \"exist\"", "Polygon",
              BOX(1, 1, 2, 2)) "]}\n");
#define BOTH "navigation: {model: field}\ntime: {end: 8}\n"
  write_file("layers.yaml", "world: {extent: [0, 0, 20, 20], places: places.geojson}\n" BOTH
                            "destinations: [{features: {kind: exit}}]\n"
                            "sources: [{features: {kind: start}}]\n"
                            "zones: [{name: slow, speed: 0.5, areas: [{feature: out}]}]\n"
                            "measure: {lines: places.geojson}\n");
  write_file("typed.yaml",
             "world: {extent: [0, 0, 20, 20]}\n" BOTH
             "destinations: [{name: out, flow: 3, areas: [{rectangle: [17, 5, 20, 15]}]}]\n"
             "sources: [{name: in, area: {rectangle: [1, 1, 8, 19]}, count: 30, "
             "destination: out}]\n"
             "zones: [{name: slow, speed: 0.5, areas: [{rectangle: [17, 5, 20, 15]}]}]\n"
             "measure: {lines: [{name: door, wkt: 'LINESTRING (12 0, 12.5 9, 12 20)'}]}\n");
  struct launched l = launch("'%s' check layers.yaml", THRONG);
  expect_output(&l, "places        4 of places.geojson; not used: exit only drawn\n");
  launched_destroy(&l);
  char *typed = checksum(1, "typed.yaml"), *lines = launch_read("out/lines.csv");
  for (int ranks = 1; ranks <= 2; ranks++) {
    char *layers = checksum(ranks, "layers.yaml"), *same = launch_read("out/lines.csv");
    cr_expect(strcmp(typed, layers) == 0, "%s instead of %s on %d ranks", layers, typed, ranks);
    cr_expect(strcmp(lines, same) == 0, "%s\ninstead of\n%s", same, lines);
    free(layers);
    free(same);
  }
  free(typed);
  free(lines);
}
