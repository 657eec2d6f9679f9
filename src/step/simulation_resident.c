// The parts of a step for people who live on a device: the host sees those whom it must.
#include "simulation_parts.h"

#include "demand.h"
#include "navigation.h"
#include <math.h>

// ------------------------------------------------------------------------------------ where

static void *parcel_create(void *simulation, size_t bytes)
{
  const struct simulation *s = simulation;
  return s->residence->parcel(s->residence->home, bytes, s->parcels_there);
}

static void parcel_destroy(void *simulation, void *memory)
{
  const struct simulation *s = simulation;
  s->residence->parcel_release(s->residence->home, memory, s->parcels_there);
}

void resident_create(struct simulation *s)
{
  s->residence = s->backend->residence;
  s->parts = s->residence ? &parts_of_a_residence : &parts_of_the_host;
  s->here = true;
  s->parcels = (struct parcel_memory){parcel_create, parcel_destroy, s};
  s->parcels_there = s->residence && (s->residence->of_host || comm_reaches_devices());
}

void resident_destroy(struct simulation *s)
{
  agents_destroy(&s->few);
  memory_destroy(s->records);
}

void simulation_come_home(struct simulation *s)
{
  if (!s->here)
    s->residence->give(s->residence->home, &s->agents);
  s->here = true;
}

void resident_seen(struct simulation *s)
{
  s->residence->seen(s->residence->home, &s->crowd);
}

// From here on the host's agents are those of before.
static void go_out(struct simulation *s)
{
  const struct residence *r = s->residence;
  if (!s->learned)
    r->learn(r->home, &s->scenario->world, &s->scenario->pace, &s->scenario->measure);
  if (!s->there)
    r->take(r->home, &s->agents);
  s->learned = s->there = true;
  s->here = false;
}

static void nothing(struct simulation *s)
{
  (void)s;
}

// ------------------------------------------------------------------------------------ the few

static char *records_for(struct simulation *s, int64_t count)
{
  const size_t bytes = (size_t)count * agents_packed_size(KEPT);
  if (bytes > s->record_bytes) {
    memory_destroy(s->records);
    s->record_bytes = 2 * bytes;
    s->records = memory_create(s->record_bytes, 1);
  }
  return s->records;
}

static void few_fetch(struct simulation *s, const struct residence_rule *rule)
{
  const struct residence *r = s->residence;
  const int64_t count = r->select(r->home, rule);
  const size_t each = agents_packed_size(KEPT);
  s->few.count = 0;
  if (count == 0)
    return;
  char *records = records_for(s, count);
  r->selected(r->home, records);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(&s->few, agents_append(&s->few), KEPT, records + (size_t)k * each);
}

static const char *few_packed(struct simulation *s)
{
  const size_t each = agents_packed_size(KEPT);
  char *records = records_for(s, s->few.count);
  for (int64_t k = 0; k < s->few.count; k++)
    agents_pack(&s->few, k, KEPT, records + (size_t)k * each);
  return records;
}

static void few_append(struct simulation *s)
{
  const struct residence *r = s->residence;
  s->agents.count = r->append(r->home, few_packed(s), s->few.count);
}

// ------------------------------------------------------------------------------------ seeing

static void wish(struct simulation *s)
{
  const struct residence_wish wish = {(float)s->scenario->dt, s->scenario->seed, s->step,
                                      simulation_patience(s)};
  s->residence->wish(s->residence->home, &wish);
}

static void know_own(struct simulation *s)
{
  const struct choose_input in = simulation_choice(s, CHOOSE_ALL);
  const double quantum = (double)frame_quantum(&s->scenario->world.frame);
  s->residence->order(s->residence->home, &in, (float)(1.0001 * s->radius_most / quantum),
                      s->scenario->has_groups);
}

static struct box ghosts_round(const struct simulation *s)
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
  const struct residence *r = ((struct simulation *)simulation)->residence;
  const struct residence_view view = {h->exchange.peer_count, h->wide_boxes, h->inner};
  r->show(r->home, &view, counts);
}

static void pack_mirrors(void *simulation, const struct halo *h, char *const *records,
                         const int64_t *counts)
{
  const struct residence *r = ((struct simulation *)simulation)->residence;
  r->shown(r->home, records, counts, h->exchange.peer_count);
}

static void unpack_ghosts(void *simulation, const struct halo *h, char *const *records,
                          const int64_t *counts)
{
  const struct simulation *s = simulation;
  s->residence->meet(s->residence->home, records, counts, h->exchange.peer_count, ghosts_round(s));
}

static struct halo_packer packer_of(struct simulation *s)
{
  return (struct halo_packer){s, count_mirrors, pack_mirrors, unpack_ghosts};
}

static void see_begin(struct simulation *s)
{
  const struct halo_packer packer = packer_of(s);
  halo_begin_packed(&s->halo, &packer);
}

static void see_end(struct simulation *s)
{
  const struct halo_packer packer = packer_of(s);
  TIMED(s, PHASE_HALO, halo_end_packed(&s->halo, &packer));
}

// ------------------------------------------------------------------------------------ choosing

static void choose(struct simulation *s, enum choose_part part)
{
  const struct choose_input in = simulation_choice(s, part);
  s->residence->choose(s->residence->home, &in, &s->seen);
}

static void look_for_room(void *simulation, const struct disc *places, int64_t count,
                          float per_speed, int64_t *touched)
{
  const struct simulation *s = simulation;
  s->residence->touched(s->residence->home, places, count, per_speed, touched);
}

static void keep_together(struct simulation *s)
{
  s->residence->keep_together(s->residence->home);
}

// ------------------------------------------------------------------------------------ moving

static void note_overlap(struct simulation *s)
{
  struct offender one = {.step = s->step, .kind = AUDIT_OVERLAP};
  if (s->measuring.audit.overlap.step <= s->step)
    return;
  s->residence->overlapper(s->residence->home, &one);
  s->measuring.audit.overlap = one;
}

static void move_there(struct simulation *s)
{
  const struct residence_move in = {(float)s->scenario->dt, s->step, s->measuring.crossed};
  struct residence_moved moved;
  s->residence->move(s->residence->home, &in, &moved);
  s->kept_here = moved.kept;
  audit_told(&s->measuring.audit, moved.wrong, moved.first);
}

static void move(struct simulation *s)
{
  if (s->seen.overlaps_seen > 0)
    TIMED(s, PHASE_MEASURE, note_overlap(s));
  COMPUTED(s, PHASE_MOVE, move_there(s));
}

// ------------------------------------------------------------------------------------ arriving

static void go_on_or_leave(struct simulation *s)
{
  const struct residence *r = s->residence;
  const struct scenario *scenario = s->scenario;
  const struct residence_rule rule = {
      .who = RESIDENCE_CONCERNED,
      .goal_radius = frame_length(&scenario->world.frame, (double)scenario->goal_radius),
      .concern = journeys_concern(&s->journeys, scenario, s->step)};
  if (journeys_counted(scenario))
    r->targets(r->home, s->journeys.heading, s->journeys.stop_count);
  few_fetch(s, &rule);
  simulation_advance(s, &s->few);
  if (s->few.count > 0 && (s->journeys.wanted || scenario->turn_back))
    r->put_back(r->home, few_packed(s));
  if (s->arrived_here)
    s->agents.count = r->drop(r->home, s->gone);
}

// ------------------------------------------------------------------------------------ coming

static void change_ranks(struct simulation *s)
{
  const struct residence *r = s->residence;
  if (s->migrate.exchange.peer_count == 0)
    return;
  const struct residence_rule rule = {.who = RESIDENCE_OUTSIDE,
                                      .box = s->partition.boxes[s->comm->rank]};
  few_fetch(s, &rule);
  if (s->few.count > 0)
    s->agents.count = r->drop(r->home, NULL);
  migrate(&s->migrate, &s->few, 0);
  if (s->few.count > 0)
    few_append(s);
}

static void come_in(struct simulation *s)
{
  s->few.count = 0;
  s->come =
      newcomers_enter(&s->newcomers, s->scenario, &s->partition, s->comm->rank, s->step, &s->few);
  if (s->few.count > 0)
    few_append(s);
}

// ------------------------------------------------------------------------------------ measuring

static void measure(struct simulation *s)
{
  struct alarms *alarms = &s->measuring.alarms;
  const struct residence_rule held = {.who = RESIDENCE_HELD, .steps = alarms->limit};
  if (measuring_wants_all(&s->measuring, s->step)) {
    simulation_come_home(s);
    measuring_state(&s->measuring, &s->agents, s->step);
  } else if (alarms->limit > 0) {
    few_fetch(s, &held);
    alarms_look_held(alarms, &s->few, s->step);
  }
}

const struct step_parts parts_of_a_residence = {.begin = go_out,
                                                .keep_order = nothing,
                                                .see_begin = see_begin,
                                                .wish = wish,
                                                .know_own = know_own,
                                                .see_end = see_end,
                                                .look = look_for_room,
                                                .keep_together = keep_together,
                                                .choose = choose,
                                                .move = move,
                                                .go_on_or_leave = go_on_or_leave,
                                                .change_ranks = change_ranks,
                                                .come_in = come_in,
                                                .measure = measure};
