// The command line: run, check, info, options.
#include "backend_gpu.h"
#include "checkpoint_file.h"
#include "hash.h"
#include "node_memory.h"
#include "report.h"
#include "run.h"
#include "snapshot.h"
#include <errno.h>
#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "throng: a message-passing simulator for massive crowds\n"
    "\n"
    "  throng run CONFIG [options]     simulate; writes snapshots, series.csv, summary.json\n"
    "  throng check CONFIG [options]   read and check everything, say what was found, do not run\n"
    "  throng info FILE                describe a snapshot, a walls file or a checkpoint\n"
    "  throng options                  every option of a CONFIG, as Markdown\n"
    "\n"
    "  -o, --output DIR        where to write (default: runs/NAME)\n"
    "  -s, --set KEY=VALUE     another value for an option: --set time.end=60 (repeatable)\n"
    "  -n, --steps N           run N steps\n"
    "  -r, --restart auto|FILE go on from the newest good checkpoint of the output directory\n"
    "                          (without one: from the start), or from this one\n"
    "  -w, --max-wall TIME     end with a checkpoint after so much wall time, s or HH:MM:SS\n"
    "  -b, --backend NAME      %s (auto)\n"
    "  -t, --threads N         threads of each rank (default: OMP_NUM_THREADS, or the cores\n"
    "                          shared out among the ranks)\n"
    "  -q, --quiet             say nothing but errors\n"
    "  -h, --help              -V, --version\n"
    "\n"
    "  mpirun -n 4 throng run CONFIG   on 4 ranks: the result is the same to the bit\n"
    "\n"
    "SIGTERM, SIGINT, SIGUSR1 and a file named stop in the output directory end a run after the\n"
    "step with a checkpoint.\n"
    "\n"
    "Exit codes: 0 done, 64 bad command line or config, 65 damaged file, 70 a mistake of throng,\n"
    "74 input/output, 75 stopped early after a checkpoint: go on. Documentation: docs/\n";

struct command_line {
  const char *command, *file;
  const char **overrides;
  int override_count;
  const char *backend;
  struct run_options run;
  bool help, version;
  char problem[300]; // empty: none
};

static bool parse_integer(const char *text, long least, int64_t *value)
{
  char *end;
  errno = 0;
  const long long v = strtoll(text, &end, 10);
  *value = v;
  return errno == 0 && end != text && *end == 0 && v >= least;
}

static void parse_number(struct command_line *line, const char *option, const char *text,
                         long least, int64_t *value)
{
  if (!parse_integer(text, least, value))
    snprintf(line->problem, sizeof line->problem, "%s %s: a whole number from %ld is wanted",
             option, text, least);
}

// Seconds, or hours, minutes and seconds.
static void parse_duration(struct command_line *line, const char *option, const char *text,
                           double *seconds)
{
  char *end, rest;
  unsigned h, m, s;
  const bool clock = strchr(text, ':') != NULL;
  errno = 0;
  *seconds = clock ? 0 : strtod(text, &end);
  bool good = !clock && end != text && *end == 0;
  if (clock && *text >= '0' && *text <= '9' &&
      sscanf(text, "%5u:%2u:%2u%c", &h, &m, &s, &rest) == 3) {
    *seconds = 3600.0 * h + 60.0 * m + s;
    good = m < 60 && s < 60;
  }
  if (!good || !(*seconds > 0 && *seconds <= 1e9))
    snprintf(line->problem, sizeof line->problem,
             "%s %s: a time above 0 is wanted, in seconds or as HH:MM:SS", option, text);
}

static void parse_option(struct command_line *line, int option)
{
  int64_t number = 0;
  switch (option) {
  case 'o':
    line->run.directory = optarg;
    break;
  case 's':
    line->overrides[line->override_count++] = optarg;
    break;
  case 'n':
    parse_number(line, "--steps", optarg, 0, &line->run.steps);
    break;
  case 'r':
    line->run.restart = optarg;
    break;
  case 'w':
    parse_duration(line, "--max-wall", optarg, &line->run.max_wall);
    break;
  case 'b':
    line->backend = optarg;
    break;
  case 't':
    parse_number(line, "--threads", optarg, 1, &number);
    line->run.threads = (int)(number < 1024 ? number : 1024);
    break;
  case 'q':
    line->run.quiet = true;
    break;
  case 'h':
    line->help = true;
    break;
  case 'V':
    line->version = true;
    break;
  default:
    break;
  }
}

static void parse(struct command_line *line, int argc, char **argv)
{
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"set", required_argument, NULL, 's'},
                                          {"steps", required_argument, NULL, 'n'},
                                          {"restart", required_argument, NULL, 'r'},
                                          {"max-wall", required_argument, NULL, 'w'},
                                          {"backend", required_argument, NULL, 'b'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, ":o:s:n:r:w:b:t:qhV", options, NULL)) != -1;) {
    if (line->problem[0]) // the first mistake is the one to tell
      continue;
    if (option == '?' || option == ':')
      snprintf(line->problem, sizeof line->problem,
               option == '?' ? "%s: no such option" : "%s: a value is missing", argv[optind - 1]);
    else
      parse_option(line, option);
  }
  line->command = optind < argc ? argv[optind++] : NULL;
  line->file = optind < argc ? argv[optind++] : NULL;
  if (optind < argc && !line->problem[0])
    snprintf(line->problem, sizeof line->problem, "%s: one argument too many", argv[optind]);
}

static void check_command(struct command_line *line)
{
  if (line->problem[0] || line->help || line->version)
    return;
  const char *c = line->command;
  const bool needs_file =
      c && (strcmp(c, "run") == 0 || strcmp(c, "check") == 0 || strcmp(c, "info") == 0);
  if (!c)
    snprintf(line->problem, sizeof line->problem,
             "a command is missing: run, check, info, options");
  else if (!needs_file && strcmp(c, "options") != 0)
    snprintf(line->problem, sizeof line->problem,
             "\"%s\" is not a command (run, check, info, options)", c);
  else if (needs_file && !line->file)
    snprintf(line->problem, sizeof line->problem, "throng %s: a file is missing", c);
}

static const struct backend *choose_backend(const char *name, char *problem, size_t size)
{
  const char *why;
  const struct backend *backend = backend_named(name, &why);
  if (!backend && strcmp(name, "cuda") == 0)
    snprintf(problem, size, "--backend cuda: %s", why);
  else if (!backend)
    snprintf(problem, size, "--backend %s: not one of %s that this machine can run", name,
             backend_names());
  return backend;
}

// One message from one rank, whatever the number of ranks.
static enum exit_code print_error(const struct comm *c, enum exit_code code, const char *message)
{
  if (c->rank == 0)
    fprintf(stderr, "throng: %s\n", message);
  return code;
}

// Has every rank made the same world? A mixed cluster, or a file changed meanwhile, may not.
static void require_same_world(const struct comm *c, const struct scenario *s)
{
  const struct outlines *walls = &s->walls;
  const size_t points = walls->count ? (size_t)walls->start[walls->count] : 0;
  uint64_t h = hash_bytes(HASH_START, s->text, strlen(s->text));
  h = hash_bytes(h, walls->points, points * sizeof *walls->points);
  h = hash_bytes(h, &s->agent_count, sizeof s->agent_count);
  int64_t extremes[2] = {(int64_t)(h >> 1), -(int64_t)(h >> 1)};
  comm_max(c, extremes, 2);
  if (extremes[0] != -extremes[1] && c->rank == 0)
    fail(EXIT_BAD_INPUT,
         "%s: the ranks read different worlds; are their files and libraries the same?", s->path);
}

// Every rank reads the scenario by itself; if only some can, all stop.
static struct scenario *load_scenario(const struct comm *c, const struct node_group *node,
                                      const struct command_line *line)
{
  struct diagnostics diagnostics = {0};
  struct scenario *s =
      scenario_create(line->file, line->overrides, line->override_count, node, &diagnostics);
  const bool has_errors = diagnostics.count > 0;
  int64_t failed[2] = {has_errors, has_errors ? c->size - c->rank : 0};
  comm_max(c, failed, 2); // the lowest rank with an error speaks
  const bool reports = failed[0] ? has_errors && failed[1] == c->size - c->rank : c->rank == 0;
  if (reports && diagnostics.warnings)
    fputs(diagnostics.warnings, stderr);
  if (reports && diagnostics.text)
    fputs(diagnostics.text, stderr);
  diagnostics_destroy(&diagnostics);
  if (failed[0]) {
    scenario_destroy(s);
    s = NULL;
  }
  if (s)
    require_same_world(c, s);
  return s;
}

// NULL on every rank where any has none; the lowest of those says why.
static const struct backend *agreed_backend(const struct comm *c, const char *name)
{
  char problem[300] = "";
  const struct backend *backend = choose_backend(name, problem, sizeof problem);
  int64_t missing = backend ? 0 : c->size - c->rank;
  comm_max(c, &missing, 1);
  if (missing && missing == c->size - c->rank)
    fprintf(stderr, "throng: %s\n", problem);
  return missing ? NULL : backend;
}

static void hint_unused_gpu(const struct comm *c, const struct command_line *line)
{
  if (c->rank == 0 && !line->run.quiet && strcmp(line->backend, "auto") == 0 &&
      backend_gpu_available())
    fputs("throng: there is a GPU; --backend cuda uses it (docs/gpu.md)\n", stderr);
}

static enum exit_code run_or_check(const struct comm *c, const struct command_line *line)
{
  struct node_memory node;
  node_memory_create(&node, c);
  backend_gpu_select_device(node.node_group.rank); // one each, or shared
  const struct backend *backend = agreed_backend(c, line->backend);
  if (!backend) {
    node_memory_destroy(&node);
    return EXIT_BAD_INPUT;
  }
  hint_unused_gpu(c, line);
  backend_gpu_solve_fields(backend);
  struct scenario *s = load_scenario(c, &node.node_group, line);
  enum exit_code code = s ? EXIT_DONE : EXIT_BAD_INPUT;
  if (s && strcmp(line->command, "run") == 0)
    code = run(c, s, backend, &line->run);
  else if (s && c->rank == 0)
    scenario_describe(s, c->size, stdout);
  scenario_destroy(s);
  node_memory_destroy(&node);
  return code;
}

static enum exit_code describe(const char *path)
{
  return checkpoint_recognise(path) ? checkpoint_describe(path) : snapshot_describe(path);
}

static enum exit_code dispatch(const struct comm *c, const struct command_line *line)
{
  if (line->problem[0]) {
    char message[400];
    snprintf(message, sizeof message, "%s (see throng --help)", line->problem);
    return print_error(c, EXIT_BAD_INPUT, message);
  }
  if (line->help || line->version) {
    if (c->rank == 0 && line->help)
      printf(usage, backend_names());
    else if (c->rank == 0)
      printf("throng %s\n", report_version());
    return EXIT_DONE;
  }
  if (strcmp(line->command, "options") == 0) {
    if (c->rank == 0)
      options_reference_print(stdout);
    return EXIT_DONE;
  }
  if (strcmp(line->command, "info") == 0)
    return comm_agree(c, c->rank == 0 ? describe(line->file) : EXIT_DONE);
  return run_or_check(c, line);
}

// Cores shared out among the ranks of this machine, unless the user or OpenMP's own variable says.
// Ranks that a launcher has bound to cores of their own keep those.
static int threads_per_rank(const struct comm *c, int wanted)
{
  if (wanted > 0)
    return wanted;
  if (getenv("OMP_NUM_THREADS"))
    return omp_get_max_threads();
  MPI_Comm node;
  int ranks_on_node;
  MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks_on_node);
  MPI_Comm_free(&node);
  const int allowed = omp_get_num_procs();
  const bool own = (long)allowed * ranks_on_node <= sysconf(_SC_NPROCESSORS_ONLN);
  const int threads = own ? allowed : allowed / ranks_on_node;
  return threads > 0 ? threads : 1;
}

int main(int argc, char **argv)
{
  struct comm comm;
  const double start = clock_seconds();
  comm_begin(&comm, &argc, &argv);
  struct command_line line = {.backend = "auto", .run = {.steps = -1, .program_start = start}};
  line.overrides = memory_create((size_t)argc, sizeof *line.overrides);
  parse(&line, argc, argv);
  check_command(&line);
  line.run.threads = threads_per_rank(&comm, line.run.threads);
  omp_set_num_threads(line.run.threads);
  const enum exit_code code = dispatch(&comm, &line);
  memory_destroy(line.overrides);
  comm_end(&comm);
  return code;
}
