// The parts of a step for people who live on a device: the host sees those whom it must.
#include "step_parts.h"

#include "demand.h"
#include "navigation.h"
#include <math.h>

// ------------------------------------------------------------------------------------ where

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
  if (!s->host_current)
    s->device_crowd->download_agents(s->device_crowd->device, &s->agents);
  s->host_current = true;
}

void step_device_fetch_neighbour_counts(struct simulation *s)
{
  s->device_crowd->fetch_neighbour_counts(s->device_crowd->device, &s->neighbours);
}

// From here on the host's agents are those of before.
static void sync_to_device(struct simulation *s)
{
  const struct device_crowd *r = s->device_crowd;
  if (!s->world_uploaded)
    r->upload_world(r->device, &s->scenario->world, &s->scenario->density_speed,
                    &s->scenario->measure);
  if (!s->device_current)
    r->upload_agents(r->device, &s->agents);
  s->world_uploaded = s->device_current = true;
  s->host_current = false;
}

static void no_op(struct simulation *s)
{
  (void)s;
}

// ------------------------------------------------------------------------------------ the few

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

static void selected_fetch(struct simulation *s, const struct device_crowd_rule *rule)
{
  const struct device_crowd *r = s->device_crowd;
  const int64_t count = r->select(r->device, rule);
  const size_t each = agents_packed_size(SCOPE_STATE);
  s->selected.count = 0;
  if (count == 0)
    return;
  char *records = reserve_records(s, count);
  r->download_selected(r->device, records);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(&s->selected, agents_append(&s->selected), SCOPE_STATE,
                  records + (size_t)k * each);
}

static const char *selected_pack(struct simulation *s)
{
  const size_t each = agents_packed_size(SCOPE_STATE);
  char *records = reserve_records(s, s->selected.count);
  for (int64_t k = 0; k < s->selected.count; k++)
    agents_pack(&s->selected, k, SCOPE_STATE, records + (size_t)k * each);
  return records;
}

static void selected_append(struct simulation *s)
{
  const struct device_crowd *r = s->device_crowd;
  s->agents.count = r->append_agents(r->device, selected_pack(s), s->selected.count);
}

// ------------------------------------------------------------------------------------ seeing

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

static struct box ghost_bounds(const struct simulation *s)
{
  const struct box all = s->scenario->world.bounds;
  struct box b = box_widened(s->partition.boxes[s->comm->rank], s->halo.width);
  b.lo.x = b.lo.x > all.lo.x ? b.lo.x : all.lo.x;
  b.lo.y = b.lo.y > all.lo.y ? b.lo.y : all.lo.y;
  b.hi.x = b.hi.x < all.hi.x ? b.hi.x : all.hi.x;
  b.hi.y = b.hi.y < all.hi.y ? b.hi.y : all.hi.y;
  b.hi.x = b.hi.x < b.lo.x ? b.lo.x : b.hi.x; // its ground may lie beyond the world
  b.hi.y = b.hi.y < b.lo.y ? b.lo.y : b.hi.y;
  return b;
}

static void count_mirrors(void *simulation, const struct halo *h, int64_t *counts)
{
  const struct device_crowd *r = ((struct simulation *)simulation)->device_crowd;
  const struct device_crowd_view view = {h->exchange.peer_count, h->wide_boxes, h->interior};
  r->pack_mirrors(r->device, &view, counts);
}

static void pack_mirrors(void *simulation, const struct halo *h, char *const *records,
                         const int64_t *counts)
{
  const struct device_crowd *r = ((struct simulation *)simulation)->device_crowd;
  r->copy_mirrors(r->device, records, counts, h->exchange.peer_count);
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
  return (struct halo_packer){s, count_mirrors, pack_mirrors, unpack_ghosts};
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

// ------------------------------------------------------------------------------------ choosing

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

// ------------------------------------------------------------------------------------ moving

static void record_first_overlap(struct simulation *s)
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
  if (s->step_counts.overlaps > 0)
    TIMED(s, PHASE_MEASURE, record_first_overlap(s));
  COMPUTED(s, PHASE_MOVE, move_on_device(s));
}

// ------------------------------------------------------------------------------------ arriving

static void advance_journeys(struct simulation *s)
{
  const struct device_crowd *r = s->device_crowd;
  const struct scenario *scenario = s->scenario;
  const struct device_crowd_rule rule = {
      .criterion = DEVICE_CROWD_TRANSITION,
      .goal_radius = frame_length(&scenario->world.frame, (double)scenario->goal_radius),
      .transition_filter = journeys_transition_filter(&s->journeys, scenario, s->step)};
  if (journeys_need_counts(scenario))
    r->count_stops(r->device, s->journeys.stop_occupancy, s->journeys.stop_count);
  selected_fetch(s, &rule);
  simulation_advance_journeys(s, &s->selected);
  if (s->selected.count > 0 && (s->journeys.active || scenario->turn_back))
    r->upload_selected(r->device, selected_pack(s));
  if (s->local_arrivals)
    s->agents.count = r->remove_selected(r->device, s->gone);
}

// ------------------------------------------------------------------------------------ coming

static void migrate_agents(struct simulation *s)
{
  const struct device_crowd *r = s->device_crowd;
  if (s->migrate.exchange.peer_count == 0)
    return;
  const struct device_crowd_rule rule = {.criterion = DEVICE_CROWD_OUTSIDE,
                                         .box = s->partition.boxes[s->comm->rank]};
  selected_fetch(s, &rule);
  if (s->selected.count > 0)
    s->agents.count = r->remove_selected(r->device, NULL);
  migrate(&s->migrate, &s->selected, 0);
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

// ------------------------------------------------------------------------------------ measuring

static void measure(struct simulation *s)
{
  struct alarms *alarms = &s->measurements.alarms;
  const struct device_crowd_rule blocked = {.criterion = DEVICE_CROWD_BLOCKED,
                                            .steps = alarms->blocked_limit};
  if (measurements_need_all_agents(&s->measurements, s->step)) {
    simulation_sync_to_host(s);
    measurements_sample(&s->measurements, &s->agents, s->step);
  } else if (alarms->blocked_limit > 0) {
    selected_fetch(s, &blocked);
    alarms_check_blocked(alarms, &s->selected, s->step);
  }
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
                                             .move = move,
                                             .advance_journeys = advance_journeys,
                                             .migrate_agents = migrate_agents,
                                             .insert_inflow = insert_inflow,
                                             .measure = measure};
