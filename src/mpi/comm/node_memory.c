#include "node_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// MPI offers shared-memory windows, but some libraries raise a bus error or hang when /dev/shm is
// too small. Reserving the pages first turns lack of room into an error code.

// Logical AND over the node, and a memory barrier: writes before it are visible after it.
static bool node_memory_agree(void *context, bool own)
{
  const struct node_memory *m = context;
  int all = own;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, m->mpi);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return all;
}

#define NAME_SIZE 64
#define NAMES_MAX 100 // attempts: a process of another container may have the same id

// Creates a segment and reserves all its pages. -1: no room.
static int segment_create(char *name, size_t bytes)
{
  int file = -1, failed;
  for (int number = 0; file < 0 && number < NAMES_MAX; number++) {
    snprintf(name, NAME_SIZE, "/throng-%ld-%d", (long)getpid(), number);
    file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  }
  if (file < 0)
    return -1;
  do
    failed = posix_fallocate(file, 0, (off_t)bytes);
  while (failed == EINTR);
  if (!failed)
    return file;
  close(file);
  shm_unlink(name);
  return -1;
}

// The size identifies the segment: another /dev/shm (of a container) may hold the same name.
static int segment_open(const char *name, size_t bytes)
{
  struct stat status;
  const int file = shm_open(name, O_RDWR, 0);
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size == (off_t)bytes)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

static void *segment_map(int file, size_t bytes)
{
  if (file < 0)
    return NULL;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

static void node_memory_free(void *memory, size_t bytes)
{
  munmap(memory, bytes);
}

static void *node_memory_allocate(void *context, size_t bytes)
{
  struct node_memory *m = context;
  int64_t extremes[2] = {(int64_t)bytes, -(int64_t)bytes};
  MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, m->mpi);
  if (bytes == 0 || extremes[0] != -extremes[1])
    return NULL;
  char name[NAME_SIZE] = "";
  int file = m->node_group.rank == 0 ? segment_create(name, bytes) : -1;
  const bool created = file >= 0;
  MPI_Bcast(name, NAME_SIZE, MPI_CHAR, 0, m->mpi);
  if (!node_memory_agree(m, created || m->node_group.rank > 0))
    return NULL;
  if (m->node_group.rank > 0)
    file = segment_open(name, bytes);
  void *memory = segment_map(file, bytes);
  const bool all_mapped = node_memory_agree(m, memory != NULL);
  if (m->node_group.rank == 0)
    shm_unlink(name); // the kernel frees it with the last process, even after a crash
  if (all_mapped)
    return memory;
  if (memory)
    node_memory_free(memory, bytes);
  return NULL;
}

void node_memory_create(struct node_memory *m, const struct comm *c)
{
  *m = (struct node_memory){.node_group = {.context = m,
                                           .logical_and = node_memory_agree,
                                           .allocate = node_memory_allocate,
                                           .release = node_memory_free}};
  MPI_Comm_split_type(c->mpi, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &m->mpi);
  MPI_Comm_rank(m->mpi, &m->node_group.rank);
  MPI_Comm_size(m->mpi, &m->node_group.size);
}

void node_memory_destroy(struct node_memory *m)
{
  MPI_Comm_free(&m->mpi);
  *m = (struct node_memory){0};
}
