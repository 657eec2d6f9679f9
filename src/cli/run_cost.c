#include "run_cost.h"

#include "demand.h"
#include "navigation.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SAMPLES_MAX 256 // initial agents, and inflows, that are looked at

// ------------------------------------------------------------------------------------ the work

// s on the shortest way at the preferred speed; infinite without a way.
static double free_walk(const struct scenario *s, const struct agents *a, int64_t i)
{
  const struct world *w = &s->world;
  const double quantum = (double)frame_quantum(&w->frame);
  const struct point at = {a->x[i], a->y[i]};
  double way = quantum * hypot((double)a->goal_x[i] - at.x, (double)a->goal_y[i] - at.y);
  const bool follows = world_has_routes(w) && agent_destination(a, i) >= 0;
  if (follows && !world_reachable(w, agent_destination(a, i), at))
    return HUGE_VAL;
  if (follows) {
    const double unit = navigation_models[w->navigation].uses_grid
                            ? (double)w->nav_grid.cell / FIELD_UNIT
                            : 1; // quanta
    way = quantum * unit * (double)world_cost_to_go(w, agent_destination(a, i), at);
  }
  return a->speed[i] > 0 ? way / (double)a->speed[i] : HUGE_VAL;
}

// Adds `people` like the last agent of a, who enter at `begin`.
static void add_people(struct run_cost *cost, const struct scenario *s, const struct agents *a,
                       double people, double begin)
{
  const double end = (double)s->steps * s->dt, stays = fmax(end - begin, 0);
  const int64_t i = a->count - 1;
  const bool leaves =
      s->leave_at_goal && agent_stage(a, i) < 0; // the stops of a journey take their time
  cost->people += people;
  cost->most_work += people * stays / s->dt;
  cost->least_work += people * (leaves ? fmin(free_walk(s, a, i), stays) : stays) / s->dt;
}

static void add_initial_agents(struct run_cost *cost, const struct scenario *s, struct agents *a)
{
  const int64_t count = s->agent_count, samples = count < SAMPLES_MAX ? count : SAMPLES_MAX;
  for (int64_t k = 0; k < samples; k++) {
    const int64_t id = (int64_t)((double)count * (double)k / (double)samples);
    scenario_agents(s, id, id + 1, a);
    add_people(cost, s, a, (double)count / (double)samples, 0);
  }
}

static void add_inflow(struct run_cost *cost, const struct scenario *s, int k, double weight,
                       struct agents *a)
{
  const struct demand *d = scenario_demand(s);
  const struct inflow *inflow = demand_inflow(d, k);
  const double end = (double)s->steps * s->dt;
  const double middle = (inflow->begin + fmin(inflow->end, end)) / 2; // of the times of entry
  struct point at;
  for (int64_t try = 0; try < 4096; try++)
    if (demand_entry_point(d, k, -1, try, &at)) {
      demand_append_arrival(d, k, demand_next_id(d), at, 0, a);
      add_people(cost, s, a, weight * inflow_due(inflow, end), middle);
      return;
    }
}

static void add_inflows(struct run_cost *cost, const struct scenario *s, struct agents *a)
{
  const int count = demand_inflow_count(scenario_demand(s));
  const int samples = count < SAMPLES_MAX ? count : SAMPLES_MAX;
  for (int k = 0; k < samples; k++)
    add_inflow(cost, s, (int)((int64_t)count * k / samples), (double)count / samples, a);
}

// ------------------------------------------------------------------------------------ the probe

#define PROBE_SIDE  64 // agents, 1 m apart
#define PROBE_STEPS 12 // the fastest counts
// Whole runs against the probe: navigation, measures, demand, output (docs/running.md).
#define PROBE_MORE        1.1
#define PROBE_MORE_ROUTES 2.2 // along fields or roadmaps

static void probe_crowd(struct agents *a, const struct world *w)
{
  for (int k = 0; k < PROBE_SIDE * PROBE_SIDE; k++) {
    const struct random4 r = random_words(1, k, 0, RANDOM_TEST);
    const int64_t i = agents_append(a);
    a->id[i] = k;
    a->x[i] = frame_length(&w->frame, k % PROBE_SIDE + 0.4 * (double)random_unit(r.word[0]));
    a->y[i] = frame_length(&w->frame, k / PROBE_SIDE + 0.4 * (double)random_unit(r.word[1]));
    a->goal_x[i] = frame_length(&w->frame, PROBE_SIDE * (double)random_unit(r.word[2]));
    a->goal_y[i] = frame_length(&w->frame, PROBE_SIDE * (double)random_unit(r.word[3]));
    agent_set_destination(a, i, -1);
    a->radius[i] = 0.2f;
    a->speed[i] = a->max_speed[i] = 1.3f;
    a->yield[i] = 1;
    a->horizon[i] = 2;
  }
}

// CPU time does not count what other programs take. Only the clock knows how long a device takes.
static double probe_clock(const struct backend *backend)
{
  return backend->device_crowd ? clock_seconds() : clock_cpu_seconds();
}

static double probe_step(const struct scenario *s, const struct backend *backend,
                         const struct world *w, struct neighbours *neighbours, struct agents *a)
{
  struct next_velocity_counts counts = {0};
  const struct navigation_input navigation = {.dt = (float)s->dt,
                                              .seed = s->seed,
                                              .look_period = 1,
                                              .all_look = true,
                                              .lanes = backend->lanes};
  const struct next_velocity_input in = {.world = w,
                                         .avoidance = &s->avoidance,
                                         .neighbours = neighbours,
                                         .dt = (float)s->dt,
                                         .seed = s->seed,
                                         .walking = scenario_walking(s),
                                         .part = PART_ALL};
  const double start = probe_clock(backend);
  navigation_preferred_velocities(w, &navigation, a);
  neighbours_build(neighbours, &w->frame, a);
  backend->next_velocities(&in, a, &counts);
  agents_move(a, &w->frame, w->bounds, (float)s->dt);
  return probe_clock(backend) - start;
}

// s of the fastest step of a crowd with 1 agent/m^2.
static double probe(const struct scenario *s, const struct backend *backend)
{
  const int32_t side = frame_length(&s->world.frame, PROBE_SIDE + 1);
  const struct world w = {
      .frame = s->world.frame, .bounds = {{0, 0}, {side, side}}, .facings = s->world.facings};
  struct neighbours neighbours = {.facings = s->headway.on, .squeeze = s->avoidance.squeeze};
  struct agents a;
  double least = HUGE_VAL;
  agents_create(&a, PROBE_SIDE * PROBE_SIDE);
  probe_crowd(&a, &w);
  for (int64_t i = 0; i < a.count; i++) {
    a.neighbours[i] = s->avoidance.neighbours;
    a.neighbour_distance[i] = s->avoidance.neighbour_distance;
  }
  for (int k = 0; k < PROBE_STEPS; k++)
    least = fmin(least, probe_step(s, backend, &w, &neighbours, &a));
  neighbours_destroy(&neighbours);
  agents_destroy(&a);
  return least;
}

// Each thread steps a crowd of its own, so that none waits for another. s per step of any of them.
static double probe_threads(const struct scenario *s, const struct backend *backend)
{
  double steps = 0; // per s
#pragma omp parallel if (!backend->device_crowd) reduction(+ : steps)
  steps += 1 / probe(s, backend);
  return 1 / steps;
}

// ------------------------------------------------------------------------------------ the cost

struct run_cost run_cost_estimate(const struct scenario *s, const struct backend *backend)
{
  struct run_cost cost = {.steps = s->steps};
  struct agents a;
  agents_create(&a, 2 * SAMPLES_MAX);
  add_initial_agents(&cost, s, &a);
  add_inflows(&cost, s, &a);
  agents_destroy(&a);
  const double more = world_has_routes(&s->world) ? PROBE_MORE_ROUTES : PROBE_MORE;
  cost.ns = 1e9 * more * probe_threads(s, backend) / (PROBE_SIDE * PROBE_SIDE);
  return cost;
}

static void time_text(char *text, size_t size, double seconds)
{
  if (seconds < 90)
    snprintf(text, size, "%.2g s", fmax(seconds, 1));
  else if (seconds < 5400)
    snprintf(text, size, "%.2g min", seconds / 60);
  else if (seconds < 2 * 86400.0)
    snprintf(text, size, "%.2g h", seconds / 3600);
  else
    snprintf(text, size, "%.3g days", seconds / 86400);
}

void run_cost_print(const struct run_cost *cost, int ranks, FILE *out)
{
  char least[40], most[40];
  const double step = 3e-5 * (double)cost->steps; // s: what a step costs without agents
  time_text(least, sizeof least, step + 1e-9 * cost->ns * cost->least_work / ranks);
  time_text(most, sizeof most, step + 1e-9 * cost->ns * cost->most_work / ranks);
  fprintf(out,
          "cost          %.4g people, at most %" PRId64 " steps; on %d rank%s of this machine ",
          cost->people, cost->steps, ranks, ranks > 1 ? "s" : "");
  if (strcmp(least, most) == 0)
    fprintf(out, "about %s\n", least);
  else
    fprintf(out, "%s (all walk freely) to %s (all stay until time.end)\n", least, most);
}
