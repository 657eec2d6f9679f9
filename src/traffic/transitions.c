#include "transitions.h"

#include "marks.h"
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

// Marks those that transition_filter_matches may match, several at a time.
static void mark_due(uint8_t *due, const uint8_t *arrived, const struct transition_filter *f,
                     const struct agents *a, int64_t first, int64_t end)
{
  const int32_t *doing = a->doing, *held = a->held, *until = a->until;
  const int32_t timeout = f->deadlock_timeout > 0 ? f->deadlock_timeout : INT32_MAX;
  const int32_t now = (int32_t)f->step, called = f->stays_called, changed = f->routes_changed;
#pragma omp simd
  for (int64_t i = first; i < end; i++) {
    const int walks = (doing[i] == ACTIVITY_WALK) & (changed | (held[i] >= timeout));
    const int stays = (doing[i] == ACTIVITY_STAY) & (called | (now >= until[i]));
    const int waits =
        (doing[i] != ACTIVITY_WALK) & (doing[i] != ACTIVITY_STAY) & (doing[i] != ACTIVITY_REACT);
    due[i] = (uint8_t)(arrived[i] | walks | stays | waits);
  }
}

int64_t transitions_find(struct transitions *t, const struct transition_filter *filter,
                         const struct scenario *s, const struct agents *a, int64_t first,
                         int64_t end, const uint16_t *may_arrive)
{
  const int64_t arrived =
      navigation_arrived(&s->world, s->goal_radius, a, first, end, may_arrive, t->gone);
  if (!filter->journeys)
    return arrived;
  mark_due(t->due, t->gone, filter, a, first, end);
  for (int64_t i = first; (i = marks_next(t->due, i, end)) < end; i++)
    t->due[i] = transition_filter_matches(filter, a, i, t->gone[i]);
  return arrived;
}
