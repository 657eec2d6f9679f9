#include "crowd_bench.h"

#include "backend_gpu.h"
#include "bench.h"
#include "deadlock.h"
#include "device_crowd.h"
#include "groups.h"
#include "navigation.h"
#include "standard_crowds.h"
#include "steps.h"
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

const char *const bench_phase_names[BENCH_PHASES] = {"navigation", "index", "neighbours",
                                                     "avoidance", "move"};

static const float step_seconds = 0.1f; // s

static struct avoidance avoidance_named(const char *method)
{
  struct avoidance a = {.method = METHOD_COUNT,
                        .neighbours = 10,
                        .neighbour_distance = 5,
                        .horizon_walls = 1,
                        .clearpath.guaranteed = strcmp(method, GUARANTEED) == 0,
                        .rvo = {249, 7.5f},
                        .directional = {0.1f, 10}};
  for (int m = 0; m < METHOD_COUNT; m++)
    if (strcmp(method, avoidance_names[m]) == 0)
      a.method = (enum avoidance_method)m;
  if (a.clearpath.guaranteed)
    a.method = METHOD_clearpath;
  require(a.method != METHOD_COUNT,
          "--method %s: must be none, orca, clearpath, " GUARANTEED ", rvo, hrvo or directional",
          method);
  return a;
}

struct crowd_run {
  struct world world;
  struct avoidance avoidance;
  struct density_speed density_speed;
  struct headway_options headway;
  struct agents agents;
  struct neighbours neighbours;
  struct wall_lists wall_lists;
  struct groups groups;
  bool has_groups;
  struct next_velocity_counts counts;
  const struct backend *backend;
  int64_t step;
  double seconds[BENCH_PHASES];
};

static struct next_velocity_input velocity_input(struct crowd_run *r,
                                                 const struct avoidance *avoidance)
{
  return (struct next_velocity_input){.world = &r->world,
                                      .avoidance = avoidance,
                                      .neighbours = &r->neighbours,
                                      .wall_lists = &r->wall_lists,
                                      .dt = step_seconds,
                                      .seed = 1,
                                      .step = r->step,
                                      .walking = {&r->density_speed, &r->headway}};
}

static void next_velocities(struct crowd_run *r, const struct avoidance *avoidance)
{
  const struct next_velocity_input in = velocity_input(r, avoidance);
  r->backend->next_velocities(&in, &r->agents, &r->counts);
}

// Agents in device memory. The next call that waits for the device is charged for work that earlier
// calls only started: avoidance includes some of navigation and index.
static void step_on_device(struct crowd_run *r)
{
  const struct device_crowd *device_crowd = r->backend->device_crowd;
  const struct device_crowd_navigation navigation = {step_seconds, 1, r->step, DEADLOCK_NEVER};
  const struct device_crowd_move move = {step_seconds, r->step, NULL};
  const struct next_velocity_input in = velocity_input(r, &r->avoidance);
  const float widest = 0.31f / frame_quantum(&r->world.frame); // the widest of standard_crowds_mix
  struct device_crowd_moved moved;
  const double t0 = clock_seconds();
  device_crowd->set_preferred(device_crowd->device, &navigation);
  const double t1 = clock_seconds();
  device_crowd->build_index(device_crowd->device, &in, widest, r->has_groups);
  const double t2 = clock_seconds();
  if (r->has_groups)
    device_crowd->apply_groups(device_crowd->device);
  device_crowd->next_velocities(device_crowd->device, &in, &r->counts);
  const double t3 = clock_seconds();
  device_crowd->move(device_crowd->device, &move, &moved);
  const double t4 = clock_seconds();
  r->step++;
  r->seconds[NAVIGATION] += t1 - t0;
  r->seconds[INDEX] += t2 - t1;
  r->seconds[AVOIDANCE] += t3 - t2;
  r->seconds[MOVE] += t4 - t3;
}

static void step(struct crowd_run *r)
{
  if (r->backend->device_crowd) {
    step_on_device(r);
    return;
  }
  const double t0 = clock_seconds();
  neighbours_sort(&r->neighbours, &r->agents, NULL);
  neighbours_build(&r->neighbours, &r->world.frame, &r->agents);
  const double t1 = clock_seconds();
  const struct navigation_input in = {step_seconds,
                                      1,
                                      r->step,
                                      headway_options_spread(&r->headway),
                                      r->headway.look_period,
                                      headway_options_all_look(&r->headway, r->step),
                                      DEADLOCK_NEVER};
  navigation_preferred_velocities(&r->world, &in, &r->agents);
  if (r->has_groups)
    groups_apply(&r->groups, &r->world.frame, &r->agents);
  const double t2 = clock_seconds();
  next_velocities(r, &r->avoidance);
  const double t3 = clock_seconds();
  agents_move(&r->agents, &r->world.frame, r->world.bounds, step_seconds);
  const double t4 = clock_seconds();
  r->step++;
  r->seconds[INDEX] += t1 - t0;
  r->seconds[NAVIGATION] += t2 - t1;
  r->seconds[AVOIDANCE] += t3 - t2;
  r->seconds[MOVE] += t4 - t3;
}

// Time of the neighbour search of a step, s: a step without an avoidance method.
static double time_neighbour_search(struct crowd_run *r)
{
  struct avoidance search_only = r->avoidance;
  double least = HUGE_VAL;
  if (r->backend->device_crowd)
    return 0; // bench_print_kernels prints it
  search_only.method = METHOD_none;
  for (int k = 0; k < 5; k++) {
    neighbours_build(&r->neighbours, &r->world.frame, &r->agents);
    const double start = clock_seconds();
    next_velocities(r, &search_only);
    least = fmin(least, clock_seconds() - start);
  }
  return least;
}

static void world_create(struct crowd_run *r, const struct crowd_bench *b)
{
  const double half = sqrt((double)b->agents / b->density) / 2 + 200;
  const double lo[2] = {-half, -half}, hi[2] = {half, half};
  require(frame_fit(&r->world.frame, lo, hi), "%lld agents do not fit into the largest world",
          (long long)b->agents);
  r->world.bounds = standard_crowds_square_bounds(&r->world.frame, b->agents, b->density);
  if (b->pillars || b->guidance)
    bench_pillars(&r->world);
}

static void agents_place(struct crowd_run *r, const struct crowd_bench *b)
{
  agents_create(&r->agents, b->agents);
  standard_crowds_square(&r->agents, &r->world.frame,
                         &(struct square_crowd){1, b->agents, b->density, 0, b->agents});
  for (int64_t i = 0; i < r->agents.count; i++)
    agent_set_group(&r->agents, i, b->groups ? r->agents.id[i] / 3 * 3 : -1);
  if (b->mixed)
    standard_crowds_mix(&r->agents, 1);
}

static void upload(const struct crowd_run *r)
{
  static const struct measure no_lines;
  const struct device_crowd *device_crowd = r->backend->device_crowd;
  const struct walking walking = {&r->density_speed, &r->headway};
  device_crowd->upload_world(device_crowd->device, &r->world, &walking, &no_lines);
  device_crowd->upload_agents(device_crowd->device, &r->agents);
}

static void crowd_begin(struct crowd_run *r, const struct crowd_bench *b)
{
  const char *why;
  *r = (struct crowd_run){.backend = backend_named(b->backend, &why),
                          .avoidance = avoidance_named(b->method),
                          .has_groups = b->groups};
  require(r->backend, "--backend %s: %s", b->backend, why);
  world_create(r, b);
  agents_place(r, b);
  backend_gpu_solve_fields(r->backend);
  guidance_create(&r->world, b->guidance, b->spread,
                  frame_length(&r->world.frame, sqrt((double)b->agents / b->density) / 2),
                  &r->agents);
  density_speed_create(&r->density_speed, 1);
  headway_options_create(&r->headway, 1);
  if (b->density_speed)
    density_speed_set(&r->density_speed, 0, &(struct density_speed_window){2.5, 2, 0.05}, NULL, 0);
  if (b->headway) {
    headway_options_set(&r->headway, 0,
                        &(struct headway_profile){1, 0.36, 1, 5, SIDE_RIGHT, b->spread});
    headway_options_set_step(&r->headway, (double)step_seconds);
    r->world.facings = r->neighbours.facings = true;
  }
  if (r->backend->device_crowd)
    upload(r);
}

static void crowd_end(struct crowd_run *r)
{
  agents_destroy(&r->agents);
  world_destroy(&r->world);
  density_speed_destroy(&r->density_speed);
  headway_options_destroy(&r->headway);
  groups_destroy(&r->groups);
  neighbours_destroy(&r->neighbours);
  wall_lists_destroy(&r->wall_lists);
}

struct crowd_result crowd_bench_run(const struct crowd_bench *b)
{
  struct crowd_run r;
  struct crowd_result result = {.wall = 0};
  omp_set_num_threads(b->threads);
  crowd_begin(&r, b);
  for (int64_t s = 0; s < b->warmup; s++)
    step(&r);
  r.counts = (struct next_velocity_counts){0};
  memset(r.seconds, 0, sizeof r.seconds);
  backend_gpu_time_kernels(r.backend, true);
  double *step_times = memory_create((size_t)b->steps, sizeof *step_times);
  for (int64_t s = 0; s < b->steps; s++) {
    const double start = clock_seconds();
    step(&r);
    step_times[s] = clock_seconds() - start;
    result.wall += step_times[s];
  }
  backend_gpu_time_kernels(r.backend, false);
  result.median = bench_median(step_times, b->steps);
  memory_destroy(step_times);
  result.infeasible_share =
      (double)r.counts.infeasible / (double)b->agents / (double)(b->steps ? b->steps : 1);
  result.overlaps = r.counts.overlaps / 2;
  if (r.backend->device_crowd)
    r.backend->device_crowd->download_agents(r.backend->device_crowd->device, &r.agents);
  result.checksum = agents_checksum(&r.agents);
  result.backend = r.backend;
  result.memory_per_agent = (double)memory_peak_bytes() / (double)b->agents;
  memcpy(result.seconds, r.seconds, sizeof r.seconds);
  const double search = fmin((double)b->steps * time_neighbour_search(&r), r.seconds[AVOIDANCE]);
  result.seconds[NEIGHBOURS] = search;
  result.seconds[AVOIDANCE] -= search;
  crowd_end(&r);
  return result;
}

double crowd_bench_nanoseconds(const struct crowd_bench *b, double seconds)
{
  return 1e9 * seconds / (double)b->agents / (double)b->steps;
}

void crowd_bench_print_json(const struct crowd_bench *b, const struct crowd_result *r)
{
  printf("{\"agents\": %" PRId64
         ", \"density\": %g, \"method\": \"%s\", \"mixed\": %s, \"backend\": \"%s\", "
         "\"threads\": %d, \"steps\": %" PRId64
         ", \"median_ms\": %.3f, \"ns_per_agent_step\": %.1f, "
         "\"agent_steps_per_s\": %.4g, \"seconds\": {",
         b->agents, b->density, b->method, b->mixed ? "true" : "false", r->backend->name,
         b->threads, b->steps, 1e3 * r->median, crowd_bench_nanoseconds(b, r->wall),
         (double)b->agents * (double)b->steps / r->wall);
  for (int p = 0; p < BENCH_PHASES; p++)
    printf("%s\"%s\": %.6f", p ? ", " : "", bench_phase_names[p], r->seconds[p]);
  printf("}, ");
  bench_print_kernels(r->backend, b->steps);
  printf("\"infeasible_share\": %.4f, \"overlaps\": %" PRId64
         ", \"memory_bytes_per_agent\": %.1f, \"checksum\": \"%016" PRIx64 "\"}\n",
         r->infeasible_share, r->overlaps, r->memory_per_agent, r->checksum);
}
