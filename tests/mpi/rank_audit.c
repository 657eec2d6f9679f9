// A run whose state becomes invalid ends with exit code 70 and names the first violation:
// rank_audit SCENARIO nan|escape|none
#include "simulation.h"

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
  struct comm comm;
  struct diagnostics diagnostics = {0};
  comm_begin(&comm, &argc, &argv);
  struct scenario *scenario = scenario_create(argv[1], NULL, 0, NULL, &diagnostics);
  require(scenario, "%s", diagnostics.text);
  struct simulation s;
  simulation_create(&s, scenario, &comm, backend_find("scalar"), NULL);
  for (int step = 0; step < 5; step++) {
    if (step == 3)
      corrupt(&s, argv[2]);
    simulation_step(&s);
  }
  simulation_destroy(&s);
  scenario_destroy(scenario);
  diagnostics_destroy(&diagnostics);
  comm_end(&comm);
  return 0;
}
