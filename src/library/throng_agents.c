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

int throng_get_column(struct throng *t, int k, const char *name, struct throng_column *column)
{
  struct call call;
  CALL(&call, t)
  {
    const int found = find_column(k, name);
    if (found < 0) {
      return k >= 0 ? call_refuse(t, "there is no column %d of agents", k)
                    : call_refuse(t, "there is no column \"%s\" of agents", name ? name : "");
    }
    const struct agent_field *field = &agent_fields[found];
    simulation_touch(t->simulation);
    *column = (struct throng_column){.name = field->name,
                                     .unit = field->unit,
                                     .type = field->is_float    ? 'f'
                                             : field->size == 8 ? 'l'
                                                                : 'i',
                                     .is_writable = is_writable(field->name),
                                     .is_inverted = field->is_inverted,
                                     .count = t->simulation->agents.count,
                                     .data = agents_column(&t->simulation->agents, field)};
  }
  return call.code;
}

// ------------------------------------------------------------------------------------- changes

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

static int add(struct throng *t, const struct throng_agent *agents, int64_t count,
               int64_t *first_id)
{
  char problem[300] = "";
  if (t->session.scenario->turn_back)
    return call_refuse(t, "agents cannot be added where goal.on_arrival is turn_back");
  struct added_agent *added = memory_create((size_t)count, sizeof *added);
  bool good = true;
  for (int64_t k = 0; k < count && good; k++) {
    good = names_are_valid(t, &agents[k]);
    added[k] = added_of(&agents[k]);
    if (!good)
      snprintf(problem, sizeof problem,
               "agent %lld of %lld: there is no such source, profile, destination or journey",
               (long long)k, (long long)count);
  }
  good = good && simulation_add(t->simulation, added, count, first_id, problem, sizeof problem);
  memory_destroy(added);
  return good ? THRONG_DONE : call_refuse(t, "%s", problem);
}

int throng_add(struct throng *t, const struct throng_agent *agents, int64_t count,
               int64_t *first_id)
{
  struct call call;
  CALL(&call, t)
  {
    call.code = add(t, agents, count, first_id);
  }
  return call.code;
}

int throng_remove(struct throng *t, const int64_t *ids, int64_t count, int64_t *found)
{
  struct call call;
  CALL(&call, t)
  {
    const int64_t removed = simulation_remove(t->simulation, ids, count);
    if (found)
      *found = removed;
  }
  return call.code;
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

int throng_steer(struct throng *t, const int64_t *ids, const double *goals, int64_t count,
                 int64_t *found)
{
  struct call call;
  CALL(&call, t)
  {
    struct point *points = memory_create((size_t)count, sizeof *points);
    if (!points_of(t, goals, count, points)) {
      call.code = call_refuse(t, "a goal lies outside world.extent");
    } else {
      const int64_t sent = simulation_send_to_points(t->simulation, ids, points, count);
      if (found)
        *found = sent;
    }
    memory_destroy(points);
  }
  return call.code;
}

int throng_send(struct throng *t, const int64_t *ids, int64_t count, int destination,
                int64_t *found)
{
  struct call call;
  CALL(&call, t)
  {
    if (!throng_name(t, THRONG_DESTINATIONS, destination))
      return call_refuse(t, "there is no destination %d", destination);
    const int64_t sent = simulation_send(t->simulation, ids, count, destination);
    if (found)
      *found = sent;
  }
  return call.code;
}

int throng_nearest(struct throng *t, const double *points, int64_t count, int k, double range,
                   int64_t *ids, double *distances)
{
  struct call call;
  CALL(&call, t)
  {
    if (k < 1 || k > NEIGHBOURS_MAX || !(range > 0))
      return call_refuse(t, "1 to %d neighbours within a range above 0 m can be asked for",
                         NEIGHBOURS_MAX);
    struct point *at = memory_create((size_t)count, sizeof *at);
    if (points_of(t, points, count, at))
      simulation_nearest(t->simulation, at, count, k, range, ids, distances);
    else
      call.code = call_refuse(t, "a point lies outside world.extent");
    memory_destroy(at);
  }
  return call.code;
}

int throng_on_preferred(struct throng *t, void (*function)(void *context), void *context)
{
  struct call call;
  CALL(&call, t)
  {
    if (function && t->session.backend->device_crowd)
      call.code = call_refuse(t,
                              "--backend %s: the agents live on the GPU; a function for every "
                              "step needs a CPU backend",
                              t->session.backend->name);
    else {
      t->simulation->steering.preferred = function;
      t->simulation->steering.context = context;
      t->simulation->steering.changes += function != NULL;
    }
  }
  return call.code;
}
