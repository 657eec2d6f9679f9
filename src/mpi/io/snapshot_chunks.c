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

static int64_t group_size(const struct snapshot_chunks *c) // chunks
{
  const int64_t fit = GROUP_BYTES / (c->values * c->size);
  return fit < 1 ? 1 : fit > GROUP_MAX ? GROUP_MAX : fit;
}

static struct maker maker_create(const struct snapshot_file *f, const struct snapshot_chunks *c)
{
  const int64_t bytes = c->values * c->size;
  struct maker m = {.capacity = f->compression ? chunk_deflate_bound(bytes) : bytes};
  m.deflater = f->compression ? chunk_deflater_create(f->compression, c->search) : NULL;
  m.values = m.deflater ? memory_create((size_t)bytes, 1) : NULL;
  m.stored = memory_create((size_t)group_size(c), (size_t)m.capacity);
  return m;
}

static void maker_destroy(struct maker *m)
{
  chunk_deflater_destroy(m->deflater);
  memory_destroy(m->values);
  memory_destroy(m->stored);
}

// Calls nothing of HDF5, which is for one thread at a time.
static int64_t chunk_make(struct maker *m, const struct snapshot_chunks *c, int64_t k, char *stored)
{
  const int64_t bytes = c->values * c->size;
  char *values = m->deflater ? m->values : stored;
  memset(values, 0, (size_t)bytes);
  if (!c->fill(c->source, k, values))
    return 0;
  return m->deflater ? chunk_deflate(m->deflater, values, c->values, c->size, true, stored) : bytes;
}

static void group_make(struct maker *m, const struct snapshot_chunks *c, int64_t first, int64_t end)
{
  for (int64_t k = first; k < end; k++) {
    m->sizes[k - first] = chunk_make(m, c, k, m->stored + (k - first) * m->capacity);
    worker_pause();
  }
}

// Stops at the first chunk that fails.
static void group_write(const struct maker *m, const struct snapshot_chunks *c, int64_t first,
                        int64_t end, struct snapshot_file *f, hid_t dataset)
{
  for (int64_t k = first; k < end && f->rank_ok; k++) {
    const size_t size = (size_t)m->sizes[k - first];
    const char *bytes = m->stored + (k - first) * m->capacity;
    hsize_t offset[DIMENSIONS_MAX] = {0};
    if (size == 0)
      continue;
    c->offset(c->source, k, offset);
    snapshot_check(f, H5Dwrite_chunk(dataset, f->transfer, 0, offset, size, bytes), c->name);
  }
}

void snapshot_chunks_write(struct snapshot_file *f, hid_t dataset, const struct snapshot_chunks *c)
{
  const int64_t group = group_size(c);
  int failed = 0;
#pragma omp parallel if (c->count > group)
  {
    struct maker m = maker_create(f, c);
#pragma omp for schedule(dynamic, 1) ordered
    for (int64_t first = 0; first < c->count; first += group) {
      const int64_t end = first + group < c->count ? first + group : c->count;
      int stop;
#pragma omp atomic read
      stop = failed;
      if (stop)
        continue;
      group_make(&m, c, first, end);
#pragma omp ordered
      {
        group_write(&m, c, first, end, f, dataset);
#pragma omp atomic write
        failed = !f->rank_ok;
      }
    }
    maker_destroy(&m);
  }
}
