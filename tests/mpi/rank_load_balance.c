// A drifting crowd stays balanced, and no agent is lost, duplicated or changed by rebalancing.
#include "box_tree.h"
#include "load_balance.h"
#include "rank_crowd.h"

#define STEPS 100
#define WIDTH (1 << 17)
#define WORK  1e-3 // s per agent: more than any rebalancing costs

struct rank_state { // of one rank
  const struct comm *comm;
  struct agents agents, all; // all: the whole crowd
  struct neighbours crowd;
  struct partition partition;
  struct halo halo;
  struct migrate migrate;
  struct load_balance load_balance;
};

static struct load_balance_input input(struct rank_state *l)
{
  return (struct load_balance_input){.comm = l->comm,
                                     .agents = &l->agents,
                                     .neighbours = &l->crowd,
                                     .partition = &l->partition,
                                     .halo = &l->halo,
                                     .migrate = &l->migrate};
}

// Widens clusters that would cross a border within one step.
static void spread(struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++) {
    const struct random4 r = random_words(6, a->id[i], 0, RANDOM_TEST);
    a->x[i] = a->x[i] / 2 + crowd_within(r.word[0], 1 << 18);
    a->y[i] = a->y[i] / 2 + crowd_within(r.word[1], 1 << 18);
  }
}

static void begin(struct rank_state *l, const struct crowd *crowd, const struct comm *c,
                  struct balance_options options)
{
  const struct comm self = comm_self();
  *l = (struct rank_state){.comm = c};
  crowd_share(crowd, c, &l->agents);
  crowd_share(crowd, &self, &l->all);
  spread(&l->agents);
  spread(&l->all);
  const struct load_balance_input in = input(l);
  load_balance_create(&l->load_balance, &options, WIDTH, &in);
}

static void end(struct rank_state *l)
{
  load_balance_destroy(&l->load_balance);
  migrate_destroy(&l->migrate);
  halo_destroy(&l->halo);
  partition_destroy(&l->partition);
  neighbours_destroy(&l->crowd);
  agents_destroy(&l->agents);
  agents_destroy(&l->all);
}

// Each cluster moves its own way, and all move to one side: initial boxes become empty.
static void drift(const struct crowd *crowd, struct agents *a)
{
  const int32_t clusters = crowd->clusters ? crowd->clusters : 5;
  for (int64_t i = 0; i < a->count; i++) {
    const struct random4 r = random_words(4, a->id[i] % clusters, 0, RANDOM_TEST);
    const int64_t x = (int64_t)a->x[i] + 10000 + crowd_within(r.word[0], 1 << 14);
    const int64_t y = (int64_t)a->y[i] + crowd_within(r.word[1], 1 << 14);
    a->x[i] = x < POSITION_LIMIT ? (int32_t)x : POSITION_LIMIT;
    a->y[i] = (int32_t)(y > POSITION_LIMIT    ? POSITION_LIMIT
                        : y < -POSITION_LIMIT ? -POSITION_LIMIT
                                              : y);
  }
}

static void step(struct rank_state *l, const struct crowd *crowd, int64_t number)
{
  const struct load_balance_input in = input(l);
  halo_begin(&l->halo, &l->agents);
  halo_end(&l->halo, &l->agents);
  drift(crowd, &l->agents);
  drift(crowd, &l->all);
  int64_t border_layer = l->agents.count / 2 / BOX_TREE_NODE * BOX_TREE_NODE;
  migrate(&l->migrate, &l->agents, &border_layer);
  l->load_balance.work += WORK * (double)l->agents.count;
  load_balance_step(&l->load_balance, number, &in);
  crowd_check_ownership(l->comm, &l->partition, &l->agents, number);
  if (number % 4 == 0)
    crowd_check_whole(l->comm, &l->agents, &l->all, number);
}

// Returns the load of the slowest rank over the mean, of all steps.
static double drift_along(const struct crowd *crowd, const struct comm *c,
                          struct balance_options options, int64_t steps, int64_t *rebalances)
{
  struct rank_state l;
  begin(&l, crowd, c, options);
  for (int64_t number = 1; number <= steps; number++)
    step(&l, crowd, number);
  const double imbalance = load_imbalance(l.load_balance.all);
  *rebalances = l.load_balance.rebalances;
  law(c->size == 1 || crowd->count == 0 || options.when == BALANCE_NEVER ||
          l.load_balance.weight_imbalance > 0,
      "%s: weights %g", crowd->name, l.load_balance.weight_imbalance);
  end(&l);
  return imbalance;
}

static const struct balance_options at_all = {BALANCE_ALWAYS, 4, 1.05},
                                    when_due = {BALANCE_AUTO, 5, 1.05},
                                    never = {BALANCE_NEVER, 5, 1.05};

static void check_following(const struct comm *c, const struct crowd *crowd)
{
  int64_t always_times, rebalances, never_times;
  const double always = drift_along(crowd, c, at_all, STEPS, &always_times);
  const double due = drift_along(crowd, c, when_due, STEPS, &rebalances);
  const double left = drift_along(crowd, c, never, STEPS, &never_times);
  law(never_times == 0, "%" PRId64, never_times);
  if (c->size == 1)
    return;
  law(always_times == STEPS / 4 + 1, "%" PRId64, always_times);
  law(rebalances > 0 && rebalances <= STEPS / 5 + 1, "%s: %" PRId64, crowd->name, rebalances);
  if (c->size == 2) // two halves may stay balanced
    return;
  law(left > 1.2, "%s, never: %g", crowd->name, left);
  law(due < 1.15, "%s, when due: %g, never %g", crowd->name, due, left);
  law(always < 1.1, "%s, always: %g", crowd->name, always);
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < CROWDS; k++) { // the checks of every step hold for every crowd
    int64_t rebalances;
    drift_along(&crowds[k], &c, at_all, STEPS / 5, &rebalances);
    drift_along(&crowds[k], &c, when_due, STEPS / 5, &rebalances);
  }
  if (!SHORT) // laws of numbers, not of memory
    check_following(&c, &crowds[1]);
  comm_end(&c);
  return 0;
}
