#include "partition_bench.h"

#include "partition.h"
#include "standard_crowds.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct counts {
  int64_t *agents, *ghosts;            // by rank
  int64_t neighbours, most_neighbours; // neighbouring ranks: sum over ranks, maximum
};

// Ghosts as halo.h defines them: other ranks' agents inside a rank's widened box.
static void count_agents(struct counts *n, const struct partition *p,
                         const struct partition_points *points, int32_t reach)
{
  int32_t *ranks = memory_create((size_t)p->rank_count, sizeof *ranks);
  for (int64_t i = 0; i < points->count; i++) {
    const struct point at = {points->x[i], points->y[i]};
    const struct box range = {{at.x - reach, at.y - reach}, {at.x + reach + 1, at.y + reach + 1}};
    const int32_t found = partition_overlapping(p, range, ranks);
    const int32_t owner = found == 1 ? ranks[0] : partition_owner(p, at);
    n->agents[owner]++;
    for (int32_t k = 0; k < found; k++)
      n->ghosts[ranks[k]] += ranks[k] != owner;
  }
  memory_destroy(ranks);
}

static void count_neighbours(struct counts *n, const struct partition *p, int32_t reach)
{
  int32_t *ranks = memory_create((size_t)p->rank_count, sizeof *ranks);
  for (int32_t r = 0; r < p->rank_count; r++) {
    const int32_t others = partition_overlapping(p, box_widened(p->boxes[r], reach), ranks) - 1;
    n->neighbours += others;
    n->most_neighbours = others > n->most_neighbours ? others : n->most_neighbours;
  }
  memory_destroy(ranks);
}

static int64_t maximum(const int64_t *values, int32_t count)
{
  int64_t result = 0;
  for (int32_t k = 0; k < count; k++)
    result = values[k] > result ? values[k] : result;
  return result;
}

static int64_t total(const int64_t *values, int32_t count)
{
  int64_t sum = 0;
  for (int32_t k = 0; k < count; k++)
    sum += values[k];
  return sum;
}

static void print_json(const struct partition_bench *b, const struct counts *n, double seconds)
{
  const double mean = (double)b->agents / b->ranks;
  printf("{\"ranks\": %d, \"agents\": %" PRId64 ", \"reach_m\": %g, \"seed\": %" PRIu64
         ", \"imbalance\": %.6f, \"mean_ghost_share\": %.4f, \"worst_ghost_share\": %.4f, "
         "\"mean_neighbour_ranks\": %.2f, \"most_neighbour_ranks\": %" PRId64
         ", \"seconds\": %.3f}\n",
         b->ranks, b->agents, b->reach, b->seed, (double)maximum(n->agents, b->ranks) / mean,
         (double)total(n->ghosts, b->ranks) / (double)b->agents,
         (double)maximum(n->ghosts, b->ranks) / mean, (double)n->neighbours / b->ranks,
         n->most_neighbours, seconds);
}

void partition_bench(const struct partition_bench *b)
{
  struct frame frame;
  struct partition p;
  const double half = standard_crowds_clusters_half(b->agents);
  const double lo[2] = {-half, -half}, hi[2] = {half, half};
  require(frame_fit(&frame, lo, hi), "%lld agents do not fit into the largest world",
          (long long)b->agents);
  int32_t *x = memory_create((size_t)b->agents, sizeof *x);
  int32_t *y = memory_create((size_t)b->agents, sizeof *y);
  standard_crowds_clusters(x, y, &frame, b->seed, b->agents);
  const struct partition_points points = {b->agents, x, y, NULL};
  const int32_t reach = frame_length(&frame, b->reach);
  const double start = clock_seconds();
  partition_create(&p, b->ranks, reach, &points, (struct partition_reduce){0}, NULL);
  const double seconds = clock_seconds() - start;
  struct counts n = {memory_create((size_t)b->ranks, sizeof *n.agents),
                     memory_create((size_t)b->ranks, sizeof *n.ghosts), 0, 0};
  count_agents(&n, &p, &points, reach);
  count_neighbours(&n, &p, reach);
  print_json(b, &n, seconds);
  memory_destroy(n.agents);
  memory_destroy(n.ghosts);
  memory_destroy(x);
  memory_destroy(y);
  partition_destroy(&p);
}
