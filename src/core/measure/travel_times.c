#include "travel_times.h"

#include <assert.h>
#include <math.h>

#define BINS_MAX 86400 // a day

void travel_times_create(struct travel_times *t, int32_t sources, int32_t profiles, int32_t stops,
                         double dt, int64_t steps)
{
  const double longest = ceil((double)steps * dt) + 2;
  *t = (struct travel_times){.sources = sources + 1,
                             .profiles = profiles,
                             .stops = stops + 1,
                             .bins = longest < BINS_MAX ? (int64_t)longest : BINS_MAX,
                             .dt = dt};
  t->groups = memory_create((size_t)travel_times_group_count(t), sizeof *t->groups);
}

void travel_times_destroy(struct travel_times *t)
{
  for (int64_t g = 0; g < travel_times_group_count(t); g++)
    memory_destroy(t->groups[g].seconds);
  memory_destroy(t->groups);
  *t = (struct travel_times){0};
}

void travel_times_reserve(const struct travel_times *t, struct travel_times_group *g)
{
  if (!g->seconds)
    g->seconds = memory_create((size_t)t->bins, sizeof *g->seconds);
}

void travel_times_add(struct travel_times *t, int32_t source, int32_t profile, int32_t stop,
                      int64_t steps, int64_t delay_steps)
{
  assert(source >= -1 && source + 1 < t->sources && profile >= 0 && profile < t->profiles &&
         stop >= -1 && stop + 1 < t->stops && steps >= 0);
  const int64_t number = ((int64_t)(source + 1) * t->profiles + profile) * t->stops + (stop + 1);
  struct travel_times_group *g = &t->groups[number];
  travel_times_reserve(t, g);
  // 30 steps of 0.1 s are 3 s, although their product is slightly more.
  const int64_t bin = (int64_t)ceil((double)steps * t->dt - 1e-6);
  g->least = g->count == 0 || steps < g->least ? steps : g->least;
  g->most = steps > g->most ? steps : g->most;
  g->count++;
  g->steps += steps;
  g->delay_steps += delay_steps;
  g->seconds[bin < t->bins ? bin : t->bins - 1]++;
}

void travel_times_merge(const struct travel_times *t, struct travel_times_group *into,
                        const struct travel_times_group *g)
{
  if (g->count == 0)
    return;
  travel_times_reserve(t, into);
  into->least = into->count == 0 || g->least < into->least ? g->least : into->least;
  into->most = g->most > into->most ? g->most : into->most;
  into->count += g->count;
  into->steps += g->steps;
  into->delay_steps += g->delay_steps;
  for (int64_t k = 0; k < t->bins; k++)
    into->seconds[k] += g->seconds[k];
}

int64_t travel_times_quantile(const struct travel_times *t, const struct travel_times_group *g,
                              double share)
{
  int64_t arrived = 0;
  if (g->count == 0)
    return 0;
  for (int64_t k = 0; k < t->bins; k++) {
    arrived += g->seconds[k];
    if ((double)arrived >= share * (double)g->count)
      return k;
  }
  return t->bins - 1;
}
