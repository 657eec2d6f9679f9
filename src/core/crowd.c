#include "crowd.h"

#include "random.h"
#include <math.h>

static double side_of(int64_t count, double density) // m
{
  return sqrt((double)count / density);
}

struct box crowd_square_bounds(const struct frame *frame, int64_t count, double density)
{
  const int32_t half = frame_length(frame, side_of(count, density) / 2 + 100);
  return (struct box){{-half, -half}, {half, half}};
}

static int32_t along(const struct frame *frame, double side, double share)
{
  return frame_length(frame, side * (share - 0.5));
}

void crowd_square(struct agents *a, const struct frame *frame, uint64_t seed, int64_t count,
                  double density, int64_t first, int64_t end)
{
  const double side = side_of(count, density);
  const int64_t columns = (int64_t)ceil(sqrt((double)count));
  agents_reserve(a, a->count + end - first);
  for (int64_t id = first; id < end; id++) {
    const int64_t i = agents_append(a);
    const struct random4 r = random_words(seed, id, 0, RANDOM_TEST);
    const struct random4 goal = random_words(seed, id, 0, RANDOM_GOAL);
    // The middle half of a cell of the grid.
    const double column = (double)(id % columns) + 0.25 + 0.5 * random_unit(r.word[0]);
    const double row = (double)(id / columns) + 0.25 + 0.5 * random_unit(r.word[1]);
    a->id[i] = id;
    a->x[i] = along(frame, side, column / (double)columns);
    a->y[i] = along(frame, side, row / (double)columns);
    a->goal_x[i] = along(frame, side, random_unit(goal.word[0]));
    a->goal_y[i] = along(frame, side, random_unit(goal.word[1]));
    a->destination[i] = -1;
    a->radius[i] = 0.25f;
    a->speed[i] = 1.3f;
    a->max_speed[i] = 1.3f;
    a->yield[i] = 1;
    a->horizon[i] = 2;
    a->neighbours[i] = 10;
    a->neighbour_distance[i] = 5;
  }
}

void crowd_mix(struct agents *a, uint64_t seed)
{
  for (int64_t i = 0; i < a->count; i++) {
    const struct random4 r = random_words(seed, a->id[i], 1, RANDOM_TEST);
    a->radius[i] = 0.2f + 0.1f * random_unit(r.word[0]);
    a->speed[i] = a->max_speed[i] = 1.0f + 0.6f * random_unit(r.word[1]);
    a->horizon[i] = 1.0f + 2.0f * random_unit(r.word[2]);
  }
}
