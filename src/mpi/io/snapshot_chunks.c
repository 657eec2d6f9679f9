// Datasets that one rank writes chunk by chunk.
#include "snapshot_file.h"
#include "worker.h"

#include <string.h>

// A thread makes a group of chunks before it writes them in their turn: chunks take unequal times,
// groups almost the same, so that threads seldom wait for each other.
#define GROUP_MAX      8
#define GROUP_BYTES    (128 << 10)
#define DIMENSIONS_MAX 4

// What a thread needs. Its memory serves for all groups.
struct maker {
  struct chunk_deflater *deflater; // NULL: the chunks are not compressed
  char *values;                    // of a chunk
  char *stored;                    // [group][capacity]
  int64_t capacity;                // bytes of a stored chunk
  int64_t sizes[GROUP_MAX];        // bytes; 0: not stored
};

// A dataset while its chunks are written.
struct writing {
  const struct snapshot_chunks *chunks;
  struct snapshot_file *file;
  hid_t dataset;
  int64_t group;        // chunks
  struct maker *makers; // [worker_threads()]; those of threads that make nothing are 0
  int failed;
};

static int64_t group_size(const struct snapshot_chunks *c) // chunks
{
  const int64_t fit = GROUP_BYTES / (c->values * c->size);
  return fit < 1 ? 1 : fit > GROUP_MAX ? GROUP_MAX : fit;
}

static void maker_create(struct maker *m, const struct writing *w)
{
  const struct snapshot_chunks *c = w->chunks;
  const int32_t level = w->file->compression;
  const int64_t bytes = c->values * c->size;
  m->capacity = level ? chunk_deflate_bound(bytes) : bytes;
  m->deflater = level ? chunk_deflater_create(level, c->search) : NULL;
  m->values = level ? memory_create((size_t)bytes, 1) : NULL;
  m->stored = memory_create((size_t)w->group, (size_t)m->capacity);
}

static void maker_destroy(struct maker *m)
{
  chunk_deflater_destroy(m->deflater);
  memory_destroy(m->values);
  memory_destroy(m->stored);
}

static int64_t chunk_make(struct maker *m, const struct snapshot_chunks *c, int64_t k, char *stored)
{
  const int64_t bytes = c->values * c->size;
  char *values = m->deflater ? m->values : stored;
  memset(values, 0, (size_t)bytes);
  if (!c->fill(c->source, k, values))
    return 0;
  return m->deflater ? chunk_deflate(m->deflater, values, c->values, c->size, true, stored) : bytes;
}

static int64_t group_end(const struct writing *w, int64_t first)
{
  const int64_t left = w->chunks->count - first;
  return first + (left < w->group ? left : w->group);
}

// Calls nothing of HDF5, which is for one thread at a time.
static void group_make(void *writing, int64_t number, int thread)
{
  struct writing *w = writing;
  struct maker *m = &w->makers[thread];
  const int64_t first = number * w->group;
  int stop;
#pragma omp atomic read
  stop = w->failed;
  if (stop)
    return;
  if (!m->stored)
    maker_create(m, w);
  for (int64_t k = first; k < group_end(w, first); k++)
    m->sizes[k - first] = chunk_make(m, w->chunks, k, m->stored + (k - first) * m->capacity);
}

// Stops at the first chunk that fails.
static void group_write(void *writing, int64_t number, int thread)
{
  struct writing *w = writing;
  const struct snapshot_chunks *c = w->chunks;
  const struct maker *m = &w->makers[thread];
  struct snapshot_file *f = w->file;
  const int64_t first = number * w->group;
  for (int64_t k = first; k < group_end(w, first) && f->rank_ok; k++) {
    const size_t size = (size_t)m->sizes[k - first];
    const char *bytes = m->stored + (k - first) * m->capacity;
    hsize_t offset[DIMENSIONS_MAX] = {0};
    if (size == 0)
      continue;
    c->offset(c->source, k, offset);
    snapshot_check(f, H5Dwrite_chunk(w->dataset, f->transfer, 0, offset, size, bytes), c->name);
  }
#pragma omp atomic write
  w->failed = !f->rank_ok;
}

void snapshot_chunks_write(struct snapshot_file *f, hid_t dataset, const struct snapshot_chunks *c)
{
  const int threads = worker_threads();
  struct writing w = {.chunks = c, .file = f, .dataset = dataset, .group = group_size(c)};
  w.makers = memory_create((size_t)threads, sizeof *w.makers);
  worker_loop(&(struct worker_loop){.count = (c->count + w.group - 1) / w.group,
                                    .make = group_make,
                                    .finish = group_write,
                                    .context = &w});
  for (int i = 0; i < threads; i++)
    maker_destroy(&w.makers[i]);
  memory_destroy(w.makers);
}
