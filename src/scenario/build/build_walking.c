#include "build_walking.h"

#include "navigation_model.h"
#include "steps.h"
#include "utf8.h"
#include <string.h>

bool profile_walks_by_headway(const struct profile_config *profile)
{
  return profile->walking.model == WALKING_HEADWAY;
}

// density.model, or what walking.model says.
static int density_model(const struct profile_config *profile)
{
  return profile->walking.model == WALKING_WEIDMANN ? DENSITY_WEIDMANN : profile->density.model;
}

static void check_models(const struct config *c, const struct profile_config *profile,
                         struct diagnostics *p)
{
  if (profile_walks_by_headway(profile) && profile->density.model != DENSITY_NONE)
    diagnostics_error(p, origin_location(c, &profile->from, "density"),
                      "%s.density.model: walking.model: headway slows agents down already; give "
                      "only one of the two",
                      profile->from.path);
}

static void check_table(const struct config *c, const struct profile_config *profile,
                        struct diagnostics *p)
{
  const struct number_list *table = &profile->density.table;
  const struct location at = origin_location(c, &profile->from, "density.table");
  const bool wanted = density_model(profile) == DENSITY_TABLE;
  if (wanted && table->count == 0)
    diagnostics_error(p, origin_location(c, &profile->from, "density"),
                      "%s.density.table is missing: density.model: table needs it",
                      profile->from.path);
  if (!wanted && table->count > 0)
    diagnostics_error(p, at, "%s.density.table: needs density.model: table", profile->from.path);
  for (int64_t i = 0; i < table->count; i++) {
    const double *row = table->values + 2 * i;
    if (i > 0 && row[0] <= row[-2])
      diagnostics_error(p, at, "%s.density.table: densities must increase: %.10g comes after %.10g",
                        profile->from.path, row[0], row[-2]);
    if (row[1] > 1)
      diagnostics_error(p, at, "%s.density.table: the share %.10g is above 1", profile->from.path,
                        row[1]);
  }
}

static void set_density_speed(struct density_speed *p, int32_t i,
                              const struct profile_config *profile)
{
  const bool table = density_model(profile) == DENSITY_TABLE;
  const struct density_speed_window window = {
      profile->density.window.values[0], profile->density.window.values[1], profile->density.least};
  density_speed_set(p, i, &window, profile->density.table.values,
                    table ? profile->density.table.count : 0);
}

static void set_headway(struct headway_options *h, int32_t i, const struct config *c)
{
  const struct profile_config *profile = &c->profiles.records[i];
  const bool spreads = navigation_models[c->navigation.model].spreads;
  static const enum side_preference sides[] = {SIDE_RIGHT, SIDE_LEFT, SIDE_NONE};
  const struct headway_profile of = {.time_gap = profile->walking.time_gap,
                                     .length = profile->walking.length,
                                     .anticipation = profile->walking.anticipation,
                                     .sight = profile->walking.sight,
                                     .side = sides[profile->walking.side],
                                     .spread = spreads ? profile->walking.spread : 0,
                                     .queue = profile->walking.queue,
                                     .shoulders = profile->walking.shoulders,
                                     .steps_aside = profile->walking.steps_aside};
  headway_options_set(h, i, &of);
}

void build_walking(struct density_speed *density_speed, struct headway_options *headway,
                   const struct config *c, struct diagnostics *diagnostics)
{
  const int before = diagnostics->count;
  density_speed_create(density_speed, c->profiles.count);
  headway_options_create(headway, c->profiles.count);
  headway_options_set_step(headway, c->time.step);
  for (int i = 0; i < c->profiles.count; i++) {
    const struct profile_config *profile = &c->profiles.records[i];
    check_models(c, profile, diagnostics);
    check_table(c, profile, diagnostics);
    if (diagnostics->count > before)
      continue;
    if (profile_walks_by_headway(profile))
      set_headway(headway, i, c);
    else if (density_model(profile) != DENSITY_NONE)
      set_density_speed(density_speed, i, profile);
  }
}

static const char *walking_name(const struct profile_config *profile)
{
  static const char *const by_density[] = {
      [DENSITY_NONE] = "none", [DENSITY_WEIDMANN] = "weidmann", [DENSITY_TABLE] = "density.table"};
  return profile_walks_by_headway(profile) ? "headway" : by_density[density_model(profile)];
}

void walking_describe(const struct config *c, FILE *out)
{
  const struct profile_config *profiles = c->profiles.records;
  fputs("walking      ", out);
  for (int i = 0; i < c->profiles.count; i++) {
    const char *name = walking_name(&profiles[i]);
    bool told = false;
    for (int k = 0; k < i; k++)
      told |= strcmp(walking_name(&profiles[k]), name) == 0;
    if (told)
      continue;
    fprintf(out, "%s %s: %s", i ? ";" : "", name, printable(profiles[i].name).text);
    for (int k = i + 1; k < c->profiles.count; k++)
      if (strcmp(walking_name(&profiles[k]), name) == 0)
        fprintf(out, ", %s", printable(profiles[k].name).text);
  }
  fputc('\n', out);
}
