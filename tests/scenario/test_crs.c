// The coordinate reference system that a GeoJSON file states: degrees are projected, true metres
// are taken as they are, and what is neither is refused.
#include "crs.h"
#include "support.h"

#define PEOPLE "sources: [{area: {circle: [0, 0, 3]}, count: 5, goal: [1, 1]}]\n"
#define NAME   "{\"type\": \"name\", \"properties\": {\"name\": \"%s\"}}"

// A square, whose lower left corner is at x, y.
static void write_square(const char *file, const char *crs, double x, double y, double side)
{
  char text[1200];
  snprintf(text, sizeof text,
           "{\"type\": \"FeatureCollection\", %s%s \"features\": [{\"type\": \"Feature\", "
           "\"properties\": {\"name\": \"a\"}, \"geometry\": {\"type\": \"Polygon\", "
           "\"coordinates\": [[[%.10g, %.10g], [%.10g, %.10g], [%.10g, %.10g], [%.10g, %.10g], "
           "[%.10g, %.10g]]]}}]}",
           crs ? "\"crs\": " : "", crs ? crs : "", x, y, x + side, y, x + side, y + side, x,
           y + side, x, y);
  support_write(file, text);
}

static const char *named(const char *name)
{
  static char text[300];
  snprintf(text, sizeof text, NAME ",", name);
  return text;
}

static enum crs_kind kind_of(const char *json)
{
  return crs_read((struct json_span){json, json + strlen(json)}).kind;
}

static void expect_kind(const char *name, enum crs_kind kind)
{
  char text[300];
  snprintf(text, sizeof text, NAME, name);
  cr_expect_eq(kind_of(text), kind, "%s: %d", name, kind_of(text));
}

Test(crs, forms_of_a_name)
{
  const char *const degrees[] = {"urn:ogc:def:crs:OGC:1.3:CRS84",
                                 "OGC:CRS84",
                                 "urn:ogc:def:crs:OGC::CRS83",
                                 "urn:ogc:def:crs:EPSG::4258",
                                 "urn:ogc:def:crs:EPSG:9.9.1:4258",
                                 "urn:x-ogc:def:crs:EPSG:4258",
                                 "EPSG:4258",
                                 "epsg:4258",
                                 "http://www.opengis.net/def/crs/EPSG/0/4258",
                                 "http://www.opengis.net/gml/srs/epsg.xml#4258",
                                 "urn:ogc:def:crs,crs:EPSG::4258,crs:EPSG::5783",
                                 "EPSG:4258+5783"};
  for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
    expect_kind(degrees[i], CRS_DEGREES);
  cr_expect_eq(kind_of("\"EPSG:4258\""), CRS_DEGREES);
  cr_expect_eq(kind_of("{\"type\": \"EPSG\", \"properties\": {\"code\": 4258}}"), CRS_DEGREES);
  cr_expect_eq(kind_of("{\"type\": \"link\", \"properties\": {\"href\": \"a\"}}"), CRS_METRES);
  cr_expect_eq(kind_of("null"), CRS_NOT_STATED);
  cr_expect_eq(crs_read((struct json_span){NULL, NULL}).kind, CRS_NOT_STATED);
}

Test(crs, kinds_of_a_code)
{
  const struct {
    enum crs_kind kind;
    int codes[16];
  } known[] = {
      {CRS_DEGREES,
       {4326, 4979, 4258, 4269, 4267, 4230, 6668, 4612, 4283, 7844, 4490, 4674, 104199}},
      {CRS_METRES, {25832, 32633, 27700, 2154, 31287, 28992, 2056, 3067, 6677, 7855, 31467, 5514}},
      {CRS_STRETCHED, {3857, 3785, 900913, 102100, 102113, 3395, 3832, 54004, 4087, 3035, 3031}},
      {CRS_OTHER_UNIT, {2263, 2225, 2272, 6543, 102645, 2136, 3361, 2965}},
      {CRS_OTHER_ANGLES, {4807, 4901, 4902}}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    for (int i = 0; i < 16 && known[k].codes[i]; i++) {
      char name[40];
      snprintf(name, sizeof name, "EPSG:%d", known[k].codes[i]);
      expect_kind(name, known[k].kind);
    }
  expect_kind("EPSG:0", CRS_METRES);
  expect_kind("EPSG:99999999999999999999", CRS_METRES);
  expect_kind("EPSG:1", CRS_METRES);
  expect_kind("", CRS_METRES);
}

// 1e-3 degrees at 43.7305 N, by Snyder's formulas.
Test(crs, degrees_of_any_system_are_projected)
{
  const char *const names[] = {"urn:ogc:def:crs:EPSG::4258", "EPSG:4269", "OGC:CRS83"};
  for (int i = 0; i < 3; i++) {
    write_square("a.geojson", named(names[i]), 7.42, 43.73, 1e-3);
    struct scenario *s = support_load("world: {geometry: a.geojson, geometry_is: walkable, "
                                      "margin: 0}\n" PEOPLE);
    cr_assert(s->projected);
    cr_assert_float_eq(s->extent.hi[0] - s->extent.lo[0], 80.57, 0.05);
    cr_assert_float_eq(s->extent.hi[1] - s->extent.lo[1], 111.11, 0.05);
    scenario_destroy(s);
  }
}

Test(crs, metres_are_taken_as_they_are)
{
  write_square("a.geojson", named("EPSG:25832"), 691600, 5336100, 20);
  struct scenario *s = support_load(
      "world: {geometry: a.geojson, geometry_is: walkable}\n"
      "sources: [{area: {circle: [691605, 5336105, 3]}, count: 5, goal: [691615, 5336115]}]\n");
  cr_assert(!s->projected);
  cr_assert_str_eq(s->crs, "crs           EPSG:25832, taken for metres");
  scenario_destroy(s);
}

#define DEGREES                                                                                    \
  "ogr2ogr -t_srs EPSG:4326 NEW.geojson OLD.geojson, or QGIS, makes a map in degrees\n"

Test(crs, what_is_neither_is_refused)
{
  write_square("a.geojson", named("urn:ogc:def:crs:EPSG::3857"), 2776306, 8437694, 200);
  support_expect_refused("world: {geometry: a.geojson}\n" PEOPLE, NULL,
                         "a.geojson: its crs, EPSG:3857, stretches lengths (Web Mercator twofold "
                         "at 60 degrees); " DEGREES);
  write_square("a.geojson", named("EPSG:2263"), 980000, 190000, 200);
  support_expect_refused("world: {geometry: a.geojson}\n" PEOPLE, NULL,
                         "a.geojson: its crs, EPSG:2263, is not in metres, but in feet or another "
                         "unit; " DEGREES);
  write_square("a.geojson", named("EPSG:4807"), 7, 43, 1e-3);
  support_expect_refused("world: {geometry: a.geojson}\n" PEOPLE, NULL,
                         "a.geojson: its crs, EPSG:4807, is not in degrees from "
                         "Greenwich; " DEGREES);
  write_square("a.geojson", named("EPSG:2263"), -10, -10, 3);
  support_expect_warned("world: {geometry: a.geojson, units: metres}\n" PEOPLE,
                        "a.geojson: its crs, EPSG:2263, is not in metres, but in feet or another "
                        "unit; its coordinates are taken for metres nevertheless\n");
}

Test(crs, degrees_under_the_name_of_metres_are_refused)
{
  const char *const names[] = {"EPSG:25832", "Gitter der Stadt", "EPSG:31467"};
  for (int i = 0; i < 3; i++) {
    char line[400];
    snprintf(line, sizeof line,
             "a.geojson: the geometry spans 0.001 x 0.001 m at (7.42, 43.73): it looks like "
             "longitude and latitude, although its crs, %s, is taken for metres; set world.units: "
             "degrees, or metres if it is in metres\n",
             names[i]);
    write_square("a.geojson", named(names[i]), 7.42, 43.73, 1e-3);
    support_expect_refused("world: {geometry: a.geojson}\n" PEOPLE, NULL, line);
  }
}

#define PLACES "world: {geometry: map.geojson, geometry_is: walkable, places: p.geojson}\n" PEOPLE

Test(crs, files_of_one_scenario_fit_together)
{
  write_square("map.geojson", named("EPSG:25832"), -10, -10, 5);
  write_square("p.geojson", named("EPSG:25833"), 5, 5, 2);
  support_expect_refused(PLACES, NULL,
                         "p.geojson: its crs is EPSG:25833, but that of another file is "
                         "EPSG:25832: save all of them in one crs\n");
  write_square("map.geojson", NULL, 7.42, 43.73, 1e-4);
  write_square("p.geojson", named("EPSG:25832"), 369000, 4844000, 2);
  support_expect_refused(PLACES, NULL,
                         "p.geojson: its crs is EPSG:25832, but that of another file is WGS84: "
                         "save all of them in one crs\n");
  write_square("p.geojson", named("EPSG:4230"), 7.4201, 43.7301, 1e-4);
  support_expect_warned(PLACES,
                        "p.geojson: its crs is EPSG:4230, but that of another file is WGS84: the "
                        "same longitude and latitude may be some hundred metres apart in them\n");
  write_square("p.geojson", named("EPSG:4258"), 7.4201, 43.7301, 1e-4);
  scenario_destroy(support_load(PLACES));
}
