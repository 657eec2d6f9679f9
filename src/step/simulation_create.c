// The first agents of a simulation, its halo width and its first partition.
#include "step_parts.h"

#include "demand.h"
#include <assert.h>
#include <math.h>

static void sync_host(void *simulation, bool agents)
{
  if (agents)
    simulation_sync_to_host(simulation);
  else
    step_device_fetch_neighbour_counts(simulation);
}

struct load_balance_input simulation_load_balance_input(struct simulation *s)
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

int32_t simulation_halo_width(struct simulation *s)
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
      fmax(fmax(scenario->density_speed.range, scenario->headway.on ? HEADWAY_RANGE : 0),
           scenario->has_groups ? GROUP_RANGE : 0);
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

// This rank's share of the agents by number, wherever they stand.
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
  net_speed_mark(&s->agents, &(struct net_speed_window){0});
}

#define CROWD_HINT "fewer agents, or more ranks on more machines, need less on each"

void simulation_create(struct simulation *s, struct scenario *scenario, const struct comm *comm,
                       const struct backend *backend, struct agents *from)
{
  *s = (struct simulation){.scenario = scenario, .comm = comm, .backend = backend};
  memory_purpose(CROWD_HINT, "the agents: %lld on %d rank%s", (long long)scenario->agent_count,
                 comm->size, comm->size > 1 ? "s" : "");
  s->all.agents = s->last.agents = scenario->agent_count;
  inflow_spawner_create(&s->inflow_spawner, scenario);
  journeys_create(&s->journeys, scenario);
  world_events_create(&s->world_events, scenario, comm);
  create_agents(s, from);
  check_agents(s);
  s->neighbours.facings = scenario->headway.on;
  s->neighbours.squeeze = scenario->avoidance.squeeze;
  step_device_create(s);
  const int32_t width = simulation_halo_width(s);
  const struct load_balance_input in = simulation_load_balance_input(s);
  load_balance_create(&s->load_balance, &scenario->balance, width, &in);
  const struct measure_grid *grid = &scenario->measure.grid;
  if (measure_cell_count(grid))
    memory_purpose("larger cells (measure.grid.cell) need less",
                   "a measuring grid of %d x %d cells", grid->columns, grid->rows);
  measurements_create(&s->measurements, scenario, comm);
  memory_purpose(CROWD_HINT, "the run: %lld agents at its start, on %d rank%s",
                 (long long)scenario->agent_count, comm->size, comm->size > 1 ? "s" : "");
  assert(simulation_is_valid(s));
}

void simulation_prepare(struct simulation *s)
{
  const bool has_stepped = s->neighbours.own.count > 0;
  if (s->device_crowd || has_stepped)
    return;
  TIMED(s, PHASE_INDEX, s->parts->sort_agents(s));
  if (s->measurements.cells)
    TIMED(s, PHASE_MEASURE,
          cell_totals_touch(&s->measurements.totals, &s->agents, s->measurements.cells));
}

void simulation_forget_measurements(struct simulation *s)
{
  simulation_fetch_measurements(s);
  measurements_destroy(&s->measurements);
  measurements_create(&s->measurements, s->scenario, s->comm);
}

void simulation_destroy(struct simulation *s)
{
  inflow_spawner_destroy(&s->inflow_spawner);
  journeys_destroy(&s->journeys);
  world_events_destroy(&s->world_events);
  halo_destroy(&s->halo);
  migrate_destroy(&s->migrate);
  simulation_fetch_measurements(s); // the next crowd on a device begins at 0
  measurements_destroy(&s->measurements);
  load_balance_destroy(&s->load_balance);
  partition_destroy(&s->partition);
  neighbours_destroy(&s->neighbours);
  wall_lists_destroy(&s->wall_lists);
  kept_corners_destroy(&s->kept_corners);
  groups_destroy(&s->groups);
  agents_destroy(&s->agents);
  transitions_destroy(&s->transitions);
  step_device_destroy(s);
}

bool simulation_is_valid(const struct simulation *s)
{
  return s->scenario && s->comm && s->backend && s->parts && s->step >= 0 &&
         (s->host_current || s->device_current) && s->agents.count >= 0 &&
         s->last.agents + s->all.arrived + s->all.removed == s->all.agents &&
         s->partition.rank_count == s->comm->size;
}
