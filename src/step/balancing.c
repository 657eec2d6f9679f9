#include "balancing.h"

#include <math.h>

// An agent's weight, in 1/256 of one with ten neighbours: measured on the standard crowd, ORCA on
// 16 lanes, .01 to 1 people/m^2 (bench/README.md).
#define WEIGHT_UNIT      256.0
#define WEIGHT_ALONE     0.4
#define WEIGHT_NEIGHBOUR 0.06

#define SCALE_MAX      2.0   // a rank's agents weigh as much more or less at most
#define SMOOTHING      0.125 // of a new measurement of that
#define DOUBT          0.05  // variance of a measurement, before anything is known
#define SEVERE         1.5   // cut at once
#define RELUCTANCE_MAX 64.0  // times the cost
#define HELPED         1.01  // so much less even the weights must have been

static void sum_ranks(void *comm, int64_t *values, int64_t count)
{
  comm_sum(comm, values, count);
}

static void max_ranks(void *comm, int64_t *values, int64_t count)
{
  comm_max(comm, values, count);
}

static void make_plans(const struct balancing_input *in, int32_t width)
{
  halo_create(in->halo, in->comm, in->partition, width, in->parcels);
  migrate_create(in->migrate, in->comm, in->partition, in->halo->exchange.peers,
                 in->halo->exchange.peer_count);
}

static struct partition_reduce over(const struct comm *c)
{
  return (struct partition_reduce){sum_ranks, max_ranks, (void *)(uintptr_t)c};
}

void balancing_create(struct balancing *b, const struct balance_options *options, int32_t width,
                      const struct balancing_input *in)
{
  *b = (struct balancing){
      .options = *options, .scale = 1, .learned = 1, .noise = DOUBT, .reluctance = 1, .weights = 1};
  const struct partition_points points = {in->agents->count, in->agents->x, in->agents->y, NULL};
  partition_create(in->partition, in->comm->size, width, &points, over(in->comm));
  migrate_anywhere(in->comm, in->partition, in->agents);
  make_plans(in, width);
}

// --------------------------------------------------------------------------------- the look

static double base_weight(const struct neighbours *crowd, int64_t i)
{
  return WEIGHT_UNIT * (WEIGHT_ALONE + WEIGHT_NEIGHBOUR * neighbours_seen(crowd, i));
}

#define LABOURS_MAX 2

// s, of all ranks: several at once.
static void labours_of(const struct comm *c, const double *mine, struct labour *all, int count)
{
  int64_t most[LABOURS_MAX], sum[LABOURS_MAX];
  for (int k = 0; k < count; k++)
    most[k] = sum[k] = llrint(1e9 * mine[k]);
  comm_max(c, most, count);
  comm_sum(c, sum, count);
  for (int k = 0; k < count; k++)
    all[k] = (struct labour){1e-9 * (double)most[k], 1e-9 * (double)sum[k] / c->size};
}

static void labour_add(struct labour *sum, struct labour one)
{
  sum->most += one.most;
  sum->mean += one.mean;
}

double labour_imbalance(struct labour l)
{
  return l.mean > 0 ? l.most / l.mean : 1;
}

// Times are noisy, the more so where ranks share cores: a rank's agents count for as much dearer or
// cheaper than the mean as twice the error of what was learned leaves over.
static void learn(struct balancing *b, double measured)
{
  const double off = fmin(fmax(measured, 1 / SCALE_MAX), SCALE_MAX) - b->learned;
  b->learned += SMOOTHING * off;
  b->noise += SMOOTHING * (off * off - b->noise);
  const double error2 = b->noise * SMOOTHING / (2 - SMOOTHING), d = b->learned - 1;
  b->scale = d * d > 4 * error2 ? 1 + d * (1 - 4 * error2 / (d * d)) : 1;
}

// The labour to expect of this rank: what its agents weigh, times how long it takes for a weight.
// That is not learned right after a cut, when everybody was put in order.
static double expect(struct balancing *b, double own, double mean)
{
  const double per_weight = b->last.mean / (mean > 0 ? mean : 1);
  if (own > 0 && per_weight > 0 && !b->is_fresh)
    learn(b, b->work / own / per_weight);
  return b->scale * own * per_weight;
}

static double weigh_all(const struct balancing_input *in) // of this rank, 1e-6 weights
{
  double sum = 0;
  for (int64_t i = 0; i < in->agents->count; i++)
    sum += base_weight(in->crowd, i);
  return 1e-6 * sum;
}

static void look(struct balancing *b, const struct balancing_input *in)
{
  if (in->fetch)
    in->fetch(in->context, false);
  const double mine[2] = {weigh_all(in), b->work};
  struct labour found[2];
  labours_of(in->comm, mine, found, 2);
  b->last = found[1];
  labour_add(&b->counted, found[0]);
  labour_add(&b->all, b->last);
  if (b->is_fresh)
    labour_add(&b->fresh, b->last);
  if (b->options.when != BALANCE_NEVER) {
    const double expected = expect(b, mine[0], found[0].mean);
    labours_of(in->comm, &expected, &b->expected, 1);
  }
  b->is_fresh = false;
  b->lost += b->expected.most - b->expected.mean;
  b->work = 0;
}

static bool due(const struct balancing *b)
{
  const double imbalance = labour_imbalance(b->expected);
  if (b->options.when != BALANCE_AUTO)
    return b->options.when == BALANCE_ALWAYS;
  if (imbalance > SEVERE && b->reluctance <= 1)
    return true;
  return imbalance > b->options.threshold && b->lost > b->reluctance * b->cost;
}

// ------------------------------------------------------------------------------ the new cut

static int32_t *weigh(const struct balancing *b, const struct balancing_input *in) // [agents]
{
  const int64_t count = in->agents->count;
  int32_t *weights = memory_create((size_t)count, sizeof *weights);
  for (int64_t i = 0; i < count; i++)
    weights[i] = (int32_t)lrint(b->scale * base_weight(in->crowd, i));
  return weights;
}

// What the agents weigh that are in each rank's box: weighed[ranks], and unscaled base[ranks].
static void share_out(const struct balancing_input *in, const int32_t *weights, int64_t *weighed,
                      int64_t *base)
{
  const struct agents *a = in->agents;
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t owner = partition_owner(in->partition, (struct point){a->x[i], a->y[i]});
    weighed[owner] += weights[i];
    base[owner] += lrint(base_weight(in->crowd, i));
  }
  comm_sum(in->comm, weighed, in->comm->size);
  comm_sum(in->comm, base, in->comm->size);
}

static double unevenness(const int64_t *shares, int32_t ranks) // most to mean
{
  int64_t most = 0, sum = 0;
  for (int32_t r = 0; r < ranks; r++) {
    most = shares[r] > most ? shares[r] : most;
    sum += shares[r];
  }
  return sum > 0 ? (double)most * ranks / (double)sum : 1;
}

static void cut_anew(struct balancing *b, const struct balancing_input *in)
{
  const int32_t width = in->halo->width, ranks = in->comm->size;
  int32_t *weights = weigh(b, in);
  int64_t *weighed = memory_create(2 * (size_t)ranks, sizeof *weighed), *base = weighed + ranks;
  const struct partition_points points = {in->agents->count, in->agents->x, in->agents->y, weights};
  partition_renew(in->partition, width, &points, over(in->comm));
  share_out(in, weights, weighed, base);
  b->weights = unevenness(weighed, ranks);
  // What was learned goes with the agents.
  b->learned = b->scale =
      base[in->comm->rank] > 0 ? (double)weighed[in->comm->rank] / (double)base[in->comm->rank] : 1;
  memory_destroy(weights);
  memory_destroy(weighed);
  halo_destroy(in->halo);
  migrate_destroy(in->migrate);
  int64_t moved = migrate_anywhere(in->comm, in->partition, in->agents);
  comm_sum(in->comm, &moved, 1);
  b->moved += moved;
  make_plans(in, width);
  neighbours_forget(in->crowd);
  const bool helped = labour_imbalance(b->expected) > HELPED * b->weights;
  b->reluctance = helped ? 1 : fmin(2 * b->reluctance, RELUCTANCE_MAX);
}

// Measured where it is slowest, so that all agree on what it costs: in computing time, as what is
// lost is, since where ranks share cores the clock on the wall counts the others, too.
static void rebalance(struct balancing *b, const struct balancing_input *in)
{
  const double start = clock_seconds(), computed = clock_cpu_seconds();
  if (in->fetch)
    in->fetch(in->context, true);
  cut_anew(b, in);
  int64_t took[2] = {llrint(1e9 * (clock_seconds() - start)),
                     llrint(1e9 * (clock_cpu_seconds() - computed))};
  comm_max(in->comm, took, 2);
  const double cost = 1e-9 * (double)took[1];
  b->cost = b->times == 0 ? cost : (b->cost + cost) / 2;
  b->seconds += 1e-9 * (double)took[0];
  b->lost = 0;
  b->is_fresh = true;
  b->times++;
}

void balancing_step(struct balancing *b, int64_t step, const struct balancing_input *in)
{
  if (in->comm->size == 1 || (step > 1 && step % b->options.every != 0))
    return;
  look(b, in);
  if (due(b))
    rebalance(b, in);
}

void balancing_visit(struct balancing *b, struct state *v)
{
  struct labour *labours[] = {&b->all, &b->counted, &b->fresh};
  static const char *const names[] = {"balancing.all", "balancing.counted", "balancing.fresh"};
  state_value(v, STATE_SAME, "balancing.times", &b->times);
  state_value(v, STATE_SAME, "balancing.moved", &b->moved);
  state_value(v, STATE_SAME, "balancing.seconds", &b->seconds);
  for (int k = 0; k < 3; k++) {
    double both[2] = {labours[k]->most, labours[k]->mean};
    state_array(v, STATE_SAME, names[k], both, 2);
    *labours[k] = (struct labour){both[0], both[1]};
  }
}
