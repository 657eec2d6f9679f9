// Many entries take as much longer as there are more of them: no look at all of them for each.
#include "cli.h"
#include <sys/resource.h>

#define WORLD "world: {extent: [0, 0, 2000, 2000]}\ntime: {end: 2}\n"
#define OUT   "destinations: [{name: out, areas: [{rectangle: [1990, 0, 2000, 2000]}]}]\n"

static void write_source(FILE *f, int i, const char *more)
{
  const int x = 10 + i % 440 * 4, y = 10 + i / 440 * 4;
  fprintf(f, "  - {name: zone %d, area: {rectangle: [%d, %d, %d, %d]}%s}\n", i, x, y, x + 2, y + 2,
          more);
}

static void write_sources(FILE *f, int count)
{
  fputs(WORLD OUT "sources:\n", f);
  for (int i = 0; i < count; i++)
    write_source(f, i, ", count: 1, destination: out");
}

// Trips give each of them its people.
static void write_trips(FILE *f, int count)
{
  FILE *table = fopen("od.csv", "w");
  cr_assert(table);
  fputs("from,to,people\n", table);
  fputs(WORLD OUT "trips: od.csv\nsources:\n", f);
  for (int i = 0; i < count; i++) {
    write_source(f, i, "");
    fprintf(table, "zone %d,out,1\n", i);
  }
  fclose(table);
}

static void write_keys(FILE *f, int count)
{
  fputs(WORLD, f);
  for (int i = 0; i < count; i++)
    fprintf(f, "key%d: 1\n", i);
}

static void write_shares(FILE *f, int count)
{
  fputs(WORLD OUT "sources:\n  - {area: {rectangle: [1, 1, 9, 9]}, count: 3, destination: {", f);
  for (int i = 0; i < count; i++)
    fprintf(f, "way%d: 1, ", i);
  fputs("out: 1}}\n", f);
}

static void write_lines(FILE *f, int count)
{
  fputs(WORLD OUT "sources:\n", f);
  write_source(f, 0, ", count: 1, destination: out");
  fputs("measure:\n  lines:\n", f);
  for (int i = 0; i < count; i++)
    fprintf(f, "    - {name: line %d, from: [%d, %d], to: [%d, %d]}\n", i, i % 1900, i / 1900,
            i % 1900 + 1, i / 1900);
}

static void write_layer(FILE *f, int count)
{
  FILE *layer = fopen("zones.geojson", "w");
  cr_assert(layer);
  fputs("{\"type\": \"FeatureCollection\", \"throng:projection\": \"metres\", \"features\": [",
        layer);
  for (int i = 0; i < count; i++) {
    const int x = 10 + i % 440 * 4, y = 10 + i / 440 * 4;
    fprintf(layer,
            "%s\n{\"type\": \"Feature\", \"properties\": {\"name\": \"zone %d\", \"count\": 1, "
            "\"destination\": \"out\"}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": "
            "[[[%d, %d], [%d, %d], [%d, %d], [%d, %d]]]}}",
            i ? "," : "", i, x, y, x + 2, y, x + 2, y + 2, x, y);
  }
  fputs("]}\n", layer);
  fclose(layer);
  fputs(WORLD OUT "sources: zones.geojson\n", f);
}

// s of CPU time that `throng check` takes.
static double check_seconds(void (*write)(FILE *f, int count), int count, int code)
{
  struct rusage before, after;
  FILE *f = fopen("many.yaml", "w");
  cr_assert(f);
  write(f, count);
  fclose(f);
  getrusage(RUSAGE_CHILDREN, &before);
  struct launched l = launch("'%s' check -t 1 many.yaml", THRONG);
  getrusage(RUSAGE_CHILDREN, &after);
  cr_expect(l.code == code, "%d: %d, %.2000s", count, l.code, l.err);
  launched_destroy(&l);
  return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
         1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
}

Test(many, entries_take_time_in_proportion, .init = launch_without_leaks)
{
  static const struct {
    const char *name;
    void (*write)(FILE *f, int count);
    int code, count; // count: the fewer
  } kinds[] = {{"sources", write_sources, 0, 2000},    {"trips", write_trips, 0, 2000},
               {"unknown keys", write_keys, 64, 5000}, {"shares", write_shares, 64, 5000},
               {"lines", write_lines, 0, 2000},        {"a layer", write_layer, 0, 1000}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const double few = check_seconds(kinds[k].write, kinds[k].count, kinds[k].code);
    const double many = check_seconds(kinds[k].write, 8 * kinds[k].count, kinds[k].code);
    cr_expect(many < 16 * few + 0.2, "%s: %.2f s, and %.2f s for 8 times as many", kinds[k].name,
              few, many);
  }
}
