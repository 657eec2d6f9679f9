#include "pace_of.h"

static void table_check(const struct config *c, const struct profile_config *profile,
                        struct problems *p)
{
  const struct number_list *table = &profile->density.table;
  const struct place at = origin_place(c, &profile->from, "density.table");
  const bool wanted = profile->density.model == DENSITY_TABLE;
  if (wanted && table->count == 0)
    problem_add(p, origin_place(c, &profile->from, "density"),
                "%s.density.table: model: table needs it", profile->from.path);
  if (!wanted && table->count > 0)
    problem_add(p, at, "%s.density.table: needs density.model: table", profile->from.path);
  for (int64_t i = 0; i < table->count; i++) {
    const double *row = table->values + 2 * i;
    if (i > 0 && row[0] <= row[-2])
      problem_add(p, at, "%s.density.table: the density %.10g does not come after %.10g",
                  profile->from.path, row[0], row[-2]);
    if (row[1] > 1)
      problem_add(p, at, "%s.density.table: a share of %.10g is above 1", profile->from.path,
                  row[1]);
  }
}

void pace_make(struct pace *p, const struct config *c, struct problems *problems)
{
  const int before = problems->count;
  pace_create(p, c->profiles.count);
  for (int i = 0; i < c->profiles.count; i++) {
    const struct profile_config *profile = &c->profiles.records[i];
    const struct pace_window window = {profile->density.window.values[0],
                                       profile->density.window.values[1], profile->density.least};
    table_check(c, profile, problems);
    if (profile->density.model == DENSITY_NONE || problems->count > before)
      continue;
    pace_set(p, i, &window, profile->density.table.values, profile->density.table.count);
  }
}
