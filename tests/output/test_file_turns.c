#include "file_turns.h"

#include <criterion/criterion.h>

// Makes steps of equal length. Returns the turn after the last one.
static struct file_turn after(struct file_turns *t, double seconds, int steps)
{
  struct file_turn turn = {0};
  for (int i = 0; i < steps; i++)
    turn = file_turns_next(t, seconds);
  return turn;
}

Test(file_turns, are_not_needed_where_a_core_is_free)
{
  struct file_turns t = {0};
  cr_assert(after(&t, 0.01, 1).beside);
  cr_assert(after(&t, 1e-4, 1).beside);
  cr_assert(after(&t, 0.01, 50).beside);
}

// The first steps of a run tell nothing about the others.
Test(file_turns, begin_after_some_steps)
{
  struct file_turns t = {.all_cores = true};
  const struct file_turn first = after(&t, 0.05, TURN_STEPS - 1);
  cr_assert(!first.beside && first.seconds <= 0);
  const struct file_turn next = after(&t, 0.02, 1);
  cr_assert_not(next.beside);
  cr_assert_float_eq(next.seconds, 0.01, 1e-12);
}

// A step and its turn take at most 1.5 times a short step.
Test(file_turns, leave_no_step_much_longer)
{
  static const double steps[] = {10, 11, 14, 10, 16, 30, 12, 9, 15, 10};
  struct file_turns t = {.all_cores = true};
  after(&t, 0.01, 20);
  for (int i = 0; i < 200; i++) {
    const double seconds = 1e-3 * steps[i % 10];
    const struct file_turn turn = file_turns_next(&t, seconds);
    cr_assert_not(turn.beside);
    cr_assert_leq(seconds + turn.seconds, 0.015 + 1e-12);
    cr_assert(seconds < 0.0134 ? turn.seconds > 0 : true, "%g s after %g", turn.seconds, seconds);
  }
}

// Steps of few people use one core or two. Longer ones take turns again soon.
Test(file_turns, are_not_taken_from_tiny_steps)
{
  struct file_turns t = {.all_cores = true};
  cr_assert(after(&t, 2e-4, 50).beside);
  cr_assert(after(&t, 0.1, TURN_STEPS - 1).beside);
  const struct file_turn turn = after(&t, 0.1, 1);
  cr_assert_not(turn.beside);
  cr_assert_float_eq(turn.seconds, 0.05, 1e-12);
  cr_assert(after(&t, 2e-4, 1).beside);
}
