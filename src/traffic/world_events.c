#include "world_events.h"

#include "dynamic_travel_times.h"
#include "steps.h"
#include <math.h>
#include <string.h>

void world_events_create(struct world_events *c, struct scenario *s, const struct comm *comm)
{
  *c = (struct world_events){0};
  c->fired_step = memory_create((size_t)s->events.count, sizeof *c->fired_step);
  for (int32_t i = 0; i < s->events.count; i++)
    c->fired_step[i] = -1;
  c->armed = memory_create((size_t)s->events.count, sizeof *c->armed);
  c->door_closing = memory_create((size_t)s->environment.door_count, sizeof *c->door_closing);
  c->crowd = crowd_count_create(s, comm);
}

void world_events_destroy(struct world_events *c)
{
  memory_destroy(c->fired_step);
  memory_destroy(c->armed);
  memory_destroy(c->door_closing);
  crowd_count_destroy(c->crowd);
  *c = (struct world_events){0};
}

bool world_events_pending(const struct world_events *c, const struct scenario *s)
{
  for (int32_t i = 0; i < s->events.count; i++)
    if (c->fired_step[i] < 0 && s->events.events[i].timed)
      return true;
  return false;
}

// ------------------------------------------------------------------------------------- actions

static void exit_set(struct world_events *c, struct environment *environment,
                     const struct action *a)
{
  for (int32_t k = 0; k < environment->area_count[a->what]; k++)
    if (a->area < 0 || a->area == k)
      environment->area_closed[a->what][k] = !a->open;
  c->exits_changed = true;
}

static void door_set(struct world_events *c, struct environment *environment,
                     const struct action *a)
{
  c->door_closing[a->what] = !a->open && !environment->doors[a->what].closed;
  if (a->open && environment->doors[a->what].closed) {
    environment->doors[a->what].closed = false;
    c->doors_changed = true;
  }
}

static void action_apply(struct world_events *c, const struct world_events_input *in,
                         const struct action *a)
{
  switch (a->kind) {
  case ACTION_DOOR:
    door_set(c, &in->scenario->environment, a);
    return;
  case ACTION_EXIT:
    exit_set(c, &in->scenario->environment, a);
    return;
  case ACTION_CALL:
    in->journeys->called[a->what] = true;
    return;
  case ACTION_RATE:
    inflow_spawner_scale(in->inflow_spawner, in->scenario, a->what, a->factor,
                         (double)in->step * in->scenario->dt);
    return;
  }
}

// -------------------------------------------------------------------------------- conditions

static int64_t agents_inside(const struct region *r, const struct agents *a)
{
  int64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = {a->x[i], a->y[i]};
    count += box_holds(r->box, p) && obstacles_solid(&r->inside, p);
  }
  return count;
}

static bool counts_are_due(const struct world_events_input *in) // once a second
{
  return in->step % steps_period(1, in->scenario->dt) == 0;
}

static bool timed_is_due(const struct event *e, const struct world_events_input *in)
{
  return (double)in->step * in->scenario->dt >= e->at - 1e-9 * in->scenario->dt;
}

static bool event_is_due(struct world_events *c, const struct world_events_input *in,
                         int32_t number)
{
  const struct event *e = &in->scenario->events.events[number];
  if (e->timed)
    return timed_is_due(e, in);
  if (!counts_are_due(in))
    return false;
  int64_t agent_count = agents_inside(&e->region, in->agents);
  comm_sum(in->comm, &agent_count, 1);
  const bool is_below = e->below && (double)agent_count < e->count_below;
  const bool armed = c->armed[number];
  c->armed[number] = armed || !is_below; // an empty area counts as few only after it was full
  return (e->above && (double)agent_count > e->count_above) || (is_below && armed);
}

static void events_apply(struct world_events *c, const struct world_events_input *in)
{
  const struct events *events = &in->scenario->events;
  for (int32_t i = 0; i < events->count; i++) {
    const struct event *e = &events->events[i];
    if (c->fired_step[i] >= 0 || !event_is_due(c, in, i))
      continue;
    c->fired_step[i] = in->step;
    for (int32_t k = 0; k < e->action_count; k++)
      action_apply(c, in, &e->actions[k]);
  }
}

// --------------------------------------------------------------------------------------- doors

static int64_t door_is_occupied(const struct door *d, const struct world_events_input *in)
{
  const struct agents *a = in->agents;
  const double quantum = (double)frame_quantum(&in->scenario->world.frame);
  for (int64_t i = 0; i < a->count; i++)
    if (door_near(d, (struct point){a->x[i], a->y[i]},
                  (int32_t)ceil((double)a->radius[i] / quantum) + 1))
      return 1;
  return 0;
}

static void doors_apply(struct world_events *c, const struct world_events_input *in)
{
  struct environment *environment = &in->scenario->environment;
  for (int32_t k = 0; k < environment->door_count; k++) {
    if (!c->door_closing[k])
      continue;
    int64_t busy = door_is_occupied(&environment->doors[k], in);
    comm_max(in->comm, &busy, 1);
    if (busy)
      continue;
    c->door_closing[k] = false;
    environment->doors[k].closed = true;
    c->doors_changed = true;
  }
}

// ---------------------------------------------------------------------------------- applying

static void rebuild(struct world_events *c, const struct world_events_input *in)
{
  environment_rebuild(&in->scenario->environment, &in->scenario->world);
  c->rebuilds++;
  for (int64_t i = 0; i < in->agents->count; i++)
    agent_set_aim(in->agents, i, ROADMAP_NONE);
}

bool world_events_need_agents(const struct world_events *c, const struct world_events_input *in)
{
  const struct events *events = &in->scenario->events;
  bool needed = dynamic_travel_times_count_is_due(in);
  for (int32_t i = 0; i < events->count; i++) {
    const struct event *e = &events->events[i];
    const bool due = e->timed ? timed_is_due(e, in) : counts_are_due(in);
    needed = needed || (c->fired_step[i] < 0 && due);
  }
  for (int32_t k = 0; k < in->scenario->environment.door_count; k++)
    needed = needed || c->door_closing[k];
  return needed;
}

void world_events_apply(struct world_events *c, const struct world_events_input *in)
{
  events_apply(c, in);
  doors_apply(c, in);
  if (c->doors_changed)
    rebuild(c, in);
  const bool changed = c->doors_changed || c->exits_changed;
  in->journeys->routes_changed = in->journeys->routes_changed || changed;
  if (in->scenario->world.destination_count && changed)
    dynamic_travel_times_solve_all(c, in);
  else if (in->scenario->world.destination_count)
    dynamic_travel_times_advance(c, in);
  c->doors_changed = c->exits_changed = false;
}

// ----------------------------------------------------------------------------------- checkpoint

static void environment_visit(struct environment *environment, struct state *v)
{
  state_field(v, STATE_SAME, STATE_ANY, environment->doors, closed, "plan.closed",
              environment->door_count);
  for (int32_t i = 0; i < environment->destination_count; i++)
    state_array(v, STATE_SAME, STATE_ANY, "plan.shut", environment->area_closed[i],
                environment->area_count[i]);
}

void world_events_visit(struct world_events *c, const struct world_events_input *in,
                        struct state *v)
{
  struct scenario *s = in->scenario;
  state_array(v, STATE_SAME, ((struct state_range){-1, STEP_LIMIT}), "changes.happened",
              c->fired_step, s->events.count);
  state_array(v, STATE_SAME, STATE_ANY, "changes.armed", c->armed, s->events.count);
  state_array(v, STATE_SAME, STATE_ANY, "changes.door_due", c->door_closing,
              s->environment.door_count);
  state_value(v, STATE_SAME, STATE_COUNT, "changes.rebuilds", &c->rebuilds);
  state_value(v, STATE_SAME, STATE_COUNT, "changes.replans", &c->replans);
  environment_visit(&s->environment, v);
  dynamic_travel_times_visit(c, v);
}

void world_events_restore(struct world_events *c, const struct world_events_input *in)
{
  if (c->rebuilds > 0)
    environment_rebuild(&in->scenario->environment, &in->scenario->world);
  dynamic_travel_times_restore(c, in);
}
