// A run whose state becomes invalid ends with exit code 70 and names the first violation:
// rank_audit SCENARIO nan|escape|none
#include "rank_simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void corrupt(struct simulation *s, const char *how)
{
  struct agents *a = &s->agents;
  for (int64_t i = 0; i < a->count; i++) {
    if (a->id[i] == 5 && strcmp(how, "nan") == 0)
      a->vx[i] = a->speed[i] = a->max_speed[i] = NAN;
    if ((a->id[i] == 5 || a->id[i] == 9) && strcmp(how, "escape") == 0)
      a->x[i] = s->scenario->world.bounds.hi.x + 65536;
  }
}

int main(int argc, char **argv)
{
  struct rank_simulation r;
  rank_simulation_begin(&r, argc, argv);
  for (int step = 0; step < 5; step++) {
    if (step == 3)
      corrupt(&r.simulation, argv[2]);
    simulation_step(&r.simulation);
  }
  rank_simulation_end(&r);
  return 0;
}
