// Groups of a source: consecutive agents, random sizes, shared parameters.
#include "support.h"

static void source_agents(struct agents *a, const char *source)
{
  char yaml[900];
  snprintf(yaml, sizeof yaml,
           "profiles:\n"
           "  - {name: adult, reaction: {uniform: [0, 9]}}\n"
           "  - {name: child, speed: {uniform: [0.5, 1.5]}, max_speed: 1}\n"
           "sources:\n"
           "  - {area: {rectangle: [0, 0, 60, 60]}, %s}\n",
           source);
  struct scenario *s = support_load(yaml);
  support_agents(s, a);
  scenario_destroy(s);
}

// End of the run of agents that are in the same group as agent i.
static int64_t group_end(const struct agents *a, int64_t i)
{
  int64_t end = i + 1;
  while (end < a->count && agent_group(a, i) >= 0 && agent_group(a, end) == agent_group(a, i))
    end++;
  return end;
}

Test(groups, members_are_consecutive_and_share_parameters)
{
  struct agents a;
  int64_t sizes[6] = {0}, groups = 0;
  source_agents(&a, "count: 1000, profile: {adult: 0.5, child: 0.5}, group: {uniform: [1, 5]}, "
                    "goal_area: {circle: [30, 30, 20]}");
  for (int64_t i = 0, end; i < a.count; i = end, groups++) {
    end = group_end(&a, i);
    cr_assert(end - i <= 5);
    sizes[end - i]++;
    cr_assert_eq(agent_group(&a, i), end - i > 1 ? a.id[i] : -1);
    for (int64_t k = i; k < end; k++) {
      cr_assert_eq(a.profile[k], a.profile[i]);
      cr_assert_eq(a.speed[k], a.speed[i]);
      cr_assert_eq(a.until[k], a.until[i]);
      cr_assert_eq(a.goal_x[k], a.goal_x[i]);
      cr_assert(a.max_speed[k] >= a.speed[k]);
    }
  }
  for (int size = 1; size <= 5; size++) // each size about a fifth
    cr_assert(sizes[size] > 0.12 * (double)groups && sizes[size] < 0.28 * (double)groups,
              "%d groups of %d", (int)sizes[size], size);
  agents_destroy(&a);
}

Test(groups, the_slowest_sets_the_speed)
{
  struct agents a, alone;
  source_agents(&a, "count: 600, profile: child, group: 3, goal: [1, 1]");
  source_agents(&alone, "count: 600, profile: child, goal: [1, 1]");
  for (int64_t i = 0; i < a.count; i += 3) {
    const float least = fminf(alone.speed[i], fminf(alone.speed[i + 1], alone.speed[i + 2]));
    for (int64_t k = i; k < i + 3; k++) {
      cr_assert_eq(a.speed[k], least);
      cr_assert_eq(agent_group(&a, k), a.id[i]);
      cr_assert_eq(agent_group(&alone, k), -1);
    }
  }
  agents_destroy(&a);
  agents_destroy(&alone);
}

Test(groups, of_constant_size_start_side_by_side)
{
  struct agents a;
  double sum = 0;
  source_agents(&a, "count: 601, group: 2, goal: [1, 1]"); // one site per 6 m^2
  for (int64_t i = 0; i + 1 < a.count; i += 2)
    sum += hypot((double)a.x[i + 1] - a.x[i], (double)a.y[i + 1] - a.y[i]) / 65536 / 300;
  cr_log_info("members start %.2f m apart\n", sum);
  cr_assert_lt(sum, 3);
  cr_assert_eq(agent_group(&a, 600), -1); // the last agent has no partner
  agents_destroy(&a);
}

Test(groups, do_not_depend_on_the_range)
{
  struct scenario *s = support_load(
      "sources: [{area: {rectangle: [0, 0, 30, 30]}, count: 300, goal: [1, 1], group: {normal: "
      "[2, 1, 1, 6]}}]\n");
  struct agents all, part;
  agents_create(&all, 0);
  agents_create(&part, 0);
  scenario_agents(s, 0, 300, &all);
  scenario_agents(s, 100, 117, &part);
  for (int64_t i = 0; i < 17; i++) {
    cr_assert_eq(agent_group(&part, i), agent_group(&all, 100 + i));
    cr_assert_eq(part.speed[i], all.speed[100 + i]);
  }
  agents_destroy(&all);
  agents_destroy(&part);
  scenario_destroy(s);
}
