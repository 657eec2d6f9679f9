// How much room people need around a point at which many of them stay.
#include "demand_internal.h"

#include <math.h>
#include <stdlib.h>

#define MEETING_DENSITY 2.0 // persons/m^2: people who wait for each other stand at 1 to 2

struct meeting {
  struct point at;
  double people;
};

static int by_place(const void *a, const void *b)
{
  const struct point p = ((const struct meeting *)a)->at, q = ((const struct meeting *)b)->at;
  return p.x != q.x ? (p.x > q.x) - (p.x < q.x) : (p.y > q.y) - (p.y < q.y);
}

static double source_people(const struct source *s, double end)
{
  return s->has_inflow ? inflow_due(&s->inflow, end) : (double)s->count;
}

// The most people with one goal.
static double most_people(struct meeting *all, int64_t count)
{
  double most = 0, here = 0;
  qsort(all, (size_t)count, sizeof *all, by_place);
  for (int64_t i = 0; i < count; i++) {
    here = i > 0 && by_place(&all[i - 1], &all[i]) == 0 ? here + all[i].people : all[i].people;
    most = fmax(most, here);
  }
  return most;
}

int32_t demand_meeting_reach(const struct demand *d)
{
  const struct frame *frame = &d->world->frame;
  struct meeting *all =
      memory_create((size_t)(d->source_count + d->agent_table.count), sizeof *all);
  int64_t count = 0;
  for (int i = 0; i < d->source_count; i++)
    if (d->sources[i].goal == GOAL_POINT)
      all[count++] = (struct meeting){d->sources[i].point,
                                      source_people(&d->sources[i], d->config->time.end)};
  for (int64_t i = 0; i < d->agent_table.count; i++) {
    const struct agent_row *row = &d->agent_table.rows[i];
    if (row->has_goal)
      all[count++] = (struct meeting){frame_point(frame, row->goal[0], row->goal[1]), 1};
  }
  const double people = fmax(most_people(all, count), 1);
  memory_destroy(all);
  return frame_length(frame, d->config->goal.radius + sqrt(people / (MEETING_DENSITY * M_PI)));
}
