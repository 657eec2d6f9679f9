// The time that a scenario takes to read grows with the number of its entries, not with its square.
#include "cli.h"
#include "extent.h"
#include <math.h>
#include <sys/resource.h>

#define FEW  (SHORT ? 500 : 1000)
#define MORE 8    // times as many
#define MOST 20.0 // times as long: a square takes 64

static double seconds_of_children(void)
{
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static FILE *begin(const char *name)
{
  launch_folder();
  FILE *file = fopen(name, "w");
  cr_assert(file, "%s", name);
  return file;
}

static const char WORLD[] = "world: {extent: [0, 0, 1000, 1000]}\ntime: {end: 1}\n";
static const char CROWD[] = "destinations: [{name: exit, areas: [{circle: [900, 900, 5]}]}]\n"
                            "sources: [{count: 1, area: {circle: [9, 9, 1]}, destination: exit}]\n";

static void squares(const char *name, int count, const char *properties)
{
  FILE *file = begin(name);
  fprintf(file, "{\"type\": \"FeatureCollection\", \"features\": [\n");
  for (int i = 0; i < count; i++) {
    const double x = 2 + 3 * (i % 300), y = 2 + 3 * (i / 300);
    fprintf(
        file,
        "%s{\"type\": \"Feature\", \"properties\": {\"name\": \"n%d\", %s}, \"geometry\": "
        "{\"type\": \"Polygon\", \"coordinates\": [[[%g,%g],[%g,%g],[%g,%g],[%g,%g],[%g,%g]]]}}\n",
        i ? "," : "", i, properties, x, y, x + 1, y, x + 1, y + 1, x, y + 1, x, y);
  }
  fprintf(file, "]}\n");
  fclose(file);
}

// Each writes many.yaml.
static void write_sources(int count)
{
  FILE *file = begin("many.yaml");
  fprintf(file, "%ssources:\n", WORLD);
  for (int i = 0; i < count; i++)
    fprintf(file, "  - {name: s%d, count: 1, area: {circle: [%d, %d, 1]}, goal: [500, 990]}\n", i,
            3 + 3 * (i % 300), 3 + 3 * (i / 300));
  fclose(file);
}

static void write_unknown_keys(int count)
{
  FILE *file = begin("many.yaml");
  fprintf(file, "%s%s", WORLD, CROWD);
  for (int i = 0; i < count; i++)
    fprintf(file, "key%d: 1\n", i);
  fclose(file);
}

static void write_profiles(int count)
{
  FILE *file = begin("many.yaml");
  fprintf(file, "%s%sprofiles:\n", WORLD, CROWD);
  for (int i = 0; i < count; i++)
    fprintf(file, "  - {name: p%d, speed: 1}\n", i);
  fclose(file);
}

static void write_journeys(int count)
{
  FILE *file = begin("many.yaml");
  fprintf(file, "%s%sjourneys:\n", WORLD, CROWD);
  for (int i = 0; i < count; i++)
    fprintf(file, "  - {name: j%d, via: [exit]}\n", i);
  fclose(file);
}

static void write_events(int count)
{
  FILE *file = begin("many.yaml");
  fprintf(file, "%s%sdoors:\n", WORLD, CROWD);
  for (int i = 0; i < count; i++)
    fprintf(file, "  - {name: d%d, line: [[%d, %d], [%d, %d]]}\n", i, 3 + 3 * (i % 300),
            30 + 3 * (i / 300), 4 + 3 * (i % 300), 30 + 3 * (i / 300));
  fprintf(file, "events:\n");
  for (int i = 0; i < count; i++)
    fprintf(file, "  - {name: e%d, at: 0.5, close: [d%d]}\n", i, i);
  fclose(file);
}

static void write_layer(int count)
{
  squares("layer.geojson", count, "\"kind\": \"crowd\", \"count\": 1");
  FILE *file = begin("many.yaml");
  fprintf(file, "world: {extent: [0, 0, 1000, 1000], places: layer.geojson, units: metres}\n"
                "time: {end: 1}\nsources: [{features: {kind: crowd}, goal: [500, 990]}]\n");
  fclose(file);
}

// CPU time of a check, the least of two.
static double check_seconds(void (*write)(int), int count, int code)
{
  double least = INFINITY;
  write(count);
  for (int k = 0; k < 2; k++) {
    const double before = seconds_of_children();
    struct launched l = launch("'%s' check many.yaml -t 1", THRONG);
    cr_expect(l.code == code, "%d: exit code %d: %.2000s", count, l.code, l.err);
    launched_destroy(&l);
    const double seconds = seconds_of_children() - before;
    least = seconds < least ? seconds : least;
  }
  return least;
}

static void expect_linear(void (*write)(int), int code)
{
  const double few = check_seconds(write, FEW, code), many = check_seconds(write, MORE * FEW, code);
  cr_log_info("%d: %.3f s, %d: %.3f s", FEW, few, MORE * FEW, many);
  cr_expect(many < MOST * few, "%d take %.2f s, %d take %.2f s", FEW, few, MORE * FEW, many);
}

Test(many, sources)
{
  expect_linear(write_sources, 0);
}

Test(many, unknown_keys)
{
  expect_linear(write_unknown_keys, 64);
}

Test(many, profiles)
{
  expect_linear(write_profiles, 0);
}

Test(many, journeys)
{
  expect_linear(write_journeys, 0);
}

Test(many, doors_and_events)
{
  expect_linear(write_events, 0);
}

Test(many, features_of_a_layer)
{
  expect_linear(write_layer, 0);
}
