// Group cohesion: in an opposing stream members stay closer together than without it; members ahead
// wait, none walks faster, and the order in memory does not matter.
#include "fixture.h"
#include "groups.h"
#include "navigation.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <math.h>

#define M(metres) ((int32_t)((metres)*METRE))

// Two opposing streams of 120 agents in groups of three that start side by side.
static void add_streams(struct fixture *s)
{
  uint64_t r = 7;
  for (int i = 0; i < 240; i++) {
    const bool east = i < 120;
    const int column = i % 120 / 12, row = i % 12;
    const int32_t x = M(column) + oracle_whole(&r, 0, M(0.2)), y = M(0.8 * row);
    const int64_t k = fixture_add_agent(s, east ? x - M(14) : x + M(4), y, 0, y);
    s->agents.goal_x[k] = s->agents.x[k] + (east ? M(40) : -M(40));
    agent_set_group(&s->agents, k, k - k % 3);
    s->agents.speed[k] = (float)oracle_between(&r, 1.1, 1.5);
    s->agents.max_speed[k] = 1.3f * s->agents.speed[k];
  }
}

static void step(struct fixture *s, struct groups *g)
{
  neighbours_sort(&s->neighbours, &s->agents, NULL);
  fixture_set_preferred(s);
  if (g)
    groups_apply(g, &s->world.frame, &s->agents);
  fixture_compute_velocities(s);
  agents_move(&s->agents, &s->world.frame, s->world.bounds, s->dt);
  s->step++;
}

// Mean distance of an agent to the centre of its group, m.
static double spread(const struct agents *a)
{
  double x[240] = {0}, y[240] = {0}, sum = 0;
  for (int64_t i = 0; i < a->count; i++) {
    x[agent_group(a, i)] += a->x[i] / 3.0;
    y[agent_group(a, i)] += a->y[i] / 3.0;
  }
  for (int64_t i = 0; i < a->count; i++)
    sum += hypot(a->x[i] - x[agent_group(a, i)], a->y[i] - y[agent_group(a, i)]);
  return sum / METRE / (double)a->count;
}

static double mean_spread(bool cohesion)
{
  struct fixture s;
  struct groups g = {0};
  double sum = 0;
  fixture_create(&s, "simd");
  add_streams(&s);
  for (int t = 0; t < 200; t++) {
    step(&s, cohesion ? &g : NULL);
    sum += spread(&s.agents) / 200;
  }
  groups_destroy(&g);
  fixture_destroy(&s);
  return sum;
}

Test(groups, stay_together_in_an_opposing_stream)
{
  const double without = mean_spread(false), with = mean_spread(true);
  cr_log_info("mean distance to the group's centre: %.2f m, without cohesion %.2f m\n", with,
              without);
  cr_assert_lt(with, 0.7 * without);
}

// A group of two that walk east, `ahead` m and `aside` m apart: the first one's preferred velocity.
static void pair(double ahead, double aside, float *x, float *y)
{
  struct fixture s;
  struct groups g = {0};
  fixture_create(&s, "scalar");
  fixture_add_agent(&s, 0, 0, M(100), 0);
  fixture_add_agent(&s, -M(ahead), M(aside), M(100), 0);
  for (int k = 0; k < 2; k++)
    agent_set_group(&s.agents, k, 0);
  fixture_add_agent(&s, M(1), M(1), M(100), 0); // not in the group
  agent_set_group(&s.agents, 2, -1);
  s.agents.prefer_x[0] = 1.25f;
  groups_apply(&g, &s.world.frame, &s.agents);
  *x = s.agents.prefer_x[0];
  *y = s.agents.prefer_y[0];
  groups_destroy(&g);
  fixture_destroy(&s);
}

Test(groups, members_ahead_wait_and_none_walks_faster)
{
  float x, y, other;
  pair(0.9, 0, &x, &y);
  cr_assert(x == 1.25f && y == 0);
  pair(-5, 0, &x, &y);
  cr_assert(x == 1.25f && y == 0);
  pair(1.5, 0, &x, &y);
  cr_assert_float_eq(x, 0.75 * 1.25, 1e-4);
  pair(9, 0, &x, &y);
  cr_assert_float_eq(x, 0.5 * 1.25, 1e-4);
  pair(11, 0, &x, &y); // out of range
  cr_assert(x == 1.25f && y == 0);
  pair(0, 2, &x, &y);
  cr_assert(y > 0.1f && x > 1 && x * x + y * y <= 1.25f * 1.25f * 1.00001f);
  pair(0, -2, &x, &other);
  cr_assert_eq(other, -y); // mirrored
}

Test(groups, independent_of_the_order_in_memory)
{
  struct fixture s, shuffled;
  struct groups g = {0}, h = {0};
  fixture_create(&s, "simd");
  fixture_create(&shuffled, "simd");
  add_streams(&s);
  add_streams(&shuffled);
  for (int t = 0; t < 60; t++) {
    fixture_shuffle(&shuffled, (uint64_t)t);
    step(&s, &g);
    step(&shuffled, &h);
    cr_assert_eq(agents_checksum(&s.agents), agents_checksum(&shuffled.agents));
  }
  groups_destroy(&g);
  groups_destroy(&h);
  fixture_destroy(&s);
  fixture_destroy(&shuffled);
}
