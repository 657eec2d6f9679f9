#include "step_parts.h"

#include "deadlock.h"
#include "demand.h"
#include "navigation.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const phase_names[PHASE_COUNT] = {"halo",    "navigation", "index",   "avoidance",
                                              "move",    "migrate",    "balance", "demand",
                                              "changes", "measure",    "account", "output"};

static void update_world(struct simulation *s)
{
  const struct world_events_input in = {s->scenario,        s->comm,      &s->agents,
                                        &s->inflow_spawner, &s->journeys, s->step};
  const int64_t rebuilds = s->world_events.rebuilds, replans = s->world_events.replans;
  if (world_events_need_agents(&s->world_events, &in))
    simulation_sync_to_host(s);
  world_events_apply(&s->world_events, &in);
  s->device_current =
      s->device_current && s->world_events.rebuilds == rebuilds; // their aims are others
  s->world_uploaded = s->world_uploaded && s->world_events.rebuilds == rebuilds &&
                      s->world_events.replans == replans;
}

static void apply_world_events(struct simulation *s)
{
  TIMED(s, PHASE_CHANGES, update_world(s));
}

int32_t simulation_deadlock_timeout(const struct simulation *s)
{
  const double deadlock_timeout = s->scenario->deadlock_timeout / s->scenario->dt;
  return deadlock_timeout > 0 ? (int32_t)fmin(ceil(deadlock_timeout), 1e9) : DEADLOCK_NEVER;
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
                                      .neighbours = &s->neighbours,
                                      .dt = (float)scenario->dt,
                                      .seed = scenario->seed,
                                      .step = s->step,
                                      .density_speed = &scenario->density_speed,
                                      .part = part,
                                      .interior = s->halo.interior,
                                      .progress = part == PART_INTERIOR ? progress_halo : NULL,
                                      .context = &s->halo};
}

static void prepare_agents(struct simulation *s)
{
  TIMED(s, PHASE_INDEX, s->parts->prepare_agents(s));
}

static void sort_agents(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, s->parts->sort_agents(s));
}

static void begin_halo_exchange(struct simulation *s)
{
  TIMED(s, PHASE_HALO, s->parts->begin_halo_exchange(s));
}

static void compute_preferred_velocities(struct simulation *s)
{
  COMPUTED(s, PHASE_NAVIGATION, s->parts->set_preferred(s));
}

static void index_owned_agents(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, s->parts->index_owned_agents(s));
}

static void end_halo_exchange(struct simulation *s)
{
  s->parts->end_halo_exchange(s);
  s->ghost_wait += s->halo.exchange.wait_seconds;
}

// Members of groups wait for each other, ghosts or not: then nobody can choose before.
static bool overlaps_communication(const struct simulation *s)
{
  return s->scenario->overlap && s->halo.exchange.peer_count > 0 && !s->scenario->has_groups;
}

static void compute_interior_velocities(struct simulation *s)
{
  if (overlaps_communication(s))
    COMPUTED(s, PHASE_AVOIDANCE, s->parts->next_velocities(s, PART_INTERIOR));
}

static void compute_velocities(struct simulation *s)
{
  const enum domain_part part = overlaps_communication(s) ? PART_BORDER : PART_ALL;
  if (s->scenario->has_groups)
    COMPUTED(s, PHASE_NAVIGATION, s->parts->apply_groups(s));
  COMPUTED(s, PHASE_AVOIDANCE, s->parts->next_velocities(s, part));
  s->deepest_overlap = fmaxf(s->deepest_overlap, s->step_counts.deepest_overlap);
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

static void reserve_gone(struct simulation *s, const struct agents *a)
{
  if (a->count <= s->gone_capacity)
    return;
  memory_destroy(s->gone);
  s->gone_capacity = a->capacity;
  s->gone = memory_create((size_t)s->gone_capacity, 1);
}

// To and fro: whoever has arrived walks back to where they came from.
static void turn_back(struct simulation *s, struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++)
    if (s->gone[i])
      scenario_turn_back(s->scenario, a, i);
}

static void record_departures(struct simulation *s, const struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++)
    if (s->gone[i]) {
      s->departure_hash += agents_departure_hash(a->id[i], s->step);
      measurements_record_departure(&s->measurements, a, i, s->step);
      s->local_arrivals++;
    }
}

void simulation_advance_journeys(struct simulation *s, struct agents *a)
{
  const struct scenario *scenario = s->scenario;
  reserve_gone(s, a);
  const int64_t arrived = navigation_arrived(&scenario->world, scenario->goal_radius, a, s->gone);
  if (s->journeys.active)
    journeys_advance(&s->journeys, scenario, s->comm, s->step, a, s->gone);
  if (scenario->turn_back && arrived > 0)
    turn_back(s, a);
  if (scenario->leave_at_goal && (arrived > 0 || s->journeys.active))
    record_departures(s, a);
}

static void advance_journeys(struct simulation *s)
{
  s->local_arrivals = 0;
  if (s->scenario->leave_at_goal || s->scenario->turn_back || s->journeys.active)
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

// Everybody who was made is inside or has arrived; all ranks know the sums of the step.
static void reduce_totals(struct simulation *s)
{
  int64_t v[11 + AUDIT_KINDS] = {s->agents.count,
                                 s->local_arrivals,
                                 s->step_counts.overlap_count,
                                 s->step_counts.full_neighbourhoods,
                                 s->step_counts.infeasible,
                                 s->step_counts.wall_stops,
                                 s->local_kept_inside,
                                 s->halo.sent,
                                 s->step_counts.relaxed,
                                 s->stop_flags_own,
                                 neighbours_stale(&s->neighbours)};
  memcpy(v + 11, s->measurements.audit.count, AUDIT_KINDS * sizeof *v);
  comm_sum(s->comm, v, sizeof v / sizeof *v);
  s->last =
      (struct step_totals){v[0], v[1], s->entered, v[2] / 2, v[3], v[4], v[5], v[6], v[7], v[8]};
  s->all.agents += s->entered;
  s->all.entered += s->entered;
  s->all.arrived += v[1];
  s->all.overlaps += v[2] / 2;
  s->all.full_neighbourhoods += v[3];
  s->all.infeasible += v[4];
  s->all.wall_stops += v[5];
  s->all.kept_inside += v[6];
  s->all.ghosts += v[7];
  s->all.relaxed += v[8];
  if (s->last.arrived)
    s->measurements.last_arrival = s->step;
  s->stop_flags_all = v[9];
  s->order_stale = v[10] > 0;
  measurements_check_audit(&s->measurements, v + 11);
  if (s->last.agents + s->all.arrived != s->all.agents)
    fail(EXIT_INTERNAL_ERROR,
         "step %lld: %lld agents were made, %lld are inside and %lld have arrived",
         (long long)s->step, (long long)s->all.agents, (long long)s->last.agents,
         (long long)s->all.arrived);
}

static void sum_step_totals(struct simulation *s)
{
  TIMED(s, PHASE_ACCOUNT, reduce_totals(s));
}

static void sync_host(void *simulation, bool agents)
{
  if (agents)
    simulation_sync_to_host(simulation);
  else
    step_device_fetch_neighbour_counts(simulation);
}

static struct load_balance_input load_balance_input(struct simulation *s)
{
  struct load_balance_input in = {.comm = s->comm,
                                  .agents = &s->agents,
                                  .neighbours = &s->neighbours,
                                  .partition = &s->partition,
                                  .halo = &s->halo,
                                  .migrate = &s->migrate,
                                  .context = s};
  if (s->device_crowd) {
    in.message_allocator = &s->message_allocator;
    in.sync_host = sync_host;
  }
  return in;
}

static void balance(struct simulation *s)
{
  const struct load_balance_input in = load_balance_input(s);
  const int64_t rebalances = s->load_balance.rebalances;
  TIMED(s, PHASE_BALANCE, load_balance_step(&s->load_balance, s->step, &in));
  s->device_current = s->device_current && s->load_balance.rebalances == rebalances;
}

void simulation_step(struct simulation *s)
{
  s->step_counts = (struct next_velocity_counts){.deepest_overlap = 0};
  apply_world_events(s);           // events, doors, travel times
  prepare_agents(s);               // the people are where they belong
  sort_agents(s);                  // neighbours in the plane stand side by side in memory
  begin_halo_exchange(s);          // show border agents to the other ranks
  compute_preferred_velocities(s); // needs no neighbour: hides the messages
  index_owned_agents(s);           // and so does this,
  compute_interior_velocities(s);  // and the choice of all who see no ghost
  end_halo_exchange(s);            // ghosts stand behind our own
  place_inflow(s);                 // for those who are due
  compute_velocities(s);           // permitted velocity nearest the wish, of groups: together
  move(s);                         // on the integer grid
  advance_journeys(s);             // who is there stays, queues, goes on or leaves
  s->step++;
  migrate_agents(s); // who has crossed a border gets a new owner
  insert_inflow(s);  // newcomers
  measure(s);        // who stands where now
  sum_step_totals(s);
  balance(s); // boxes follow the crowd
}

// As far as anybody looks, touches or walks in one step, in quanta.
static int32_t halo_width(struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  int64_t greatest[2] = {0, 0}; // radius in um, speed in um/s: rounded up
  for (int64_t i = 0; i < s->agents.count; i++) {
    const int64_t radius = (int64_t)ceilf(s->agents.radius[i] * 1e6f);
    const int64_t speed = (int64_t)ceilf(s->agents.max_speed[i] * 1e6f);
    greatest[0] = radius > greatest[0] ? radius : greatest[0];
    greatest[1] = speed > greatest[1] ? speed : greatest[1];
  }
  if (demand_inflow_count(scenario_demand(scenario)) > 0) {
    double radius, fastest;
    demand_maxima(scenario_demand(scenario), &radius, &fastest);
    greatest[0] = greatest[0] > ceil(radius * 1e6) ? greatest[0] : (int64_t)ceil(radius * 1e6);
    greatest[1] = greatest[1] > ceil(fastest * 1e6) ? greatest[1] : (int64_t)ceil(fastest * 1e6);
  }
  comm_max(s->comm, greatest, 2);
  s->radius_max = 1e-6 * (double)greatest[0];
  const double perception =
      fmax(scenario->density_speed.range, scenario->has_groups ? GROUP_RANGE : 0);
  const double metres =
      fmax(fmax(scenario->avoidance.neighbour_distance, perception),
           fmax(2e-6 * (double)greatest[0], 1e-6 * (double)greatest[1] * scenario->dt));
  return frame_length(&scenario->world.frame, metres * 1.0001) + 2;
}

static void check_agents(const struct simulation *s)
{
  char message[200];
  if (!agents_check(&s->agents, s->scenario->world.bounds, message, sizeof message))
    fail(EXIT_BAD_INPUT, "step %lld: %s", (long long)s->step, message);
}

// This rank's share of the people, wherever they stand.
static void create_agents(struct simulation *s, struct agents *from)
{
  const int64_t n = s->scenario->agent_count, r = s->comm->rank, p = s->comm->size;
  const int64_t first = n / p * r + n % p * r / p, end = n / p * (r + 1) + n % p * (r + 1) / p;
  if (from) {
    s->agents = *from;
    *from = (struct agents){0};
    return;
  }
  agents_create(&s->agents, end - first);
  scenario_agents(s->scenario, first, end, &s->agents);
}

void simulation_create(struct simulation *s, struct scenario *scenario, const struct comm *comm,
                       const struct backend *backend, struct agents *from)
{
  *s = (struct simulation){.scenario = scenario, .comm = comm, .backend = backend};
  s->all.agents = s->last.agents = scenario->agent_count;
  inflow_spawner_create(&s->inflow_spawner, scenario);
  journeys_create(&s->journeys, scenario);
  world_events_create(&s->world_events, scenario);
  create_agents(s, from);
  check_agents(s);
  step_device_create(s);
  const int32_t width = halo_width(s);
  const struct load_balance_input in = load_balance_input(s);
  load_balance_create(&s->load_balance, &scenario->balance, width, &in);
  measurements_create(&s->measurements, scenario, comm);
}

void simulation_destroy(struct simulation *s)
{
  inflow_spawner_destroy(&s->inflow_spawner);
  journeys_destroy(&s->journeys);
  world_events_destroy(&s->world_events);
  halo_destroy(&s->halo);
  migrate_destroy(&s->migrate);
  measurements_destroy(&s->measurements);
  partition_destroy(&s->partition);
  neighbours_destroy(&s->neighbours);
  groups_destroy(&s->groups);
  agents_destroy(&s->agents);
  memory_destroy(s->gone);
  step_device_destroy(s);
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
