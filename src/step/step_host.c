// The parts of a step for agents that live on the host.
#include "step_parts.h"

#include "deadlock.h"
#include "navigation.h"

static void no_op(struct simulation *s)
{
  (void)s;
}

static void sort_agents(struct simulation *s)
{
  const struct sort_hint hint = {s->order_stale, s->migrate.exchange.peer_count > 0,
                                 s->halo.deep_interior};
  neighbours_sort(&s->neighbours, &s->agents, &hint);
}

static void begin_halo_exchange(struct simulation *s)
{
  halo_begin(&s->halo, &s->agents);
}

static void set_preferred(struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  const struct navigation_input in = {(float)scenario->dt,
                                      scenario->seed,
                                      s->step,
                                      headway_options_spread(&scenario->headway),
                                      scenario->headway.look_period,
                                      headway_options_all_look(&scenario->headway, s->step)};
  navigation_preferred_velocities(&scenario->world, &in, &s->agents);
  zones_apply(&scenario->world.zones, &s->agents);
  deadlock_apply(&s->agents, scenario->seed, s->step, scenario->deadlock_timeout);
}

static void index_owned_agents(struct simulation *s)
{
  neighbours_build_own(&s->neighbours, &s->scenario->world.frame, &s->agents);
}

static void end_halo_exchange(struct simulation *s)
{
  TIMED(s, PHASE_HALO, halo_end(&s->halo, &s->agents));
  COMPUTED(s, PHASE_INDEX, neighbours_build_ghosts(&s->neighbours, &s->agents));
}

static void apply_groups(struct simulation *s)
{
  groups_apply(&s->groups, &s->scenario->world.frame, &s->agents);
}

static void next_velocities(struct simulation *s, enum domain_part part)
{
  const struct next_velocity_input in = simulation_velocity_input(s, part);
  s->backend->next_velocities(&in, &s->agents, &s->step_counts);
}

static void probe_discs(void *simulation, const struct disc *discs, int64_t count,
                        float quanta_per_speed, int64_t *occupied)
{
  const struct simulation *s = simulation;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t k = 0; k < count; k++)
    occupied[k] = neighbours_probe(&s->neighbours, &s->agents, &discs[k], quanta_per_speed);
}

static void record_overlap(struct simulation *s)
{
  measurements_record_overlap(&s->measurements, &s->neighbours, &s->agents, s->step);
}

static void move_owned(struct simulation *s)
{
  const struct world *world = &s->scenario->world;
  s->step_counts.kept_inside =
      agents_move(&s->agents, &world->frame, world->bounds, (float)s->scenario->dt);
}

static void move(struct simulation *s)
{
  TIMED(s, PHASE_MEASURE, measurements_check_velocities(&s->measurements, &s->agents, s->step));
  COMPUTED(s, PHASE_MOVE, move_owned(s));
  TIMED(s, PHASE_MEASURE,
        measurements_record_moves(&s->measurements, &s->neighbours.own, &s->agents, s->step));
}

static void advance_journeys(struct simulation *s)
{
  if (journeys_need_counts(s->scenario))
    journeys_count(&s->journeys, &s->agents);
  simulation_advance_journeys(s, &s->agents);
  if (s->local_arrivals)
    agents_remove_ordered(&s->agents, s->neighbours.border_layer, s->gone);
}

static void migrate_agents(struct simulation *s)
{
  migrate(&s->migrate, &s->agents, s->neighbours.border_layer);
}

static void insert_inflow(struct simulation *s)
{
  s->entered = inflow_spawner_insert(&s->inflow_spawner, s->scenario, &s->partition, s->comm->rank,
                                     s->step, &s->agents);
}

static void measure(struct simulation *s)
{
  if (measurements_window_ends(&s->measurements, s->step)) {
    const struct net_speed_window window = measurements_window(&s->measurements, s->step);
    s->measurements.net_speed = net_speed_mark(&s->agents, &window);
  }
  measurements_sample(&s->measurements, &s->agents, s->step);
}

const struct step_parts step_parts_host = {.prepare_agents = no_op,
                                           .sort_agents = sort_agents,
                                           .begin_halo_exchange = begin_halo_exchange,
                                           .set_preferred = set_preferred,
                                           .index_owned_agents = index_owned_agents,
                                           .end_halo_exchange = end_halo_exchange,
                                           .probe_discs = probe_discs,
                                           .apply_groups = apply_groups,
                                           .next_velocities = next_velocities,
                                           .record_overlap = record_overlap,
                                           .move = move,
                                           .advance_journeys = advance_journeys,
                                           .migrate_agents = migrate_agents,
                                           .insert_inflow = insert_inflow,
                                           .measure = measure};
