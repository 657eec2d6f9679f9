// throng-bench scale: what does a step cost on how many ranks and threads, and why?
//
//   mpirun --bind-to none -n P throng-bench scale [--agents N] [--steps S] [--latency US]
//                                          [--bandwidth GB_S] [--imbalance I] [--csv FILE]
//
// N people at 1 /m^2 walk four ways through each other. Strong scaling: N people on 1, 2, 4, ... P
// ranks. Weak scaling: N / P people a rank. Each with 1, 2, 4, ... threads, as far as there are
// cores, and once with one thread beyond; the ranks that have no part sleep meanwhile. Above the
// number of cores only counts can be judged: the times are of processes that wait for each other.
//
// The model, of a step of n people on a rank, g ghosts, nb neighbour ranks, b bytes a ghost:
//   T = I n t_a + g t_g + 2 nb alpha + g b / beta + 2 log2(P) alpha
// t_a, t_g: fitted (least squares) to the rows that have cores of their own. alpha, beta: measured
// between rank 0 and the last, or given for another network. I: imbalance, most over mean.
#include "scale.h"

#include "diagnostics.h"
#include "halo.h"
#include "simulation.h"
#include "snapshot.h"
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DENSITY 1.0 // persons/m^2

struct scale_options {
  int64_t agents, steps;
  double latency, bandwidth, imbalance; // s, bytes/s; NaN: measured
  const char *csv;
};

// Where a step's time goes, s: the ranks' mean.
enum part { COMPUTE, GHOSTS, WAITING, MIGRATION, BALANCE, OUTPUT, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"compute",   "ghosts",  "waiting",
                                                   "migration", "balance", "output"};

struct row {
  bool weak;
  int ranks, threads;
  int64_t agents;
  double step;                  // s, of the slowest rank
  double parts[PART_COUNT];     // s a step; output: a snapshot
  double ghosts, ghosts_expect; // a step, all ranks
  double imbalance;             // most computing over mean
  double width;                 // of the halo, m
  bool own_cores;               // nobody had to share one
};

// ------------------------------------------------------------------------------------ a crowd

// Four grids of people, one metre apart from each other, each walking another way.
static void write_scenario(FILE *f, int64_t agents)
{
  static const char *const way[4] = {"50, 0", "-50, 0", "0, 50", "0, -50"};
  const double side = 2 * ceil(sqrt((double)agents / 4));
  fprintf(f,
          "name: scale\nseed: 1\nworld: {extent: [-60, -60, %.0f, %.0f]}\ntime: {end: 100000}\n"
          "sources:\n",
          side + 61, side + 61);
  for (int k = 0; k < 4; k++)
    fprintf(f,
            "  - {area: {rectangle: [%d, %d, %.0f, %.0f]}, layout: grid, spacing: 2, jitter: 0.2, "
            "offset: [%s]}\n",
            k % 2, k / 2, side + k % 2, side + k / 2, way[k]);
}

static struct scenario *scenario_of(int64_t agents)
{
  char path[] = "/tmp/throng-scale-XXXXXX";
  struct diagnostics diagnostics = {0};
  const int file = mkstemp(path);
  FILE *f = file < 0 ? NULL : fdopen(file, "w");
  require(f, "%s: cannot be written", path);
  write_scenario(f, agents);
  require(fclose(f) == 0, "%s: cannot be written", path);
  struct scenario *s = scenario_create(path, NULL, 0, NULL, &diagnostics);
  unlink(path);
  require(s, "%s", diagnostics.text);
  return s;
}

// ---------------------------------------------------------------------------------- measuring

// Ghosts of boxes that cut a square of even density: each sees as far beyond its inner edges as
// the halo is wide, corners included.
static double ghosts_expected(const struct simulation *s, double side, double width)
{
  const struct frame *frame = &s->scenario->world.frame;
  double sum = 0;
  for (int32_t r = 0; r < s->partition.rank_count; r++) {
    const struct box b = s->partition.boxes[r];
    const double lo[2] = {fmax(frame_x(frame, b.lo.x), 0), fmax(frame_y(frame, b.lo.y), 0)};
    const double hi[2] = {fmin(frame_x(frame, b.hi.x), side), fmin(frame_y(frame, b.hi.y), side)};
    double own = 1, wide = 1;
    for (int k = 0; k < 2; k++) {
      own *= hi[k] - lo[k];
      wide *= fmin(hi[k] + width, side) - fmax(lo[k] - width, 0);
    }
    sum += DENSITY * (wide - own);
  }
  return sum;
}

static void read_parts(const struct simulation *s, double *parts)
{
  const double *t = s->seconds;
  parts[COMPUTE] = t[PHASE_NAVIGATION] + t[PHASE_INDEX] + t[PHASE_AVOIDANCE] + t[PHASE_MOVE] +
                   t[PHASE_DEMAND] + t[PHASE_CHANGES] + t[PHASE_MEASURE];
  parts[GHOSTS] = t[PHASE_HALO] - s->ghost_wait;
  parts[WAITING] = s->ghost_wait + s->migrant_wait + t[PHASE_ACCOUNT];
  parts[MIGRATION] = t[PHASE_MIGRATE] - s->migrant_wait;
  parts[BALANCE] = t[PHASE_BALANCE];
}

static double snapshot_seconds(const struct comm *c, const struct simulation *s)
{
  const char *path = "throng-scale.vtkhdf.partial";
  const struct snapshot_metadata metadata = {.frame = &s->scenario->world.frame,
                                             .scenario_text = s->scenario->text,
                                             .version = "scale",
                                             .selection = selection_all};
  const double start = clock_seconds();
  const enum snapshot_result result =
      snapshot_write(c, path, &metadata, &s->partition, &s->agents, NULL);
  const double seconds = clock_seconds() - start;
  if (c->rank == 0)
    unlink(path);
  return result == SNAPSHOT_WRITTEN ? seconds : NAN;
}

// Replaces the times of this rank by the slowest step and the mean parts of all ranks.
static void combine_ranks(const struct comm *c, struct row *row)
{
  int64_t bytes;
  struct row *ranks = comm_gather(c, row, (int64_t)sizeof *row, &bytes);
  double compute_max = 0;
  for (int p = 0; p < PART_COUNT; p++)
    row->parts[p] = 0;
  for (int32_t r = 0; r < c->size; r++) {
    row->step = fmax(row->step, ranks[r].step);
    compute_max = fmax(compute_max, ranks[r].parts[COMPUTE]);
    for (int p = 0; p < PART_COUNT; p++)
      row->parts[p] += ranks[r].parts[p] / c->size;
  }
  row->imbalance = compute_max / row->parts[COMPUTE];
  memory_destroy(ranks);
}

// Of the ranks of c, which all call it.
static void measure_steps(const struct comm *c, const struct scale_options *o, struct row *row)
{
  struct simulation s;
  double before[PART_COUNT] = {0}, after[PART_COUNT] = {0};
  struct scenario *scenario = scenario_of(row->agents);
  row->agents = scenario->agent_count;
  simulation_create(&s, scenario, c, backend_find("simd"), NULL);
  for (int64_t k = 0; k < o->steps / 4 + 3; k++)
    simulation_step(&s);
  const int64_t ghosts = s.all.ghosts;
  read_parts(&s, before);
  comm_barrier(c);
  const double start = clock_seconds();
  for (int64_t k = 0; k < o->steps; k++)
    simulation_step(&s);
  const double steps = (double)o->steps;
  row->step = (clock_seconds() - start) / steps;
  read_parts(&s, after);
  for (int p = 0; p < OUTPUT; p++)
    row->parts[p] = (after[p] - before[p]) / steps;
  row->parts[OUTPUT] = snapshot_seconds(c, &s);
  row->ghosts = (double)(s.all.ghosts - ghosts) / steps;
  row->width = s.halo.width * (double)frame_quantum(&scenario->world.frame);
  row->ghosts_expect = ghosts_expected(&s, sqrt((double)row->agents / DENSITY), row->width);
  combine_ranks(c, row);
  simulation_destroy(&s);
  scenario_destroy(scenario);
}

static struct row measure(const struct comm *all, const struct scale_options *o, bool weak,
                          int ranks, int threads, bool own_cores)
{
  struct comm part;
  struct row row = {weak, ranks, threads, weak ? o->agents * ranks / all->size : o->agents,
                    .own_cores = own_cores};
  omp_set_num_threads(threads);
  comm_barrier_sleeping(all); // an idle rank must not keep a core busy
  if (comm_part_create(&part, all, all->rank < ranks)) {
    measure_steps(&part, o, &row);
    comm_part_destroy(&part);
  }
  comm_barrier_sleeping(all);
  return row;
}

// Half the time of a message there and back between rank 0 and the last, s: the best of many.
static double message_seconds(const struct comm *c, int bytes)
{
  char *data = memory_create((size_t)bytes, 1);
  double best = HUGE_VAL;
  const int last = c->size - 1;
  for (int k = 0; k < 200 && c->size > 1 && (c->rank == 0 || c->rank == last); k++) {
    const double start = clock_seconds();
    if (c->rank == 0)
      comm_send(c, data, (size_t)bytes, last);
    comm_receive(c, data, (size_t)bytes, c->rank ? 0 : last);
    if (c->rank)
      comm_send(c, data, (size_t)bytes, 0);
    best = fmin(best, (clock_seconds() - start) / 2);
  }
  memory_destroy(data);
  return best;
}

// --------------------------------------------------------------------------------------- model

struct model {
  double t_a, t_g, alpha, beta, imbalance; // s, s, s, bytes/s, 1
  double width, bytes;                     // m; of a ghost
};

// Least squares of compute + ghosts = n t_a + g t_g, each row weighted by 1 / n.
static void fit(struct model *m, const struct row *rows, int count)
{
  double aa = 0, ag = 0, gg = 0, ay = 0, gy = 0;
  for (int k = 0; k < count; k++) {
    const struct row *r = &rows[k];
    if (!r->own_cores || r->threads > 1)
      continue;
    const double n = (double)r->agents / r->ranks, g = r->ghosts / r->ranks / n;
    const double y = (r->parts[COMPUTE] + r->parts[GHOSTS] + r->parts[MIGRATION]) / n;
    aa += 1, ag += g, gg += g * g, ay += y, gy += g * y;
  }
  const double det = aa * gg - ag * ag;
  m->t_g = det > 1e-12 * aa * gg && gg > 0 ? fmax((aa * gy - ag * ay) / det, 0) : 0;
  m->t_a = aa > 0 ? (ay - ag * m->t_g) / aa : NAN;
}

static double model_step(const struct model *m, double agents, double ranks)
{
  const double n = agents / ranks, w = m->width;
  const double ghosts = 4 * w * sqrt(n * DENSITY) + 4 * w * w * DENSITY; // a square's, with corners
  return m->imbalance * n * m->t_a + ghosts * m->t_g + 2 * 6 * m->alpha +
         ghosts * m->bytes / m->beta + 2 * log2(ranks) * m->alpha;
}

static void predict(const struct model *m)
{
  static const double cores[] = {1e2, 1e3, 1e4, 1e5};
  printf(
      "\nmodel: %.1f ns an agent, %.1f ns a ghost of %.0f bytes, latency %.2f us, bandwidth %.2f "
      "GB/s, imbalance %.3f\nprediction: ms a step (efficiency), one rank a core, %g /m^2, halo "
      "%.1f m, 6 neighbour ranks\n%10s",
      1e9 * m->t_a, 1e9 * m->t_g, m->bytes, 1e6 * m->alpha, 1e-9 * m->beta, m->imbalance, DENSITY,
      m->width, "agents");
  for (int k = 0; k < 4; k++)
    printf("  %10.0e cores", cores[k]);
  printf("\n");
  for (double agents = 1e6; agents < 2e10; agents *= 10) {
    printf("%10.0e", agents);
    for (int k = 0; k < 4; k++) {
      const double step = model_step(m, agents, cores[k]);
      printf("  %9.3f (%.2f)", 1e3 * step, agents * m->t_a / cores[k] / step);
    }
    printf("\n");
  }
  printf("not in it: output, boxes moved anew, crowds of other density, shared memory bandwidth of "
         "a node's cores\n");
}

// -------------------------------------------------------------------------------------- tables

static const char header[] = "kind,ranks,threads,agents,own_cores,step_ms,ns_per_agent,efficiency,"
                             "ghosts,ghosts_expected,ghost_bytes,imbalance";

// Against one rank and thread with as much (weak) or all (strong) to do.
static double efficiency(const struct row *rows, int count, const struct row *r)
{
  for (int k = 0; k < count; k++)
    if (rows[k].weak == r->weak && rows[k].ranks == 1 && rows[k].threads == 1) {
      const double work = (double)r->agents / (double)rows[k].agents;
      return work * rows[k].step / (r->step * r->ranks * r->threads);
    }
  return NAN;
}

static void write_csv(const char *path, const struct row *rows, int count, double bytes)
{
  FILE *f = fopen(path, "w");
  require(f, "%s: cannot be written", path);
  fprintf(f, "%s", header);
  for (int p = 0; p < PART_COUNT; p++)
    fprintf(f, ",%s_ms", part_names[p]);
  fprintf(f, "\n");
  for (const struct row *r = rows; r < rows + count; r++) {
    fprintf(f, "%s,%d,%d,%" PRId64 ",%d,%.4f,%.1f,%.3f,%.0f,%.0f,%.0f,%.3f",
            r->weak ? "weak" : "strong", r->ranks, r->threads, r->agents, r->own_cores,
            1e3 * r->step, 1e9 * r->step * r->ranks * r->threads / (double)r->agents,
            efficiency(rows, count, r), r->ghosts, r->ghosts_expect, r->ghosts * bytes,
            r->imbalance);
    for (int p = 0; p < PART_COUNT; p++)
      fprintf(f, ",%.4f", 1e3 * r->parts[p]);
    fprintf(f, "\n");
  }
  require(fclose(f) == 0, "%s: cannot be written", path);
}

static void print_rows(const struct row *rows, int count)
{
  printf("%6s %5s %7s %9s %8s %10s  %8s %8s %8s %9s %8s %8s  %9s %9s %9s\n", "kind", "ranks",
         "threads", "agents", "step ms", "efficiency", part_names[COMPUTE], part_names[GHOSTS],
         part_names[WAITING], part_names[MIGRATION], part_names[BALANCE], part_names[OUTPUT],
         "ghosts", "expected", "imbalance");
  for (const struct row *r = rows; r < rows + count; r++) {
    char share[20] = "(no cores)";
    if (r->own_cores)
      snprintf(share, sizeof share, "%.3f", efficiency(rows, count, r));
    printf("%6s %5d %7d %9" PRId64
           " %8.3f %10s  %8.3f %8.3f %8.3f %9.3f %8.3f %8.2f  %9.0f %9.0f %9.3f\n",
           r->weak ? "weak" : "strong", r->ranks, r->threads, r->agents, 1e3 * r->step, share,
           1e3 * r->parts[COMPUTE], 1e3 * r->parts[GHOSTS], 1e3 * r->parts[WAITING],
           1e3 * r->parts[MIGRATION], 1e3 * r->parts[BALANCE], 1e3 * r->parts[OUTPUT], r->ghosts,
           r->ghosts_expect, r->imbalance);
  }
}

static double number(const char *option, const char *text)
{
  char *end;
  const double value = strtod(text, &end);
  require(end != text && *end == 0 && value > 0, "%s %s: a number above 0 is wanted", option, text);
  return value;
}

static struct scale_options parse(int argc, char **argv)
{
  static const struct option names[] = {{"agents", required_argument, NULL, 'a'},
                                        {"steps", required_argument, NULL, 's'},
                                        {"latency", required_argument, NULL, 'l'},
                                        {"bandwidth", required_argument, NULL, 'b'},
                                        {"imbalance", required_argument, NULL, 'i'},
                                        {"csv", required_argument, NULL, 'c'},
                                        {NULL, 0, NULL, 0}};
  struct scale_options o = {100000, 40, NAN, NAN, NAN, NULL};
  for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    require(c != '?', "see the head of bench/scale.c for the options");
    if (c == 'a')
      o.agents = (int64_t)number("--agents", optarg);
    if (c == 's')
      o.steps = (int64_t)number("--steps", optarg);
    if (c == 'l')
      o.latency = 1e-6 * number("--latency", optarg);
    if (c == 'b')
      o.bandwidth = 1e9 * number("--bandwidth", optarg);
    if (c == 'i')
      o.imbalance = number("--imbalance", optarg);
    if (c == 'c')
      o.csv = optarg;
  }
  return o;
}

static void model_and_print(const struct comm *c, const struct scale_options *o,
                            const struct row *rows, int count)
{
  const double small = message_seconds(c, 8), large = message_seconds(c, 1 << 22);
  struct model m = {.alpha = isnan(o->latency) ? small : o->latency,
                    .beta = isnan(o->bandwidth) ? (1 << 22) / large : o->bandwidth,
                    .imbalance = isnan(o->imbalance) ? 1.05 : o->imbalance,
                    .width = rows[0].width,
                    .bytes = (double)agents_packed_size(SCOPE_GHOST)};
  if (c->rank > 0)
    return;
  fit(&m, rows, count);
  print_rows(rows, count);
  if (isfinite(m.alpha) && isfinite(m.beta))
    predict(&m);
  else
    printf("\nno prediction: on one rank --latency US and --bandwidth GB_S have to be given\n");
  if (o->csv)
    write_csv(o->csv, rows, count, m.bytes);
}

int scale(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  const struct scale_options o = parse(argc, argv);
  const int cores = omp_get_num_procs();
  int64_t agreed[2] = {comm_node_size(&c), -cores}; // every rank must take the same loops
  comm_max(&c, agreed, 2);
  const int ranks_on_node = (int)agreed[0], cores_everywhere = -(int)agreed[1];
  struct row rows[1024]; // 2 kinds x 20 powers of ranks x 20 of threads at most
  int count = 0;
  for (int weak = 0; weak < 2; weak++)
    for (int ranks = 1; ranks <= c.size;
         ranks = ranks < c.size && 2 * ranks > c.size ? c.size : 2 * ranks) {
      const int ranks_per_node = ranks < ranks_on_node ? ranks : ranks_on_node;
      for (int threads = 1; threads == 1 || threads * ranks_per_node <= cores_everywhere;
           threads *= 2)
        rows[count++] =
            measure(&c, &o, weak, ranks, threads, threads * ranks_per_node <= cores_everywhere);
    }
  model_and_print(&c, &o, rows, count);
  comm_end(&c);
  return 0;
}
