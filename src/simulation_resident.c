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

static void begin(struct simulation *s)
{
  TIMED(s, PHASE_INDEX, go_out(s));
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

static void see_begin(struct simulation *s)
{
  TIMED(s, PHASE_HALO, halo_begin_there(&s->halo, s->residence));
}

static void wish_there(struct simulation *s)
{
  const struct residence_wish wish = {(float)s->scenario->dt, s->scenario->seed, s->step,
                                      simulation_patience(s)};
  s->residence->wish(s->residence->home, &wish);
}

static void wish(struct simulation *s)
{
  COMPUTED(s, PHASE_NAVIGATION, wish_there(s));
}

static void order_there(struct simulation *s)
{
  const struct choose_input in = simulation_choice(s, CHOOSE_ALL);
  const double quantum = (double)frame_quantum(&s->scenario->world.frame);
  s->residence->order(s->residence->home, &in, (float)(1.0001 * s->radius_most / quantum),
                      s->scenario->has_groups);
}

static void know_own(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, order_there(s));
}

static struct box ghosts_round(const struct simulation *s)
{
  const struct box all = s->scenario->world.bounds;
  struct box b = box_widened(s->partition.boxes[s->comm->rank], s->halo.width);
  b.lo.x = b.lo.x > all.lo.x ? b.lo.x : all.lo.x;
  b.lo.y = b.lo.y > all.lo.y ? b.lo.y : all.lo.y;
  b.hi.x = b.hi.x < all.hi.x ? b.hi.x : all.hi.x;
  b.hi.y = b.hi.y < all.hi.y ? b.hi.y : all.hi.y;
  return b;
}

static void see_end(struct simulation *s)
{
  TIMED(s, PHASE_HALO, halo_end_there(&s->halo, s->residence, ghosts_round(s)));
  s->ghosts_waited += s->halo.exchange.waited;
}

// ------------------------------------------------------------------------------------ choosing

static void choose(struct simulation *s, enum choose_part part)
{
  const struct choose_input in = simulation_choice(s, part);
  COMPUTED(s, PHASE_AVOIDANCE, s->residence->choose(s->residence->home, &in, &s->seen));
}

static void avoid_inside(struct simulation *s)
{
  if (simulation_chooses_early(s))
    choose(s, CHOOSE_INSIDE);
}

static void avoid(struct simulation *s)
{
  choose(s, simulation_chooses_early(s) ? CHOOSE_BORDER : CHOOSE_ALL);
}

static void look_for_room(void *simulation, const struct residence_place *places, int64_t count,
                          float per_speed, int64_t *touched)
{
  const struct simulation *s = simulation;
  s->residence->touched(s->residence->home, places, count, per_speed, touched);
}

static void make_room(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND,
        newcomers_choose(&s->newcomers, s->scenario, s->comm, look_for_room, s, s->step));
}

static void keep_together(struct simulation *s)
{
  if (s->scenario->has_groups)
    COMPUTED(s, PHASE_NAVIGATION, s->residence->keep_together(s->residence->home));
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

static bool somebody_is_called(const struct journeys *j)
{
  for (int32_t k = 0; k < j->stop_count; k++)
    if (j->called[k])
      return true;
  return false;
}

static struct residence_rule concerned(const struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  const int64_t radius = frame_length(&scenario->world.frame, (double)scenario->goal_radius);
  return (struct residence_rule){.who = RESIDENCE_CONCERNED,
                                 .goal_radius = radius,
                                 .journeys = s->journeys.wanted,
                                 .changed = s->journeys.ways_changed,
                                 .called = somebody_is_called(&s->journeys),
                                 .patience = scenario->re_route ? simulation_patience(s) : 0,
                                 .step = s->step};
}

static void reserve_gone(struct simulation *s)
{
  if (s->few.count <= s->gone_capacity)
    return;
  memory_destroy(s->gone);
  s->gone_capacity = s->few.capacity;
  s->gone = memory_create((size_t)s->gone_capacity, 1);
}

static void few_go_on_or_leave(struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  const int64_t there =
      navigation_arrived(&scenario->world, scenario->goal_radius, &s->few, s->gone);
  if (s->journeys.wanted)
    journeys_advance(&s->journeys, scenario, s->comm, s->step, &s->few, s->gone);
  if (scenario->turn_back && there > 0)
    simulation_turn_back(s, &s->few, s->gone);
  if (scenario->leave_at_goal && (there > 0 || s->journeys.wanted))
    simulation_say_farewell(s, &s->few, s->gone);
}

static void go_on_or_leave(struct simulation *s)
{
  const struct residence *r = s->residence;
  if (!simulation_looks_who_is_there(s))
    return;
  const struct residence_rule rule = concerned(s);
  if (journeys_counted(s->scenario))
    r->targets(r->home, s->journeys.heading, s->journeys.stop_count);
  few_fetch(s, &rule);
  reserve_gone(s);
  few_go_on_or_leave(s);
  if (s->few.count > 0 && (s->journeys.wanted || s->scenario->turn_back))
    r->put_back(r->home, few_packed(s));
  if (s->arrived_here)
    s->agents.count = r->drop(r->home, s->gone);
}

static void arrive(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND, go_on_or_leave(s));
}

// ------------------------------------------------------------------------------------ coming

static void change_ranks(struct simulation *s)
{
  const struct residence *r = s->residence;
  const struct residence_rule rule = {.who = RESIDENCE_OUTSIDE,
                                      .box = s->partition.boxes[s->comm->rank]};
  few_fetch(s, &rule);
  if (s->few.count > 0)
    s->agents.count = r->drop(r->home, NULL);
  migrate(&s->migrate, &s->few, 0);
  if (s->few.count > 0)
    few_append(s);
}

static void hand_over(struct simulation *s)
{
  if (s->migrate.exchange.peer_count == 0)
    return;
  TIMED(s, PHASE_MIGRATE, change_ranks(s));
  s->migrants_waited += s->migrate.exchange.waited;
}

static void come_in(struct simulation *s)
{
  s->few.count = 0;
  s->come =
      newcomers_enter(&s->newcomers, s->scenario, &s->partition, s->comm->rank, s->step, &s->few);
  if (s->few.count > 0)
    few_append(s);
}

static void welcome(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND, come_in(s));
}

// ------------------------------------------------------------------------------------ measuring

static void measure_there(struct simulation *s)
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

static void measure(struct simulation *s)
{
  TIMED(s, PHASE_MEASURE, measure_there(s));
}

const struct step_parts parts_of_a_residence = {.begin = begin,
                                                .keep_order = nothing,
                                                .see_begin = see_begin,
                                                .wish = wish,
                                                .know_own = know_own,
                                                .avoid_inside = avoid_inside,
                                                .see_end = see_end,
                                                .make_room = make_room,
                                                .keep_together = keep_together,
                                                .avoid = avoid,
                                                .move = move,
                                                .arrive = arrive,
                                                .hand_over = hand_over,
                                                .welcome = welcome,
                                                .measure = measure};
