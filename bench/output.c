// throng-bench output: time to write a snapshot, compared with plain writes of as many bytes.
//
//   mpirun --bind-to none -n P throng-bench output [--agents N] [--times K] [--folder DIR]
//
// N agents at 1 /m^2, as many on every rank. Plain: each rank writes its part of one file, 8 MiB at
// a time. Both finish with the data on disk, as snapshots do. The writers alternate, K times; the
// medians are compared.
#include "output.h"

#include "bench.h"
#include "random.h"
#include "snapshot.h"
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIMES_MAX 99
#define BLOCK     (8 << 20) // bytes

enum writer { PLAIN, EXACT_SIZE, COMPRESSED, WRITERS };
static const char *const writer_names[WRITERS] = {"plain writes", "snapshot, compression 0",
                                                  "snapshot, compression 1"};

struct output_options {
  int64_t agents;
  int times;
  const char *folder;
};

struct measurements {
  double seconds[WRITERS][TIMES_MAX];
  int64_t bytes[WRITERS];
};

// On a jittered lattice, with random velocities.
static void agents_place(struct agents *a, const struct comm *c, const struct frame *frame,
                         int64_t count)
{
  const int64_t first = count / c->size * c->rank, own = count / c->size;
  const int64_t side = (int64_t)ceil(sqrt((double)count));
  const int32_t metre = frame_length(frame, 1);
  agents_create(a, own);
  for (int64_t i = 0; i < own; i++) {
    const int64_t id = first + i;
    const struct random4 r = random_words(1, id, 0, RANDOM_TEST);
    agents_append(a);
    a->id[i] = id;
    a->x[i] = (int32_t)(id % side) * metre + (int32_t)(r.word[0] % (uint32_t)metre);
    a->y[i] = (int32_t)(id / side) * metre + (int32_t)(r.word[1] % (uint32_t)metre);
    a->vx[i] = 1e-9f * (float)(int32_t)r.word[2];
    a->vy[i] = 1e-9f * (float)(int32_t)r.word[3];
    a->radius[i] = 0.2f;
  }
}

static void write_plain(const struct comm *c, const char *path, int64_t bytes, const char *block)
{
  const int64_t begin = bytes / c->size * c->rank;
  const int64_t end = c->rank + 1 < c->size ? begin + bytes / c->size : bytes;
  const int file = open(path, O_WRONLY | O_CREAT, 0666);
  require(file >= 0, "%s: cannot be written", path);
  for (int64_t at = begin; at < end; at += BLOCK) {
    const size_t size = (size_t)(end - at < BLOCK ? end - at : BLOCK);
    require(pwrite(file, block, size, at) == (ssize_t)size, "%s: cannot be written", path);
  }
  comm_barrier(c);
  require(c->rank > 0 || fsync(file) == 0, "%s: cannot be written", path);
  close(file);
  comm_barrier(c);
}

struct output_bench {
  const struct comm *comm;
  struct snapshot_metadata metadata;
  const struct agents *agents;
  const char *path;
  struct measurements m;
};

static void write_once(struct output_bench *o, enum writer writer, int round)
{
  static char block[BLOCK];
  const struct comm *c = o->comm;
  struct partition p = {.rank_count = c->size,
                        .boxes = memory_create((size_t)c->size, sizeof *p.boxes)};
  o->metadata.compression = writer == COMPRESSED;
  memset(block, round + 1, sizeof block);
  if (c->rank == 0)
    unlink(o->path);
  comm_barrier(c);
  const double start = clock_seconds();
  if (writer == PLAIN)
    write_plain(c, o->path, o->m.bytes[PLAIN], block);
  else
    require(snapshot_write(c, o->path, &o->metadata, &p, o->agents) == SNAPSHOT_WRITTEN,
            "%s: cannot be written", o->path);
  o->m.seconds[writer][round] = clock_seconds() - start;
  struct stat status = {.st_size = 0};
  if (c->rank == 0)
    require(stat(o->path, &status) == 0, "%s: cannot be read", o->path);
  o->m.bytes[writer] = status.st_size;
  comm_broadcast(c, &o->m.bytes[writer], sizeof o->m.bytes[writer], 0);
  memory_destroy(p.boxes);
}

static void print(const struct comm *c, const struct output_options *o, struct measurements *m)
{
  printf("%" PRId64 " agents, %d rank%s, %d times, %s\n%-24s %8s %8s %8s %8s %8s %8s\n", o->agents,
         c->size, c->size > 1 ? "s" : "", o->times, o->folder, "", "MB", "median s", "minimum",
         "maximum", "MB/s", "of plain");
  double medians[WRITERS];
  for (int writer = 0; writer < WRITERS; writer++) {
    double *s = m->seconds[writer];
    medians[writer] = bench_median(s, o->times); // sorts
    const double megabytes = 1e-6 * (double)m->bytes[writer];
    printf("%-24s %8.1f %8.3f %8.3f %8.3f %8.0f %8.2f\n", writer_names[writer], megabytes,
           medians[writer], s[0], s[o->times - 1], megabytes / medians[writer],
           medians[PLAIN] / medians[writer]);
  }
}

static struct output_options parse(int argc, char **argv)
{
  static const struct option names[] = {{"agents", required_argument, NULL, 'a'},
                                        {"times", required_argument, NULL, 't'},
                                        {"folder", required_argument, NULL, 'f'},
                                        {NULL, 0, NULL, 0}};
  struct output_options o = {1000000, 5, "."};
  for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    require(c != '?', "the options are described at the top of bench/output.c");
    if (c == 'a')
      o.agents = strtoll(optarg, NULL, 10);
    if (c == 't')
      o.times = atoi(optarg);
    if (c == 'f')
      o.folder = optarg;
  }
  require(o.agents > 0 && o.agents <= 1000000000, "--agents: must be from 1 to 1000000000");
  require(o.times > 0 && o.times <= TIMES_MAX, "--times: must be from 1 to %d", TIMES_MAX);
  return o;
}

int output_bench(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  struct output_options o = parse(argc, argv);
  const double side = ceil(sqrt((double)o.agents)) + 1;
  struct frame frame;
  struct agents a;
  char path[4096];
  o.agents -= o.agents % c.size;
  require(frame_fit(&frame, (double[2]){0, 0}, (double[2]){side, side}),
          "--agents: that many do not fit into the largest world");
  agents_place(&a, &c, &frame, o.agents);
  snprintf(path, sizeof path, "%s/throng-output.vtkhdf", o.folder);
  struct output_bench b = {.comm = &c,
                           .metadata = {.frame = &frame,
                                        .scenario_text = "",
                                        .version = "output",
                                        .selection = selection_all},
                           .agents = &a,
                           .path = path};
  write_once(&b, EXACT_SIZE, 0); // finds out the size
  b.m.bytes[PLAIN] = b.m.bytes[EXACT_SIZE];
  for (int round = 0; round < o.times; round++)
    for (int writer = 0; writer < WRITERS; writer++)
      write_once(&b, writer, round);
  if (c.rank == 0) {
    unlink(path);
    print(&c, &o, &b.m);
  }
  agents_destroy(&a);
  comm_end(&c);
  return 0;
}
