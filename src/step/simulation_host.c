// The parts of a step for people whom the host holds.
#include "simulation_parts.h"

#include "navigation.h"
#include "patience.h"

static void nothing(struct simulation *s)
{
  (void)s;
}

static void keep_order(struct simulation *s)
{
  const struct order_about about = {s->order_worn, s->migrate.exchange.peer_count > 0,
                                    s->halo.settled};
  neighbours_sort(&s->crowd, &s->agents, &about);
}

static void see_begin(struct simulation *s)
{
  halo_begin(&s->halo, &s->agents);
}

static void wish(struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  navigation_prefer(&scenario->world, (float)scenario->dt, s->step, &s->agents);
  zones_apply(&scenario->world.zones, &s->agents);
  patience_apply(&s->agents, scenario->seed, s->step, simulation_patience(s));
}

static void know_own(struct simulation *s)
{
  neighbours_build_own(&s->crowd, &s->scenario->world.frame, &s->agents);
}

static void see_end(struct simulation *s)
{
  TIMED(s, PHASE_HALO, halo_end(&s->halo, &s->agents));
  COMPUTED(s, PHASE_INDEX, neighbours_build_ghosts(&s->crowd, &s->agents));
}

static void keep_together(struct simulation *s)
{
  groups_keep(&s->groups, &s->scenario->world.frame, &s->agents);
}

static void choose(struct simulation *s, enum choose_part part)
{
  const struct choose_input in = simulation_choice(s, part);
  s->backend->choose(&in, &s->agents, &s->seen);
}

static void look_for_room(void *simulation, const struct disc *places, int64_t count,
                          float per_speed, int64_t *touched)
{
  const struct simulation *s = simulation;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t k = 0; k < count; k++)
    touched[k] = neighbours_touch(&s->crowd, &s->agents, &places[k], per_speed);
}

static void make_steps(struct simulation *s)
{
  const struct world *world = &s->scenario->world;
  s->kept_here = agents_move(&s->agents, &world->frame, world->bounds, (float)s->scenario->dt);
}

static void move(struct simulation *s)
{
  if (s->seen.overlaps_seen > 0)
    TIMED(s, PHASE_MEASURE, measuring_overlap(&s->measuring, &s->crowd, &s->agents, s->step));
  TIMED(s, PHASE_MEASURE, measuring_choices(&s->measuring, &s->agents, s->step));
  COMPUTED(s, PHASE_MOVE, make_steps(s));
  TIMED(s, PHASE_MEASURE, measuring_moves(&s->measuring, &s->crowd.own, &s->agents, s->step));
}

static void go_on_or_leave(struct simulation *s)
{
  if (journeys_counted(s->scenario))
    journeys_count(&s->journeys, &s->agents);
  simulation_advance(s, &s->agents);
  if (s->arrived_here)
    agents_replace(&s->agents, s->crowd.rim, s->gone);
}

static void change_ranks(struct simulation *s)
{
  migrate(&s->migrate, &s->agents, s->crowd.rim);
}

static void come_in(struct simulation *s)
{
  s->come = newcomers_enter(&s->newcomers, s->scenario, &s->partition, s->comm->rank, s->step,
                            &s->agents);
}

static void measure(struct simulation *s)
{
  measuring_state(&s->measuring, &s->agents, s->step);
}

const struct step_parts parts_of_the_host = {.begin = nothing,
                                             .keep_order = keep_order,
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
