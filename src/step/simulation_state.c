// What a checkpoint keeps of a simulation besides its agents.
#include "simulation.h"

#include <math.h>

#define TOTALS (sizeof(struct step_totals) / sizeof(int64_t))

void simulation_visit(struct simulation *s, struct state *v)
{
  const struct changes_input in = {s->scenario,   s->comm,      &s->agents,
                                   &s->newcomers, &s->journeys, s->step};
  _Static_assert(sizeof(struct step_totals) == TOTALS * sizeof(int64_t), "integers only");
  state_value(v, STATE_SAME, "simulation.step", &s->step);
  state_array(v, STATE_SAME, "simulation.last", (int64_t *)&s->last, (int64_t)TOTALS);
  state_array(v, STATE_SAME, "simulation.all", (int64_t *)&s->all, (int64_t)TOTALS);
  state_value(v, STATE_SUM, "simulation.farewells", &s->farewells);
  state_value(v, STATE_MOST, "simulation.deepest", &s->deepest_overlap);
  state_value(v, STATE_MOST, "simulation.deepest_in_step", &s->seen.deepest_overlap);
  int64_t waited = llrint(1e6 * s->ghosts_waited); // us, all ranks'
  state_value(v, STATE_SUM, "simulation.ghosts_waited", &waited);
  s->ghosts_waited = 1e-6 * (double)waited;
  state_array(v, STATE_FIRST, "simulation.seconds", s->seconds,
              s->comm->rank == 0 ? PHASE_COUNT : 0);
  balancing_visit(&s->balancing, v);
  newcomers_visit(&s->newcomers, v);
  journeys_visit(&s->journeys, v);
  changes_visit(&s->changes, &in, v);
  measuring_visit(&s->measuring, v);
}

void simulation_restore(struct simulation *s)
{
  const struct changes_input in = {s->scenario,   s->comm,      &s->agents,
                                   &s->newcomers, &s->journeys, s->step};
  changes_restore(&s->changes, &in);
  s->learned = false;
}
