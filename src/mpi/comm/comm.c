#include "comm.h"

#include "shared_memory_space.h"
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#define REDUCE_VALUES 65536 // per message of comm_reduce
#define COMM_TAG      0
#define POLL_US       2000 // µs

void comm_abort(enum exit_code code)
{
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized && !finalized)
    MPI_Abort(MPI_COMM_WORLD, code);
  exit((int)code);
}

// Whether mpirun, srun or the like has started this process.
static bool has_launcher(void)
{
  static const char *const names[] = {
      "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_ID", "PMI_FD", "SLURM_PROCID"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (getenv(names[k]))
      return true;
  return false;
}

// What a process on its own does without: Open MPI would look for networks (.2 s), start a daemon
// (.1 s), and make a folder for its session. All such processes of a user share that folder, and
// the first to end removes it, so that another one that begins at that moment fails: the runs of a
// sweep do. What the user has set stays.
static const struct {
  const char *name, *value;
} settings_alone[] = {{"OMPI_MCA_pml", "ob1"},
                      {"OMPI_MCA_ess_singleton_isolated", "1"},
                      {"OMPI_MCA_orte_create_session_dirs", "0"}};
#define SETTINGS_ALONE (sizeof settings_alone / sizeof *settings_alone)

static void mpi_begin(int *argc, char ***argv)
{
  bool set[SETTINGS_ALONE];
  int provided;
  for (size_t k = 0; k < SETTINGS_ALONE; k++) {
    set[k] = !has_launcher() && !getenv(settings_alone[k].name);
    if (set[k])
      setenv(settings_alone[k].name, settings_alone[k].value, 0);
  }
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided); // OpenMP threads never call MPI
  for (size_t k = 0; k < SETTINGS_ALONE; k++) // not for programs that this one starts
    if (set[k])
      unsetenv(settings_alone[k].name);
}

void comm_begin(struct comm *c, int *argc, char ***argv)
{
  int initialized;
  MPI_Initialized(&initialized);
  if (!initialized)
    mpi_begin(argc, argv);
  *c = comm_of(MPI_COMM_WORLD);
  fail_set_handler(comm_abort);
  shared_memory_catch_bus_errors(); // replaces the handler of MPI, which prints a stack
}

void comm_end(struct comm *c)
{
  (void)c;
  MPI_Finalize();
}

struct comm comm_of(MPI_Comm mpi)
{
  struct comm c = {.mpi = mpi};
  MPI_Comm_rank(mpi, &c.rank);
  MPI_Comm_size(mpi, &c.size);
  return c;
}

struct comm comm_duplicate(MPI_Comm mpi)
{
  MPI_Comm own;
  MPI_Comm_dup(mpi, &own);
  return comm_of(own);
}

struct comm comm_self(void)
{
  return (struct comm){MPI_COMM_SELF, 0, 1};
}

bool comm_is_valid(const struct comm *c)
{
  return c->mpi != MPI_COMM_NULL && c->size >= 1 && c->rank >= 0 && c->rank < c->size;
}

bool comm_is_gpu_aware(void)
{
  int supported = 0;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  supported = MPIX_Query_cuda_support();
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported);
#endif
  return supported != 0;
}

int32_t comm_node_size(const struct comm *c)
{
  MPI_Comm node;
  int size;
  MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  return size;
}

bool comm_part_create(struct comm *part, const struct comm *all, bool is_member)
{
  MPI_Comm mpi;
  MPI_Comm_split(all->mpi, is_member ? 0 : MPI_UNDEFINED, all->rank, &mpi);
  *part = is_member ? comm_of(mpi) : (struct comm){.mpi = MPI_COMM_NULL};
  return is_member;
}

struct comm comm_split(const struct comm *all, int32_t part)
{
  MPI_Comm mpi;
  assert(part >= 0);
  MPI_Comm_split(all->mpi, part, all->rank, &mpi);
  return comm_of(mpi);
}

void comm_part_destroy(struct comm *part)
{
  MPI_Comm_free(&part->mpi);
}

// ------------------------------------------------------------------------------- reductions

static void all_reduce(const struct comm *c, int64_t *values, int64_t count, MPI_Op op)
{
  assert(comm_is_valid(c) && count >= 0 && count <= INT_MAX);
  if (c->size > 1)
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_INT64_T, op, c->mpi);
}

void comm_sum(const struct comm *c, int64_t *values, int64_t count)
{
  all_reduce(c, values, count, MPI_SUM);
}

void comm_max(const struct comm *c, int64_t *values, int64_t count)
{
  all_reduce(c, values, count, MPI_MAX);
}

void comm_min(const struct comm *c, int64_t *values, int64_t count)
{
  all_reduce(c, values, count, MPI_MIN);
}

uint64_t comm_sum_wrapping(const struct comm *c, uint64_t own)
{
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, c->mpi);
  return own;
}

int64_t comm_prefix_sum(const struct comm *c, int64_t own)
{
  int64_t end = own;
  MPI_Scan(MPI_IN_PLACE, &end, 1, MPI_INT64_T, MPI_SUM, c->mpi);
  return end - own;
}

bool comm_all(const struct comm *c, bool own)
{
  int64_t all = own;
  comm_min(c, &all, 1);
  return all != 0;
}

int32_t comm_lowest_rank(const struct comm *c, bool own)
{
  int64_t rank = own ? c->rank : c->size;
  comm_min(c, &rank, 1);
  return (int32_t)rank;
}

enum exit_code comm_agree(const struct comm *c, enum exit_code own)
{
  int64_t worst = own;
  comm_max(c, &worst, 1);
  return (enum exit_code)worst;
}

void comm_reduce_i64(const struct comm *c, int64_t *values, int64_t count)
{
  for (int64_t first = 0; first < count && c->size > 1; first += REDUCE_VALUES) {
    const int n = (int)(count - first < REDUCE_VALUES ? count - first : REDUCE_VALUES);
    int64_t *strip = values + first;
    MPI_Reduce(c->rank ? strip : MPI_IN_PLACE, strip, n, MPI_INT64_T, MPI_SUM, 0, c->mpi);
  }
}

// --------------------------------------------------------------------------------- barriers

void comm_barrier(const struct comm *c)
{
  MPI_Barrier(c->mpi);
}

void comm_barrier_sleeping(const struct comm *c)
{
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(c->mpi, &request);
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
       MPI_Test(&request, &done, MPI_STATUS_IGNORE))
    usleep(POLL_US);
}

// ----------------------------------------------------------------------------- moving bytes

void *comm_gather(const struct comm *c, const void *own, int64_t bytes, int64_t *total)
{
  int *counts = memory_create(2 * (size_t)c->size, sizeof *counts), *starts = counts + c->size;
  require(bytes <= INT_MAX, "more than 2 GiB in one gather");
  const int count = (int)bytes;
  MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, c->mpi);
  *total = 0;
  for (int r = 0; r < c->size; r++) {
    starts[r] = (int)*total;
    *total += counts[r];
    require(*total <= INT_MAX, "more than 2 GiB in one gather");
  }
  char *all = memory_create((size_t)*total, 1);
  if (*total > 0) // often nobody has anything
    MPI_Allgatherv(own, count, MPI_BYTE, all, counts, starts, MPI_BYTE, c->mpi);
  memory_destroy(counts);
  return all;
}

// Sends instead of MPI_Gatherv: its displacements are ints, which limit the total to 2 GiB.
void *comm_gather_root(const struct comm *c, const void *own, int64_t bytes, int64_t *total)
{
  const bool is_root = c->rank == 0;
  int64_t *counts = memory_create((size_t)c->size, sizeof *counts);
  MPI_Gather(&bytes, 1, MPI_INT64_T, counts, 1, MPI_INT64_T, 0, c->mpi);
  *total = 0;
  for (int32_t r = 0; is_root && r < c->size; r++)
    *total += counts[r];
  char *all = *total ? memory_create((size_t)*total, 1) : NULL, *end = all;
  if (!is_root && bytes)
    comm_send(c, own, (size_t)bytes, 0);
  if (*total && bytes)
    memcpy(all, own, (size_t)bytes);
  for (int32_t r = 0; *total && r < c->size; end += counts[r++])
    if (r > 0 && counts[r])
      comm_receive(c, end, (size_t)counts[r], r);
  memory_destroy(counts);
  return all;
}

void comm_gather_i64(const struct comm *c, int64_t own, int64_t *values)
{
  values[0] = own;
  if (c->size > 1)
    MPI_Allgather(&own, 1, MPI_INT64_T, values, 1, MPI_INT64_T, c->mpi);
}

#define PIECE_MAX ((size_t)1 << 30) // bytes of one message: MPI counts in int

static int piece_at(size_t at, size_t bytes) // bytes of the piece that begins there
{
  return (int)(bytes - at < PIECE_MAX ? bytes - at : PIECE_MAX);
}

void comm_broadcast(const struct comm *c, void *data, size_t bytes, int32_t root)
{
  for (size_t at = 0; at < bytes && c->size > 1; at += PIECE_MAX)
    MPI_Bcast((char *)data + at, piece_at(at, bytes), MPI_BYTE, root, c->mpi);
}

void comm_send(const struct comm *c, const void *data, size_t bytes, int32_t to)
{
  for (size_t at = 0; at < bytes; at += PIECE_MAX)
    MPI_Send((const char *)data + at, piece_at(at, bytes), MPI_BYTE, to, COMM_TAG, c->mpi);
}

void comm_receive(const struct comm *c, void *data, size_t bytes, int32_t from)
{
  for (size_t at = 0; at < bytes; at += PIECE_MAX)
    MPI_Recv((char *)data + at, piece_at(at, bytes), MPI_BYTE, from, COMM_TAG, c->mpi,
             MPI_STATUS_IGNORE);
}
