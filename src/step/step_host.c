// The parts of a step for agents that live on the host.
#include "step_parts.h"

#include "navigation.h"
#include "work_stealing.h"
#include <math.h>
#include <omp.h>

static void no_op(struct simulation *s)
{
  (void)s;
}

static void sort_agents(struct simulation *s)
{
  const struct headway_options *headway = &s->scenario->headway;
  const bool all_look =
      headway->on && headway->look_period > 1 && headway_options_all_look(headway, s->step);
  const struct sort_hint hint = {.others_sort = s->order_stale,
                                 .has_border_layer = s->migrate.exchange.peer_count > 0,
                                 .can_wait = all_look,
                                 .interior = s->halo.deep_interior};
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
                                      scenario->headway.queue,
                                      scenario->headway.look_period,
                                      headway_options_all_look(&scenario->headway, s->step),
                                      scenario->deadlock_timeout,
                                      &s->kept_corners,
                                      s->backend->lanes};
  if (scenario->world.navigation == NAVIGATION_field)
    kept_corners_reserve(&s->kept_corners, s->agents.count);
  navigation_preferred_velocities(&scenario->world, &in, &s->agents);
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
#pragma omp parallel for schedule(dynamic, 16) if (count > 16)
  for (int64_t k = 0; k < count; k++)
    occupied[k] = neighbours_probe(&s->neighbours, &s->agents, &discs[k], quanta_per_speed);
}

static void record_overlap(struct simulation *s)
{
  measurements_record_overlap(&s->measurements, &s->neighbours, &s->agents, s->step);
}

struct moved { // agents, by one thread
  int64_t kept_inside, arrived;
  float fastest2; // (m/s)^2
  struct cell_crossings crossings;
  struct crowd_sums sums; // if observed
};

// The agents [first, end) are audited and moved, and those that may change activity are marked,
// while they are in the cache.
static void move_part(struct simulation *s, int64_t first, int64_t end,
                      const struct transition_filter *filter, struct moved *m)
{
  const struct scenario *scenario = s->scenario;
  const struct world *world = &scenario->world;
  struct audit *audit = &s->measurements.audit;
  struct tested_moves tested;
  audit_find_moves(&tested, &s->agents, first, end, &world->obstacles, s->step);
  const float fastest2 = audit_velocities(audit, &s->agents, first, end, world->bounds, s->step);
  m->fastest2 = fastest2 > m->fastest2 ? fastest2 : m->fastest2;
  m->kept_inside +=
      agents_move_part(&s->agents, first, end, &world->frame, world->bounds, (float)scenario->dt);
  audit_moves(audit, &s->agents, first, &tested, &world->obstacles, s->step);
  if (s->measurements.totals.cells)
    cell_totals_find_moves(&s->measurements.totals, &m->crossings, &s->agents, first, end);
  const float moved = sqrtf(fastest2) * (float)scenario->dt / frame_quantum(&world->frame);
  if (s->observed.wanted)
    simulation_sum_part(s, first, end, navigation_on_free_ground(world, &s->kept_corners, moved),
                        &m->sums);
  if (simulation_has_transitions(s))
    m->arrived += transitions_find(&s->transitions, filter, scenario, &s->agents, first, end,
                                   navigation_may_arrive(world, &s->kept_corners, moved));
}

static void move_owned(struct simulation *s)
{
  struct agents *a = &s->agents;
  const struct transition_filter filter =
      journeys_transition_filter(&s->journeys, s->scenario, s->step);
  struct observed_step *observed = &s->observed;
  int64_t kept_inside = 0, arrived = 0;
  float fastest2 = 0;
  a->ghost_count = 0;
  observed->sums = (struct crowd_sums){0};
  audit_begin(&s->measurements.audit);
  transitions_reserve(&s->transitions, a->count);
  const bool parallel = a->count > PARALLEL_MIN_ITEMS;
  struct work_stealing work;
  work_stealing_begin(&work, agents_part_count(a), parallel ? omp_get_max_threads() : 1);
#pragma omp parallel if (parallel)
  {
    struct moved own = {.crossings.count = 0};
    for (int64_t part; (part = work_stealing_next(&work, omp_get_thread_num())) >= 0;)
      move_part(s, part * AGENTS_PART, agents_part_end(a, part * AGENTS_PART), &filter, &own);
    cell_totals_add_crossings(&s->measurements.totals, &own.crossings);
#pragma omp critical(moved)
    {
      kept_inside += own.kept_inside;
      arrived += own.arrived;
      fastest2 = own.fastest2 > fastest2 ? own.fastest2 : fastest2;
      observed->sums.speed += own.sums.speed;
      observed->sums.in_walls += own.sums.in_walls;
    }
  }
  observed->known = observed->wanted;
  s->step_counts.kept_inside = kept_inside;
  s->transitions.arrived = arrived;
  audit_set_fastest(&s->measurements.audit, fastest2);
}

static void move(struct simulation *s)
{
  COMPUTED(s, PHASE_MOVE, move_owned(s));
  TIMED(s, PHASE_MEASURE,
        measurements_record_moves(&s->measurements, &s->neighbours.own, &s->agents));
}

// So many gaps cannot be filled well: the next step sorts all agents.
static bool are_many(int64_t arrivals, int64_t agents)
{
  return arrivals > 2 * AGENTS_REFILL_MAX && arrivals > agents / 512;
}

static void advance_journeys(struct simulation *s)
{
  if (journeys_need_counts(s->scenario))
    journeys_count(&s->journeys, &s->agents);
  simulation_advance_journeys(s, &s->agents);
  if (s->local_arrivals)
    simulation_take_out_of_sums(s, s->transitions.gone);
  if (are_many(s->local_arrivals, s->agents.count)) {
    agents_remove(&s->agents, s->transitions.gone);
    neighbours_invalidate(&s->neighbours);
  } else if (s->local_arrivals) {
    agents_remove_ordered(&s->agents, &s->neighbours.border_layer, s->transitions.gone);
  }
}

static void migrate_agents(struct simulation *s)
{
  migrate(&s->migrate, &s->agents, &s->neighbours.border_layer);
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
  if (s->measurements.alarms.blocked_limit > 0)
    alarms_check_blocked(&s->measurements.alarms, &s->agents, s->step);
  if (measurements_cells_due(&s->measurements, s->step))
    measurements_count_cells(&s->measurements, &(struct cell_source){.agents = &s->agents},
                             s->partition.boxes[s->comm->rank], s->step);
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
