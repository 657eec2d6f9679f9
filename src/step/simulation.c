#include "step_parts.h"

#include "marks.h"
#include "navigation.h"
#include "simulation_change.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const phase_names[PHASE_COUNT] = {"halo",    "navigation", "index",   "avoidance",
                                              "move",    "migrate",    "balance", "demand",
                                              "changes", "measure",    "account", "output"};

struct world_events_input simulation_world_events_input(struct simulation *s)
{
  return (struct world_events_input){.scenario = s->scenario,
                                     .comm = s->comm,
                                     .agents = &s->agents,
                                     .inflow_spawner = &s->inflow_spawner,
                                     .journeys = &s->journeys,
                                     .step = s->step,
                                     .sorts = s->order_stale};
}

static void update_world(struct simulation *s)
{
  const struct world_events_input in = simulation_world_events_input(s);
  const struct world *world = &s->scenario->world;
  const uint64_t version = world->version;
  if (world_events_need_agents(&s->world_events, &in))
    simulation_sync_to_host(s);
  world_events_apply(&s->world_events, &in);
  wall_lists_follow(&s->wall_lists, world->version);
  kept_corners_follow(&s->kept_corners, world_fields_version(world));
  s->device_current = s->device_current && world->version == version; // a rebuild resets waypoints
}

static void apply_world_events(struct simulation *s)
{
  TIMED(s, PHASE_CHANGES, update_world(s));
}

static void progress_halo(void *halo)
{
  exchange_progress(&((struct halo *)halo)->exchange);
}

struct next_velocity_input simulation_velocity_input(struct simulation *s, enum domain_part part)
{
  const struct scenario *scenario = s->scenario;
  return (struct next_velocity_input){.world = &scenario->world,
                                      .avoidance = &scenario->avoidance,
                                      .plugin = scenario->plugin,
                                      .neighbours = &s->neighbours,
                                      .wall_lists = &s->wall_lists,
                                      .dt = (float)scenario->dt,
                                      .seed = scenario->seed,
                                      .step = s->step,
                                      .walking = scenario_walking(scenario),
                                      .part = part,
                                      .interior = s->halo.interior,
                                      .progress = part == PART_INTERIOR ? progress_halo : NULL,
                                      .context = &s->halo};
}

static void sort_agents(struct simulation *s)
{
  TIMED(s, PHASE_INDEX, s->parts->prepare_agents(s));
  COMPUTED(s, PHASE_INDEX, s->parts->sort_agents(s));
}

static void begin_halo_exchange(struct simulation *s)
{
  TIMED(s, PHASE_HALO, s->parts->begin_halo_exchange(s));
  s->step_counts.ghosts = s->halo.sent;
}

static void compute_preferred_velocities(struct simulation *s)
{
  COMPUTED(s, PHASE_NAVIGATION, s->parts->set_preferred(s));
  if (s->steering.preferred)
    TIMED(s, PHASE_NAVIGATION, simulation_steer(s));
}

static void end_halo_exchange(struct simulation *s)
{
  s->parts->end_halo_exchange(s);
  s->ghost_wait += s->halo.exchange.wait_seconds;
}

// Whether interior agents choose while ghosts are under way. Members of a group keep together, and
// some of them may be ghosts.
static bool overlaps_communication(const struct simulation *s)
{
  return s->scenario->overlap && s->halo.exchange.peer_count > 0 && !s->scenario->has_groups;
}

static void compute_interior_velocities(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, s->parts->index_owned_agents(s));
  if (overlaps_communication(s))
    COMPUTED(s, PHASE_AVOIDANCE, s->parts->next_velocities(s, PART_INTERIOR));
}

static void record_overlaps(struct simulation *s)
{
  struct deepest_overlap *deepest = &s->step_counts.deepest;
  if (s->step_counts.overlaps > 0)
    TIMED(s, PHASE_MEASURE, s->parts->record_overlap(s));
  if (deepest->depth <= s->deepest.depth)
    return;
  if (s->device_crowd)
    s->device_crowd->find_deepest(s->device_crowd->device, deepest);
  s->deepest = *deepest;
  s->deepest_step = s->step;
}

static void compute_velocities(struct simulation *s)
{
  const enum domain_part part = overlaps_communication(s) ? PART_BORDER : PART_ALL;
  if (s->scenario->has_groups)
    COMPUTED(s, PHASE_NAVIGATION, s->parts->apply_groups(s));
  COMPUTED(s, PHASE_AVOIDANCE, s->parts->next_velocities(s, part));
  record_overlaps(s);
}

static void place_inflow(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND,
        inflow_spawner_place(&s->inflow_spawner, s->scenario, s->comm, s->parts->probe_discs, s,
                             s->step));
}

static void move(struct simulation *s)
{
  s->parts->move(s);
}

// Sends arrived agents back to where they came from.
static void turn_back(struct simulation *s, struct agents *a)
{
  for (int64_t i = 0; (i = marks_next(s->transitions.gone, i, a->count)) < a->count; i++)
    scenario_turn_back(s->scenario, a, i);
}

// Arrived agents stand from now on. They have no goal to return to when somebody pushes them.
static void rest(struct simulation *s, struct agents *a)
{
  for (int64_t i = 0; (i = marks_next(s->transitions.gone, i, a->count)) < a->count; i++) {
    AGENT_SET(a, doing, i, ACTIVITY_REACT);
    AGENT_SET(a, until, i, STEP_LIMIT);
  }
}

static void record_departures(struct simulation *s, const struct agents *a)
{
  for (int64_t i = 0; (i = marks_next(s->transitions.gone, i, a->count)) < a->count; i++) {
    s->departure_hash += agents_departure_hash(a->id[i], s->step);
    measurements_record_departure(&s->measurements, a, i, s->step);
    s->local_arrivals++;
  }
}

void simulation_advance_journeys(struct simulation *s, struct agents *a)
{
  const struct scenario *scenario = s->scenario;
  const int64_t arrived = s->transitions.arrived;
  if (s->journeys.active)
    journeys_advance(&s->journeys, scenario, s->comm, s->step, a, &s->transitions);
  if (scenario->turn_back && arrived > 0)
    turn_back(s, a);
  if (scenario->stay_at_goal && (arrived > 0 || s->journeys.active))
    rest(s, a);
  if (scenario->leave_at_goal && (arrived > 0 || s->journeys.active))
    record_departures(s, a);
}

bool simulation_has_transitions(const struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  return scenario->leave_at_goal || scenario->stay_at_goal || scenario->turn_back ||
         s->journeys.active;
}

static void advance_journeys(struct simulation *s)
{
  s->local_arrivals = 0;
  if (simulation_has_transitions(s))
    TIMED(s, PHASE_DEMAND, s->parts->advance_journeys(s));
}

static void migrate_agents(struct simulation *s)
{
  TIMED(s, PHASE_MIGRATE, s->parts->migrate_agents(s));
  s->migrant_wait += s->migrate.exchange.wait_seconds;
}

static void insert_inflow(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND, s->parts->insert_inflow(s));
}

static void measure(struct simulation *s)
{
  TIMED(s, PHASE_MEASURE, s->parts->measure(s));
}

static void totals_add(struct step_totals *all, const struct step_totals *step)
{
  all->agents += step->entered;
  all->arrived += step->arrived;
  all->entered += step->entered;
#define X(name, where) all->name += step->name;
  STEP_COUNTERS(X)
#undef X
}

static void check_conservation(const struct simulation *s)
{
  if (s->last.agents + s->all.arrived + s->all.removed != s->all.agents)
    fail(EXIT_INTERNAL_ERROR,
         "step %lld: %lld agents were created, %lld are in the world, %lld have arrived and %lld "
         "were removed",
         (long long)s->step, (long long)s->all.agents, (long long)s->last.agents,
         (long long)s->all.arrived, (long long)s->all.removed);
}

// One reduction per step: the totals, what the ranks ask of each other, and the audit.
static void reduce_totals(struct simulation *s)
{
  struct {
    struct step_totals totals;
    int64_t stop_flags, stale, audit[AUDIT_KINDS];
  } sum = {.totals = {.agents = s->agents.count, .arrived = s->local_arrivals},
           .stop_flags = s->stop_flags_own,
           .stale = neighbours_stale(&s->neighbours)};
  _Static_assert(sizeof sum % sizeof(int64_t) == 0, "integers only");
#define X(name, where) sum.totals.name = s->step_counts.name;
  STEP_COUNTERS(X)
#undef X
  memcpy(sum.audit, s->measurements.audit.count, sizeof sum.audit);
  comm_sum(s->comm, (int64_t *)&sum, sizeof sum / sizeof(int64_t));
  sum.totals.entered = s->entered; // the same on every rank already
  sum.totals.overlaps /= 2;
  s->last = sum.totals;
  totals_add(&s->all, &s->last);
  if (s->last.arrived)
    s->last_departure = s->measurements.last_arrival = s->step;
  s->stop_flags_all = sum.stop_flags;
  s->order_stale = sum.stale > 0;
  measurements_check_audit(&s->measurements, sum.audit);
  check_conservation(s);
}

static void sum_totals(struct simulation *s)
{
  TIMED(s, PHASE_ACCOUNT, reduce_totals(s));
}

static void balance_load(struct simulation *s)
{
  const struct load_balance_input in = simulation_load_balance_input(s);
  const int64_t rebalances = s->load_balance.rebalances;
  TIMED(s, PHASE_BALANCE, load_balance_step(&s->load_balance, s->step, &in));
  s->device_current = s->device_current && s->load_balance.rebalances == rebalances;
}

void simulation_step(struct simulation *s)
{
  assert(simulation_is_valid(s));
  s->step_counts = (struct next_velocity_counts){0};
  s->observed.known = false;
  apply_world_events(s);           // doors, events, dynamic travel times
  sort_agents(s);                  // agents near in the plane lie near in memory
  compute_preferred_velocities(s); // needs no neighbour
  begin_halo_exchange(s);          // sends border agents to the ranks that perceive them
  compute_interior_velocities(s);  // needs no ghost: hides the messages
  end_halo_exchange(s);            // ghosts follow the owned agents
  place_inflow(s);                 // finds free places before anyone moves into them
  compute_velocities(s);           // the permitted velocity closest to the preferred one
  move(s);                         // on the integer grid
  advance_journeys(s);             // arrived agents stay, queue, go on or leave the world
  s->step++;
  migrate_agents(s); // to the rank that owns the ground they stand on
  insert_inflow(s);
  measure(s);
  sum_totals(s);   // over the ranks; no agent is lost
  balance_load(s); // boxes follow the crowd
}

void simulation_count_overlaps(struct simulation *s)
{
  s->step_counts = (struct next_velocity_counts){0};
  sort_agents(s);
  agents_clear_preferred(&s->agents); // of no step
  begin_halo_exchange(s);
  COMPUTED(s, PHASE_INDEX, s->parts->index_owned_agents(s));
  end_halo_exchange(s);
  COMPUTED(s, PHASE_MEASURE, s->parts->next_velocities(s, PART_ALL));
  record_overlaps(s);
  int64_t counts[] = {s->step_counts.overlaps, s->step_counts.in_contact};
  comm_sum(s->comm, counts, 2);
  s->last.overlaps = counts[0] / 2;
  s->last.in_contact = counts[1];
  s->all.overlaps += s->last.overlaps;
  s->all.in_contact += s->last.in_contact;
}

bool simulation_is_over(const struct simulation *s)
{
  return s->step >= s->scenario->steps ||
         (s->last.agents == 0 && !inflow_spawner_pending(&s->inflow_spawner, s->scenario) &&
          !world_events_pending(&s->world_events, s->scenario));
}

double simulation_time(const struct simulation *s)
{
  return (double)s->step * s->scenario->dt;
}

double simulation_evacuation_time(const struct simulation *s)
{
  const bool evacuated = s->last.agents == 0 && s->all.agents > 0;
  return evacuated ? (double)s->last_departure * s->scenario->dt : NAN;
}
