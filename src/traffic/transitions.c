#include "transitions.h"

#include "navigation.h"

void transitions_destroy(struct transitions *t)
{
  memory_destroy(t->gone);
  memory_destroy(t->due);
  *t = (struct transitions){0};
}

void transitions_reserve(struct transitions *t, int64_t count)
{
  if (count <= t->capacity)
    return;
  transitions_destroy(t);
  t->capacity = count + count / 8 + 64;
  t->gone = memory_create((size_t)t->capacity, 1);
  t->due = memory_create((size_t)t->capacity, 1);
}

int64_t transitions_find(struct transitions *t, const struct transition_filter *filter,
                         const struct scenario *s, const struct agents *a, int64_t first,
                         int64_t end, const uint16_t *may_arrive)
{
  const int64_t arrived =
      navigation_arrived(&s->world, s->goal_radius, a, first, end, may_arrive, t->gone);
  for (int64_t i = first; filter->journeys && i < end; i++)
    t->due[i] = transition_filter_matches(filter, a, i, t->gone[i]);
  return arrived;
}
