// throng-bench scale: time of a step by ranks and threads.
//
//   mpirun --bind-to none -n P throng-bench scale [--agents N] [--steps S] [--latency US]
//                                          [--bandwidth GB_S] [--imbalance I] [--csv FILE]
//
// N agents at 1 /m^2 walk in four directions through each other. Strong scaling: N agents on 1, 2,
// 4, ... P ranks. Weak scaling: N / P agents per rank. Each with 1, 2, 4, ... threads, up to the
// number of cores; idle ranks sleep. With one thread, ranks may exceed the cores: then only counts
// and computing, which is CPU time, are meaningful, because processes wait for each other.
//
// Latency and bandwidth of the model (scale_model.h) are measured between the first and the last
// rank, or given for another network.
#include "scale.h"

#include "bench.h"
#include "diagnostics.h"
#include "halo.h"
#include "scale_model.h"
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

static const char *const part_names[SCALE_PARTS] = {"compute",   "ghosts",  "waiting",
                                                    "migration", "balance", "output"};

#define ROWS_MAX 1024 // 2 kinds x 20 powers of ranks x 20 of threads

struct scale_options {
  int64_t agents, steps;
  double latency, bandwidth, imbalance; // s, bytes/s; NaN: measured
  const char *csv;
};

// ------------------------------------------------------------------------------------ scenario

// Four interleaved lattices of agents, 1 m apart; each walks in another direction.
static void write_scenario(FILE *f, int64_t agents)
{
  static const char *const offset[4] = {"50, 0", "-50, 0", "0, 50", "0, -50"};
  const double side = 2 * ceil(sqrt((double)agents / 4));
  fprintf(f,
          "name: scale\nseed: 1\nworld: {extent: [-60, -60, %.0f, %.0f]}\ntime: {end: 100000}\n"
          "sources:\n",
          side + 61, side + 61);
  for (int k = 0; k < 4; k++)
    fprintf(f,
            "  - {area: {rectangle: [%d, %d, %.0f, %.0f]}, layout: grid, spacing: 2, jitter: 0.2, "
            "offset: [%s]}\n",
            k % 2, k / 2, side + k % 2, side + k / 2, offset[k]);
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

// Ghosts of boxes that divide a square of uniform density: those within the halo's width beyond the
// inner edges of each box, corners included.
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
    sum += SCALE_DENSITY * (wide - own);
  }
  return sum;
}

static void read_parts(const struct simulation *s, double *parts)
{
  const double *t = s->seconds;
  parts[SCALE_COMPUTE] = s->work;
  parts[SCALE_GHOSTS] = t[PHASE_HALO] - s->ghost_wait;
  parts[SCALE_WAITING] = s->ghost_wait + s->migrant_wait + t[PHASE_ACCOUNT];
  parts[SCALE_MIGRATION] = t[PHASE_MIGRATE] - s->migrant_wait;
  parts[SCALE_BALANCE] = t[PHASE_BALANCE];
}

static double snapshot_seconds(const struct comm *c, const struct simulation *s)
{
  const char *path = "throng-scale.vtkhdf.partial";
  const struct snapshot_metadata metadata = {.frame = &s->scenario->world.frame,
                                             .scenario_text = s->scenario->text,
                                             .version = "scale",
                                             .selection = selection_all};
  const double start = clock_seconds();
  const enum snapshot_result result = snapshot_write(c, path, &metadata, &s->partition, &s->agents);
  const double seconds = clock_seconds() - start;
  if (c->rank == 0)
    unlink(path);
  return result == SNAPSHOT_WRITTEN ? seconds : NAN;
}

// Replaces the times of this rank by the slowest step and the mean parts of all ranks. Collective.
static void combine_ranks(const struct comm *c, struct scale_row *row)
{
  int64_t bytes;
  struct scale_row *ranks = comm_gather(c, row, (int64_t)sizeof *row, &bytes);
  double compute_max = 0;
  for (int p = 0; p < SCALE_PARTS; p++)
    row->parts[p] = 0;
  for (int32_t r = 0; r < c->size; r++) {
    row->step = fmax(row->step, ranks[r].step);
    compute_max = fmax(compute_max, ranks[r].parts[SCALE_COMPUTE]);
    for (int p = 0; p < SCALE_PARTS; p++)
      row->parts[p] += ranks[r].parts[p] / c->size;
  }
  row->imbalance = compute_max / row->parts[SCALE_COMPUTE];
  memory_destroy(ranks);
}

// Collective over c.
static void measure_steps(const struct comm *c, const struct scale_options *o,
                          struct scale_row *row)
{
  struct simulation s;
  double before[SCALE_PARTS] = {0}, after[SCALE_PARTS] = {0};
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
  for (int p = 0; p < SCALE_OUTPUT; p++)
    row->parts[p] = (after[p] - before[p]) / steps;
  row->parts[SCALE_OUTPUT] = snapshot_seconds(c, &s);
  row->ghosts = (double)(s.all.ghosts - ghosts) / steps;
  row->width = s.halo.width * (double)frame_quantum(&scenario->world.frame);
  row->ghosts_expected = ghosts_expected(&s, sqrt((double)row->agents / SCALE_DENSITY), row->width);
  combine_ranks(c, row);
  simulation_destroy(&s);
  scenario_destroy(scenario);
}

static struct scale_row measure(const struct comm *all, const struct scale_options *o, bool weak,
                                int ranks, int threads, bool own_cores)
{
  struct comm part;
  struct scale_row row = {weak, ranks, threads, weak ? o->agents * ranks / all->size : o->agents,
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

// Half the round trip of a message between rank 0 and the last, s: the best of many.
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

// -------------------------------------------------------------------------------------- tables

static const char header[] = "kind,ranks,threads,agents,own_cores,step_ms,ns_per_agent,efficiency,"
                             "ghosts,ghosts_expected,ghost_bytes,imbalance";

// Relative to one rank and thread: per agent of each rank (weak) or of all (strong).
static double efficiency(const struct scale_row *rows, int count, const struct scale_row *r)
{
  for (int k = 0; k < count; k++)
    if (rows[k].weak == r->weak && rows[k].ranks == 1 && rows[k].threads == 1) {
      const double work = (double)r->agents / (double)rows[k].agents;
      return work * rows[k].step / (r->step * r->ranks * r->threads);
    }
  return NAN;
}

static void write_csv(const char *path, const struct scale_row *rows, int count, double bytes)
{
  FILE *f = fopen(path, "w");
  require(f, "%s: cannot be written", path);
  fprintf(f, "%s", header);
  for (int p = 0; p < SCALE_PARTS; p++)
    fprintf(f, ",%s_ms", part_names[p]);
  fprintf(f, "\n");
  for (const struct scale_row *r = rows; r < rows + count; r++) {
    fprintf(f, "%s,%d,%d,%" PRId64 ",%d,%.4f,%.1f,%.3f,%.0f,%.0f,%.0f,%.3f",
            r->weak ? "weak" : "strong", r->ranks, r->threads, r->agents, r->own_cores,
            1e3 * r->step, 1e9 * r->step * r->ranks * r->threads / (double)r->agents,
            efficiency(rows, count, r), r->ghosts, r->ghosts_expected, r->ghosts * bytes,
            r->imbalance);
    for (int p = 0; p < SCALE_PARTS; p++)
      fprintf(f, ",%.4f", 1e3 * r->parts[p]);
    fprintf(f, "\n");
  }
  require(fclose(f) == 0, "%s: cannot be written", path);
}

static void print_rows(const struct scale_row *rows, int count)
{
  printf("%6s %5s %7s %9s %8s %10s  %8s %8s %8s %9s %8s %8s  %9s %9s %9s\n", "kind", "ranks",
         "threads", "agents", "step ms", "efficiency", part_names[SCALE_COMPUTE],
         part_names[SCALE_GHOSTS], part_names[SCALE_WAITING], part_names[SCALE_MIGRATION],
         part_names[SCALE_BALANCE], part_names[SCALE_OUTPUT], "ghosts", "expected", "imbalance");
  for (const struct scale_row *r = rows; r < rows + count; r++) {
    char text[20] = "(no cores)";
    if (r->own_cores)
      snprintf(text, sizeof text, "%.3f", efficiency(rows, count, r));
    printf("%6s %5d %7d %9" PRId64
           " %8.3f %10s  %8.3f %8.3f %8.3f %9.3f %8.3f %8.2f  %9.0f %9.0f %9.3f\n",
           r->weak ? "weak" : "strong", r->ranks, r->threads, r->agents, 1e3 * r->step, text,
           1e3 * r->parts[SCALE_COMPUTE], 1e3 * r->parts[SCALE_GHOSTS],
           1e3 * r->parts[SCALE_WAITING], 1e3 * r->parts[SCALE_MIGRATION],
           1e3 * r->parts[SCALE_BALANCE], 1e3 * r->parts[SCALE_OUTPUT], r->ghosts,
           r->ghosts_expected, r->imbalance);
  }
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
    require(c != '?', "the options are described at the top of bench/scale.c");
    if (c == 'a')
      o.agents = (int64_t)bench_number("--agents", optarg, 1, 1e12);
    if (c == 's')
      o.steps = (int64_t)bench_number("--steps", optarg, 1, 1e12);
    if (c == 'l')
      o.latency = 1e-6 * bench_number("--latency", optarg, 1e-9, 1e12);
    if (c == 'b')
      o.bandwidth = 1e9 * bench_number("--bandwidth", optarg, 1e-9, 1e12);
    if (c == 'i')
      o.imbalance = bench_number("--imbalance", optarg, 1e-9, 1e12);
    if (c == 'c')
      o.csv = optarg;
  }
  return o;
}

static void model_and_print(const struct comm *c, const struct scale_options *o,
                            const struct scale_row *rows, int count)
{
  const double small = message_seconds(c, 8), large = message_seconds(c, 1 << 22);
  struct scale_model m = {.alpha = isnan(o->latency) ? small : o->latency,
                          .beta = isnan(o->bandwidth) ? (1 << 22) / large : o->bandwidth,
                          .imbalance = isnan(o->imbalance) ? 1.05 : o->imbalance,
                          .width = rows[0].width,
                          .bytes = (double)agents_packed_size(SCOPE_GHOST)};
  if (c->rank > 0)
    return;
  scale_model_fit(&m, rows, count);
  print_rows(rows, count);
  scale_model_print_check(&m, rows, count);
  if (!isfinite(m.alpha) || !isfinite(m.beta))
    printf("\nno prediction: one rank needs --latency US and --bandwidth GB_S\n");
  else if (!isfinite(m.exchange))
    printf(
        "\nno prediction: the exchange of ghosts is measured with a core for each of two ranks\n");
  else
    scale_model_print(&m);
  if (o->csv)
    write_csv(o->csv, rows, count, m.bytes);
}

// The most ranks and the fewest cores of any node: a number that suits all. Collective.
static void read_node(const struct comm *c, int *ranks_on_node, int *cores)
{
  int64_t agreed[2] = {comm_node_size(c), -omp_get_num_procs()};
  comm_max(c, agreed, 2);
  *ranks_on_node = (int)agreed[0];
  *cores = -(int)agreed[1];
}

int scale_bench(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  const struct scale_options o = parse(argc, argv);
  int ranks_on_node, cores;
  read_node(&c, &ranks_on_node, &cores);
  struct scale_row rows[ROWS_MAX];
  int count = 0;
  for (int weak = 0; weak < 2; weak++)
    for (int ranks = 1; ranks <= c.size;
         ranks = ranks < c.size && 2 * ranks > c.size ? c.size : 2 * ranks) {
      const int ranks_per_node = ranks < ranks_on_node ? ranks : ranks_on_node;
      for (int threads = 1; threads == 1 || threads * ranks_per_node <= cores; threads *= 2)
        rows[count++] = measure(&c, &o, weak, ranks, threads, threads * ranks_per_node <= cores);
    }
  model_and_print(&c, &o, rows, count);
  comm_end(&c);
  return 0;
}
