#include "load_balance.h"

#include <math.h>

// The weight of an agent, in 1/256 of one with ten neighbours. Measured on the standard crowd with
// ORCA on 16 lanes at .01 to 1 agents/m^2 (bench/README.md).
#define WEIGHT_UNIT      256.0
#define WEIGHT_ALONE     0.4
#define WEIGHT_NEIGHBOUR 0.06

#define SCALE_MAX        2.0   // the scale stays within [1 / SCALE_MAX, SCALE_MAX]
#define SMOOTHING        0.125 // weight of a new measurement of the scale
#define VARIANCE_START   0.05  // of a measurement, before the first one
#define IMBALANCE_SEVERE 1.5   // cut at once above it
#define BACKOFF_MAX      64.0
#define IMPROVEMENT_MIN  1.01 // a cut that reduces the imbalance by less is useless

static void create_exchanges(const struct load_balance_input *in, int32_t width)
{
  halo_create(in->halo, in->comm, in->partition, width, in->message_allocator);
  migrate_create(in->migrate, in->comm, in->partition, in->halo->exchange.peers,
                 in->halo->exchange.peer_count);
}

void load_balance_create(struct load_balance *b, const struct balance_options *options,
                         int32_t width, const struct load_balance_input *in)
{
  *b = (struct load_balance){.options = *options,
                             .scale = 1,
                             .learned_scale = 1,
                             .scale_variance = VARIANCE_START,
                             .backoff = 1,
                             .weight_imbalance = 1};
  const struct partition_points points = {in->agents->count, in->agents->x, in->agents->y, NULL};
  partition_ranks_create(&b->ranks, in->comm, partition_ranks_choose(in->comm->size));
  partition_create(in->partition, in->comm->size, width, &points, partition_ranks_reduce(&b->ranks),
                   partition_ranks_groups(&b->ranks));
  migrate_globally(in->comm, in->partition, in->agents);
  create_exchanges(in, width);
}

void load_balance_destroy(struct load_balance *b)
{
  partition_ranks_destroy(&b->ranks);
}

// ------------------------------------------------------------------------------ measuring load

static double base_weight(const struct neighbours *neighbours, int64_t i)
{
  return WEIGHT_UNIT * (WEIGHT_ALONE + WEIGHT_NEIGHBOUR * neighbours_count_hint(neighbours, i));
}

#define LOADS_MAX 2

// Most and mean over the ranks of mine[count], s.
static void reduce_loads(const struct comm *c, const double *mine, struct load *all, int count)
{
  int64_t most[LOADS_MAX], sum[LOADS_MAX];
  for (int k = 0; k < count; k++)
    most[k] = sum[k] = llrint(1e9 * mine[k]);
  comm_max(c, most, count);
  comm_sum(c, sum, count);
  for (int k = 0; k < count; k++)
    all[k] = (struct load){1e-9 * (double)most[k], 1e-9 * (double)sum[k] / c->size};
}

static void load_add(struct load *sum, struct load one)
{
  sum->most += one.most;
  sum->mean += one.mean;
}

double load_imbalance(struct load l)
{
  return l.mean > 0 ? l.most / l.mean : 1;
}

// Times are noisy, most of all where ranks share cores. The scale departs from 1 only as far as
// what was learned exceeds twice its standard error.
static void learn_scale(struct load_balance *b, double measured)
{
  const double error = fmin(fmax(measured, 1 / SCALE_MAX), SCALE_MAX) - b->learned_scale;
  b->learned_scale += SMOOTHING * error;
  b->scale_variance += SMOOTHING * (error * error - b->scale_variance);
  const double error2 = b->scale_variance * SMOOTHING / (2 - SMOOTHING), d = b->learned_scale - 1;
  b->scale = d * d > 4 * error2 ? 1 + d * (1 - 4 * error2 / (d * d)) : 1;
}

// The load to expect of this rank: the weight of its agents times its seconds per weight. Nothing
// is learned right after a cut, when all agents were sorted.
static double expected_load(struct load_balance *b, double own, double mean)
{
  const double per_weight = b->last.mean / (mean > 0 ? mean : 1);
  if (own > 0 && per_weight > 0 && !b->just_cut)
    learn_scale(b, b->work / own / per_weight);
  return b->scale * own * per_weight;
}

static double
total_weight(const struct load_balance_input *in) // of this rank, millions of weight units
{
  double sum = 0;
  for (int64_t i = 0; i < in->agents->count; i++)
    sum += base_weight(in->neighbours, i);
  return 1e-6 * sum;
}

static void measure_load(struct load_balance *b, const struct load_balance_input *in)
{
  if (in->sync_host)
    in->sync_host(in->context, false);
  const double mine[2] = {total_weight(in), b->work};
  struct load found[2];
  reduce_loads(in->comm, mine, found, 2);
  b->last = found[1];
  load_add(&b->weighted, found[0]);
  load_add(&b->all, b->last);
  if (b->just_cut)
    load_add(&b->after_cut, b->last);
  if (b->options.when != BALANCE_NEVER) {
    const double expected = expected_load(b, mine[0], found[0].mean);
    reduce_loads(in->comm, &expected, &b->expected, 1);
  }
  b->just_cut = false;
  b->waste += b->expected.most - b->expected.mean;
  b->work = 0;
}

static bool is_due(const struct load_balance *b)
{
  const double imbalance = load_imbalance(b->expected);
  if (b->options.when != BALANCE_AUTO)
    return b->options.when == BALANCE_ALWAYS;
  if (imbalance > IMBALANCE_SEVERE && b->backoff <= 1)
    return true;
  return imbalance > b->options.threshold && b->waste > b->backoff * b->cost;
}

// --------------------------------------------------------------------------------- the new cut

static int32_t *agent_weights(const struct load_balance *b,
                              const struct load_balance_input *in) // [agents]
{
  const int64_t count = in->agents->count;
  int32_t *weights = memory_create((size_t)count, sizeof *weights);
  for (int64_t i = 0; i < count; i++)
    weights[i] = (int32_t)lrint(b->scale * base_weight(in->neighbours, i));
  return weights;
}

// Weight of the agents in each rank's new box: scaled[ranks], and unscaled in base[ranks].
static void sum_weights_per_rank(const struct load_balance_input *in, const int32_t *weights,
                                 int64_t *scaled, int64_t *base)
{
  const struct agents *a = in->agents;
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t owner = partition_owner(in->partition, (struct point){a->x[i], a->y[i]});
    scaled[owner] += weights[i];
    base[owner] += lrint(base_weight(in->neighbours, i));
  }
  comm_sum(in->comm, scaled, in->comm->size);
  comm_sum(in->comm, base, in->comm->size);
}

static double max_over_mean(const int64_t *shares, int32_t ranks)
{
  int64_t most = 0, sum = 0;
  for (int32_t r = 0; r < ranks; r++) {
    most = shares[r] > most ? shares[r] : most;
    sum += shares[r];
  }
  return sum > 0 ? (double)most * ranks / (double)sum : 1;
}

static void repartition(struct load_balance *b, const struct load_balance_input *in)
{
  const int32_t width = in->halo->width, ranks = in->comm->size;
  int32_t *weights = agent_weights(b, in);
  int64_t *scaled = memory_create(2 * (size_t)ranks, sizeof *scaled), *base = scaled + ranks;
  const struct partition_points points = {in->agents->count, in->agents->x, in->agents->y, weights};
  partition_update(in->partition, width, &points, partition_ranks_reduce(&b->ranks),
                   partition_ranks_groups(&b->ranks));
  sum_weights_per_rank(in, weights, scaled, base);
  b->weight_imbalance = max_over_mean(scaled, ranks);
  // Agents take their scale along to their new owners.
  b->learned_scale = b->scale =
      base[in->comm->rank] > 0 ? (double)scaled[in->comm->rank] / (double)base[in->comm->rank] : 1;
  memory_destroy(weights);
  memory_destroy(scaled);
  halo_destroy(in->halo);
  migrate_destroy(in->migrate);
  int64_t agents_moved = migrate_globally(in->comm, in->partition, in->agents);
  comm_sum(in->comm, &agents_moved, 1);
  b->agents_moved += agents_moved;
  create_exchanges(in, width);
  neighbours_invalidate(in->neighbours);
  const bool helped = load_imbalance(b->expected) > IMPROVEMENT_MIN * b->weight_imbalance;
  b->backoff = helped ? 1 : fmin(2 * b->backoff, BACKOFF_MAX);
}

// The cost of a cut is that of the slowest rank, so that all agree. It is CPU time, as waste is:
// where ranks share cores, wall time counts the others, too.
static void rebalance(struct load_balance *b, const struct load_balance_input *in)
{
  const double start = clock_seconds(), cpu_start = clock_cpu_seconds();
  if (in->sync_host)
    in->sync_host(in->context, true);
  repartition(b, in);
  int64_t elapsed[2] = {llrint(1e9 * (clock_seconds() - start)),
                        llrint(1e9 * (clock_cpu_seconds() - cpu_start))};
  comm_max(in->comm, elapsed, 2);
  const double cost = 1e-9 * (double)elapsed[1];
  b->cost = b->rebalances == 0 ? cost : (b->cost + cost) / 2;
  b->seconds += 1e-9 * (double)elapsed[0];
  b->waste = 0;
  b->just_cut = true;
  b->rebalances++;
}

void load_balance_step(struct load_balance *b, int64_t step, const struct load_balance_input *in)
{
  if (in->comm->size == 1 || (step > 1 && step % b->options.every != 0))
    return;
  measure_load(b, in);
  if (is_due(b))
    rebalance(b, in);
}

void load_balance_widen(struct load_balance *b, int32_t width, const struct load_balance_input *in)
{
  in->halo->width = width;
  rebalance(b, in);
}

void load_balance_visit(struct load_balance *b, struct state *v)
{
  struct load *loads[] = {&b->all, &b->weighted, &b->after_cut};
  static const char *const names[] = {"balancing.all", "balancing.counted", "balancing.fresh"};
  state_value(v, STATE_SAME, STATE_COUNT, "balancing.times", &b->rebalances);
  state_value(v, STATE_SAME, STATE_COUNT, "balancing.moved", &b->agents_moved);
  state_value(v, STATE_SAME, STATE_FINITE, "balancing.seconds", &b->seconds);
  for (int k = 0; k < 3; k++) {
    double both[2] = {loads[k]->most, loads[k]->mean};
    state_array(v, STATE_SAME, STATE_FINITE, names[k], both, 2);
    *loads[k] = (struct load){both[0], both[1]};
  }
}
