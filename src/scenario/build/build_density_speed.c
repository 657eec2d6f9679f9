#include "build_density_speed.h"

static void check_table(const struct config *c, const struct profile_config *profile,
                        struct diagnostics *p)
{
  const struct number_list *table = &profile->density.table;
  const struct location at = origin_location(c, &profile->from, "density.table");
  const bool wanted = profile->density.model == DENSITY_TABLE;
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

void build_density_speed(struct density_speed *p, const struct config *c,
                         struct diagnostics *diagnostics)
{
  const int before = diagnostics->count;
  density_speed_create(p, c->profiles.count);
  for (int i = 0; i < c->profiles.count; i++) {
    const struct profile_config *profile = &c->profiles.records[i];
    const struct density_speed_window window = {profile->density.window.values[0],
                                                profile->density.window.values[1],
                                                profile->density.least};
    check_table(c, profile, diagnostics);
    if (profile->density.model == DENSITY_NONE || diagnostics->count > before)
      continue;
    density_speed_set(p, i, &window, profile->density.table.values, profile->density.table.count);
  }
}
