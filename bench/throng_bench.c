// throng-bench: time of a full step and of its parts. Only scale, output and runs need MPI and
// files.
//
//   throng-bench crowd [--agents N] [--density D] [--method M] [--steps S] [--warmup W]
//                      [--threads T] [--backend B] [--mixed] [--pace] [--headway] [--spread]
//                      [--pillars] [--lead HOW] [--groups]
//                                        one JSON line
//   throng-bench balance [--ranks P] [--agents N] [--reach M] [--seed S]  one JSON line
//   throng-bench field [--agents CELLS] [--fields N] [--steps TIMES] [--threads T] [--backend B]
//                                        one JSON line: fields of about that many cells each
//   throng-bench runs                    CSV of whole runs: runs.c
//   throng-bench all                     CSV of the standard table (bench/results/), and of runs
//   throng-bench scale                   by ranks and threads: scale.c
//   throng-bench output                  snapshots compared with plain writes: output.c
//
// A full step of the standard crowd (samples/standard_crowds.h): index, exact neighbours,
// avoidance, preferred velocity, move. 10 nearest within 5 m, horizon 2 s, step 0.1 s. --mixed:
// radii, speeds and horizons differ. --pace: density-dependent speed. --headway: the headway model;
// --spread: the same, and agents spread over the width of their route. --pillars: walls among the
// agents. --lead fields or roadmap: around pillars to four squares, slowly in the middle
// (guidance.h). --groups: of three. --method: one of core/avoidance/avoidance.h, or
// clearpath-guaranteed.
//
// balance: partitions the plane of the clustered crowd for P ranks (up to 100,000), with halos of M
// metres, in this process.
#include "backend_gpu.h"
#include "bench.h"
#include "crowd_bench.h"
#include "field_bench.h"
#include "partition_bench.h"
#ifdef WITH_RANKS
#include "output.h"
#include "runs.h"
#include "scale.h"
#endif
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

struct options {
  struct crowd_bench crowd;
  struct partition_bench partition;
  int32_t fields;
};

static void print_row(const struct crowd_bench *b)
{
  const char *why;
  if (!backend_named(b->backend, &why))
    return; // this machine cannot run it
  const struct crowd_result r = crowd_bench_run(b);
  printf("%s,%s,%s,%d,%" PRId64 ",%g,%" PRId64 ",%.1f", b->method, b->mixed ? "mixed" : "uniform",
         b->backend, b->threads, b->agents, b->density, b->steps,
         crowd_bench_nanoseconds(b, r.wall));
  for (int p = 0; p < BENCH_PHASES; p++)
    printf(",%.1f", crowd_bench_nanoseconds(b, r.seconds[p]));
  printf(",%.4f,%016" PRIx64 "\n", r.infeasible_share, r.checksum);
  fflush(stdout);
}

static void print_table(void)
{
  static const double densities[] = {0.25, 1, 3};
  static const char *const backends[] = {"scalar", "simd4", "simd8", "simd16"};
  static const char *const methods[] = {"clearpath", GUARANTEED, "hrvo", "rvo", "directional"};
  printf("method,crowd,backend,threads,agents,density_per_m2,steps,ns_per_agent_step");
  for (int p = 0; p < BENCH_PHASES; p++)
    printf(",%s_ns", bench_phase_names[p]);
  printf(",infeasible_share,checksum\n");
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
    for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
      for (int threads = 1; threads <= 2; threads++)
        print_row(&(struct crowd_bench){.agents = 100000,
                                        .steps = 30,
                                        .warmup = 5,
                                        .density = densities[d],
                                        .threads = threads,
                                        .method = "orca",
                                        .backend = backends[k]});
  for (size_t d = 0; d < sizeof densities / sizeof *densities; d++)
    print_row(&(struct crowd_bench){.agents = 100000,
                                    .steps = 30,
                                    .warmup = 5,
                                    .density = densities[d],
                                    .threads = 1,
                                    .mixed = true,
                                    .method = "orca",
                                    .backend = "simd"});
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
      print_row(&(struct crowd_bench){.agents = 20000,
                                      .steps = 10,
                                      .warmup = 5,
                                      .density = 1,
                                      .threads = 1,
                                      .method = methods[m],
                                      .backend = backends[k]});
}

static int print_tables(void)
{
  print_table();
#ifdef WITH_RANKS
  char program[] = "throng-bench", *const arguments[] = {program, NULL};
  optind = 1;
  printf("\n");
  return runs_bench(1, (char **)arguments);
#else
  return 0;
#endif
}

static const struct option long_options[] = {{"agents", required_argument, NULL, 'a'},
                                             {"density", required_argument, NULL, 'd'},
                                             {"headway", no_argument, NULL, 'H'},
                                             {"steps", required_argument, NULL, 's'},
                                             {"warmup", required_argument, NULL, 'w'},
                                             {"threads", required_argument, NULL, 't'},
                                             {"backend", required_argument, NULL, 'b'},
                                             {"method", required_argument, NULL, 'm'},
                                             {"mixed", no_argument, NULL, 'x'},
                                             {"pace", no_argument, NULL, 'p'},
                                             {"pillars", no_argument, NULL, 'P'},
                                             {"ranks", required_argument, NULL, 'r'},
                                             {"reach", required_argument, NULL, 'R'},
                                             {"seed", required_argument, NULL, 'S'},
                                             {"lead", required_argument, NULL, 'l'},
                                             {"groups", no_argument, NULL, 'g'},
                                             {"fields", required_argument, NULL, 'f'},
                                             {"spread", no_argument, NULL, 'U'},
                                             {NULL, 0, NULL, 0}};

static enum guidance guidance_named(const char *name)
{
  int k = 0;
  while (k < GUIDANCE_KINDS && strcmp(name, guidance_names[k]) != 0)
    k++;
  require(k < GUIDANCE_KINDS, "--lead %s: must be straight, fields or roadmap", name);
  return (enum guidance)k;
}

static void parse_partition(struct partition_bench *b, int option)
{
  if (option == 'a')
    b->agents = (int64_t)bench_number("--agents", optarg, 1, 1e10);
  if (option == 'r')
    b->ranks = (int32_t)bench_number("--ranks", optarg, 1, 1e5);
  if (option == 'R')
    b->reach = bench_number("--reach", optarg, 0, 1000);
  if (option == 'S')
    b->seed = (uint64_t)bench_number("--seed", optarg, 0, 9007199254740992);
}

static void parse_crowd(struct crowd_bench *b, int option)
{
  if (option == 'a')
    b->agents = (int64_t)bench_number("--agents", optarg, 1, 1e10);
  if (option == 'd')
    b->density = bench_number("--density", optarg, 1e-6, 1e3);
  if (option == 's')
    b->steps = (int64_t)bench_number("--steps", optarg, 1, 1e9);
  if (option == 'w')
    b->warmup = (int64_t)bench_number("--warmup", optarg, 0, 1e9);
  if (option == 't')
    b->threads = (int)bench_number("--threads", optarg, 1, 1e4);
  if (option == 'b')
    b->backend = optarg;
  if (option == 'm')
    b->method = optarg;
  if (option == 'l')
    b->guidance = guidance_named(optarg);
  b->mixed = b->mixed || option == 'x';
  b->density_speed = b->density_speed || option == 'p';
  b->headway = b->headway || option == 'H' || option == 'U';
  b->spread = b->spread || option == 'U';
  b->pillars = b->pillars || option == 'P';
  b->groups = b->groups || option == 'g';
}

static void parse(struct options *o, int argc, char **argv)
{
  for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
    require(c != '?', "the options are described at the top of bench/throng_bench.c");
    parse_crowd(&o->crowd, c);
    parse_partition(&o->partition, c);
    if (c == 'f')
      o->fields = (int32_t)bench_number("--fields", optarg, 1, 1e6);
  }
}

static void run_crowd(const struct crowd_bench *b)
{
  const struct crowd_result r = crowd_bench_run(b);
  crowd_bench_print_json(b, &r);
}

static void run_field(const struct options *o)
{
  const struct crowd_bench *b = &o->crowd;
  omp_set_num_threads(b->threads);
  field_bench((int64_t)ceil(sqrt((double)b->agents)), o->fields, b->steps, b->backend);
}

int main(int argc, char **argv)
{
#ifdef WITH_RANKS
  if (argc > 1 && strcmp(argv[1], "scale") == 0)
    return scale_bench(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "output") == 0)
    return output_bench(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "runs") == 0)
    return runs_bench(argc - 1, argv + 1);
#endif
  struct options o = {.crowd = {.agents = 100000,
                                .steps = 50,
                                .warmup = 5,
                                .density = 1,
                                .threads = 1,
                                .method = "orca",
                                .backend = "simd"},
                      .partition = {.ranks = 128, .agents = 4000000, .reach = 1.5, .seed = 1},
                      .fields = 1};
  parse(&o, argc, argv);
  const char *command = optind < argc ? argv[optind] : "";
  if (strcmp(command, "all") == 0)
    return print_tables();
  if (strcmp(command, "balance") == 0)
    partition_bench(&o.partition);
  else if (strcmp(command, "field") == 0)
    run_field(&o);
  else if (strcmp(command, "crowd") == 0)
    run_crowd(&o.crowd);
  else
    fail(EXIT_BAD_INPUT, "throng-bench crowd [options], balance [options], field [options], "
                         "scale [options], output [options], runs [options], or all");
  return 0;
}
