#include "standard_crowds.h"

#include "random.h"
#include <assert.h>
#include <math.h>

static double side_of(int64_t count, double density) // m
{
  return sqrt((double)count / density);
}

struct box standard_crowds_square_bounds(const struct frame *frame, int64_t count, double density)
{
  const int32_t half = frame_length(frame, side_of(count, density) / 2 + 100);
  return (struct box){{-half, -half}, {half, half}};
}

static int32_t along(const struct frame *frame, double side, double share)
{
  return frame_length(frame, side * (share - 0.5));
}

void standard_crowds_square(struct agents *a, const struct frame *frame,
                            const struct square_crowd *crowd)
{
  const double side = side_of(crowd->count, crowd->density);
  const int64_t columns = (int64_t)ceil(sqrt((double)crowd->count));
  assert(crowd->density > 0 && 0 <= crowd->first && crowd->first <= crowd->end &&
         crowd->end <= crowd->count);
  agents_reserve(a, a->count + crowd->end - crowd->first);
  for (int64_t id = crowd->first; id < crowd->end; id++) {
    const int64_t i = agents_append(a);
    const struct random4 r = random_words(crowd->seed, id, 0, RANDOM_TEST);
    const struct random4 goal = random_words(crowd->seed, id, 0, RANDOM_GOAL);
    // Within the middle half of its cell of the grid.
    const double column = (double)(id % columns) + 0.25 + 0.5 * random_unit(r.word[0]);
    const double row = (double)(id / columns) + 0.25 + 0.5 * random_unit(r.word[1]);
    a->id[i] = id;
    a->x[i] = along(frame, side, column / (double)columns);
    a->y[i] = along(frame, side, row / (double)columns);
    a->goal_x[i] = along(frame, side, random_unit(goal.word[0]));
    a->goal_y[i] = along(frame, side, random_unit(goal.word[1]));
    agent_set_destination(a, i, -1);
    a->radius[i] = 0.25f;
    a->speed[i] = 1.3f;
    a->max_speed[i] = 1.3f;
    a->yield[i] = 1;
    a->horizon[i] = 2;
    a->neighbours[i] = 10;
    a->neighbour_distance[i] = 5;
  }
}

void standard_crowds_mix(struct agents *a, uint64_t seed)
{
  for (int64_t i = 0; i < a->count; i++) {
    const struct random4 r = random_words(seed, a->id[i], 1, RANDOM_TEST);
    a->radius[i] = 0.2f + 0.1f * random_unit(r.word[0]);
    a->speed[i] = a->max_speed[i] = 1.0f + 0.6f * random_unit(r.word[1]);
    a->horizon[i] = 1.0f + 2.0f * random_unit(r.word[2]);
  }
}

#define CLUSTERS       30
#define CLUSTER_PEAK   5.0  // agents/m^2 at the centre
#define CLUSTER_REACH  10.0 // radius, in multiples of its width
#define CLUSTERS_SPACE 4.0  // m^2 per agent, of the square that holds the centres

static double cluster_share(int cluster) // fraction of all agents
{
  double all = 0;
  for (int k = 1; k <= CLUSTERS; k++)
    all += 1.0 / k;
  return 1.0 / (cluster + 1) / all;
}

static double cluster_width(int cluster, int64_t count) // m: a in standard_crowds.h
{
  const double pi = 3.14159265358979;
  return sqrt(cluster_share(cluster) * (double)count / (pi * CLUSTER_PEAK));
}

double standard_crowds_clusters_half(int64_t count)
{
  return sqrt(CLUSTERS_SPACE * (double)count) / 2 + CLUSTER_REACH * cluster_width(0, count) + 1;
}

static double signed_unit(uint32_t word) // [-1, 1)
{
  return (double)word * 0x1p-31 - 1;
}

// Maps a uniform point of the unit disc, s = its squared radius, outwards by 1 / sqrt(1 - s): the
// result has the density profile of standard_crowds.h.
static void place_in_cluster(double *x, double *y, uint64_t seed, int64_t id)
{
  const double farthest = CLUSTER_REACH * CLUSTER_REACH / (1 + CLUSTER_REACH * CLUSTER_REACH);
  for (int64_t try = 1;; try++) {
    const struct random4 r = random_words(seed, id, try, RANDOM_TEST);
    const double u = signed_unit(r.word[0]), v = signed_unit(r.word[1]), s = u * u + v * v;
    if (s > farthest)
      continue;
    *x = u / sqrt(1 - s);
    *y = v / sqrt(1 - s);
    return;
  }
}

void standard_crowds_clusters(int32_t *x, int32_t *y, const struct frame *frame, uint64_t seed,
                              int64_t count)
{
  double cumulative[CLUSTERS], width[CLUSTERS], centre[CLUSTERS][2];
  const double half = sqrt(CLUSTERS_SPACE * (double)count) / 2;
  for (int k = 0; k < CLUSTERS; k++) {
    const struct random4 r = random_words(seed, -1 - k, 0, RANDOM_TEST);
    cumulative[k] = cluster_share(k) + (k ? cumulative[k - 1] : 0);
    width[k] = cluster_width(k, count);
    centre[k][0] = half * signed_unit(r.word[0]);
    centre[k][1] = half * signed_unit(r.word[1]);
  }
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; i++) {
    const double draw = (double)random_words(seed, i, 0, RANDOM_TEST).word[0] * 0x1p-32;
    double dx, dy;
    int k = 0;
    while (k < CLUSTERS - 1 && draw >= cumulative[k])
      k++;
    place_in_cluster(&dx, &dy, seed, i);
    x[i] = frame_length(frame, centre[k][0] + width[k] * dx);
    y[i] = frame_length(frame, centre[k][1] + width[k] * dy);
  }
}
