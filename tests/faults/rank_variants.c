// Runs scenarios on several machines each, one scenario after the other in the same processes:
// starting them takes longer than such a run. See variants.py.
//
//   mpirun -n RANKS rank_variants
//
// Reads a line for each scenario from standard input,
//
//   PATH HALF VARIANTS
//
// and after it a line for each variant:
//
//   RANKS THREADS BACKEND SEED MODE FOLDER FROM IDENTITY
//
// Answers a line for each, in their order: CODE CHECKSUM HALFWAY ARRIVED CREATED MESSAGE. Variants
// of one rank run at the same time, each on a rank of its own.
//
// SEED: of the numbers of steps by which the caller advances; 0: all at once. HALF: steps after
// which the state is looked at, too. MODE: "run"; "restart": after HALF steps from a checkpoint in
// the folder, by a new simulation; "replay": of the steps FROM to HALF of the run in the folder,
// whose summary has that identity. FOLDER: of the files; "-": none. A replay writes into
// FOLDER-replay.
#include "throng.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VARIANTS_MAX 16
#define TEXT_MAX     1000

struct variant {
  int ranks, threads;
  uint64_t seed;
  long long from;
  uint64_t identity;
  char backend[40], mode[20], folder[TEXT_MAX];
};

struct job { // the same on every rank
  int count;
  long long half;
  char path[TEXT_MAX];
  struct variant variants[VARIANTS_MAX];
};

struct outcome {
  int code;
  uint64_t checksum, halfway;
  long long arrived, created;
  char message[TEXT_MAX];
};

static int rank, size;

// ------------------------------------------------------------------------------- one variant

static long long drawn_steps(uint64_t *seed) // 1 to 12
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return 1 + (long long)(*seed >> 33) % 12;
}

static bool failed(struct outcome *o, int code)
{
  o->code = code;
  if (code != THRONG_DONE)
    snprintf(o->message, sizeof o->message, "%.900s", throng_messages());
  return code != THRONG_DONE;
}

// True: a step was made or is still to come.
static bool advance(struct throng *t, struct outcome *o, uint64_t *seed, long long until)
{
  struct throng_state s;
  throng_get_state(t, &s);
  while (s.step < until && !s.is_over) {
    const long long left = until - s.step, steps = *seed ? drawn_steps(seed) : left;
    if (failed(o, throng_advance(t, steps < left ? steps : left)))
      return false;
    throng_get_state(t, &s);
  }
  return true;
}

static bool create(struct throng **t, struct throng_options *options, struct outcome *o)
{
  return !failed(o, throng_create(t, options));
}

// Goes on from a checkpoint of the present step.
static bool restart(struct throng **t, struct throng_options *options, struct outcome *o)
{
  if (failed(o, throng_checkpoint(*t)))
    return false;
  throng_destroy(*t);
  options->restart = "auto";
  return create(t, options, o);
}

static void end(struct throng *t, const struct throng_options *options, struct outcome *o)
{
  struct throng_state s;
  if (failed(o, throng_checksum(t, &o->checksum)))
    return;
  throng_get_state(t, &s);
  o->arrived = s.arrived;
  o->created = s.created;
  if (options->directory)
    failed(o, throng_finish(t));
}

static struct throng_options options_of(const struct job *j, const struct variant *v, MPI_Comm comm)
{
  struct throng_options options = throng_default_options();
  options.path = j->path;
  options.backend = v->backend;
  options.threads = v->threads;
  options.quiet = 1;
  options.directory = strcmp(v->folder, "-") == 0 ? NULL : v->folder;
  options.has_communicator = 1;
  options.communicator = (int)MPI_Comm_c2f(comm);
  return options;
}

static void replay(const struct job *j, const struct variant *v, struct throng_options *options,
                   struct outcome *o)
{
  struct throng *t;
  uint64_t seed = v->seed;
  char folder[TEXT_MAX + 10];
  snprintf(folder, sizeof folder, "%s-replay", v->folder);
  options->directory = folder;
  options->replay = v->folder;
  options->replay_from = v->from;
  options->replay_identity = v->identity;
  options->steps = j->half;
  if (create(&t, options, o) && advance(t, o, &seed, j->half))
    failed(o, throng_checksum(t, &o->halfway));
  throng_destroy(t);
}

static void run(const struct job *j, const struct variant *v, MPI_Comm comm, struct outcome *o)
{
  struct throng *t;
  struct throng_options options = options_of(j, v, comm);
  uint64_t seed = v->seed;
  *o = (struct outcome){0};
  if (strcmp(v->mode, "replay") == 0) {
    replay(j, v, &options, o);
    return;
  }
  if (create(&t, &options, o) && advance(t, o, &seed, j->half) &&
      !failed(o, throng_checksum(t, &o->halfway)) &&
      (strcmp(v->mode, "restart") != 0 || restart(&t, &options, o)) &&
      advance(t, o, &seed, INT64_MAX))
    end(t, &options, o);
  throng_destroy(t);
}

// -------------------------------------------------------------------------------- all of them

// Ranks that wait for a message sleep.
static void broadcast(void *data, int bytes)
{
  MPI_Request request;
  int done = 0;
  MPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
       MPI_Test(&request, &done, MPI_STATUS_IGNORE))
    nanosleep(&(const struct timespec){.tv_nsec = 200000}, NULL);
}

static bool read_job(struct job *j) // false: there is no other
{
  char line[3 * TEXT_MAX];
  if (!fgets(line, sizeof line, stdin) ||
      sscanf(line, "%999s %lld %d", j->path, &j->half, &j->count) != 3 || j->count > VARIANTS_MAX)
    return false;
  for (int k = 0; k < j->count; k++) {
    struct variant *v = &j->variants[k];
    if (!fgets(line, sizeof line, stdin) ||
        sscanf(line, "%d %d %39s %" SCNu64 " %19s %999s %lld %" SCNx64, &v->ranks, &v->threads,
               v->backend, &v->seed, v->mode, v->folder, &v->from, &v->identity) != 8)
      return false;
  }
  return true;
}

// All ranks take part in turn where a variant needs several of them.
static void run_together(const struct job *j, struct outcome *outcomes)
{
  for (int k = 0; k < j->count; k++) {
    MPI_Comm comm;
    const struct variant *v = &j->variants[k];
    if (v->ranks <= 1)
      continue;
    MPI_Comm_split(MPI_COMM_WORLD, rank < v->ranks ? 0 : MPI_UNDEFINED, 0, &comm);
    if (comm == MPI_COMM_NULL)
      continue;
    run(j, v, comm, &outcomes[k]);
    MPI_Comm_free(&comm);
  }
}

static int runner(const struct job *j, int k) // of a variant of one rank
{
  return j->variants[k].ranks > 1 ? 0 : k % size;
}

static void run_alone(const struct job *j, struct outcome *outcomes)
{
  for (int k = 0; k < j->count; k++)
    if (j->variants[k].ranks <= 1 && runner(j, k) == rank)
      run(j, &j->variants[k], MPI_COMM_SELF, &outcomes[k]);
}

static void wait_for_all(void)
{
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
       MPI_Test(&request, &done, MPI_STATUS_IGNORE))
    nanosleep(&(const struct timespec){.tv_nsec = 200000}, NULL);
}

static void answer(const struct job *j, struct outcome *outcomes)
{
  for (int k = 0; k < j->count; k++) {
    struct outcome *o = &outcomes[k];
    const int from = runner(j, k);
    if (from > 0 && rank == from)
      MPI_Send(o, sizeof *o, MPI_BYTE, 0, k, MPI_COMM_WORLD);
    if (from > 0 && rank == 0)
      MPI_Recv(o, sizeof *o, MPI_BYTE, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0)
      continue;
    o->message[strcspn(o->message, "\n")] = 0;
    printf("%d %016" PRIx64 " %016" PRIx64 " %lld %lld %s\n", o->code, o->checksum, o->halfway,
           o->arrived, o->created, o->message);
  }
  fflush(stdout);
}

int main(void)
{
  static struct job j;
  static struct outcome outcomes[VARIANTS_MAX];
  if (throng_begin(THRONG_EMBEDDED) != THRONG_DONE)
    return EXIT_FAILURE;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (;;) {
    if (rank == 0 && !read_job(&j))
      j.count = 0;
    broadcast(&j, sizeof j);
    if (j.count == 0)
      break;
    run_alone(&j, outcomes);
    wait_for_all();
    run_together(&j, outcomes);
    wait_for_all();
    answer(&j, outcomes);
  }
  throng_end();
}
