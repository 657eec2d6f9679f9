#include "crowd_bench.h"

#include "backend_gpu.h"
#include "bench.h"
#include "lone_crowd.h"
#include "pillars.h"
#include "standard_crowds.h"
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

const char *const bench_phase_names[BENCH_PHASES] = {"navigation", "index", "neighbours",
                                                     "avoidance", "move"};

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
  struct lone_crowd crowd;
  struct density_speed density_speed;
  struct headway_options headway;
};

// Time of the neighbour search of a step, s: a step without an avoidance method.
static double time_neighbour_search(struct lone_crowd *c)
{
  struct avoidance search_only = c->avoidance;
  double least = HUGE_VAL;
  if (c->backend->device_crowd)
    return 0; // bench_print_kernels prints it
  search_only.method = METHOD_none;
  for (int k = 0; k < 5; k++) {
    neighbours_build(&c->neighbours, &c->world.frame, &c->agents);
    struct next_velocity_input in = lone_crowd_input(c);
    in.avoidance = &search_only;
    const double start = clock_seconds();
    c->backend->next_velocities(&in, &c->agents, &c->counts);
    least = fmin(least, clock_seconds() - start);
  }
  return least;
}

static void world_create(struct world *w, const struct crowd_bench *b)
{
  const double half = sqrt((double)b->agents / b->density) / 2 + 200;
  const double lo[2] = {-half, -half}, hi[2] = {half, half};
  require(frame_fit(&w->frame, lo, hi), "%lld agents do not fit into the largest world",
          (long long)b->agents);
  w->bounds = standard_crowds_square_bounds(&w->frame, b->agents, b->density);
  if (b->pillars || b->guidance)
    pillars_create(w);
}

static void agents_place(struct lone_crowd *c, const struct crowd_bench *b)
{
  agents_create(&c->agents, b->agents);
  standard_crowds_square(&c->agents, &c->world.frame,
                         &(struct square_crowd){1, b->agents, b->density, 0, b->agents});
  for (int64_t i = 0; i < c->agents.count; i++)
    agent_set_group(&c->agents, i, b->groups ? c->agents.id[i] / 3 * 3 : -1);
  if (b->mixed)
    standard_crowds_mix(&c->agents, 1);
}

static void walking_create(struct crowd_run *r, const struct crowd_bench *b)
{
  struct lone_crowd *c = &r->crowd;
  c->walking = (struct walking){&r->density_speed, &r->headway};
  density_speed_create(&r->density_speed, 1);
  headway_options_create(&r->headway, 1);
  if (b->density_speed)
    density_speed_set(&r->density_speed, 0, &(struct density_speed_window){2.5, 2, 0.05}, NULL, 0);
  if (!b->headway)
    return;
  headway_options_set(&r->headway, 0,
                      &(struct headway_profile){.time_gap = 1,
                                                .length = 0.36,
                                                .anticipation = 1,
                                                .sight = 5,
                                                .side = SIDE_RIGHT,
                                                .spread = b->spread,
                                                .queue = 0.3,
                                                .shoulders = 0.46,
                                                .steps_aside = 1});
  headway_options_set_step(&r->headway, (double)c->dt);
  c->world.facings = c->neighbours.facings = true;
}

static void crowd_begin(struct crowd_run *r, const struct crowd_bench *b)
{
  const char *why;
  struct lone_crowd *c = &r->crowd;
  *r = (struct crowd_run){.crowd = {.backend = backend_named(b->backend, &why),
                                    .dt = 0.1f,
                                    .avoidance = avoidance_named(b->method),
                                    .radius_max = STANDARD_CROWDS_RADIUS_MAX,
                                    .has_groups = b->groups}};
  require(c->backend, "--backend %s: %s", b->backend, why);
  world_create(&c->world, b);
  agents_place(c, b);
  backend_gpu_solve_fields(c->backend);
  guidance_create(&c->world, b->guidance, b->spread,
                  frame_length(&c->world.frame, sqrt((double)b->agents / b->density) / 2),
                  &c->agents);
  walking_create(r, b);
  lone_crowd_begin(c);
}

static void crowd_end(struct crowd_run *r)
{
  lone_crowd_destroy(&r->crowd);
  density_speed_destroy(&r->density_speed);
  headway_options_destroy(&r->headway);
}

// Sets result->wall and result->median.
static void time_steps(struct lone_crowd *c, int64_t steps, struct crowd_result *result)
{
  double *step_times = memory_create((size_t)steps, sizeof *step_times);
  for (int64_t s = 0; s < steps; s++) {
    const double start = clock_seconds();
    lone_crowd_step(c);
    step_times[s] = clock_seconds() - start;
    result->wall += step_times[s];
  }
  result->median = bench_median(step_times, steps);
  memory_destroy(step_times);
}

static void report_phases(struct lone_crowd *c, int64_t steps, struct crowd_result *result)
{
  const double search = fmin((double)steps * time_neighbour_search(c), c->seconds[CROWD_AVOIDANCE]);
  result->seconds[NAVIGATION] = c->seconds[CROWD_NAVIGATION];
  result->seconds[INDEX] = c->seconds[CROWD_INDEX];
  result->seconds[NEIGHBOURS] = search;
  result->seconds[AVOIDANCE] = c->seconds[CROWD_AVOIDANCE] - search;
  result->seconds[MOVE] = c->seconds[CROWD_MOVE];
}

// Steps in which the kernels are timed.
static int64_t kernel_steps(int64_t steps)
{
  return (steps + 3) / 4;
}

// In further steps: events between the kernels of a GPU keep it from launching them together.
static void time_kernels(struct lone_crowd *c, int64_t steps)
{
  if (!c->backend->device_crowd)
    return;
  backend_gpu_time_kernels(c->backend, true);
  for (int64_t s = 0; s < kernel_steps(steps); s++)
    lone_crowd_step(c);
  backend_gpu_time_kernels(c->backend, false);
}

struct crowd_result crowd_bench_run(const struct crowd_bench *b)
{
  struct crowd_run r;
  struct lone_crowd *c = &r.crowd;
  struct crowd_result result = {.wall = 0};
  omp_set_num_threads(b->threads);
  crowd_begin(&r, b);
  for (int64_t s = 0; s < b->warmup; s++)
    lone_crowd_step(c);
  c->counts = (struct next_velocity_counts){0};
  memset(c->seconds, 0, sizeof c->seconds);
  time_steps(c, b->steps, &result);
  result.infeasible_share =
      (double)c->counts.infeasible / (double)b->agents / (double)(b->steps ? b->steps : 1);
  result.overlaps = c->counts.overlaps / 2;
  lone_crowd_download(c);
  result.checksum = agents_checksum(&c->agents);
  result.backend = c->backend;
  result.memory_per_agent = (double)memory_peak_bytes() / (double)b->agents;
  report_phases(c, b->steps, &result);
  time_kernels(c, b->steps);
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
  bench_print_kernels(r->backend, kernel_steps(b->steps));
  printf("\"infeasible_share\": %.4f, \"overlaps\": %" PRId64
         ", \"memory_bytes_per_agent\": %.1f, \"checksum\": \"%016" PRIx64 "\"}\n",
         r->infeasible_share, r->overlaps, r->memory_per_agent, r->checksum);
}
