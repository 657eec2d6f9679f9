// What a checkpoint keeps of a simulation besides its agents.
#include "step_parts.h"

#include "steps.h"
#include <math.h>

#define TOTALS (sizeof(struct step_totals) / sizeof(int64_t))

// All ranks then have the record of all; the least step among equal ones decides, as before.
static void deepest_visit(struct simulation *s, struct state *v)
{
  struct overlap_record all = {.overlap = s->deepest, .step = s->deepest_step};
  if (!v->reading)
    all = simulation_deepest(s);
  state_value(v, STATE_SAME, STATE_FINITE, "deepest.depth", &all.overlap.depth);
  state_value(v, STATE_SAME, STATE_ANY, "deepest.id", &all.overlap.id);
  state_value(v, STATE_SAME, STATE_ANY, "deepest.x", &all.overlap.at.x);
  state_value(v, STATE_SAME, STATE_ANY, "deepest.y", &all.overlap.at.y);
  state_value(v, STATE_SAME, ((struct state_range){0, INFINITY}), "deepest.step", &all.step);
  s->deepest = all.overlap;
  s->deepest_step = all.step;
}

void simulation_visit(struct simulation *s, struct state *v)
{
  const struct world_events_input in = simulation_world_events_input(s);
  _Static_assert(sizeof(struct step_totals) == TOTALS * sizeof(int64_t), "integers only");
  state_value(v, STATE_SAME, ((struct state_range){0, STEP_LIMIT}), "simulation.step", &s->step);
  state_array(v, STATE_SAME, STATE_COUNT, "simulation.last", (int64_t *)&s->last, (int64_t)TOTALS);
  state_value(v, STATE_SAME, STATE_COUNT, "simulation.changes", &s->steering.changes);
  state_array(v, STATE_SAME, STATE_COUNT, "simulation.all", (int64_t *)&s->all, (int64_t)TOTALS);
  state_value(v, STATE_SAME, ((struct state_range){0, STEP_LIMIT}), "simulation.last_departure",
              &s->last_departure);
  state_value(v, STATE_SUM, STATE_ANY, "simulation.farewells", &s->departure_hash);
  deepest_visit(s, v);
  int64_t ghost_wait = llrint(1e6 * s->ghost_wait); // us, all ranks'
  state_value(v, STATE_SUM, STATE_COUNT, "simulation.ghosts_waited", &ghost_wait);
  s->ghost_wait = 1e-6 * (double)ghost_wait;
  state_array(v, STATE_ROOT, STATE_FINITE, "simulation.seconds", s->seconds,
              s->comm->rank == 0 ? PHASE_COUNT : 0);
  load_balance_visit(&s->load_balance, v);
  inflow_spawner_visit(&s->inflow_spawner, v);
  journeys_visit(&s->journeys, v);
  world_events_visit(&s->world_events, &in, v);
  if (!v->reading)
    simulation_fetch_measurements(s);
  if (!v->results_only)
    measurements_visit(&s->measurements, v);
}

void simulation_restore(struct simulation *s)
{
  const struct world_events_input in = simulation_world_events_input(s);
  world_events_restore(&s->world_events, &in);
}
