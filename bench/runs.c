// throng-bench runs: whole runs with their files, as `throng run` makes them.
//
//   throng-bench runs [--configs DIR] [--threads T] [--only NAME]
//
// Prints a line of CSV per run, with 1 thread and with T. start_s: until the first step.
// steps_per_s: of the run after that, files included. core_ns: per agent-step, times the threads;
// the columns that follow divide it among the parts of a step. Each run is a process of its own,
// whose memory is measured.
#include "runs.h"

#include "bench.h"
#include "json.h"
#include "run_directory.h"
#include "simulation.h"
#include "throng.h"
#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CITY(method, more)                                                                         \
  {                                                                                                \
    "sources.0.count=62500", "sources.1.count=62500", "sources.2.count=62500",                     \
        "sources.3.count=62500", "avoidance.method=" method, more                                  \
  }
#define OVERRIDES_MAX 6

static const struct whole_run {
  const char *name, *config;
  int64_t steps; // -1: to the end
  const char *overrides[OVERRIDES_MAX];
} whole_runs[] = {
    {"quickstart", "quickstart.yaml", -1, {NULL}},
    {"station", "station.yaml", -1, {NULL}},
    {"monaco", "monaco.yaml", 300, {NULL}},
    {"matchday", "monaco-matchday.yaml", 1500, {NULL}},
    {"stadium-25k", "papers/clearpath-stadium-25k.yaml", 300, {"avoidance.method=orca"}},
    {"city-250k", "papers/clearpath-city.yaml", 200, CITY("orca", NULL)},
    {"city-250k snapshots", "papers/clearpath-city.yaml", 200,
     CITY("orca", "output.snapshot_every=1")},
    {"city-250k clearpath", "papers/clearpath-city.yaml", 100, CITY("clearpath", NULL)},
    {"open-million", "open-million.yaml", 50, {NULL}}};
#define WHOLE_RUNS (int)(sizeof whole_runs / sizeof *whole_runs)

// ---------------------------------------------------------------------------------- one run

static double member_number(struct json_span object, const char *key)
{
  const struct json_span value = json_find(object, key);
  return value.begin ? strtod(value.begin, NULL) : 0;
}

static char *file_text(const char *directory, const char *name)
{
  char *path = run_directory_file(directory, name);
  FILE *f = fopen(path, "r");
  require(f, "%s: %s", path, strerror(errno));
  char *text = NULL;
  size_t size = 0;
  require(getdelim(&text, &size, '\0', f) > 0, "%s is empty", path);
  fclose(f);
  free(path);
  return text;
}

static void print_row(const struct whole_run *of, const char *directory, int threads,
                      double seconds)
{
  char *text = file_text(directory, "summary.json");
  const struct json_span all = {text, text + strlen(text)};
  const struct json_span parts = json_find(all, "seconds"), steps = json_find(all, "step_seconds");
  const double wall = member_number(all, "wall_s"), agents = member_number(all, "agent_steps");
  printf("%s,%d,%.0f,%.0f,%.2f,%.2f,%.1f,%.2f,%.2f,%.2f,%.0f", of->name, threads,
         member_number(all, "steps"), agents, seconds - wall, member_number(all, "steps") / wall,
         1e9 * wall * threads / agents, 1e3 * member_number(steps, "median"),
         1e3 * member_number(steps, "p99"), 1e3 * member_number(steps, "longest"),
         1e-6 * member_number(all, "memory_bytes"));
  for (int p = 0; p < PHASE_COUNT; p++)
    printf(",%.1f", 1e9 * threads * member_number(parts, phase_names[p]) / agents);
  printf("\n");
  free(text);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
  (void)status, (void)kind, (void)at;
  return remove(path);
}

static int run_to_end(const struct throng_options *options)
{
  struct throng *t;
  int code = throng_create(&t, options);
  if (code == THRONG_DONE)
    code = throng_advance(t, INT64_MAX);
  if (code == THRONG_DONE)
    code = throng_finish(t);
  throng_destroy(t);
  return code;
}

static int run_one(const struct whole_run *of, const char *configs, int threads)
{
  const double begin = clock_seconds();
  struct throng_options options = throng_default_options();
  char directory[] = "/tmp/throng-runs-XXXXXX";
  while (options.set_count < OVERRIDES_MAX && of->overrides[options.set_count])
    options.set_count++;
  throng_begin(THRONG_PROGRAM);
  char *path = run_directory_file(configs, of->config);
  require(mkdtemp(directory), "%s: %s", directory, strerror(errno));
  options.path = path;
  options.set = (const char *const *)of->overrides;
  options.directory = directory;
  options.steps = of->steps;
  options.threads = threads;
  options.backend = "simd";
  options.quiet = 1;
  const int code = run_to_end(&options);
  if (code == THRONG_DONE)
    print_row(of, directory, threads, clock_seconds() - begin);
  nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(path);
  throng_end();
  return code;
}

// -------------------------------------------------------------------------------- all of them

extern char **environ;

static int run_in_process(int k, const char *configs, int threads)
{
  char number[16], count[16], folder[4096];
  snprintf(number, sizeof number, "%d", k);
  snprintf(count, sizeof count, "%d", threads);
  snprintf(folder, sizeof folder, "%s", configs);
  char program[] = "throng-bench", command[] = "runs", one[] = "--one", of[] = "--threads",
       in[] = "--configs";
  char *const argv[] = {program, command, one, number, of, count, in, folder, NULL};
  pid_t child;
  int status = 0;
  fflush(stdout);
  require(posix_spawn(&child, "/proc/self/exe", NULL, NULL, argv, environ) == 0,
          "no process can be started");
  require(waitpid(child, &status, 0) == child, "a run is lost");
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL_ERROR;
}

static void print_head(void)
{
  printf("run,threads,steps,agent_steps,start_s,steps_per_s,core_ns,median_ms,p99_ms,longest_ms,"
         "memory_MB");
  for (int p = 0; p < PHASE_COUNT; p++)
    printf(",%s_ns", phase_names[p]);
  printf("\n");
}

int runs_bench(int argc, char **argv)
{
  static const struct option options[] = {{"configs", required_argument, NULL, 'c'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"one", required_argument, NULL, 'n'},
                                          {NULL, 0, NULL, 0}};
  const char *configs = THRONG_CONFIGS, *only = "";
  int threads = omp_get_num_procs(), one = -1, worst = EXIT_DONE;
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    require(o != '?', "the options are described at the top of bench/runs.c");
    if (o == 'c')
      configs = optarg;
    if (o == 't')
      threads = (int)bench_number("--threads", optarg, 1, 1e4);
    if (o == 'o')
      only = optarg;
    if (o == 'n')
      one = (int)bench_number("--one", optarg, 0, WHOLE_RUNS - 1);
  }
  if (one >= 0)
    return run_one(&whole_runs[one], configs, threads);
  print_head();
  for (int k = 0; k < WHOLE_RUNS; k++)
    for (int t = 1; strstr(whole_runs[k].name, only) && t <= threads; t += threads - 1) {
      const int code = run_in_process(k, configs, t);
      worst = code > worst ? code : worst;
      if (threads == 1)
        break;
    }
  return worst;
}
