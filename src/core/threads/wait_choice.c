#include "wait_choice.h"

#include <math.h>

// Measured on two cores (bench/README.md): beside a program that is always busy, a thread waits for
// a core for half of the time, and a step takes eight times as long if threads spin as if they
// sleep. On a quiet machine it waits for less than 1 % of the time, and a step takes 5 to 12 %
// longer if they sleep; beside programs of less priority, up to five times as long. So where a
// thread has to wait, the other way is tried, and the one with the shorter steps is kept.
#define BUSY         0.2  // share of a period in which a thread waits for a core: sleeping is tried
#define QUIET        0.05 // the same: they spin
#define TRIALS_LEAST 1.0  // s between two trials; twice as long after each one that changes nothing
#define TRIALS_MOST  4.0  // s

static void judge_trial(struct wait_choice *c, double now)
{
  const double before = c->step_seconds[!c->sleeps];
  const bool was_faster = before > 0 && before < c->step_seconds[c->sleeps];
  c->tries = false;
  c->sleeps = c->sleeps != was_faster;
  c->between_trials = fmax(was_faster ? fmin(2 * c->between_trials, TRIALS_MOST) : 0, TRIALS_LEAST);
  c->next_trial = now + c->between_trials;
}

void wait_choice_next(struct wait_choice *c, double kept, double step_seconds, double now)
{
  c->step_seconds[c->sleeps] = step_seconds;
  if (c->tries) {
    judge_trial(c, now);
  } else if (c->sleeps && kept < QUIET) {
    c->sleeps = false;
  } else if (now >= c->next_trial && (c->sleeps || kept > BUSY)) {
    c->sleeps = !c->sleeps;
    c->tries = true;
  }
}
