#include "check.h"

#include "files.h"
#include "map.h"
#include "scenario.h"
#include "utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool condition, const char *law)
{
  if (condition)
    return;
  fprintf(stderr, "broken: %s\n", law);
  abort();
}

static void check_lines(const char *text)
{
  if (!text)
    return;
  const size_t length = strlen(text);
  check(length > 0 && text[length - 1] == '\n', "messages are whole lines");
  check(utf8_valid_length(text, length) == length, "messages are UTF-8");
  for (const char *c = text; *c; c++)
    check(*c == '\n' || ((unsigned char)*c >= ' ' && *c != 0x7f), "no control characters");
}

void check_diagnostics(const struct diagnostics *p, bool has_result)
{
  check(has_result == (p->count == 0), "a result or errors");
  check((p->text != NULL) == (p->count > 0), "every error has a text");
  check_lines(p->text);
  check_lines(p->warnings);
}

static void check_agents(const struct scenario *s)
{
  struct agents a;
  char message[200];
  agents_create(&a, s->agent_count);
  scenario_agents(s, 0, s->agent_count, &a);
  check(a.count == s->agent_count, "as many agents as the scenario says");
  check(agents_check(&a, s->world.bounds, message, sizeof message), "agents are valid");
  agents_destroy(&a);
}

static FILE *nowhere(void)
{
  static FILE *file;
  if (!file)
    file = fopen("/dev/null", "w");
  return file;
}

static void check_description(const struct scenario *s)
{
  scenario_describe(s, 2, nowhere());
}

void check_scenario(const char *path, const char *const *overrides, int count)
{
  struct diagnostics p = {0};
  const struct scenario_source source = {
      .path = path, .overrides = overrides, .override_count = count, .writes_map = true};
  struct scenario *s = scenario_create_from(&source, NULL, &p);
  check_diagnostics(&p, s != NULL);
  if (s) {
    check(scenario_write_map(s, nowhere()), "the map of a run is written");
    check_agents(s);
    check_description(s);
  }
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

void check_scenario_with(const char *yaml, const char *file, const void *data, size_t size)
{
  files_write(file, data, size);
  check_scenario(files_write_text("x.yaml", yaml), NULL, 0);
}

void check_map(const void *data, size_t size)
{
  static const char *const overrides[] = {"world.geometry_is=places"};
  const char *path = files_write("map.geojson", data, size);
  for (int count = 0; count < 2; count++) {
    struct diagnostics p = {0};
    struct map *m = map_create(path, overrides, count, &p);
    check(m || p.count, "a map or errors");
    check_diagnostics(&p, p.count == 0);
    if (m) {
      map_describe(m, nowhere());
      check(map_write(m, nowhere()), "the map is written");
    }
    map_destroy(m);
    diagnostics_destroy(&p);
  }
}
