// What a checkpoint keeps of a simulation besides its agents.
#include "simulation.h"

#include <math.h>

#define TOTALS (sizeof(struct step_totals) / sizeof(int64_t))

void simulation_visit(struct simulation *s, struct state *v)
{
  const struct world_events_input in = {s->scenario,        s->comm,      &s->agents,
                                        &s->inflow_spawner, &s->journeys, s->step};
  _Static_assert(sizeof(struct step_totals) == TOTALS * sizeof(int64_t), "integers only");
  state_value(v, STATE_SAME, "simulation.step", &s->step);
  state_array(v, STATE_SAME, "simulation.last", (int64_t *)&s->last, (int64_t)TOTALS);
  state_array(v, STATE_SAME, "simulation.all", (int64_t *)&s->all, (int64_t)TOTALS);
  state_value(v, STATE_SUM, "simulation.farewells", &s->departure_hash);
  state_value(v, STATE_MAX, "simulation.deepest", &s->deepest_overlap);
  state_value(v, STATE_MAX, "simulation.deepest_in_step", &s->step_counts.deepest_overlap);
  int64_t ghost_wait = llrint(1e6 * s->ghost_wait); // us, all ranks'
  state_value(v, STATE_SUM, "simulation.ghosts_waited", &ghost_wait);
  s->ghost_wait = 1e-6 * (double)ghost_wait;
  state_array(v, STATE_ROOT, "simulation.seconds", s->seconds,
              s->comm->rank == 0 ? PHASE_COUNT : 0);
  load_balance_visit(&s->load_balance, v);
  inflow_spawner_visit(&s->inflow_spawner, v);
  journeys_visit(&s->journeys, v);
  world_events_visit(&s->world_events, &in, v);
  measurements_visit(&s->measurements, v);
}

void simulation_restore(struct simulation *s)
{
  const struct world_events_input in = {s->scenario,        s->comm,      &s->agents,
                                        &s->inflow_spawner, &s->journeys, s->step};
  world_events_restore(&s->world_events, &in);
  s->world_uploaded = false;
}
