#include "navigation.h"

#include "oracle.h"
#include "standard_crowds.h"
#include <criterion/criterion.h>
#include <math.h>

static struct world world = {.frame = {0, 0, 16}};

static void person(struct agents *a, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y,
                   float speed)
{
  const int64_t i = agents_append(a);
  a->id[i] = i;
  a->x[i] = x, a->y[i] = y;
  a->goal_x[i] = goal_x, a->goal_y[i] = goal_y;
  agent_set_destination(a, i, -1);
  a->speed[i] = a->max_speed[i] = speed;
}

static void set_preferred(struct agents *a, int64_t step)
{
  navigation_preferred_velocities(&world, &(struct navigation_input){.dt = 0.1f, .step = step}, a);
}

static double distance(const struct agents *a, int64_t i)
{
  return hypot((double)a->goal_x[i] - a->x[i], (double)a->goal_y[i] - a->y[i]);
}

Test(navigation, the_wish_is_straight_to_the_goal_at_the_preferred_speed)
{
  struct agents a;
  uint64_t r = 1;
  agents_create(&a, 0);
  for (int i = 0; i < 2000; i++)
    person(&a, oracle_whole(&r, -(1 << 28), 1 << 28), oracle_whole(&r, -(1 << 28), 1 << 28),
           oracle_whole(&r, -(1 << 28), 1 << 28), oracle_whole(&r, -(1 << 28), 1 << 28),
           (float)oracle_between(&r, 0, 3));
  set_preferred(&a, 0);
  for (int64_t i = 0; i < a.count; i++) {
    const double dx = (double)a.goal_x[i] - a.x[i], dy = (double)a.goal_y[i] - a.y[i];
    const double wx = a.prefer_x[i], wy = a.prefer_y[i], speed = hypot(wx, wy);
    cr_assert(fabs(speed - (double)a.speed[i]) < 1e-5);
    cr_assert(fabs(dx * wy - dy * wx) <= 1e-5 * hypot(dx, dy) && dx * wx + dy * wy >= 0);
  }
  agents_destroy(&a);
}

Test(navigation, nobody_overshoots_and_everybody_gets_there)
{
  struct agents a;
  uint64_t r = 2;
  const struct box bounds = {{-(1 << 29), -(1 << 29)}, {1 << 29, 1 << 29}};
  agents_create(&a, 0);
  for (int i = 0; i < 500; i++) {
    const int32_t x = oracle_whole(&r, -60000, 60000), y = oracle_whole(&r, -60000, 60000);
    const int near = i % 5 ? 60000 : 3; // some start a quantum or three away
    person(&a, x, y, x + oracle_whole(&r, -near, near), y + oracle_whole(&r, -near, near), 1.3f);
  }
  for (int step = 0; step < 40; step++) {
    double before[500];
    for (int64_t i = 0; i < a.count; i++)
      before[i] = distance(&a, i);
    set_preferred(&a, 0);
    for (int64_t i = 0; i < a.count; i++) {
      cr_assert(isfinite(a.prefer_x[i]) && isfinite(a.prefer_y[i]));
      a.next_vx[i] = a.prefer_x[i];
      a.next_vy[i] = a.prefer_y[i];
    }
    agents_move(&a, &world.frame, bounds, 0.1f);
    for (int64_t i = 0; i < a.count; i++)
      cr_assert(distance(&a, i) <= before[i], "step %d, agent %lld: %g, then %g", step,
                (long long)i, before[i], distance(&a, i));
  }
  for (int64_t i = 0; i < a.count; i++)
    cr_assert_eq(distance(&a, i), 0);
  set_preferred(&a, 0);
  for (int64_t i = 0; i < a.count; i++) // an agent on its goal stays
    cr_assert(a.prefer_x[i] == 0 && a.prefer_y[i] == 0);
  agents_destroy(&a);
}

Test(navigation, who_is_within_the_radius_has_arrived)
{
  struct agents a;
  uint8_t gone[8];
  const int32_t edge = 65536 / 4; // 25 cm
  agents_create(&a, 0);
  person(&a, 0, 0, 0, 0, 1);
  person(&a, 0, 0, edge, 0, 1);
  person(&a, 0, 0, edge + 1, 0, 1);
  person(&a, 5, 5, 5 + edge * 3 / 5, 5 - edge * 4 / 5, 1);
  person(&a, 0, 0, edge, edge, 1);
  person(&a, -(1 << 30), -(1 << 30), (1 << 30) - 1, (1 << 30) - 1, 1);
  cr_assert_eq(navigation_arrived(&world, 0.25f, &a, 0, a.count, NULL, gone), 3);
  const uint8_t right[] = {1, 1, 0, 1, 0, 0};
  cr_assert_arr_eq(gone, right, sizeof right);
  agents_destroy(&a);
}

Test(navigation, a_quarter_turn_turns_the_wish_exactly)
{
  struct agents a;
  uint64_t r = 3;
  agents_create(&a, 0);
  for (int i = 0; i < 500; i++) {
    const int32_t x = oracle_whole(&r, -99999, 99999), y = oracle_whole(&r, -99999, 99999);
    const int32_t gx = oracle_whole(&r, -99999, 99999), gy = oracle_whole(&r, -99999, 99999);
    person(&a, x, y, gx, gy, 1.3f);
    person(&a, -y, x, -gy, gx, 1.3f);
    person(&a, -x, y, -gx, gy, 1.3f);
  }
  set_preferred(&a, 0);
  for (int64_t i = 0; i < a.count; i += 3) {
    cr_assert(a.prefer_x[i + 1] == -a.prefer_y[i] && a.prefer_y[i + 1] == a.prefer_x[i]);
    cr_assert(a.prefer_x[i + 2] == -a.prefer_x[i] && a.prefer_y[i + 2] == a.prefer_y[i]);
  }
  agents_destroy(&a);
}

// --- the standard crowd ---

Test(crowd, a_square_is_made_of_seed_and_id_alone)
{
  struct agents whole, parts;
  agents_create(&whole, 0);
  agents_create(&parts, 0);
  standard_crowds_square(&whole, &world.frame, &(struct square_crowd){7, 1000, 2, 0, 1000});
  standard_crowds_square(&parts, &world.frame, &(struct square_crowd){7, 1000, 2, 600, 1000});
  standard_crowds_square(&parts, &world.frame, &(struct square_crowd){7, 1000, 2, 0, 600});
  cr_assert_eq(agents_checksum(&whole), agents_checksum(&parts));
  char message[200];
  cr_assert(agents_check(&whole, standard_crowds_square_bounds(&world.frame, 1000, 2), message,
                         sizeof message),
            "%s", message);
  agents_destroy(&whole);
  agents_destroy(&parts);
}

Test(navigation, who_reacts_stands_until_the_step_has_come)
{
  struct agents a;
  uint8_t gone[1];
  agents_create(&a, 0);
  person(&a, 0, 0, 1 << 20, 0, 1.3f);
  a.doing[0] = ACTIVITY_REACT;
  a.until[0] = 7;
  for (int64_t step = 0; step < 10; step++) {
    set_preferred(&a, step);
    cr_expect((a.prefer_x[0] > 0) == (step >= 7), "step %lld: %g", (long long)step,
              (double)a.prefer_x[0]);
    cr_expect(a.prefer_y[0] == 0);
  }
  a.goal_x[0] = 0;
  a.doing[0] = ACTIVITY_REACT;
  cr_expect(navigation_arrived(&world, 0.5f, &a, 0, a.count, NULL, gone) == 0,
            "has not even begun to walk");
  a.doing[0] = ACTIVITY_WALK;
  cr_expect(navigation_arrived(&world, 0.5f, &a, 0, a.count, NULL, gone) == 1);
  agents_destroy(&a);
}
