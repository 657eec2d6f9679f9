#include "chunk_compression.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

#define SHUFFLED_ROWS 1024 // at once

// The filter shuffle: first the first bytes of all rows, then the second ones, ...
static void shuffle(const uint8_t *rows, int64_t count, int64_t size, uint8_t *out)
{
  for (int64_t begin = 0; begin < count; begin += SHUFFLED_ROWS) { // in the cache
    const int64_t end = begin + SHUFFLED_ROWS < count ? begin + SHUFFLED_ROWS : count;
    for (int64_t byte = 0; byte < size; byte++)
      for (int64_t i = begin; i < end; i++)
        out[byte * count + i] = rows[i * size + byte];
  }
}

static void chunk_compress(const struct trajectory_format *format, struct trajectory_chunk *chunk)
{
  const int64_t row = format->datasets[chunk->dataset].size;
  uint8_t *shuffled = memory_create((size_t)chunk->size, 1);
  shuffle(chunk->bytes, chunk->size / row, row, shuffled);
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(format->compression);
  if (!compressor)
    memory_fail((double)chunk->size);
  const size_t most = libdeflate_zlib_compress_bound(compressor, (size_t)chunk->size);
  memory_destroy(chunk->bytes);
  chunk->bytes = memory_create(most, 1);
  chunk->size = (int64_t)libdeflate_zlib_compress(compressor, shuffled, (size_t)chunk->size,
                                                  chunk->bytes, most);
  assert(chunk->size > 0);
  libdeflate_free_compressor(compressor);
  memory_destroy(shuffled);
}

static void chunk_send(const struct comm *c, const struct trajectory_chunk *chunk, int32_t to)
{
  const int64_t head[2] = {chunk->dataset, chunk->size};
  comm_send(c, head, sizeof head, to);
  comm_send(c, chunk->bytes, (size_t)chunk->size, to);
}

static void chunk_receive(const struct comm *c, struct trajectory_chunk *chunk, int32_t from)
{
  int64_t head[2];
  comm_receive(c, head, sizeof head, from);
  memory_destroy(chunk->bytes);
  chunk->dataset = (int32_t)head[0];
  chunk->size = head[1];
  chunk->bytes = memory_create((size_t)chunk->size, 1);
  comm_receive(c, chunk->bytes, (size_t)chunk->size, from);
}

// Rank 0: chunk i is rank i % size's.
static void share_out(const struct comm *c, const struct trajectory_format *format,
                      struct trajectory_chunk *chunks, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    if (i % c->size)
      chunk_send(c, &chunks[i], (int32_t)(i % c->size));
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < count; i += c->size)
    chunk_compress(format, &chunks[i]);
  for (int64_t i = 0; i < count; i++)
    if (i % c->size)
      chunk_receive(c, &chunks[i], (int32_t)(i % c->size));
}

static void help(const struct comm *c, const struct trajectory_format *format, int64_t count)
{
  struct trajectory_chunk *own = memory_create((size_t)count, sizeof *own);
  int64_t n = 0;
  for (int64_t i = c->rank; i < count; i += c->size)
    chunk_receive(c, &own[n++], 0);
#pragma omp parallel for schedule(dynamic)
  for (int64_t k = 0; k < n; k++)
    chunk_compress(format, &own[k]);
  for (int64_t k = 0; k < n; k++) {
    chunk_send(c, &own[k], 0);
    memory_destroy(own[k].bytes);
  }
  memory_destroy(own);
}

void chunks_compress(const struct comm *c, const struct trajectory_format *format,
                     struct trajectory_chunk *chunks, int64_t count)
{
  if (format->compression == 0)
    return;
  comm_broadcast(c, &count, sizeof count, 0);
  if (c->rank == 0)
    share_out(c, format, chunks, count);
  else
    help(c, format, count);
}
