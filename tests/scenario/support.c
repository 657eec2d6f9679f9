#include "support.h"

#include <criterion/hooks.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

// Criterion runs every test in its own process, which may crash. The parent process creates a
// folder for all of them and removes it at the end.
#define FOLDER "THRONG_SCENARIO_TEST_FOLDER"

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
  (void)tests;
  static char folder[] = "/tmp/throng-scenario-XXXXXX";
  if (!mkdtemp(folder) || setenv(FOLDER, folder, 1) != 0)
    perror(folder);
}

static int entry_remove(const char *path, const struct stat *about, int kind, struct FTW *at)
{
  (void)about, (void)kind, (void)at;
  return remove(path);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
  (void)stats;
  if (getenv(FOLDER))
    nftw(getenv(FOLDER), entry_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static void folder_enter(void)
{
  static char folder[100];
  if (*folder)
    return;
  snprintf(folder, sizeof folder, "%.60s/XXXXXX", getenv(FOLDER) ? getenv(FOLDER) : "/tmp");
  cr_assert(mkdtemp(folder) && chdir(folder) == 0);
}

void support_write(const char *name, const char *text)
{
  folder_enter();
  FILE *f = fopen(name, "wb");
  cr_assert(f);
  fputs(text, f);
  fclose(f);
}

struct scenario *support_load_with(const char *yaml, const char *override)
{
  support_write("x.yaml", yaml);
  struct diagnostics p = {0};
  struct scenario *s = scenario_create("x.yaml", &override, override != NULL, NULL, &p);
  cr_assert(s, "%s", p.text ? p.text : "no scenario and no errors");
  cr_assert(p.count == 0 && !p.text);
  diagnostics_destroy(&p);
  return s;
}

struct scenario *support_load(const char *yaml)
{
  return support_load_with(yaml, NULL);
}

void support_agents(const struct scenario *s, struct agents *a)
{
  agents_create(a, s->agent_count);
  scenario_agents(s, 0, s->agent_count, a);
  cr_assert(a->count == s->agent_count);
  char message[200];
  cr_assert(agents_check(a, s->world.bounds, message, sizeof message), "%s", message);
}

void support_expect_refused(const char *yaml, const char *override, const char *lines)
{
  support_write("x.yaml", yaml);
  struct diagnostics p = {0};
  struct scenario *s = scenario_create("x.yaml", &override, override != NULL, NULL, &p);
  cr_expect(!s && p.count > 0, "accepted although it is wrong:\n%s", yaml);
  cr_expect(p.text && strcmp(p.text, lines) == 0, "\n%sinstead of\n%s", p.text ? p.text : "nothing",
            lines);
  diagnostics_destroy(&p);
  scenario_destroy(s);
}

void support_expect_warned(const char *yaml, const char *lines)
{
  support_write("x.yaml", yaml);
  struct diagnostics p = {0};
  struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
  cr_expect(s && p.count == 0, "refused: %s", p.text ? p.text : "");
  cr_expect(p.warnings && strcmp(p.warnings, lines) == 0, "\n%sinstead of\n%s",
            p.warnings ? p.warnings : "nothing", lines);
  diagnostics_destroy(&p);
  scenario_destroy(s);
}

double support_x(const struct scenario *s, int32_t x)
{
  return frame_x(&s->world.frame, x);
}

double support_y(const struct scenario *s, int32_t y)
{
  return frame_y(&s->world.frame, y);
}
