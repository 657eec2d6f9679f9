#include "transitions.h"

#include "oracle.h"
#include <criterion/criterion.h>

#define AGENTS 3000
#define STEP   100

// Those of every activity, at their goal or not, blocked for any time.
static void make_agents(struct agents *a, uint64_t *r, int32_t timeout)
{
  agents_create(a, AGENTS);
  for (int k = 0; k < AGENTS; k++) {
    const int64_t i = agents_append(a);
    a->id[i] = i;
    a->goal_x[i] = oracle_whole(r, 0, 3) ? 1 << 20 : 0;
    a->doing[i] = oracle_whole(r, ACTIVITY_WALK, ACTIVITY_LEAVE);
    a->until[i] = oracle_whole(r, STEP - 2, STEP + 2);
    const int32_t held[] = {0, 1, timeout - 1, timeout, timeout + 1, 2 * timeout, INT32_MAX};
    const int32_t blocked = held[oracle_whole(r, 0, 6)];
    a->held[i] = blocked < 0 ? 0 : blocked;
    agent_set_stage(a, i, oracle_whole(r, -1, 1));
    agent_set_target(a, i, oracle_whole(r, -1, 1));
  }
}

// What is marked several at a time is what the filter matches, agent by agent.
Test(transitions, those_are_due_whom_the_filter_matches)
{
  const int32_t timeouts[] = {0, 1, 2, 30, INT32_MAX / 2};
  struct scenario s = {.goal_radius = 0.25f, .world.frame.exponent = 16};
  uint64_t r = 2;
  int64_t all_due = 0, all_arrived = 0;
  for (int k = 0; k < 20; k++) {
    const struct transition_filter filter = {.journeys = true,
                                             .routes_changed = k % 2,
                                             .stays_called = k / 2 % 2,
                                             .deadlock_timeout = timeouts[k / 4],
                                             .step = STEP};
    struct agents a;
    struct transitions t = {0};
    int64_t arrived = 0;
    make_agents(&a, &r, timeouts[k / 4]);
    transitions_reserve(&t, a.count);
    for (int64_t first = 0; first < a.count; first += AGENTS_PART)
      arrived += transitions_find(&t, &filter, &s, &a, first, agents_part_end(&a, first), NULL);
    for (int64_t i = 0; i < a.count; i++) {
      const bool is_there = a.doing[i] == ACTIVITY_WALK && a.goal_x[i] == 0;
      cr_assert_eq(t.gone[i], is_there);
      cr_assert_eq(t.due[i] != 0, transition_filter_matches(&filter, &a, i, is_there),
                   "agent %lld does %d, held %d", (long long)i, a.doing[i], a.held[i]);
      all_due += t.due[i];
    }
    all_arrived += arrived;
    transitions_destroy(&t);
    agents_destroy(&a);
  }
  cr_assert(all_due > 10000 && all_due < 20 * AGENTS - 10000 && all_arrived > 1000);
}
