#include "radii.h"

#include "demand_internal.h"
#include "sampling.h"

double profiles_largest_radius(const struct config *c)
{
  double largest = 0;
  for (int i = 0; i < c->profiles.count; i++)
    largest =
        c->profiles.records[i].radius.hi > largest ? c->profiles.records[i].radius.hi : largest;
  return largest;
}

double source_largest_radius(const struct config *c, const struct source *s)
{
  double largest = 0;
  for (int i = 0; i < s->config->profiles.count || i == 0; i++) {
    const double radius = c->profiles.records[s->profiles[i]].radius.hi;
    largest = radius > largest ? radius : largest;
  }
  return largest;
}

double agent_row_radius(const struct demand *d, const struct agent_row *row)
{
  return row->radius > 0 ? (double)row->radius
                         : distribution_sample(&d->config->profiles.records[0].radius, d->seed,
                                               row->id, RANDOM_RADIUS);
}
