// throng-bench: how fast is a full step? Needs neither MPI nor files, but for the last two.
//
//   throng-bench crowd [--agents N] [--density D] [--method M] [--steps S] [--warmup W]
//                      [--threads T] [--backend B] [--mixed] [--pace] [--pillars]
//                      [--lead HOW] [--groups]
//                                        one JSON line
//   throng-bench balance [--ranks P] [--agents N] [--reach M] [--seed S]  one JSON line
//   throng-bench field [--agents CELLS] [--fields N] [--steps TIMES] [--threads T] [--backend B]
//                                        one JSON line: fields of about so many cells each
//   throng-bench all                     CSV of the standard table (bench/results/)
//   throng-bench scale                   by ranks and threads: scale.c
//   throng-bench output                  snapshots against plain writes: output.c
//
// A full step: index, exact neighbours, avoidance, preferred velocity, move, of the standard crowd
// (core/standard_crowds.h): 10 nearest within 5 m, horizon 2 s, step 0.1 s. --mixed: radii, speeds
// and horizons differ. --pace: speed from density (core/density_speed.h), with it. --pillars: walls
// among them.
// --lead fields or roadmap: round pillars to four squares, slowly in the middle (guidance.h).
// --groups: of three. A method is one of core/avoidance.h, or clearpath-guaranteed.
//
// balance: the plane cut for P ranks (up to 100,000) where the clustered crowd stands; halos of M
// metres. No rank runs.
#include "backend_gpu.h"
#include "bench.h"
#include "deadlock.h"
#include "device_crowd.h"
#include "field_bench.h"
#include "groups.h"
#include "guidance.h"
#include "navigation.h"
#include "partition_bench.h"
#include "standard_crowds.h"
#ifdef WITH_RANKS
#include "output.h"
#include "scale.h"
#endif
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum phase { NAVIGATION, INDEX, NEIGHBOURS, AVOIDANCE, MOVE, PHASE_COUNT };
static const char *const phase_names[PHASE_COUNT] = {"navigation", "index", "neighbours",
                                                     "avoidance", "move"};

struct bench {
  int64_t agents, steps, warmup;
  double density; // persons/m^2
  int threads;
  int32_t fields;
  bool mixed, density_speed, pillars, groups;
  enum guidance guidance;
  const char *method, *backend;
  struct balance_bench balance;
};

struct result {
  double seconds[PHASE_COUNT], wall; // s, of the steps after the warm-up
  double share_infeasible;
  int64_t overlaps;        // pairs, summed over the steps
  double memory_per_agent; // bytes, all in: the most the process ever held
  double median;           // s, of the steps
  uint64_t checksum;
  const struct backend *backend;
};

static const float step_seconds = 0.1f;
#define GUARANTEED "clearpath-guaranteed"

static struct avoidance avoidance_named(const char *method)
{
  struct avoidance a = {.method = METHOD_COUNT,
                        .neighbours = 10,
                        .neighbour_distance = 5,
                        .horizon_walls = 1,
                        .clearpath.guaranteed = strcmp(method, GUARANTEED) == 0,
                        .rvo = {250, 7.5f},
                        .directional = {0.1f, 10}};
  for (int m = 0; m < METHOD_COUNT; m++)
    if (strcmp(method, avoidance_names[m]) == 0)
      a.method = (enum avoidance_method)m;
  if (a.clearpath.guaranteed)
    a.method = METHOD_clearpath;
  require(a.method != METHOD_COUNT,
          "--method %s: none, orca, clearpath, " GUARANTEED ", rvo, hrvo or directional is wanted",
          method);
  return a;
}

struct crowd_run {
  struct world world;
  struct avoidance avoidance;
  struct density_speed density_speed;
  struct agents agents;
  struct neighbours neighbours;
  struct groups groups;
  bool has_groups;
  struct next_velocity_counts counts;
  const struct backend *backend;
  int64_t step;
  double seconds[PHASE_COUNT];
};

static struct next_velocity_input choice(const struct crowd_run *r,
                                         const struct avoidance *avoidance)
{
  return (struct next_velocity_input){.world = &r->world,
                                      .avoidance = avoidance,
                                      .neighbours = &r->neighbours,
                                      .dt = step_seconds,
                                      .seed = 1,
                                      .step = r->step,
                                      .density_speed = &r->density_speed};
}

static void next_velocities(struct crowd_run *r, const struct avoidance *avoidance)
{
  const struct next_velocity_input in = choice(r, avoidance);
  r->backend->next_velocities(&in, &r->agents, &r->counts);
}

// Of people who live on a device; of order and wish, what is not waited for counts as avoidance.
static void step_on_device(struct crowd_run *r)
{
  const struct device_crowd *device_crowd = r->backend->device_crowd;
  const struct device_crowd_navigation in = {step_seconds, 1, r->step, DEADLOCK_NEVER};
  const struct device_crowd_move move = {step_seconds, r->step, NULL};
  const struct next_velocity_input choice_in = choice(r, &r->avoidance);
  const float widest = 0.31f / frame_quantum(&r->world.frame); // of standard_crowds_mix
  struct device_crowd_moved moved;
  const double t0 = clock_seconds();
  device_crowd->set_preferred(device_crowd->device, &in);
  const double t1 = clock_seconds();
  device_crowd->build_index(device_crowd->device, &choice_in, widest, r->has_groups);
  const double t2 = clock_seconds();
  if (r->has_groups)
    device_crowd->apply_groups(device_crowd->device);
  device_crowd->next_velocities(device_crowd->device, &choice_in, &r->counts);
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
  navigation_preferred_velocities(&r->world, step_seconds, r->step, &r->agents);
  zones_apply(&r->world.zones, &r->agents);
  deadlock_apply(&r->agents, 1, r->step, DEADLOCK_NEVER);
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

// What finding the neighbours takes of a step, s: everybody looks and walks as they wish.
static double time_neighbour_search(struct crowd_run *r)
{
  struct avoidance look = r->avoidance;
  double least = HUGE_VAL;
  if (r->backend->device_crowd)
    return 0; // bench_print_kernels tells
  look.method = METHOD_none;
  for (int k = 0; k < 5; k++) {
    neighbours_build(&r->neighbours, &r->world.frame, &r->agents);
    const double start = clock_seconds();
    next_velocities(r, &look);
    least = fmin(least, clock_seconds() - start);
  }
  return least;
}

static void crowd_begin(struct crowd_run *r, const struct bench *b)
{
  const char *why;
  *r = (struct crowd_run){.backend = backend_named(b->backend, &why),
                          .avoidance = avoidance_named(b->method)};
  require(r->backend, "--backend %s: %s", b->backend, why);
  const double half = sqrt((double)b->agents / b->density) / 2 + 200;
  const double lo[2] = {-half, -half}, hi[2] = {half, half};
  require(frame_fit(&r->world.frame, lo, hi), "a crowd of %lld needs too large a world",
          (long long)b->agents);
  r->world.bounds = standard_crowds_square_bounds(&r->world.frame, b->agents, b->density);
  agents_create(&r->agents, b->agents);
  standard_crowds_square(&r->agents, &r->world.frame,
                         &(struct square_crowd){1, b->agents, b->density, 0, b->agents});
  if (b->pillars || b->guidance)
    bench_pillars(&r->world);
  backend_gpu_solve_fields(r->backend);
  guidance_create(&r->world, b->guidance,
                  frame_length(&r->world.frame, sqrt((double)b->agents / b->density) / 2),
                  &r->agents);
  r->has_groups = b->groups;
  for (int64_t i = 0; i < r->agents.count; i++)
    r->agents.group[i] = b->groups ? r->agents.id[i] / 3 * 3 : -1;
  if (b->mixed)
    standard_crowds_mix(&r->agents, 1);
  density_speed_create(&r->density_speed, 1);
  if (b->density_speed)
    density_speed_set(&r->density_speed, 0, &(struct density_speed_window){2.5, 2, 0.05}, NULL, 0);
  const struct device_crowd *device_crowd = r->backend->device_crowd;
  if (!device_crowd)
    return;
  static const struct measure no_lines;
  device_crowd->upload_world(device_crowd->device, &r->world, &r->density_speed, &no_lines);
  device_crowd->upload_agents(device_crowd->device, &r->agents);
}

static struct result measure(const struct bench *b)
{
  struct crowd_run r;
  struct result result = {.wall = 0};
  omp_set_num_threads(b->threads);
  crowd_begin(&r, b);
  for (int64_t s = 0; s < b->warmup; s++)
    step(&r);
  r.counts = (struct next_velocity_counts){0};
  memset(r.seconds, 0, sizeof r.seconds);
  backend_gpu_time_kernels(r.backend, true);
  double *took = memory_create((size_t)b->steps, sizeof *took);
  for (int64_t s = 0; s < b->steps; s++) {
    const double start = clock_seconds();
    step(&r);
    took[s] = clock_seconds() - start;
    result.wall += took[s];
  }
  backend_gpu_time_kernels(r.backend, false);
  result.median = bench_median(took, b->steps);
  memory_destroy(took);
  result.share_infeasible =
      (double)r.counts.infeasible / (double)b->agents / (double)(b->steps ? b->steps : 1);
  result.overlaps = r.counts.overlap_count / 2;
  if (r.backend->device_crowd)
    r.backend->device_crowd->download_agents(r.backend->device_crowd->device, &r.agents);
  result.checksum = agents_checksum(&r.agents);
  result.backend = r.backend;
  result.memory_per_agent = (double)memory_peak_bytes() / (double)b->agents;
  memcpy(result.seconds, r.seconds, sizeof r.seconds);
  const double looking = fmin((double)b->steps * time_neighbour_search(&r), r.seconds[AVOIDANCE]);
  result.seconds[NEIGHBOURS] = looking;
  result.seconds[AVOIDANCE] -= looking;
  agents_destroy(&r.agents);
  world_destroy(&r.world);
  density_speed_destroy(&r.density_speed);
  groups_destroy(&r.groups);
  neighbours_destroy(&r.neighbours);
  return result;
}

static double nanoseconds(const struct bench *b, double seconds) // an agent-step
{
  return 1e9 * seconds / (double)b->agents / (double)b->steps;
}

static void print_json(const struct bench *b, const struct result *r)
{
  printf("{\"agents\": %" PRId64
         ", \"density\": %g, \"method\": \"%s\", \"mixed\": %s, \"backend\": \"%s\", "
         "\"threads\": %d, \"steps\": %" PRId64
         ", \"median_ms\": %.3f, \"ns_per_agent_step\": %.1f, "
         "\"agent_steps_per_s\": %.4g, \"seconds\": {",
         b->agents, b->density, b->method, b->mixed ? "true" : "false", r->backend->name,
         b->threads, b->steps, 1e3 * r->median, nanoseconds(b, r->wall),
         (double)b->agents * (double)b->steps / r->wall);
  for (int p = 0; p < PHASE_COUNT; p++)
    printf("%s\"%s\": %.6f", p ? ", " : "", phase_names[p], r->seconds[p]);
  printf("}, ");
  bench_print_kernels(r->backend, b->steps);
  printf("\"infeasible_share\": %.4f, \"overlaps\": %" PRId64
         ", \"memory_bytes_per_agent\": %.1f, \"checksum\": \"%016" PRIx64 "\"}\n",
         r->share_infeasible, r->overlaps, r->memory_per_agent, r->checksum);
}

static void print_row(const struct bench *b)
{
  const char *why;
  if (!backend_named(b->backend, &why))
    return; // not on this machine
  const struct result r = measure(b);
  printf("%s,%s,%s,%d,%" PRId64 ",%g,%" PRId64 ",%.1f", b->method, b->mixed ? "mixed" : "uniform",
         b->backend, b->threads, b->agents, b->density, b->steps, nanoseconds(b, r.wall));
  for (int p = 0; p < PHASE_COUNT; p++)
    printf(",%.1f", nanoseconds(b, r.seconds[p]));
  printf(",%.4f,%016" PRIx64 "\n", r.share_infeasible, r.checksum);
  fflush(stdout);
}

static int print_table(void)
{
  static const double densities[] = {0.25, 1, 3};
  static const char *const backends[] = {"scalar", "simd4", "simd8", "simd16"};
  static const char *const methods[] = {"clearpath", GUARANTEED, "hrvo", "rvo", "directional"};
  printf("method,crowd,backend,threads,agents,density_per_m2,steps,ns_per_agent_step");
  for (int p = 0; p < PHASE_COUNT; p++)
    printf(",%s_ns", phase_names[p]);
  printf(",infeasible_share,checksum\n");
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
    for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
      for (int threads = 1; threads <= 2; threads++)
        print_row(&(struct bench){.agents = 100000,
                                  .steps = 30,
                                  .warmup = 5,
                                  .density = densities[d],
                                  .threads = threads,
                                  .method = "orca",
                                  .backend = backends[k]});
  for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
    print_row(&(struct bench){.agents = 100000,
                              .steps = 30,
                              .warmup = 5,
                              .density = densities[d],
                              .threads = 1,
                              .mixed = true,
                              .method = "orca",
                              .backend = "simd"});
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
      print_row(&(struct bench){.agents = 20000,
                                .steps = 10,
                                .warmup = 5,
                                .density = 1,
                                .threads = 1,
                                .method = methods[m],
                                .backend = backends[k]});
  return 0;
}

static double number(const char *option, const char *text, double least, double most)
{
  char *end;
  const double value = strtod(text, &end);
  require(end != text && *end == 0 && value >= least && value <= most,
          "%s %s: a number from %g to %g is wanted", option, text, least, most);
  return value;
}

static const struct option options[] = {
    {"agents", required_argument, NULL, 'a'},  {"density", required_argument, NULL, 'd'},
    {"steps", required_argument, NULL, 's'},   {"warmup", required_argument, NULL, 'w'},
    {"threads", required_argument, NULL, 't'}, {"backend", required_argument, NULL, 'b'},
    {"method", required_argument, NULL, 'm'},  {"mixed", no_argument, NULL, 'x'},
    {"pace", no_argument, NULL, 'p'},          {"pillars", no_argument, NULL, 'P'},
    {"ranks", required_argument, NULL, 'r'},   {"reach", required_argument, NULL, 'R'},
    {"seed", required_argument, NULL, 'S'},    {"lead", required_argument, NULL, 'l'},
    {"groups", no_argument, NULL, 'g'},

    {"fields", required_argument, NULL, 'f'},  {NULL, 0, NULL, 0}};

static enum guidance lead_named(const char *name)
{
  int k = 0;
  while (k < GUIDANCE_KINDS && strcmp(name, guidance_names[k]) != 0)
    k++;
  require(k < GUIDANCE_KINDS, "--lead %s: straight, fields or roadmap is wanted", name);
  return (enum guidance)k;
}

static void parse(struct bench *b, int argc, char **argv)
{
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    require(o != '?', "see the head of bench/throng_bench.c for the options");
    if (o == 'a')
      b->agents = b->balance.agents = (int64_t)number("--agents", optarg, 1, 1e10);
    if (o == 'd')
      b->density = number("--density", optarg, 1e-6, 1e3);
    if (o == 's')
      b->steps = (int64_t)number("--steps", optarg, 1, 1e9);
    if (o == 'w')
      b->warmup = (int64_t)number("--warmup", optarg, 0, 1e9);
    if (o == 't')
      b->threads = (int)number("--threads", optarg, 1, 1e4);
    if (o == 'f')
      b->fields = (int32_t)number("--fields", optarg, 1, 1e6);
    if (o == 'b')
      b->backend = optarg;
    if (o == 'm')
      b->method = optarg;
    if (o == 'x')
      b->mixed = true;
    if (o == 'p')
      b->density_speed = true;
    if (o == 'P')
      b->pillars = true;
    if (o == 'g')
      b->groups = true;
    if (o == 'l')
      b->guidance = lead_named(optarg);
    if (o == 'r')
      b->balance.ranks = (int32_t)number("--ranks", optarg, 1, 1e5);
    if (o == 'R')
      b->balance.reach = number("--reach", optarg, 0, 1000);
    if (o == 'S')
      b->balance.seed = (uint64_t)number("--seed", optarg, 0, 9007199254740992);
  }
}

int main(int argc, char **argv)
{
#ifdef WITH_RANKS
  if (argc > 1 && strcmp(argv[1], "scale") == 0)
    return scale(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "output") == 0)
    return output(argc - 1, argv + 1);
#endif
  struct bench b = {.agents = 100000,
                    .steps = 50,
                    .warmup = 5,
                    .density = 1,
                    .threads = 1,
                    .fields = 1,
                    .method = "orca",
                    .backend = "simd",
                    .balance = {128, 4000000, 1.5, 1}};
  parse(&b, argc, argv);
  const char *command = optind < argc ? argv[optind] : "";
  if (strcmp(command, "all") == 0)
    return print_table();
  if (strcmp(command, "balance") == 0) {
    balance_bench(&b.balance);
    return 0;
  }
  if (strcmp(command, "field") == 0) {
    omp_set_num_threads(b.threads);
    field_bench((int64_t)ceil(sqrt((double)b.agents)), b.fields, b.steps, b.backend);
    return 0;
  }
  require(
      strcmp(command, "crowd") == 0,
      "throng-bench crowd [options], balance [options], field [options], scale [options], output "
      "[options], or all");
  const struct result r = measure(&b);
  print_json(&b, &r);
  return 0;
}
