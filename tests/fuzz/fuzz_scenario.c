// A whole scenario: its YAML, then up to three more files, each behind a line "===": map,
// agents.csv, trips.csv.
#include "check.h"
#include "config_read.h"
#include "files.h"
#include <string.h>

// The size of the world and of its grids is the user's choice, not a fault.
static const char *const bounded[] = {"world.extent=[0, 0, 40, 30]", "navigation.cell=1",
                                      "navigation.live.cell=4", "measure.grid.cell=2",
                                      "time.end=60"};
#define BOUNDED     ((int)(sizeof bounded / sizeof *bounded))
#define PEOPLE_MAX  500
#define DENSITY_MAX 0.5

static bool source_is_small(const struct source_config *s)
{
  double people = s->count.value + 60 * s->rate.value;
  for (int i = 0; i < s->timetable.count; i++)
    people += s->timetable.values[2 * i + 1];
  return people <= PEOPLE_MAX && s->density.value <= DENSITY_MAX &&
         (!s->spacing.given || s->spacing.value > 1);
}

// So is the number of people.
static bool is_small(const char *path)
{
  struct diagnostics p = {0};
  struct config c = {0};
  size_t length;
  char *text = file_read(path, 1 << 20, "", (struct location){path, NULL, 0, 0}, &length, &p);
  const struct config_source source = {path, text, length, bounded, BOUNDED};
  bool small = text && config_read(&c, &source, &p);
  for (int i = 0; small && i < c.sources.count; i++)
    small = source_is_small(&c.sources.records[i]);
  config_destroy(&c);
  diagnostics_destroy(&p);
  memory_destroy(text);
  return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const names[] = {"x.yaml", "map", "agents.csv", "trips.csv"};
  const uint8_t *end = data + size, *at = data;
  for (int i = 0; i < 4; i++) {
    const uint8_t *cut = at < end ? memmem(at, (size_t)(end - at), "\n===\n", 5) : NULL;
    const uint8_t *until = cut && i < 3 ? cut + 1 : end;
    files_write(names[i], at, (size_t)(until - at));
    at = cut && i < 3 ? cut + 5 : end;
  }
  if (is_small(files_path("x.yaml")))
    check_scenario(files_path("x.yaml"), bounded, BOUNDED);
  return 0;
}
