#include "changes.h"

#include "replan.h"
#include <math.h>
#include <string.h>

void changes_create(struct changes *c, const struct scenario *s)
{
  *c = (struct changes){0};
  c->happened = memory_create((size_t)s->events.count, sizeof *c->happened);
  for (int32_t i = 0; i < s->events.count; i++)
    c->happened[i] = -1;
  c->armed = memory_create((size_t)s->events.count, sizeof *c->armed);
  c->door_due = memory_create((size_t)s->plan.door_count, sizeof *c->door_due);
}

void changes_destroy(struct changes *c)
{
  memory_destroy(c->happened);
  memory_destroy(c->armed);
  memory_destroy(c->door_due);
  memory_destroy(c->people);
  memory_destroy(c->cost);
  *c = (struct changes){0};
}

bool changes_expected(const struct changes *c, const struct scenario *s)
{
  for (int32_t i = 0; i < s->events.count; i++)
    if (c->happened[i] < 0 && s->events.events[i].timed)
      return true;
  return false;
}

// ------------------------------------------------------------------------------------- actions

static void exit_set(struct changes *c, struct plan *plan, const struct action *a)
{
  for (int32_t k = 0; k < plan->area_count[a->what]; k++)
    if (a->area < 0 || a->area == k)
      plan->shut[a->what][k] = !a->open;
  c->exits_changed = true;
}

static void door_set(struct changes *c, struct plan *plan, const struct action *a)
{
  c->door_due[a->what] = !a->open && !plan->doors[a->what].closed;
  if (a->open && plan->doors[a->what].closed) {
    plan->doors[a->what].closed = false;
    c->doors_changed = true;
  }
}

static void action_do(struct changes *c, const struct changes_input *in, const struct action *a)
{
  switch (a->kind) {
  case ACTION_DOOR:
    door_set(c, &in->scenario->plan, a);
    return;
  case ACTION_EXIT:
    exit_set(c, &in->scenario->plan, a);
    return;
  case ACTION_CALL:
    in->journeys->called[a->what] = true;
    return;
  case ACTION_RATE:
    newcomers_scale(in->newcomers, in->scenario, a->what, a->factor,
                    (double)in->step * in->scenario->dt);
    return;
  }
}

// -------------------------------------------------------------------------------- conditions

static int64_t people_inside(const struct region *r, const struct agents *a)
{
  int64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = {a->x[i], a->y[i]};
    count += box_holds(r->box, p) && obstacles_solid(&r->inside, p);
  }
  return count;
}

static bool counts_are_due(const struct changes_input *in) // once a second
{
  const int64_t second = llrint(1 / in->scenario->dt);
  return second <= 1 || in->step % second == 0;
}

static bool timed_is_due(const struct event *e, const struct changes_input *in)
{
  return (double)in->step * in->scenario->dt >= e->at - 1e-9 * in->scenario->dt;
}

static bool event_is_due(struct changes *c, const struct changes_input *in, int32_t number)
{
  const struct event *e = &in->scenario->events.events[number];
  if (e->timed)
    return timed_is_due(e, in);
  if (!counts_are_due(in))
    return false;
  int64_t people = people_inside(&e->region, in->agents);
  comm_sum(in->comm, &people, 1);
  const bool few = e->below && (double)people < e->count_below;
  const bool armed = c->armed[number];
  c->armed[number] = armed || !few; // few before anybody came is nothing that has happened
  return (e->above && (double)people > e->count_above) || (few && armed);
}

static void events_apply(struct changes *c, const struct changes_input *in)
{
  const struct events *events = &in->scenario->events;
  for (int32_t i = 0; i < events->count; i++) {
    const struct event *e = &events->events[i];
    if (c->happened[i] >= 0 || !event_is_due(c, in, i))
      continue;
    c->happened[i] = in->step;
    for (int32_t k = 0; k < e->action_count; k++)
      action_do(c, in, &e->actions[k]);
  }
}

// --------------------------------------------------------------------------------------- doors

static int64_t somebody_in_door(const struct door *d, const struct changes_input *in)
{
  const struct agents *a = in->agents;
  const double quantum = (double)frame_quantum(&in->scenario->world.frame);
  for (int64_t i = 0; i < a->count; i++)
    if (door_near(d, (struct point){a->x[i], a->y[i]},
                  (int32_t)ceil((double)a->radius[i] / quantum) + 1))
      return 1;
  return 0;
}

static void doors_apply(struct changes *c, const struct changes_input *in)
{
  struct plan *plan = &in->scenario->plan;
  for (int32_t k = 0; k < plan->door_count; k++) {
    if (!c->door_due[k])
      continue;
    int64_t busy = somebody_in_door(&plan->doors[k], in);
    comm_max(in->comm, &busy, 1);
    if (busy)
      continue;
    c->door_due[k] = false;
    plan->doors[k].closed = true;
    c->doors_changed = true;
  }
}

// ------------------------------------------------------------------------------------ the whole

static void rebuild(struct changes *c, const struct changes_input *in)
{
  plan_rebuild(&in->scenario->plan, &in->scenario->world);
  c->rebuilds++;
  for (int64_t i = 0; i < in->agents->count; i++)
    in->agents->aim[i] = ROADMAP_NONE;
}

static bool live_is_due(const struct changes_input *in)
{
  const struct live *live = &in->scenario->live;
  return live->period > 0 && in->step > 0 && in->step % live->period == 0;
}

bool changes_concern(const struct changes *c, const struct changes_input *in)
{
  const struct events *events = &in->scenario->events;
  bool concern = live_is_due(in);
  for (int32_t i = 0; i < events->count; i++) {
    const struct event *e = &events->events[i];
    const bool due = e->timed ? timed_is_due(e, in) : counts_are_due(in);
    concern = concern || (c->happened[i] < 0 && due);
  }
  for (int32_t k = 0; k < in->scenario->plan.door_count; k++)
    concern = concern || c->door_due[k];
  return concern;
}

void changes_apply(struct changes *c, const struct changes_input *in)
{
  events_apply(c, in);
  doors_apply(c, in);
  if (c->doors_changed)
    rebuild(c, in);
  const bool due = live_is_due(in);
  if (in->scenario->world.field_count && (due || c->doors_changed || c->exits_changed)) {
    in->journeys->ways_changed = c->doors_changed || c->exits_changed;
    replan(c, in, c->doors_changed || c->exits_changed);
    c->replans++;
  }
  c->doors_changed = c->exits_changed = false;
}

// ----------------------------------------------------------------------------------- checkpoint

static void plan_visit(struct plan *plan, struct state *v)
{
  state_field(v, STATE_SAME, plan->doors, closed, "plan.closed", plan->door_count);
  for (int32_t i = 0; i < plan->destination_count; i++)
    state_array(v, STATE_SAME, "plan.shut", plan->shut[i], plan->area_count[i]);
}

void changes_visit(struct changes *c, const struct changes_input *in, struct state *v)
{
  struct scenario *s = in->scenario;
  state_array(v, STATE_SAME, "changes.happened", c->happened, s->events.count);
  state_array(v, STATE_SAME, "changes.armed", c->armed, s->events.count);
  state_array(v, STATE_SAME, "changes.door_due", c->door_due, s->plan.door_count);
  state_value(v, STATE_SAME, "changes.rebuilds", &c->rebuilds);
  state_value(v, STATE_SAME, "changes.replans", &c->replans);
  plan_visit(&s->plan, v);
  replan_visit(c, s, v);
}

void changes_restore(struct changes *c, const struct changes_input *in)
{
  if (c->rebuilds > 0)
    plan_rebuild(&in->scenario->plan, &in->scenario->world);
  if (c->replans > 0)
    replan_again(c, in);
}
