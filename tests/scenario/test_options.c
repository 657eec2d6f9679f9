// The table of options: its documentation, its defaults and its parser agree.
#include "support.h"

#include "options_reference.h"

#define PEOPLE "sources: [{area: {rectangle: [0, 0, 9, 9]}, count: 5, goal: [5, 5]}]\n"

Test(options, reference_is_the_committed_page)
{
  char *page = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&page, &length);
  options_reference_print(f);
  fclose(f);
  FILE *committed = fopen(THRONG_OPTIONS, "rb");
  cr_assert(committed, "%s is missing: throng options > docs/options.md", THRONG_OPTIONS);
  char *expected = calloc(length + 2, 1);
  fread(expected, 1, length + 1, committed);
  fclose(committed);
  cr_assert(strcmp(page, expected) == 0,
            "docs/options.md is outdated: throng options > docs/options.md");
  free(page);
  free(expected);
}

Test(options, every_default_is_within_its_own_range)
{
  struct scenario *s = support_load(PEOPLE);
  cr_assert_str_eq(s->name, "x");
  cr_assert_eq(s->seed, 1);
  cr_assert_eq(s->steps, 6000);
  cr_assert_float_eq((double)s->dt, 0.1, 1e-7);
  cr_assert_eq(s->avoidance.method, METHOD_orca);
  cr_assert_eq(s->avoidance.neighbours, 10);
  cr_assert_eq(s->avoidance.neighbour_distance, 5);
  cr_assert(!s->avoidance.clearpath.guaranteed && !s->avoidance.steering.on);
  cr_assert(s->avoidance.rvo.samples == 249 && s->avoidance.rvo.safety == 7.5f);
  cr_assert(s->leave_at_goal);
  cr_assert_eq(s->world.destination_count, 0);
  cr_assert_eq(s->output.compression, 1);
  cr_assert_null(s->output.directory);
  scenario_destroy(s);
}

Test(options, every_option_has_a_meaning_and_its_own_member)
{
  for (int k = 0; k < SCOPE_COUNT; k++) {
    const enum option_scope scope = (enum option_scope)k;
    const struct option *o, *other;
    int i = 0;
    for (; (o = option_at(scope, i)); i++) {
      cr_assert(o->path && *o->path && *o->meaning && o->unit, "%d of scope %d", i, k);
      cr_assert(o->scope == scope, "%s is of scope %d, not %d", o->path, (int)o->scope, k);
      cr_assert(o->type != OPTION_CHOICE || (o->choices && o->noun));
      for (int before = 0; before < i; before++) {
        other = option_at(scope, before);
        cr_assert(o->offset != other->offset && strcmp(o->path, other->path) != 0, "%s and %s",
                  o->path, other->path);
      }
    }
    cr_assert(i > 2, "scope %d has options", k);
  }
}

Test(options, numbers_have_several_notations)
{
  struct scenario *s = support_load("seed: 1e3\ntime: {end: 6.0e+1, step: .5}\n" PEOPLE);
  cr_assert_eq(s->seed, 1000);
  cr_assert_eq(s->steps, 120);
  scenario_destroy(s);
}

Test(options, an_override_replaces_creates_and_names_items)
{
  const char *yaml = "seed: 4\nsources:\n  - {name: west, area: {rectangle: [0, 0, 9, 9]}, "
                     "count: 5, goal: [5, 5]}\n";
  struct scenario *s = support_load_with(yaml, "seed=9");
  cr_assert_eq(s->seed, 9);
  cr_assert(strstr(s->text, "\n# --set seed=9\n"));
  scenario_destroy(s);
  s = support_load_with(yaml, "avoidance.neighbours=3");
  cr_assert_eq(s->avoidance.neighbours, 3);
  scenario_destroy(s);
  s = support_load_with(yaml, "sources.0.count=7");
  cr_assert_eq(s->agent_count, 7);
  scenario_destroy(s);
  s = support_load_with(yaml, "sources.west.count=8");
  cr_assert_eq(s->agent_count, 8);
  scenario_destroy(s);
  s = support_load_with(yaml, "sources.west.area={circle: [4, 4, 3]}");
  cr_assert_eq(s->agent_count, 5);
  scenario_destroy(s);
}

Test(options, a_bad_override_is_reported_as_written)
{
  support_expect_refused(PEOPLE, "avoidance.horizn=3",
                         "--set avoidance.horizn=3: unknown option; did you mean "
                         "avoidance.horizon?\n");
  support_expect_refused(PEOPLE, "time.end=soon",
                         "--set time.end=soon: \"soon\" is not a number\n");
  support_expect_refused(PEOPLE, "sources.3.count=1",
                         "--set sources.3.count=1: there is no item 3 in a list of 1\n");
  support_expect_refused(PEOPLE, "sources.0.cuont=1",
                         "--set sources.0.cuont=1: sources[0].cuont: unknown option; did you mean "
                         "sources[0].count?\n");
  support_expect_refused(PEOPLE, "seed", "--set seed: key.path=value is expected\n");
  support_expect_refused(PEOPLE, "seed.a=1",
                         "--set seed.a=1: a number is expected, not a section\n");
  support_expect_refused(PEOPLE,
                         "seed=", "--set seed=: a number is expected, but nothing is given\n");
}

Test(options, the_summary_fits_a_screen)
{
  struct scenario *s = support_load(PEOPLE);
  char *page = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&page, &length);
  scenario_describe(s, 4, f);
  fclose(f);
  int lines = 0;
  for (const char *c = page; *c; c++)
    lines += *c == '\n';
  cr_assert(lines > 5 && lines < 24, "%s", page);
  cr_assert(strstr(page, "5 at the start from the rectangle (0, 0) to (9, 9) to (5, 5); person"),
            "%s", page);
  free(page);
  scenario_destroy(s);
}

Test(options, every_method_has_a_name_and_options)
{
  struct scenario *s = support_load(
      "avoidance:\n  method: directional\n  horizon_walls: 4\n  clearpath: {variant: guaranteed}\n"
      "  rvo: {samples: 40, safety: 2}\n  directional: {weight: 0.5, time_cap: 8}\n"
      "  steering: {separation: 1, separation_distance: 2, alignment: 3, cohesion: 4, unaligned: "
      "5}\n" PEOPLE);
  const struct avoidance a = s->avoidance;
  cr_assert(a.method == METHOD_directional && a.horizon_walls == 4 && a.clearpath.guaranteed);
  cr_assert(a.rvo.samples == 40 && a.rvo.safety == 2);
  cr_assert(a.directional.weight == 0.5f && a.directional.time_cap == 8);
  cr_assert(a.steering.on && a.steering.separation == 1 && a.steering.separation_distance == 2 &&
            a.steering.alignment == 3 && a.steering.cohesion == 4 && a.steering.unaligned == 5);
  scenario_destroy(s);
  s = support_load_with(PEOPLE, "avoidance.clearpath.variant=guaranteed");
  cr_assert(s->avoidance.clearpath.guaranteed);
  scenario_destroy(s);
  static const char *const choices[] = {
#define X(name) "avoidance.method=" #name,
      AVOIDANCE_METHODS(X)
#undef X
  };
  for (int i = 0; i < METHOD_COUNT; i++) {
    s = support_load_with(PEOPLE, choices[i]);
    cr_assert_eq((int)s->avoidance.method, i);
    scenario_destroy(s);
  }
}

// The walking model of the only profile, and the options whose defaults depend on it.
static void expect_walking(const char *profile, bool headway, const char *name)
{
  char yaml[400], line[80], *page = NULL;
  size_t length = 0;
  snprintf(yaml, sizeof yaml, "%s" PEOPLE, profile);
  struct scenario *s = support_load(yaml);
  struct agents a;
  support_agents(s, &a);
  cr_expect(s->headway.on == headway && (s->headway.length[0] > 0) == headway, "%s", profile);
  cr_expect_eq(a.radius[0], headway ? 0.2f : 0.25f, "%s: %g m", profile, (double)a.radius[0]);
  cr_expect_eq(a.horizon[0], headway ? 1.5f : 2, "%s: %g s", profile, (double)a.horizon[0]);
  cr_expect_float_eq(s->avoidance.squeeze, headway ? 0.2f : 0, 1e-6f, "%s", profile);
  FILE *f = open_memstream(&page, &length);
  scenario_describe(s, 1, f);
  fclose(f);
  snprintf(line, sizeof line, "\nwalking       %s\n", name);
  cr_expect(strstr(page, line), "not \"%s\" in\n%s", name, page);
  free(page);
  agents_destroy(&a);
  scenario_destroy(s);
}

Test(options, agents_walk_by_headway_unless_told_otherwise)
{
  expect_walking("", true, "headway: person");
  expect_walking("profiles: [{name: a}]\n", true, "headway: a");
  expect_walking("profiles: [{name: a, walking: {side: left}}]\n", true, "headway: a");
  expect_walking("profiles: [{name: a, density: {model: none}}]\n", true, "headway: a");
  expect_walking("profiles: [{name: a, walking: {model: none}}]\n", false, "none: a");
  expect_walking("profiles: [{name: a, walking: {model: weidmann}}]\n", false, "weidmann: a");
  expect_walking("profiles: [{name: a, density: {model: weidmann}}]\n", false, "weidmann: a");
  expect_walking("profiles: [{name: a, density: {model: table, table: [[0, 1]]}}]\n", false,
                 "density.table: a");
  expect_walking("profiles: [{name: a, walking: {model: none}}, {name: b, density: {model: "
                 "weidmann}}, {name: c, walking: {model: none}}]\n",
                 false, "none: a, c; weidmann: b");
}

static void expect_gaps(const char *walking, bool gaps)
{
  char yaml[400];
  snprintf(yaml, sizeof yaml,
           "world: {extent: [0, 0, 20, 20]}\n"
           "navigation: {model: field}\n"
           "destinations: [{name: out, areas: [{border: 1}]}]\n"
           "doors: [{name: gate, line: [[5, 5], [5, 9]]}]\n"
           "profiles: [{name: one, walking: %s}]\n"
           "sources: [{area: {rectangle: [8, 8, 9, 9]}, count: 1, destination: out}]\n",
           walking);
  struct scenario *s = support_load(yaml);
  struct nav_grid *g = &s->world.nav_grid;
  cr_assert_eq(g->gap != NULL, gaps, "%s", walking);
  const int64_t beside =
      gaps ? nav_grid_cell(g, (uint32_t)(5.2 / 20 * g->columns), (uint32_t)g->rows * 7 / 20) : 0;
  const int far = gaps ? g->gap[beside] : 0;
  s->environment.doors[0].closed = true;
  environment_rebuild(&s->environment, &s->world);
  cr_assert_eq(g->gap != NULL, gaps);
  if (gaps)
    cr_assert(far > 4 * NAV_GRID_GAPS_PER_METRE && g->gap[beside] < NAV_GRID_GAPS_PER_METRE);
  scenario_destroy(s);
}

Test(options, only_agents_that_spread_need_gaps_and_these_follow_the_doors)
{
  expect_gaps("{model: headway}", true);
  expect_gaps("{model: headway, spread: 0}", false);
  expect_gaps("{model: none}", false);
}
