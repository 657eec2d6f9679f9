// The parts of a step for agents in device memory. Decisions stay on the host: it downloads only
// the agents that need one, processes them by the same code as host agents and writes them back.
#include "step_parts.h"

#include "demand.h"
#include "navigation.h"
#include <assert.h>

// -------------------------------------------------------------------------------------- memory

static void *message_create(void *simulation, size_t bytes)
{
  const struct simulation *s = simulation;
  return s->device_crowd->allocate_message(s->device_crowd->device, bytes, s->messages_on_device);
}

static void message_destroy(void *simulation, void *memory)
{
  const struct simulation *s = simulation;
  s->device_crowd->free_message(s->device_crowd->device, memory, s->messages_on_device);
}

void step_device_create(struct simulation *s)
{
  s->device_crowd = s->backend->device_crowd;
  s->parts = s->device_crowd ? &step_parts_device : &step_parts_host;
  s->host_current = true;
  s->message_allocator = (struct message_allocator){message_create, message_destroy, s};
  s->messages_on_device =
      s->device_crowd && (s->device_crowd->in_host_memory || comm_is_gpu_aware());
}

void step_device_destroy(struct simulation *s)
{
  agents_destroy(&s->selected);
  memory_destroy(s->records);
}

void simulation_sync_to_host(struct simulation *s)
{
  assert(s->host_current || s->device_current);
  if (!s->host_current)
    s->device_crowd->download_agents(s->device_crowd->device, &s->agents);
  s->host_current = true;
}

void step_device_fetch_neighbour_counts(struct simulation *s)
{
  s->device_crowd->fetch_neighbour_counts(s->device_crowd->device, &s->neighbours);
}

void simulation_fetch_measurements(struct simulation *s)
{
  if (s->device_crowd && s->measurements.totals.crossed)
    s->device_crowd->fetch_cell_crossings(s->device_crowd->device, s->measurements.totals.crossed);
}

// The host's copy is out of date from here on.
static void sync_to_device(struct simulation *s)
{
  const struct device_crowd *crowd = s->device_crowd;
  const struct scenario *scenario = s->scenario;
  const struct walking walking = scenario_walking(scenario);
  crowd->upload_world(crowd->device, &scenario->world, &walking, &scenario->measure);
  if (!s->device_current)
    crowd->upload_agents(crowd->device, &s->agents);
  s->device_current = true;
  s->host_current = false;
}

static void no_op(struct simulation *s)
{
  (void)s;
}

// ----------------------------------------------------------------------------- selected agents

static char *reserve_records(struct simulation *s, int64_t count)
{
  const size_t bytes = (size_t)count * agents_packed_size(SCOPE_STATE);
  if (bytes > s->record_bytes) {
    memory_destroy(s->records);
    s->record_bytes = 2 * bytes;
    s->records = memory_create(s->record_bytes, 1);
  }
  return s->records;
}

// Downloads the agents that match the rule into s->selected.
static void selected_fetch(struct simulation *s, const struct device_crowd_rule *rule)
{
  const struct device_crowd *crowd = s->device_crowd;
  const int64_t count = crowd->select(crowd->device, rule);
  const size_t record_bytes = agents_packed_size(SCOPE_STATE);
  s->selected.count = 0;
  if (count == 0)
    return;
  char *records = reserve_records(s, count);
  crowd->download_selected(crowd->device, records);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(&s->selected, agents_append(&s->selected), SCOPE_STATE,
                  records + (size_t)k * record_bytes);
}

static const char *selected_pack(struct simulation *s)
{
  const size_t record_bytes = agents_packed_size(SCOPE_STATE);
  char *records = reserve_records(s, s->selected.count);
  for (int64_t k = 0; k < s->selected.count; k++)
    agents_pack(&s->selected, k, SCOPE_STATE, records + (size_t)k * record_bytes);
  return records;
}

static void selected_append(struct simulation *s)
{
  const struct device_crowd *crowd = s->device_crowd;
  s->agents.count = crowd->append_agents(crowd->device, selected_pack(s), s->selected.count);
}

// ------------------------------------------------------------------------------ index and halo

static void set_preferred(struct simulation *s)
{
  const struct device_crowd_navigation in = {(float)s->scenario->dt, s->scenario->seed, s->step,
                                             s->scenario->deadlock_timeout};
  s->device_crowd->set_preferred(s->device_crowd->device, &in);
}

static void index_owned_agents(struct simulation *s)
{
  const struct next_velocity_input in = simulation_velocity_input(s, PART_ALL);
  const double quantum = (double)frame_quantum(&s->scenario->world.frame);
  s->device_crowd->build_index(s->device_crowd->device, &in,
                               (float)(1.0001 * s->radius_max / quantum), s->scenario->has_groups);
}

static int32_t max_int32(int32_t a, int32_t b)
{
  return a > b ? a : b;
}

static int32_t min_int32(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

// The rank's box widened by the halo, within the world; one quantum wide if it lies outside.
static struct box ghost_bounds(const struct simulation *s)
{
  const struct box world = s->scenario->world.bounds;
  struct box b = box_widened(s->partition.boxes[s->comm->rank], s->halo.width);
  b.lo.x = max_int32(b.lo.x, world.lo.x);
  b.lo.y = max_int32(b.lo.y, world.lo.y);
  b.hi.x = max_int32(b.lo.x, min_int32(b.hi.x, world.hi.x));
  b.hi.y = max_int32(b.lo.y, min_int32(b.hi.y, world.hi.y));
  return b;
}

static void pack_mirrors(void *simulation, const struct halo *h, int64_t *counts)
{
  const struct device_crowd *crowd = ((struct simulation *)simulation)->device_crowd;
  const struct device_crowd_view view = {h->exchange.peer_count, h->wide_boxes, h->interior};
  crowd->pack_mirrors(crowd->device, &view, counts);
}

static void copy_mirrors(void *simulation, const struct halo *h, char *const *records,
                         const int64_t *counts)
{
  const struct device_crowd *crowd = ((struct simulation *)simulation)->device_crowd;
  crowd->copy_mirrors(crowd->device, records, counts, h->exchange.peer_count);
}

static void unpack_ghosts(void *simulation, const struct halo *h, char *const *records,
                          const int64_t *counts)
{
  const struct simulation *s = simulation;
  s->device_crowd->unpack_ghosts(s->device_crowd->device, records, counts, h->exchange.peer_count,
                                 ghost_bounds(s));
}

static struct halo_packer packer_of(struct simulation *s)
{
  return (struct halo_packer){s, pack_mirrors, copy_mirrors, unpack_ghosts};
}

static void begin_halo_exchange(struct simulation *s)
{
  const struct halo_packer packer = packer_of(s);
  halo_begin_packed(&s->halo, &packer);
}

static void end_halo_exchange(struct simulation *s)
{
  const struct halo_packer packer = packer_of(s);
  TIMED(s, PHASE_HALO, halo_end_packed(&s->halo, &packer));
}

// ----------------------------------------------------------------------------------- avoidance

static void next_velocities(struct simulation *s, enum domain_part part)
{
  const struct next_velocity_input in = simulation_velocity_input(s, part);
  s->device_crowd->next_velocities(s->device_crowd->device, &in, &s->step_counts);
}

static void probe_discs(void *simulation, const struct disc *discs, int64_t count,
                        float quanta_per_speed, int64_t *occupied)
{
  const struct simulation *s = simulation;
  s->device_crowd->probe_discs(s->device_crowd->device, discs, count, quanta_per_speed, occupied);
}

static void apply_groups(struct simulation *s)
{
  s->device_crowd->apply_groups(s->device_crowd->device);
}

// ---------------------------------------------------------------------------------------- move

static void record_overlap(struct simulation *s)
{
  struct violation first = {.step = s->step, .kind = AUDIT_OVERLAP};
  if (s->measurements.audit.overlap.step <= s->step)
    return;
  s->device_crowd->find_overlap(s->device_crowd->device, &first);
  s->measurements.audit.overlap = first;
}

static void move_on_device(struct simulation *s)
{
  const struct device_crowd_move in = {(float)s->scenario->dt, s->step, s->measurements.crossed};
  struct device_crowd_moved moved;
  s->device_crowd->move(s->device_crowd->device, &in, &moved);
  s->step_counts.kept_inside = moved.kept;
  audit_merge(&s->measurements.audit, moved.violations, moved.first);
}

static void move(struct simulation *s)
{
  COMPUTED(s, PHASE_MOVE, move_on_device(s));
}

// ------------------------------------------------------------------------------------ journeys

static void advance_journeys(struct simulation *s)
{
  const struct device_crowd *crowd = s->device_crowd;
  const struct scenario *scenario = s->scenario;
  const struct device_crowd_rule rule = {
      .criterion = DEVICE_CROWD_TRANSITION,
      .goal_radius = frame_length(&scenario->world.frame, (double)scenario->goal_radius),
      .transition_filter = journeys_transition_filter(&s->journeys, scenario, s->step)};
  if (journeys_need_counts(scenario))
    crowd->count_stops(crowd->device, s->journeys.stop_occupancy, s->journeys.stop_count);
  selected_fetch(s, &rule);
  transitions_reserve(&s->transitions, s->selected.count);
  s->transitions.arrived = transitions_find(&s->transitions, &rule.transition_filter, scenario,
                                            &s->selected, 0, s->selected.count, NULL);
  simulation_advance_journeys(s, &s->selected);
  if (s->selected.count > 0 && (s->journeys.active || !scenario->leave_at_goal))
    crowd->upload_selected(crowd->device, selected_pack(s));
  if (s->local_arrivals)
    s->agents.count = crowd->remove_selected(crowd->device, s->transitions.gone);
}

// ------------------------------------------------------------------------ migration and inflow

static void migrate_agents(struct simulation *s)
{
  const struct device_crowd *crowd = s->device_crowd;
  if (s->migrate.exchange.peer_count == 0)
    return;
  const struct device_crowd_rule rule = {.criterion = DEVICE_CROWD_OUTSIDE,
                                         .box = s->partition.boxes[s->comm->rank]};
  selected_fetch(s, &rule);
  if (s->selected.count > 0)
    s->agents.count = crowd->remove_selected(crowd->device, NULL);
  int64_t border_layer = 0; // the device keeps the order
  migrate(&s->migrate, &s->selected, &border_layer);
  if (s->selected.count > 0)
    selected_append(s);
}

static void insert_inflow(struct simulation *s)
{
  s->selected.count = 0;
  s->entered = inflow_spawner_insert(&s->inflow_spawner, s->scenario, &s->partition, s->comm->rank,
                                     s->step, &s->selected);
  if (s->selected.count > 0)
    selected_append(s);
}

// -------------------------------------------------------------------------------- measurements

static void mark_positions(struct simulation *s)
{
  const struct net_speed_window window = measurements_window(&s->measurements, s->step);
  s->measurements.net_speed = s->device_crowd->mark(s->device_crowd->device, &window);
  s->host_current = false;
}

static void check_blocked(struct simulation *s)
{
  struct alarms *alarms = &s->measurements.alarms;
  const struct device_crowd_rule blocked = {.criterion = DEVICE_CROWD_BLOCKED,
                                            .steps = alarms->blocked_limit};
  selected_fetch(s, &blocked);
  alarms_check_blocked(alarms, &s->selected, s->step);
}

static void count_cells(struct simulation *s)
{
  struct cell_source source = {.agents = NULL};
  source.cells = s->device_crowd->count_cells(s->device_crowd->device, &source.cell_count);
  measurements_count_cells(&s->measurements, &source, s->partition.boxes[s->comm->rank], s->step);
}

static void measure(struct simulation *s)
{
  if (measurements_window_ends(&s->measurements, s->step))
    mark_positions(s);
  if (s->measurements.alarms.blocked_limit > 0)
    check_blocked(s);
  if (measurements_cells_due(&s->measurements, s->step))
    count_cells(s);
}

const struct step_parts step_parts_device = {.prepare_agents = sync_to_device,
                                             .sort_agents = no_op,
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
