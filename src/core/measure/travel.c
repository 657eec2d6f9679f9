#include "travel.h"

#include <math.h>

#define BINS_MAX 86400 // a day

void travel_create(struct travel *t, int32_t sources, int32_t profiles, int32_t targets, double dt,
                   int64_t steps)
{
  const double longest = ceil((double)steps * dt) + 2;
  *t = (struct travel){.sources = sources + 1,
                       .profiles = profiles,
                       .targets = targets + 1,
                       .bins = longest < BINS_MAX ? (int64_t)longest : BINS_MAX,
                       .dt = dt};
  t->groups = memory_create((size_t)travel_group_count(t), sizeof *t->groups);
}

void travel_destroy(struct travel *t)
{
  for (int64_t g = 0; g < travel_group_count(t); g++)
    memory_destroy(t->groups[g].seconds);
  memory_destroy(t->groups);
  *t = (struct travel){0};
}

void travel_reserve(const struct travel *t, struct travel_group *g)
{
  if (!g->seconds)
    g->seconds = memory_create((size_t)t->bins, sizeof *g->seconds);
}

void travel_note(struct travel *t, int32_t source, int32_t profile, int32_t target, int64_t steps,
                 int64_t waited)
{
  const int64_t number =
      ((int64_t)(source + 1) * t->profiles + profile) * t->targets + (target + 1);
  struct travel_group *g = &t->groups[number];
  travel_reserve(t, g);
  // 30 steps of 0.1 s are 3 s, although their product is a little more.
  const int64_t bin = (int64_t)ceil((double)steps * t->dt - 1e-6);
  g->least = g->count == 0 || steps < g->least ? steps : g->least;
  g->most = steps > g->most ? steps : g->most;
  g->count++;
  g->steps += steps;
  g->waited += waited;
  g->seconds[bin < t->bins ? bin : t->bins - 1]++;
}

void travel_merge(const struct travel *t, struct travel_group *into, const struct travel_group *g)
{
  if (g->count == 0)
    return;
  travel_reserve(t, into);
  into->least = into->count == 0 || g->least < into->least ? g->least : into->least;
  into->most = g->most > into->most ? g->most : into->most;
  into->count += g->count;
  into->steps += g->steps;
  into->waited += g->waited;
  for (int64_t k = 0; k < t->bins; k++)
    into->seconds[k] += g->seconds[k];
}

int64_t travel_quantile(const struct travel *t, const struct travel_group *g, double share)
{
  int64_t so_far = 0;
  if (g->count == 0)
    return 0;
  for (int64_t k = 0; k < t->bins; k++) {
    so_far += g->seconds[k];
    if ((double)so_far >= share * (double)g->count)
      return k;
  }
  return t->bins - 1;
}
