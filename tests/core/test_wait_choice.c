// The choice is nearly as fast as the better of both ways, whatever else a machine does.
#include "wait_choice.h"

#include <criterion/criterion.h>

struct machine { // [sleeps]
  double step[2], kept[2];
};
// As measured with 40,000 agents and two threads on two cores.
static const struct machine quiet = {{0.0030, 0.0033}, {0.004, 0.01}};
static const struct machine busy = {{0.0650, 0.0080}, {0.50, 0.50}};
static const struct machine less_priority = {{0.0032, 0.0160}, {0.22, 0.50}}; // of the others
static const struct machine half_busy = {{0.0080, 0.0081}, {0.30, 0.30}};

#define PERIOD 0.05

// Advances by periods until the time; returns how many steps were made.
static double advance(struct wait_choice *c, const struct machine *m, double *now, double end)
{
  double steps = 0;
  while (*now < end) {
    const bool sleeps = c->sleeps;
    const double step = m->step[sleeps], count = step > PERIOD ? 1 : PERIOD / step;
    *now += count * step;
    steps += count;
    wait_choice_next(c, m->kept[sleeps], step, *now);
  }
  return steps;
}

// Share of the steps that the better way would have made in a minute.
static double speed(const struct machine *m)
{
  struct wait_choice c = {0};
  const double best = m->step[0] < m->step[1] ? m->step[0] : m->step[1];
  double now = 0;
  const double steps = advance(&c, m, &now, 60);
  return steps * best / now;
}

Test(wait_choice, spins_on_a_quiet_machine)
{
  struct wait_choice c = {0};
  for (double now = 0; now < 100; now += PERIOD) {
    wait_choice_next(&c, quiet.kept[0], quiet.step[0], now);
    cr_assert(!c.sleeps && !c.tries);
  }
  cr_expect(speed(&quiet) > 0.9999, "%g", speed(&quiet));
}

Test(wait_choice, is_as_fast_as_the_better_way)
{
  cr_expect(speed(&busy) > 0.97, "%g", speed(&busy));
  cr_expect(speed(&less_priority) > 0.98, "%g", speed(&less_priority));
  cr_expect(speed(&half_busy) > 0.98, "%g", speed(&half_busy));
}

// From a quiet machine to a busy one, within two periods; back, within one.
Test(wait_choice, follows_a_change)
{
  struct wait_choice c = {0};
  double now = 0;
  for (int k = 0; k < 3; k++) {
    advance(&c, &quiet, &now, now + 30);
    cr_expect(!c.sleeps);
    advance(&c, &busy, &now, now + 2 * PERIOD);
    cr_expect(c.sleeps, "round %d", k);
    advance(&c, &busy, &now, now + 10.5);
    cr_expect(c.sleeps, "round %d", k);
    advance(&c, &quiet, &now, now + PERIOD);
    cr_expect(!c.sleeps, "round %d", k);
  }
}

// What is faster at first is not taken for faster for ever.
Test(wait_choice, tries_again)
{
  struct wait_choice c = {0};
  double now = 0;
  advance(&c, &less_priority, &now, 30);
  cr_expect(!c.sleeps);
  advance(&c, &busy, &now, now + 4.2);
  cr_expect(c.sleeps);
  advance(&c, &less_priority, &now, now + 4.2);
  cr_expect(!c.sleeps);
}

// What came before the first step has no time of a step: the first trial is judged without.
Test(wait_choice, begins_before_the_first_step)
{
  struct wait_choice c = {0};
  wait_choice_next(&c, 0.4, 0, 2);
  cr_assert(c.sleeps && c.tries);
  wait_choice_next(&c, 0.5, 0.008, 2.05);
  cr_expect(c.sleeps && !c.tries);
}
