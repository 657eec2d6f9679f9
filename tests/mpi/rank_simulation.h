// Shared by the rank programs that make whole steps: the simulation of a scenario file.
#pragma once
#include "simulation.h"

struct rank_simulation {
  struct comm comm;
  struct diagnostics diagnostics;
  struct scenario *scenario;
  struct simulation simulation;
};

// The file is argv[1].
static inline void rank_simulation_begin(struct rank_simulation *r, int argc, char **argv)
{
  r->diagnostics = (struct diagnostics){0};
  comm_begin(&r->comm, &argc, &argv);
  r->scenario = scenario_create(argv[1], NULL, 0, NULL, &r->diagnostics);
  require(r->scenario, "%s", r->diagnostics.text);
  simulation_create(&r->simulation, r->scenario, &r->comm, backend_find("scalar"), NULL);
}

static inline void rank_simulation_end(struct rank_simulation *r)
{
  simulation_destroy(&r->simulation);
  scenario_destroy(r->scenario);
  diagnostics_destroy(&r->diagnostics);
  comm_end(&r->comm);
}
