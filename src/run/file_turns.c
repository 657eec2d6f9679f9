#include "file_turns.h"

#include <math.h>

#define STEP_FULL 1.5  // times a short step: how long a step and its turn may take together
#define STEP_TINY 1e-3 // s: a shorter one leaves most of the cores idle

struct file_turn file_turns_next(struct file_turns *t, double seconds)
{
  double shortest = seconds;
  t->seconds[t->count++ % TURN_STEPS] = seconds;
  if (!t->all_cores)
    return (struct file_turn){.beside = true};
  if (t->count < TURN_STEPS) // the first steps of a run are longer than others
    return (struct file_turn){.beside = false};
  for (int i = 0; i < TURN_STEPS; i++)
    shortest = fmin(shortest, t->seconds[i]);
  return (struct file_turn){shortest < STEP_TINY, STEP_FULL * shortest - seconds};
}
