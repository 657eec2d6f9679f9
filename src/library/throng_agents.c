// The agents of a simulation, as the caller reads and changes them.
#include "library.h"

#include "simulation_change.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------ columns

// What a step checks before it uses it (simulation_accept); what else there is are indices.
static bool is_writable(const char *name)
{
  static const char *const names[] = {"x",
                                      "y",
                                      "vx",
                                      "vy",
                                      "radius",
                                      "yield",
                                      "speed",
                                      "max_speed",
                                      "max_acceleration",
                                      "horizon",
                                      "neighbour_distance",
                                      "goal_x",
                                      "goal_y",
                                      "prefer_x",
                                      "prefer_y"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(name, names[k]) == 0)
      return true;
  return false;
}

static int find_column(int k, const char *name) // -1: there is none
{
  if (k >= 0)
    return k < agent_field_count ? k : -1;
  for (k = agent_field_count - 1; k >= 0; k--)
    if (name && strcmp(name, agent_fields[k].name) == 0)
      break;
  return k;
}

static int get_column(struct throng *t, int k, const char *name, struct throng_column *column)
{
  const int found = find_column(k, name);
  if (found < 0)
    return k >= 0 ? call_refuse(t, "there is no column %d of agents", k)
                  : call_refuse(t, "there is no column \"%s\" of agents", name ? name : "");
  const struct agent_field *field = &agent_fields[found];
  const bool preferred = strncmp(field->name, "prefer_", strlen("prefer_")) == 0;
  simulation_hand_out(t->simulation);
  *column = (struct throng_column){.name = field->name,
                                   .unit = field->unit,
                                   .type = field->is_float    ? 'f'
                                           : field->size == 8 ? 'l'
                                                              : 'i',
                                   .is_writable = t->in_step ? preferred : is_writable(field->name),
                                   .is_inverted = field->is_inverted,
                                   .count = t->simulation->agents.count,
                                   .data = agents_column(&t->simulation->agents, field)};
  return THRONG_DONE;
}

int throng_get_column(struct throng *t, int k, const char *name, struct throng_column *column)
{
  struct call call;
  CALL(&call, t, ANY_TIME)
  {
    call.code = get_column(t, k, name, column);
  }
  return call_end(&call);
}

// ------------------------------------------------------------------------------------- changes

static void found_set(int64_t *found, int64_t count)
{
  if (found)
    *found = count;
}

static bool number_is_valid(const struct throng *t, enum throng_names of, int k)
{
  return k == -1 || throng_name(t, of, k);
}

static bool names_are_valid(const struct throng *t, const struct throng_agent *a)
{
  return number_is_valid(t, THRONG_SOURCES, a->source) &&
         number_is_valid(t, THRONG_PROFILES, a->profile) &&
         number_is_valid(t, THRONG_DESTINATIONS, a->destination) &&
         number_is_valid(t, THRONG_JOURNEYS, a->journey);
}

static struct added_agent added_of(const struct throng_agent *a)
{
  return (struct added_agent){.x = a->x,
                              .y = a->y,
                              .radius = isnan(a->radius) ? -1 : (float)a->radius,
                              .speed = isnan(a->speed) ? -1 : (float)a->speed,
                              .source = a->source,
                              .profile = a->profile,
                              .destination = a->destination,
                              .journey = a->journey,
                              .has_goal = !isnan(a->goal_x) && !isnan(a->goal_y),
                              .goal_x = a->goal_x,
                              .goal_y = a->goal_y};
}

// What gives the agent its way: at most one of them.
static bool is_one_way(const struct throng_agent *a)
{
  const bool goal = !isnan(a->goal_x) || !isnan(a->goal_y);
  return (a->source >= 0) + (a->destination >= 0) + (a->journey >= 0) + goal <= 1 &&
         !(a->source >= 0 && a->profile >= 0) && isnan(a->goal_x) == isnan(a->goal_y);
}

// -1 is how the simulation says that a number is not given.
static bool numbers_are_valid(const struct throng_agent *a)
{
  return !(a->radius < 0) && !(a->speed < 0);
}

static const char *agent_fault(const struct throng *t, const struct throng_agent *a)
{
  if (!names_are_valid(t, a))
    return "there is no such source, profile, destination or journey";
  if (!is_one_way(a))
    return "either a source, or a profile and one of a destination, a journey and a goal";
  return numbers_are_valid(a) ? NULL : "has an impossible radius or speed";
}

static bool is_list(const void *list, int64_t count)
{
  return count == 0 || (count > 0 && list);
}

#define NO_LIST "a list and its length, 0 or more, are expected"

static int add(struct throng *t, const struct throng_agent *agents, int64_t count,
               int64_t *first_id)
{
  char problem[300] = "";
  if (!is_list(agents, count))
    return call_refuse(t, NO_LIST);
  if (t->session.scenario->turn_back)
    return call_refuse(t, "agents cannot be added where goal.on_arrival is turn_back");
  struct added_agent *added = memory_create((size_t)count, sizeof *added);
  for (int64_t k = 0; k < count && !*problem; k++) {
    const char *fault = agent_fault(t, &agents[k]);
    added[k] = added_of(&agents[k]);
    if (fault)
      snprintf(problem, sizeof problem, "agent %lld of %lld: %s", (long long)k, (long long)count,
               fault);
  }
  const bool good =
      !*problem && simulation_add(t->simulation, added, count, first_id, problem, sizeof problem);
  memory_destroy(added);
  return good ? THRONG_DONE : call_refuse(t, "%s", problem);
}

int throng_add(struct throng *t, const struct throng_agent *agents, int64_t count,
               int64_t *first_id)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = add(t, agents, count, first_id);
  }
  return call_end(&call);
}

int throng_remove(struct throng *t, const int64_t *ids, int64_t count, int64_t *found)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    if (!is_list(ids, count))
      call.code = call_refuse(t, NO_LIST);
    else
      found_set(found, simulation_remove(t->simulation, ids, count));
  }
  return call_end(&call);
}

// m to positions; false: one of them lies outside the world.
static bool points_of(const struct throng *t, const double *xy, int64_t count, struct point *points)
{
  const struct world *w = &t->session.scenario->world;
  for (int64_t k = 0; k < count; k++) {
    if (!frame_holds(&w->frame, xy[2 * k], xy[2 * k + 1]))
      return false;
    points[k] = frame_point(&w->frame, xy[2 * k], xy[2 * k + 1]);
    if (!box_holds(w->bounds, points[k]))
      return false;
  }
  return true;
}

static int steer(struct throng *t, const int64_t *ids, const double *goals, int64_t count,
                 int64_t *found)
{
  if (!is_list(ids, count) || !is_list(goals, count))
    return call_refuse(t, NO_LIST);
  struct point *points = memory_create((size_t)count, sizeof *points);
  const bool good = points_of(t, goals, count, points);
  if (good)
    found_set(found, simulation_send_to_points(t->simulation, ids, points, count));
  memory_destroy(points);
  return good ? THRONG_DONE : call_refuse(t, "a goal lies outside world.extent");
}

int throng_steer(struct throng *t, const int64_t *ids, const double *goals, int64_t count,
                 int64_t *found)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = steer(t, ids, goals, count, found);
  }
  return call_end(&call);
}

int throng_send(struct throng *t, const int64_t *ids, int64_t count, int destination,
                int64_t *found)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    if (!is_list(ids, count))
      call.code = call_refuse(t, NO_LIST);
    else if (!throng_name(t, THRONG_DESTINATIONS, destination))
      call.code = call_refuse(t, "there is no destination %d", destination);
    else
      found_set(found, simulation_send(t->simulation, ids, count, destination));
  }
  return call_end(&call);
}

static int nearest(struct throng *t, const double *points, int64_t count, int k, double range,
                   int64_t *ids, double *distances)
{
  if (!is_list(points, count))
    return call_refuse(t, NO_LIST);
  if (k < 1 || k > NEIGHBOURS_MAX || !(range > 0))
    return call_refuse(t, "1 to %d neighbours within a range above 0 m can be asked for",
                       NEIGHBOURS_MAX);
  struct point *at = memory_create((size_t)count, sizeof *at);
  const bool good = points_of(t, points, count, at);
  if (good)
    simulation_nearest(t->simulation, at, count, k, range, ids, distances);
  memory_destroy(at);
  return good ? THRONG_DONE : call_refuse(t, "a point lies outside world.extent");
}

int throng_nearest(struct throng *t, const double *points, int64_t count, int k, double range,
                   int64_t *ids, double *distances)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = nearest(t, points, count, k, range, ids, distances);
  }
  return call_end(&call);
}

static void call_preferred(void *throng)
{
  struct throng *t = throng;
  const locale_t own = uselocale(call_locale());
  t->in_step = true;
  t->preferred(t->context);
  t->in_step = false;
  uselocale(own);
}

static int on_preferred(struct throng *t, void (*function)(void *context), void *context)
{
  struct steering *steering = &t->simulation->steering;
  if (function && t->session.backend->device_crowd)
    return call_refuse(t,
                       "--backend %s: the agents live on the GPU; a function for every step "
                       "needs a CPU backend",
                       t->session.backend->name);
  t->preferred = function;
  t->context = context;
  steering->preferred = function ? call_preferred : NULL;
  steering->context = t;
  steering->changes += function != NULL;
  return THRONG_DONE;
}

int throng_on_preferred(struct throng *t, void (*function)(void *context), void *context)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = on_preferred(t, function, context);
  }
  return call_end(&call);
}
