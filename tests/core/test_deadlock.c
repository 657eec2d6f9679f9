// Agents that are blocked for long sidestep; no other agent is changed.
#include "deadlock.h"
#include "fixture.h"

#include "navigation.h"
#include <criterion/criterion.h>
#include <math.h>

#define TIMEOUT 50 // steps: 5 s

// fixture_step with sidesteps between preferred and next velocities.
static void step_with_sidesteps(struct fixture *s, int64_t step)
{
  fixture_set_preferred(s);
  deadlock_apply(&s->agents, 0, s->agents.count, &(struct deadlock_input){1, step, TIMEOUT});
  s->counts = (struct next_velocity_counts){0};
  fixture_compute_velocities(s);
  agents_move(&s->agents, &s->world.frame, s->world.bounds, s->dt);
}

// A regular ring, exact up to quanta; each agent's goal is opposite.
static void make_ring(struct fixture *s, int count, double radius)
{
  fixture_create(s, "simd");
  for (int i = 0; i < count; i++) {
    const double angle = 2 * acos(-1) * i / count;
    const int32_t x = (int32_t)lrint(METRE * radius * cos(angle));
    const int32_t y = (int32_t)lrint(METRE * radius * sin(angle));
    fixture_add_agent(s, x, y, -x, -y);
  }
}

static bool all_arrived(const struct fixture *s)
{
  for (int64_t i = 0; i < s->agents.count; i++)
    if (hypot((double)s->agents.goal_x[i] - s->agents.x[i],
              (double)s->agents.goal_y[i] - s->agents.y[i]) > 0.5 * METRE)
      return false;
  return true;
}

// Number of steps until all agents are at their goals, at most `limit`.
static int64_t crossing_time(int count, double radius, int64_t limit)
{
  struct fixture s;
  int64_t step = 0;
  make_ring(&s, count, radius);
  while (step < limit && !all_arrived(&s))
    step_with_sidesteps(&s, step++);
  fixture_destroy(&s);
  return step;
}

Test(deadlock, symmetric_rings_dissolve)
{
  static const int counts[] = {2, 4, 8, 16, 25, 80, 250};
  for (int k = 0; k < (int)(sizeof counts / sizeof *counts); k++) {
    const double radius = counts[k] < 40 ? 10 : 0.3 * counts[k];
    const double straight = 2 * radius / 1.3 / 0.1; // steps without avoidance
    const int64_t steps = crossing_time(counts[k], radius, (int64_t)(20 * straight));
    cr_log_info("%d agents: %lld steps, straight %.0f", counts[k], (long long)steps, straight);
    cr_expect(steps < 4 * straight + 10 * TIMEOUT, "%d agents took %lld steps, straight %.0f",
              counts[k], (long long)steps, straight);
  }
}

Test(deadlock, walking_agents_are_not_changed)
{
  struct fixture s;
  make_ring(&s, 25, 10);
  for (int64_t i = 0; i < s.agents.count; i++) {
    s.agents.vx[i] = 1.0f;
    s.agents.held[i] = 2 * TIMEOUT;
    s.agents.choice[i] = 9;
    s.agents.prefer_x[i] = (float)i;
    s.agents.prefer_y[i] = 1.0f;
  }
  deadlock_apply(&s.agents, 0, s.agents.count, &(struct deadlock_input){1, 0, TIMEOUT});
  for (int64_t i = 0; i < s.agents.count; i++) {
    cr_assert_eq(s.agents.held[i], 0);
    cr_assert_eq(s.agents.choice[i], 9);
    cr_assert_eq(s.agents.prefer_x[i], (float)i);
    cr_assert_eq(s.agents.prefer_y[i], 1.0f);
  }
  fixture_destroy(&s);
}

Test(deadlock, sidesteps_rotate_to_any_direction)
{
  struct fixture s;
  make_ring(&s, 250, 50);
  for (int64_t i = 0; i < s.agents.count; i++) {
    s.agents.held[i] = TIMEOUT - 1;
    s.agents.choice[i] = 9;
    s.agents.prefer_x[i] = 1.3f;
  }
  deadlock_apply(&s.agents, 0, s.agents.count, &(struct deadlock_input){1, 0, TIMEOUT});
  int left = 0, back = 0;
  for (int64_t i = 0; i < s.agents.count; i++) {
    const double x = (double)s.agents.prefer_x[i], y = (double)s.agents.prefer_y[i];
    cr_assert_float_eq(hypot(x, y), 1.3, 1e-5);
    cr_assert_eq(s.agents.choice[i], 0, "a sidestep with the speed of standing still");
    left += y > 0;
    back += x < 0;
  }
  cr_assert(left > 90 && left < 160, "%d of 250 to the left", left);
  cr_assert(back > 90 && back < 160, "%d of 250 back", back);
  fixture_destroy(&s);
}

Test(deadlock, without_a_timeout_no_agent_sidesteps)
{
  struct fixture s;
  make_ring(&s, 4, 10);
  s.agents.prefer_x[0] = 1.3f;
  for (int step = 0; step < 1000; step++)
    deadlock_apply(&s.agents, 0, s.agents.count, &(struct deadlock_input){1, step, DEADLOCK_NEVER});
  cr_assert_eq(s.agents.prefer_x[0], 1.3f);
  cr_assert_eq(s.agents.prefer_y[0], 0.0f);
  fixture_destroy(&s);
}
